"""Runs from Python: lazy frames, what is said about them, going on, and temporary folders that go."""

from __future__ import annotations

import _thread
import gc
import threading

import polars as pl
import pytest

import fivetowers_sim as ft
from fivetowers_sim.dataset.scan import scan_table
from tests.api.test_front_door import run_python
from tests.waiting import wait_until

GAMES = 120


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "x"
    return ft.simulate(games=GAMES, strategies=["greedy", "random", "random"], seed=3, out=folder, detail="rounds")


def test_its_tables_are_lazy_frames(run):
    assert isinstance(run.seats, pl.LazyFrame)
    assert run.games.collect().height == GAMES
    assert run.seats.collect().height == 3 * GAMES
    assert run.rounds.collect().height == run.games.select("rounds").collect()["rounds"].sum()


@pytest.mark.slow
def test_it_is_what_the_command_writes(run, tmp_path, fivetowers):
    typed = f"simulate --games {GAMES} --strategies greedy,random,random --seed 3 --out {tmp_path / 'typed'}"
    assert fivetowers(*typed.split()).returncode == 0
    typed = ft.open_run(tmp_path / "typed")
    assert typed.games.collect().equals(run.games.collect())
    assert typed.plan["setup"] == run.plan["setup"]
    assert fivetowers("digest", run.path).stdout.strip() == run.digest() == ft.digest(run)


def test_what_was_not_recorded_is_played_once_more(run):
    again = ft.simulate(games=GAMES, strategies=["greedy", "random", "random"], seed=3)
    assert again.tables == ("games", "seats")
    assert again.rounds.collect().equals(run.rounds.collect())
    assert run.bids.collect().height > 0
    assert scan_table(again.path, "games").collect().equals(again.games.collect())


@pytest.mark.slow
def test_its_methods_say_what_the_commands_say(run, fivetowers):
    assert run.verify() == []
    assert str(run.summary()) == fivetowers("summary", run.path).stdout.rstrip()
    assert run.summary().to_dict()["games"] == GAMES
    assert run.summary().frame("by_seat")["seat"].to_list() == [0, 1, 2]
    assert str(run.replay(17)) == fivetowers("replay", run.path, 17).stdout.rstrip()
    assert run.replay(17).to_dict() == next(ft.trace(first=17, strategies=["greedy", "random", "random"], seed=3))
    assert "<pre" in run.replay(17)._repr_html_()
    assert f"{GAMES} games" in repr(run)


def test_it_says_what_is_wrong_with_its_files(run, tmp_path):
    copy = run.save(tmp_path / "copy")
    assert copy.verify() == []
    (copy.path / "seats" / "part-000000.parquet").write_bytes(b"")
    (problem,) = ft.verify(copy.path)
    assert "part-000000.parquet" in problem
    with pytest.raises(ft.RunError, match="exists already"):
        run.save(tmp_path / "copy")


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda run: ft.simulate(games=5, players=7), ValueError, "players is 7; accepted is 2 to 5"),
        (
            lambda run: ft.simulate(games=5, set={"display_size": 9}),
            ValueError,
            "set: display_size is 9; accepted is 3 to 7",
        ),
        (lambda run: ft.simulate(games=5, part_games=-1), ValueError, "part_games is -1; accepted is"),
        (
            lambda run: ft.simulate(games=5, seat_powers={9: "all"}),
            ValueError,
            "seat_powers 9=all: there is no seat '9'",
        ),
        (
            lambda run: ft.simulate(games=5, strategies="nobody"),
            ValueError,
            "strategies: there is no strategy 'nobody'",
        ),
        (
            lambda run: ft.simulate(games=5, scheduler="tcp://x:1"),
            ValueError,
            "scheduler is given with backend threads",
        ),
        (
            lambda run: ft.simulate(games=5, resume=True),
            ValueError,
            "resume is True without out; accepted is the folder",
        ),
        (lambda run: ft.simulate(games=5, out=run.path), ft.RunError, "exists already"),
        (lambda run: ft.trace(games=0), ValueError, "games is 0; accepted is 1 to"),
        (lambda run: run.replay(GAMES), ValueError, f"game is {GAMES}; accepted is 0 to {GAMES - 1}"),
        (lambda run: ft.open_run("nowhere"), ft.RunError, "nowhere"),
        (lambda run: ft.rules("nothing"), ValueError, "name: there is no rule set 'nothing'; accepted are base"),
        (lambda run: ft.strategies("nobody"), ValueError, "name: there is no strategy 'nobody'"),
    ],
)
def test_what_is_not_accepted_is_said_in_the_names_of_arguments(run, call, error, said):
    with pytest.raises(error) as caught:
        call(run)
    assert said in str(caught.value)
    assert "--" not in str(caught.value)


def test_ctrl_c_ends_the_call_and_what_is_kept_can_be_gone_on_with(tmp_path):
    out = tmp_path / "kept"
    asked = {"games": 400_000, "part_games": 400, "out": out, "workers": 1}

    def press() -> None:
        wait_until(lambda: (out / "seats" / "part-000002.parquet").exists())
        _thread.interrupt_main()

    presser = threading.Thread(target=press)
    presser.start()
    with pytest.raises(KeyboardInterrupt) as caught:
        ft.simulate(**asked)
    presser.join()
    assert str(caught.value).endswith("of 400,000 games are written and kept; call again with resume=True")
    assert "unfinished" in repr(ft.open_run(out))
    with pytest.raises(ft.RunError, match="unfinished"):
        ft.open_run(out).games.collect()
    from fivetowers_sim.cli import interrupt

    assert not interrupt._pending


def test_a_run_that_was_begun_is_gone_on_with(tmp_path):
    asked = {"games": GAMES, "out": tmp_path / "x"}
    first = ft.simulate(**asked).digest()
    assert ft.simulate(**asked, resume=True).digest() == first


@pytest.mark.slow
def test_frames_of_a_temporary_run_can_be_read_when_the_run_is_forgotten():
    seats = ft.simulate(games=30).seats
    gc.collect()
    assert seats.collect().height == 90


@pytest.mark.slow
def test_temporary_folders_are_gone_when_python_ends(tmp_path):
    code = (
        "import fivetowers_sim as ft\n"
        "run = ft.simulate(games=30)\nfound = ft.compare('base', 'base', strategies='greedy', games=40)\n"
        "print(run.path.exists(), found.path.exists())"
    )
    assert run_python(code, TMPDIR=str(tmp_path)).split() == ["True", "True"]
    assert list(tmp_path.glob("fivetowers-*")) == []


def test_what_a_users_own_strategy_prints_is_no_part_of_the_answer(tmp_path, capsys):
    code = "class Loud:\n    def speak(self, view):\n        print('hm')\n        return view.ask('greedy')\n"
    (tmp_path / "loud.py").write_text(code, "utf-8")
    found = ft.compare(
        "base", "base", set_b={"display_size": 6}, strategies=f"{tmp_path}/loud.py:Loud", games=4, workers=1
    )
    assert "hm" in capsys.readouterr().out
    assert "hm\n" not in str(found)
