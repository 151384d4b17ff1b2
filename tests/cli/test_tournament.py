"""``tournament`` as a user runs it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import polars as pl
import pytest

from fivetowers_sim.experiments import tuning_plan
from tests.cli.conftest import PROGRAM, environment, typed
from tests.waiting import PATIENCE_SECONDS, wait_until

pytestmark = pytest.mark.slow

FIELD = "greedy,greedy:never_close=1,greedy:max_bid=2"
SHORT = ("tournament", "--strategies", FIELD, "--games", 300, "--workers", 1)


@pytest.fixture(scope="module")
def finished(fivetowers, tmp_path_factory) -> tuple[subprocess.CompletedProcess[str], Path]:
    """A tournament of 312 games. Not to be changed."""
    folder = tmp_path_factory.mktemp("tournaments") / "short"
    done = fivetowers(*SHORT, "--out", folder)
    assert done.returncode == 0, done.stderr
    return done, folder


def test_it_shows_every_figure_with_interval_count_and_population(finished):
    done, folder = finished
    assert "\x1b" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100
    said = " ".join(done.stdout.split())
    for words in (
        "312 games (39 deals)",
        "all 7 line-ups of at least two strategies, in every order, seats rotating",
        "3 players; line-ups of greedy, greedy:never_close=1 and greedy:max_bid=2; rules base; no Great Powers; seed 1",
        "half of a 95% interval over deals",
        "The order has no circle",
        "gains no more than 0.00 points of win share",
        f"are in {folder}",
    ):
        assert words in said
    assert said.startswith("greedy wins most: ")
    lines = done.stdout.splitlines()
    headings = ["strategy", "win", "share", "VP", "strength", "v.", "average", "mix,", "%"]
    first = [line.split() for line in lines].index(headings)
    assert [line.split()[0] for line in lines[first + 2 : first + 5]] == ["A", "B", "C"]
    assert all(line.count("±") == 4 for line in lines[first + 2 : first + 5])


def test_the_folder_has_results_tables_and_a_picture(finished):
    _, folder = finished
    assert {file.name for file in folder.iterdir()} == {
        "manifest.json",
        "sums.npz",
        "results.json",
        "ratings.parquet",
        "pairs.parquet",
        "matchups.parquet",
        "tournament.png",
        "tournament.svg",
    }
    assert json.loads((folder / "manifest.json").read_bytes())["complete"]
    assert "312 games (39 deals)" in (folder / "tournament.svg").read_text("utf-8")


def test_the_json_is_what_the_folder_holds_and_resuming_says_the_same(finished, capsys):
    done, folder = finished
    assert typed(capsys, *SHORT, "--out", folder, "--resume")[:2] == (0, done.stdout)
    shown = json.loads(typed(capsys, *SHORT, "--json")[1])
    assert shown == json.loads((folder / "results.json").read_bytes())
    ratings = pl.read_parquet(folder / "ratings.parquet")
    assert [row["strategy"] for row in shown["strategies"]] == ratings["strategy"].to_list()


def test_an_existing_folder_is_refused(finished, capsys):
    _, folder = finished
    code, output, errors = typed(capsys, *SHORT, "--out", folder)
    assert (code, output, errors.count("\n")) == (1, "", 1)
    assert "exists already; choose another folder, or resume the experiment" in errors


def test_long_names_are_told_below_the_tables(capsys):
    strategies = "greedy:misjudge=0.25:never_close=1,greedy:misjudge=0.25:max_bid=2"
    code, output, _ = typed(capsys, "tournament", "--strategies", strategies, "--players", 2, "--games", 100)
    assert code == 0
    assert max(map(len, output.splitlines())) <= 100
    for name in strategies.split(","):
        assert f"is {name}" in " ".join(output.split())


def test_without_a_folder_nothing_is_left_behind(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert typed(capsys, *SHORT)[0] == 0
    assert list(tmp_path.iterdir()) == []


def test_a_best_response_is_searched_and_told(capsys, monkeypatch, tmp_path):
    made, little = tuning_plan.Budget, tuning_plan.Budget(1, None, 4, 30, 1, 30)
    monkeypatch.setattr(tuning_plan, "Budget", lambda *given: made(*given) if given else little)
    asked = "tournament --strategies greedy:max_bid=1,greedy:max_bid=2 --games 100 --best-response --out".split()
    code, output, _ = typed(capsys, *asked, tmp_path / "new")
    assert code == 0
    assert "Best response: tuning found greedy" in output
    assert "fresh games. A longer search may find more." in " ".join(output.split())
    results = json.loads((tmp_path / "new" / "results.json").read_bytes())
    assert results["best_response"]["opponents"] == ["greedy:max_bid=2"]
    assert (tmp_path / "new" / "best-response.journal").exists()
    assert typed(capsys, *asked, tmp_path / "new", "--resume")[:2] == (0, output)


def test_presets_are_called_by_their_names(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    preset = 'name = "closer"\nfamily = "greedy"\nintent = "For a test."\n[parameters]\nmax_bid = 2\n'
    preset += '[provenance]\nmade = "by hand"\n'
    (tmp_path / "closer.toml").write_text(preset, "utf-8")
    code, output, errors = typed(
        capsys, "tournament", "--strategies", "greedy,closer.toml", "--games", 60, "--players", 2, "--out", "new"
    )
    assert code == 0, errors
    assert "B closer " in output
    assert "B is greedy:max_bid=2." in output
    assert ">closer" in (tmp_path / "new" / "tournament.svg").read_text("utf-8")


@pytest.mark.skipif(os.name == "nt", reason="signals to a child differ")
def test_ctrl_c_ends_with_the_command_that_goes_on(fivetowers, tmp_path):
    asked = f"tournament --strategies {FIELD} --games 100000000 --workers 1 --out".split()
    process = subprocess.Popen(
        [*PROGRAM, *asked, tmp_path / "long"], env=environment(), stderr=subprocess.PIPE, text=True
    )
    sums = tmp_path / "long" / "sums.npz"
    wait_until(sums.exists)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 130
    assert "games are played and kept; go on with:" in errors
    assert errors.splitlines()[-1].endswith("--resume")
    assert not list((tmp_path / "long").glob("*.tmp"))
    assert not (tmp_path / "long" / "run.lock").exists()
