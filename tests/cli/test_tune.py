"""``tune``: a preset that can be played and judged, the same however often the search was interrupted."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
import tomllib

import pytest

from fivetowers_sim.cli.tune_run import typed_command
from tests.cli.conftest import PROGRAM, environment
from tests.waiting import PATIENCE_SECONDS, wait_until

pytestmark = pytest.mark.slow

TUNE = "tune greedy:max_bid=1:never_close=1 --against greedy --parameters max_bid=1..6,never_close".split()
# Small, but long enough that there is time to interrupt it.
SMALL = "--generations 8 --games 300 --restarts 2 --fresh-games 600".split()


@pytest.fixture(scope="module")
def tuned(fivetowers, tmp_path_factory):
    """A small tuning: what the command printed, and the file that it wrote. Not to be changed."""
    file = tmp_path_factory.mktemp("tuned") / "mine.toml"
    done = fivetowers(*TUNE, *SMALL, "--workers", 1, "--out", file)
    assert done.returncode == 0, done.stderr
    return done.stdout, file


def test_the_tables_show_start_result_and_gain_with_intervals_counts_and_population(tuned):
    shown, file = tuned
    assert max(map(len, shown.splitlines())) <= 100
    for name in ("start", "tuned", "gain"):
        assert re.search(rf"^{name} +600 +[+-]?\d+\.\d+% ± \d", shown, re.MULTILINE)
    text = " ".join(shown.split())
    assert "It does better than the start: the gain's whole interval is above 0." in text
    assert "Population: 3 players; the candidate, greedy, greedy, moving one seat on with every game" in text
    assert "no part in searching or choosing" in text
    assert str(file) in shown.replace("\n", "")


def test_the_file_plays_and_says_where_it_came_from(tuned, fivetowers):
    _, file = tuned
    preset = tomllib.loads(file.read_text("utf-8"))
    provenance = preset["provenance"]
    assert (preset["name"], preset["family"], provenance["made"]) == ("mine", "greedy", "tuned")
    assert provenance["command"] == shlex.join(["fivetowers", *TUNE, *SMALL])
    assert provenance["result"]["win_share_gain"]["low"] > 0
    shown = fivetowers("strategies", file)
    assert shown.returncode == 0
    assert shown.stdout.startswith("mine: Tuned from greedy:max_bid=1:never_close=1 for win share against greedy.")
    assert re.search(r"result win share gain +0\.\d+ \(95% interval 0\.\d+ to 0\.\d+\)", shown.stdout)


def test_a_summary_calls_the_file_by_its_name(tuned, fivetowers, tmp_path):
    _, file = tuned
    run = tmp_path / "run"
    done = fivetowers("simulate", "--games", 30, "--strategies", f"{file},greedy,greedy", "--out", run)
    assert done.returncode == 0, done.stderr
    shown = fivetowers("summary", run).stdout
    assert re.search("^mine +30 ", shown, re.MULTILINE)
    assert re.search(r"^mine is greedy:max_bid=\d", shown, re.MULTILINE)
    assert "Population: 3 players; mine, greedy, greedy, moving" in shown
    again = tmp_path / "again"
    written = json.loads((run / "manifest.json").read_bytes())["plan"]["setup"]["strategies"]
    fivetowers("simulate", "--games", 30, "--strategies", ",".join(written), "--out", again)
    assert fivetowers("digest", run).stdout == fivetowers("digest", again).stdout


def test_more_workers_write_the_same_file_and_json_has_every_figure(tuned, fivetowers, tmp_path):
    shown, file = tuned
    done = fivetowers(*TUNE, *SMALL, "--workers", 2, "--out", tmp_path / "mine.toml", "--json", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "mine.toml").read_bytes() == file.read_bytes()
    result = json.loads(done.stdout)
    assert (result["format"], result["fresh_games"]) == ("fivetowers-tuning/1", 600)
    assert set(result["gains"]["win_share"]) == {"value", "low", "high"}
    assert f"tuned is {result['strategy']}." in " ".join(shown.split())
    assert len(result["searches"]) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C can't be sent to a process alone")
def test_an_interrupted_tuning_says_how_to_go_on_and_ends_the_same(fivetowers, tmp_path):
    # It ends with so many games that most of it is to be played when it is interrupted.
    out, typed = tmp_path / "mine.toml", [*TUNE, *SMALL[:-1], "8000"]
    undisturbed = tmp_path / "undisturbed" / "mine.toml"
    undisturbed.parent.mkdir()
    assert fivetowers(*typed, "--out", undisturbed).returncode == 0
    pipes = {"env": environment(), "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen([*PROGRAM, *typed, "--out", str(out)], **pipes)
    journal = tmp_path / "mine.toml.journal"
    wait_until(lambda: journal.exists() and journal.read_bytes().count(b"\n") >= 3)
    process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=PATIENCE_SECONDS)[1]
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert not out.exists()

    kept = journal.read_bytes().count(b"\n")
    again = fivetowers(*typed, "--out", out)
    assert again.returncode == 1
    assert "mine.toml.journal is there from an interrupted command" in again.stderr
    other = fivetowers(*typed, "--seed", 2, "--out", out, "--resume")
    assert other.returncode == 1
    assert "tuning.seed is 1 there and 2 here" in other.stderr
    assert journal.read_bytes().count(b"\n") == kept >= 3

    resumed = subprocess.run(shlex.split(errors.splitlines()[-1]), **pipes, timeout=PATIENCE_SECONDS, check=False)
    assert resumed.returncode == 0, resumed.stderr
    assert not journal.exists()
    assert out.read_bytes() == undisturbed.read_bytes()


def test_the_command_that_is_kept_has_nothing_of_the_machine():
    typed = ["/bin/fivetowers", "tune", "a", "--out=x.toml", "--workers", "2", "--seed", "3", "--resume", "--json"]
    assert typed_command(typed) == "fivetowers tune a --seed 3"
    assert typed_command(["f", "tune", "a b", "--out", "x.toml", "--quiet"]) == "fivetowers tune 'a b'"
