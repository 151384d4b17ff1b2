"""Progress: done, rate and time left, in plain lines where there is no terminal, and never nonsense."""

from __future__ import annotations

import re
import threading
import time
from itertools import cycle

import pytest

from fivetowers_sim.cli import progress as shown
from fivetowers_sim.cli.progress import GamesProgress, StepsProgress
from tests.waiting import PATIENCE_SECONDS, wait_until

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


@pytest.fixture
def said(capsys):
    """The lines that were said so far, each as it should be."""
    lines = []

    def listen():
        told = capsys.readouterr()
        assert told.out == ""
        for line in told.err.splitlines():
            assert LINE.fullmatch(line), line
            assert "-" not in line
            lines.append(line)
        return lines

    return listen


@pytest.fixture
def await_line(said):
    """Wait for one more line that matches a pattern."""

    def listen(pattern=".*"):
        before = len(said())
        wait_until(lambda: any(re.fullmatch(pattern, line) for line in said()[before:]))

    return listen


def test_what_is_over_soon_shows_nothing(said, monkeypatch):
    monkeypatch.setattr(shown, "_PATIENCE_SECONDS", PATIENCE_SECONDS)
    with GamesProgress("played") as progress:
        for done in range(5):
            progress.report(done, 4)
    assert said() == []


def test_lines_tell_done_rate_and_time_left(hurried, await_line):
    with GamesProgress("played") as progress:
        progress.report(0, 1000, "a note")
        await_line()
        progress.report(250, 1000, "a note")
        await_line(" 25%  250 of 1,000 games played, .* left; a note")


def test_a_first_part_that_takes_long_is_no_reason_to_be_silent(hurried, await_line, said):
    with GamesProgress("played") as progress:
        progress.report(0, 1000)
        await_line()
        await_line()
    assert all(re.fullmatch(r"  0%  0 of 1,000 games played, .+ so far", line) for line in said())


def test_what_comes_after_the_last_game_is_no_reason_to_be_silent(hurried, await_line):
    with GamesProgress("played") as progress:
        progress.report(0, 10)
        progress.report(10, 10)
        await_line("100%  10 of 10 games played; working out what they say")


def test_nothing_is_said_after_the_end_nor_if_told_to_be_quiet(hurried, said):
    threads = threading.active_count()
    for counts in ([0], [0, 10]):
        with GamesProgress("played") as progress:
            for done in counts:
                progress.report(done, 10)
        before = len(said())
        wait_until(lambda: threading.active_count() == threads)
        assert len(said()) == before
    with GamesProgress("played", quiet=True) as progress:
        progress.report(0, 10)
        # Nobody is there to say anything while no report comes.
        assert threading.active_count() == threads
        time.sleep(0.1)
        progress.report(5, 10)
    assert len(said()) == before


@pytest.mark.parametrize(
    "reports", [[(0, 0), (0, 0)], [(5, 10), (5, 10)], [(900, 1000), (0, 50), (10, 50)], [(20, 10)]]
)
def test_odd_counts_make_no_nonsense(reports, hurried, await_line):
    with GamesProgress("checked") as progress:
        for done, games in reports:
            progress.report(done, games)
            await_line()
            progress.report(done, games)


def test_a_clock_that_is_set_makes_no_difference(hurried, await_line, said, monkeypatch):
    real = time.time
    jumps = cycle([0, 10**7, -(10**7)])
    monkeypatch.setattr(time, "time", lambda: real() + next(jumps))
    with GamesProgress("played") as progress:
        for done in (0, 100, 200):
            progress.report(done, 1000)
            await_line()
        assert 0 < progress.seconds < 10**6
    # As many seconds are thousands of hours.
    assert not [line for line in said() if re.search(r"\d h", line)]


def test_steps_have_a_progress_each(hurried, await_line):
    with StepsProgress(quiet=False) as steps:
        for what in ("learned", "checked"):
            for done in (0, 5):
                steps.report(what, done, 10)
                await_line(f".* games {what}.*")
            steps.report(what, 10, 10)
