"""``fivetowers report`` as a user types it."""

from __future__ import annotations

import json

import pytest

from fivetowers_sim.cli import play_report
from tests.cli.conftest import typed


@pytest.fixture
def small(monkeypatch):
    """Two experiments of few games and one strategy, as the report's own."""
    recipes = {
        "game-shape": ("--players 2 --strategies greedy --precision 1", "--players 2 --strategies greedy"),
        "tournament": (
            "--strategies greedy,greedy:max_bid=2 --players 2 --precision 0.02",
            "--strategies greedy,greedy:max_bid=2 --players 2",
        ),
    }
    monkeypatch.setattr(play_report, "_RECIPES", recipes)


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_what_is_missing_is_played_and_what_is_there_is_used_as_it_is(capsys, tmp_path):
    where = ("--experiments", tmp_path / "own", "--out", tmp_path / "report")
    code, output, errors = typed(capsys, "report", *where, "--games", 60, "--quiet")
    assert (code, errors) == (0, "")
    assert f"The report is {tmp_path / 'report' / 'report.html'} (" in output
    assert output.startswith("- No seat is shown to win more or less than an equal share, with 2 players.")
    results = tmp_path / "own" / "game-shape" / "results.json"
    written = results.stat().st_mtime_ns, json.loads(results.read_bytes())["games"]
    shown = json.loads(typed(capsys, "report", *where, "--games", 9_000_000, "--quiet", "--json")[1])
    assert shown["html"] == str(tmp_path / "report" / "report.html")
    assert (results.stat().st_mtime_ns, 60) == written


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_the_same_command_goes_on_with_what_was_interrupted(capsys, tmp_path, monkeypatch):
    where = ("--experiments", tmp_path / "own", "--out", tmp_path / "report", "--games", 60, "--quiet")

    def interrupt(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("sys.argv", ["fivetowers", "report", *map(str, where)])
    with monkeypatch.context() as patched:
        patched.setattr("fivetowers_sim.bench.question.play_arms", interrupt)
        code, output, errors = typed(capsys, "report", *where)
    assert (code, output) == (130, "")
    assert errors.strip().splitlines()[-1].endswith(f"report {' '.join(map(str, where))}")
    assert typed(capsys, "report", *where)[0] == 0


@pytest.mark.slow
def test_folders_may_be_named_instead(capsys, tmp_path):
    own = tmp_path / "shape"
    assert typed(capsys, *"game-shape --players 2 --strategies greedy --games 60 --quiet --out".split(), own)[0] == 0
    code, output, _ = typed(capsys, "report", own, "--out", tmp_path / "report")
    assert code == 0
    assert "pictures" in output


@pytest.mark.parametrize(
    ("arguments", "message", "expected"),
    [
        (("--questions", "luck"), "error: --questions: there is no 'luck'; accepted are ", 2),
        (("nowhere",), "error: nowhere is not the folder of an experiment: it has no manifest.json", 1),
        (("--games", "x"), "error: --games is 'x'; ", 2),
    ],
)
def test_bad_input_gets_one_line(capsys, arguments, message, expected, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, output, errors = typed(capsys, "report", *arguments)
    assert (code, output, errors.count("\n")) == (expected, "", 1)
    assert errors.startswith(message)
