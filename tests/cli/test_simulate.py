"""``simulate``: the same games however they are played, and no game lost."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from fivetowers_sim.cli.play_run import describe_bytes, resume_command
from fivetowers_sim.cli.progress import describe_seconds
from tests.cli.conftest import MIXED, PROGRAM, environment
from tests.waiting import PATIENCE_SECONDS, wait_until

GAMES = f"simulate --games 330 --strategies {MIXED} --detail bids --quiet".split()


def temporaries(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.suffix in (".tmp", ".lock", ".jsonl")]


def test_the_last_line_says_how_many_how_fast_how_big_and_where(fivetowers, tmp_path):
    done = fivetowers("simulate", "--games", 20, "--out", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    place = re.escape(str(tmp_path / "run"))
    assert re.fullmatch(rf"20 games in [0-9.]+ s, [0-9,]+ games/s, [0-9.]+ kB in {place}\n", done.stdout)


@pytest.mark.slow
def test_quiet_says_nothing_on_standard_error(fivetowers, tmp_path):
    done = fivetowers("simulate", "--games", 20, "--quiet", "--out", tmp_path / "run")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_manifest_keeps_the_plan(finished_run):
    manifest = json.loads((finished_run / "manifest.json").read_bytes())
    assert manifest["plan"]["games"] == 330
    assert manifest["plan"]["detail"] == "bids"
    assert manifest["plan"]["setup"]["strategies"] == MIXED.split(",")
    assert manifest["plan"]["setup"]["seating"] == "rotate"
    assert manifest["plan"]["setup"]["rules"]["display_size"] == 5
    assert manifest["plan"]["setup"]["seed"] == 1


@pytest.mark.slow
def test_every_choice_of_games_reaches_the_plan(fivetowers, tmp_path):
    options = "--players 4 --strategies random --seed 7 --powers tree,sand --seat-powers 1=none --seat-powers 2=all"
    dials = "--rules short-game --set display_size=6 --set teardown_costs=1,1 --seating rotate --games 5"
    done = fivetowers("simulate", *options.split(), *dials.split(), "--out", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    setup = json.loads((tmp_path / "run" / "manifest.json").read_bytes())["plan"]["setup"]
    assert setup["strategies"] == ["random"] * 4
    assert setup["powers_by_seat"] == [["tree", "sand"], [], ["tree", "scrap", "sand", "pairs"], ["tree", "sand"]]
    rules = setup["rules"]
    assert (rules["display_size"], rules["teardown_costs"], rules["deck_passes"]) == (6, [1, 1], 1)
    assert (setup["seed"], setup["seating"]) == (7, "rotate")


@pytest.mark.slow
@pytest.mark.parametrize(
    "how",
    [
        "--workers 1 --part-games 330",
        "--workers 2 --part-games 7",
        "--workers 3 --part-games 50",
        "--workers 2 --backend processes",
    ],
)
def test_the_digest_is_the_same_however_the_games_are_played(how, fivetowers, finished_run, tmp_path):
    done = fivetowers(*GAMES, *how.split(), "--out", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    here, there = fivetowers("digest", tmp_path / "run"), fivetowers("digest", finished_run)
    assert re.fullmatch("[0-9a-f]{64}\n", here.stdout)
    assert here.stdout == there.stdout


@pytest.mark.slow
def test_another_seed_gives_another_digest(fivetowers, finished_run, tmp_path):
    assert fivetowers(*GAMES, "--seed", 2, "--out", tmp_path / "run").returncode == 0
    assert fivetowers("digest", tmp_path / "run").stdout != fivetowers("digest", finished_run).stdout


def test_strategies_move_one_seat_on_with_every_game(finished_run):
    seats = pl.scan_parquet(finished_run / "seats" / "*.parquet").filter(pl.col("game") < 3).collect()
    by_game = [seats.filter(pl.col("game") == game)["strategy"].to_list() for game in range(3)]
    first, second, third = MIXED.split(",")
    assert by_game == [[first, second, third], [third, first, second], [second, third, first]]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C can't be sent to a process alone")
def test_an_interrupted_run_stops_soon_and_its_own_words_finish_it(fivetowers, tmp_path):
    run = tmp_path / "a run"
    typed = ["simulate", "--games", "120000", "--part-games", "2000", "--workers", "2", "--out", str(run)]
    process = subprocess.Popen([*PROGRAM, *typed], env=environment(), stderr=subprocess.PIPE, text=True)
    # Most of it is to be played then, however long the signal takes.
    wait_until(lambda: list(run.glob("seats/*.parquet")))
    process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=PATIENCE_SECONDS)[1]
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert temporaries(run) == []
    unfinished = fivetowers("verify", run)
    assert unfinished.returncode == 1
    assert "unfinished" in unfinished.stderr

    resumed = subprocess.run(
        shlex.split(errors.splitlines()[-1]),
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert resumed.returncode == 0, resumed.stderr
    assert re.match(r"120,000 games \([0-9,]+ of them before\) in ", resumed.stdout)
    assert fivetowers("verify", run).stdout == "ok: 60 parts, 120,000 games\n"
    undisturbed = tmp_path / "undisturbed"
    assert fivetowers("simulate", "--games", 120_000, "--out", undisturbed).returncode == 0
    assert fivetowers("digest", run).stdout == fivetowers("digest", undisturbed).stdout


@pytest.mark.slow
def test_resuming_a_finished_run_changes_nothing(fivetowers, tmp_path):
    typed = ["simulate", "--games", 30, "--out", tmp_path / "run", "--resume"]
    assert fivetowers(*typed).returncode == 0
    before = {path: path.read_bytes() for path in (tmp_path / "run").rglob("*.*")}
    again = fivetowers(*typed)
    assert "30 games, all written before" in again.stdout
    assert {path: path.read_bytes() for path in (tmp_path / "run").rglob("*.*")} == before


def test_a_run_is_not_resumed_with_other_games(fivetowers, finished_run):
    done = fivetowers(*GAMES, "--seed", 2, "--out", finished_run, "--resume")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "seed is 1 there and 2 here" in done.stderr


def test_a_resume_command_can_be_typed_as_it_stands():
    typed = ["/opt/my tools/fivetowers", "simulate", "--out", "it's new"]
    assert shlex.split(resume_command(typed)) == [*typed, "--resume"]
    assert shlex.split(resume_command([*typed, "--resume"])) == [*typed, "--resume"]
    module = resume_command(["/somewhere/fivetowers_sim/__main__.py", "simulate"])
    assert shlex.split(module) == [sys.executable, "-m", "fivetowers_sim", "simulate", "--resume"]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.04, "0.0 s"), (9.94, "9.9 s"), (9.96, "10 s"), (59.6, "1 min 0 s"), (125, "2 min 5 s"), (12_000, "3 h 20 min")],
)
def test_durations_in_words(seconds, words):
    assert describe_seconds(seconds) == words


@pytest.mark.parametrize(
    ("size", "words"), [(900, "0.9 kB"), (61_300_000, "61.3 MB"), (999_999, "1000.0 kB"), (2_345_000_000, "2.35 GB")]
)
def test_sizes_in_words(size, words):
    assert describe_bytes(size) == words
