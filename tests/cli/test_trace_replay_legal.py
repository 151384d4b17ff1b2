"""``trace``, ``replay`` and ``legal`` as a user runs them, bad input included."""

from __future__ import annotations

import json
import shutil

import polars as pl
import pytest

from tests.reference.audit import audit_trace

POSITION = {
    "format": "fivetowers-position/1",
    "players": 3,
    "rules": "base",
    "powers_by_seat": [["tree", "scrap"], [], []],
    "display": ["candy-3", "tree-7", "candy-11"],
    "seats": [{"towers": {"candy": [14, 10], "tree": [9, 5]}}, {}, {}],
    "turn": {"seat": 0, "high_bid": 1},
}
CHOICE = ["--players", "3", "--strategies", "greedy,greedy:misjudge=0.3,greedy", "--seed", "7"]


@pytest.fixture(scope="session")
def ask(fivetowers):
    """The command's output, or its one line of refusal, after a check of the exit code."""

    def call(*arguments, code=0):
        done = fivetowers(*arguments)
        assert done.returncode == code, done.stderr
        if code == 0:
            return done.stdout
        assert done.stdout == ""
        assert done.stderr.startswith("error: ")
        assert done.stderr.count("\n") == 1
        return done.stderr

    return call


@pytest.fixture(scope="module")
def run(ask, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "run"
    ask("simulate", "--games", 6, *CHOICE, "--out", folder, "--workers", 1, "--quiet")
    return folder


@pytest.fixture
def position(tmp_path):
    def write(**changes):
        file = tmp_path / "position.json"
        file.write_text(json.dumps({**POSITION, **changes}))
        return file

    return write


# trace


@pytest.mark.slow
def test_trace_prints_json_lines_or_writes_them_to_a_new_file(ask, tmp_path):
    printed = ask("trace", "--games", 3, "--first", 2, *CHOICE)
    traces = [json.loads(line) for line in printed.splitlines()]
    assert [trace["game"] for trace in traces] == [2, 3, 4]
    assert [problem for trace in traces for problem in audit_trace(trace)] == []
    file = tmp_path / "games.jsonl"
    assert ask("trace", "--games", 3, "--first", 2, *CHOICE, "--out", file) == ""
    assert file.read_text() == printed
    assert "exists already" in ask("trace", "--out", file, code=2)
    assert file.read_text() == printed
    assert [entry.name for entry in tmp_path.iterdir()] == ["games.jsonl"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["--games", "0"], "--games is 0; accepted is 1 to"),
        (["--games", "two"], "--games is 'two'; accepted is a whole number"),
        (["--first", "1.5"], "--first is '1.5'; accepted is a whole number"),
        (["--first", "4294967295"], "--first is 4294967295; accepted is 0 to 4294967294"),
        (["--players", "6"], "--players is 6"),
        (["--strategies", "chess"], "there is no strategy 'chess'"),
        (["--out", "nowhere/games.jsonl"], "there is no folder nowhere"),
    ],
)
def test_trace_refuses_what_it_can_not_play_or_write(ask, options, part):
    assert part in ask("trace", *options, code=2)


# replay


@pytest.mark.slow
def test_replay_tells_the_game_that_the_run_recorded(ask, run):
    told = ask("replay", run, 4)
    trace = json.loads(ask("replay", run, 4, "--json"))
    assert trace == json.loads(ask("trace", "--first", 4, *CHOICE))
    assert told.startswith("Game 4 · seed 7 · 3 players · rules base\n")
    assert told.count("\nRound ") == len(trace["rounds"])
    assert "\x1b" not in told
    assert max(len(line) for line in told.splitlines()) <= 100


@pytest.mark.slow
def test_replay_refuses_a_game_that_the_run_does_not_have_and_a_folder_that_is_no_run(ask, run, tmp_path):
    assert "GAME is 6; accepted is 0 to 5" in ask("replay", run, 6, code=2)
    assert "GAME is 'first'; accepted is a whole number" in ask("replay", run, "first", code=2)
    assert "not a run folder" in ask("replay", tmp_path, 0, code=1)


@pytest.mark.slow
def test_replay_refuses_a_game_that_goes_another_way_than_it_was_recorded(fivetowers, ask, run, tmp_path):
    changed = tmp_path / "run"
    shutil.copytree(run, changed)
    part = next(changed.glob("seats/*.parquet"))
    seats = pl.read_parquet(part)
    one_more = (pl.col("game") == 4) & (pl.col("seat") == 1)
    seats.with_columns(pl.col("total") + one_more.cast(pl.Int32)).write_parquet(part)
    done = fivetowers("replay", changed, 4)
    assert (done.returncode, done.stdout) == (1, "")
    # The engine may say that it is being prepared.
    said = done.stderr.splitlines()[-1]
    total = json.loads(ask("replay", run, 4, "--json"))["scores"][1]["total"]
    assert "game 4" in said
    assert "another version" in said
    assert f"total of seat 1: {total + 1} recorded, {total} here" in said
    assert ask("replay", changed, 3) == ask("replay", run, 3)


# legal


def test_legal_lists_each_take_above_the_high_bid_once(ask, position):
    answer = json.loads(ask("legal", position(), "--json"))
    assert list(answer) == ["seat", "high_bid", "highest_bid", "takes"]
    assert (answer["seat"], answer["high_bid"], answer["highest_bid"]) == (0, 1, 4)
    takes = [(line["bid"], line["take"], line["pay"]) for line in answer["takes"]]
    assert takes == [
        (2, ["candy-3", "tree-7"], 0),
        (2, ["candy-3", "candy-11"], 0),
        (2, ["candy-3"], 1),
        (2, ["candy-11"], 1),
        (2, [], 2),
        (3, ["candy-3", "candy-11"], 1),
        (3, ["candy-3"], 2),
        (3, ["candy-11"], 2),
        (4, ["candy-3", "candy-11"], 2),
    ]


@pytest.mark.slow
def test_legal_groups_the_takes_by_bid_for_people(ask, position):
    told = ask("legal", position())
    assert "Seat 0 speaks, over a bid of 1." in told
    assert "Bid 4: 1 way\n  take candy-3   candy-11  pay 2\n" in told
    passing = ask("legal", position(turn={"seat": 1, "high_bid": 5}))
    assert passing.endswith("It can only pass.\n")


@pytest.mark.slow
def test_legal_names_the_field_that_is_wrong(ask, position, tmp_path):
    assert "position.json: players is 7; accepted is" in ask("legal", position(players=7), code=2)
    assert "seats[1].towers.candy[0] is 14, but" in ask(
        "legal", position(seats=[POSITION["seats"][0], {"towers": {"candy": [14]}}, {}]), code=2
    )
    assert "can't be read" in ask("legal", tmp_path / "none.json", code=2)
