"""Progress: done, rate and time left, in plain lines where there is no terminal, and never nonsense."""

from __future__ import annotations

import re
import time

import pytest

from fivetowers_sim.cli import progress as shown
from fivetowers_sim.cli.progress import GamesProgress, StepsProgress

LINE = re.compile(r" *\d+%  [\d,]+ of [\d,]+ games \w+(, [\d,]+ games/s, .+ left|, .+ so far)?(; .+)?")


@pytest.fixture
def hurried(monkeypatch):
    """Progress that loses patience soon."""
    for name, seconds in (
        ("_PATIENCE_SECONDS", 0.05),
        ("_SECONDS_BETWEEN_LINES", 0.05),
        ("_SECONDS_BETWEEN_LOOKS", 0.01),
    ):
        monkeypatch.setattr(shown, name, seconds)


def lines_of(capsys):
    said = capsys.readouterr()
    assert said.out == ""
    lines = said.err.splitlines()
    for line in lines:
        assert LINE.fullmatch(line), line
        assert "-" not in line
    return lines


def test_what_is_over_soon_shows_nothing(capsys):
    with GamesProgress("played") as progress:
        for done in range(5):
            progress.report(done, 4)
    assert lines_of(capsys) == []


def test_lines_tell_done_rate_and_time_left(hurried, capsys):
    with GamesProgress("played") as progress:
        for done in (0, 250, 500, 1000):
            progress.report(done, 1000, "a note")
            time.sleep(0.08)
    lines = lines_of(capsys)
    assert any(
        line.startswith(" 25%  250 of 1,000 games played, ") and line.endswith(" left; a note") for line in lines
    )


def test_a_first_part_that_takes_long_is_no_reason_to_be_silent(hurried, capsys):
    with GamesProgress("played") as progress:
        progress.report(0, 1000)
        time.sleep(0.3)
    lines = lines_of(capsys)
    assert len(lines) >= 2
    assert all(re.fullmatch(r"  0%  0 of 1,000 games played, [\d.]+ s so far", line) for line in lines)


def test_what_comes_after_the_last_game_is_no_reason_to_be_silent(hurried, capsys):
    with GamesProgress("played") as progress:
        progress.report(0, 10)
        progress.report(10, 10)
        time.sleep(0.3)
    assert "100%  10 of 10 games played; working out what they say" in lines_of(capsys)


def test_nothing_is_said_after_the_end_nor_if_told_to_be_quiet(hurried, capsys):
    with GamesProgress("played") as progress:
        progress.report(0, 10)
    with GamesProgress("played", quiet=True) as progress:
        progress.report(0, 10)
        time.sleep(0.2)
    with GamesProgress("played") as progress:
        progress.report(0, 10)
        progress.report(10, 10)
    time.sleep(0.2)
    assert len(lines_of(capsys)) <= 1


@pytest.mark.parametrize(
    "reports", [[(0, 0), (0, 0)], [(5, 10), (5, 10)], [(900, 1000), (0, 50), (10, 50)], [(20, 10)]]
)
def test_odd_counts_make_no_nonsense(reports, hurried, capsys):
    with GamesProgress("checked") as progress:
        for done, games in reports:
            progress.report(done, games)
            time.sleep(0.08)
            progress.report(done, games)
    assert lines_of(capsys)


def test_a_clock_that_is_set_makes_no_difference(hurried, capsys, monkeypatch):
    real = time.time
    jumps = iter([0, 10**7, -(10**7)] * 1000)
    monkeypatch.setattr(time, "time", lambda: real() + next(jumps))
    with GamesProgress("played") as progress:
        for done in (0, 100, 200):
            progress.report(done, 1000)
            time.sleep(0.08)
        assert 0 < progress.seconds < 60
    for line in lines_of(capsys):
        assert not re.search(r"\d h|[1-9]\d* min", line)


def test_steps_have_a_progress_each(hurried, capsys):
    with StepsProgress(quiet=False) as steps:
        for what in ("learned", "checked"):
            for done in (0, 5, 10):
                steps.report(what, done, 10)
                time.sleep(0.08)
    said = " ".join(lines_of(capsys))
    assert "games learned" in said
    assert "games checked" in said
