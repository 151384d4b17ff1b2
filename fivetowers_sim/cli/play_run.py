"""Play a plan into a run folder, with progress, and end well when interrupted."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fivetowers_sim.cli.errors import CommandError, Interrupted, UsageError, name_option
from fivetowers_sim.cli.interrupt import end_well
from fivetowers_sim.cli.progress import GamesProgress, StepsProgress, describe_seconds, warm_up_engine

if TYPE_CHECKING:
    from fivetowers_sim.batch.plan import Plan
    from fivetowers_sim.batch.staff import Staff
    from fivetowers_sim.dataset.write import Progress, Summary
    from fivetowers_sim.engine.setup import GameSetup


def read_plan(setup: GameSetup, games: int, detail: str, part_games: int) -> Plan:
    """Make a plan of the options that say how many games to play and what to record.

    Parameters
    ----------
    setup : GameSetup
        The games.
    games : int
        Value of ``--games``.
    detail : str
        Value of ``--detail``.
    part_games : int
        Value of ``--part-games``.

    Returns
    -------
    Plan
        The plan.

    Raises
    ------
    UsageError
        Naming the option, what was given and what is accepted.
    """
    from fivetowers_sim.batch.plan import Plan, PlanError
    from fivetowers_sim.engine.setup import SetupError

    try:
        setup.layouts(detail)
        return Plan(setup, games, detail, part_games)
    except (PlanError, SetupError) as error:
        raise UsageError(name_option(error)) from None


def play_run(plan: Plan, out: str, staff: Staff, resume: bool, quiet: bool) -> str:
    """Play a plan into a run folder.

    Parameters
    ----------
    plan : Plan
        What to play.
    out : str
        The run folder, or its address.
    staff : Staff
        Who plays.
    resume : bool
        Whether to go on with a run that was begun.
    quiet : bool
        Whether to show no progress.

    Returns
    -------
    str
        A line that says what was written, how fast and where.

    Raises
    ------
    Interrupted
        If the user pressed Ctrl-C; the message says how to go on.
    CommandError
        If games failed.
    RunError
        If the folder can't be used.
    """
    from fivetowers_sim.batch.run import BatchError
    from fivetowers_sim.dataset.write import write_run

    with GamesProgress("written", quiet) as progress, StepsProgress(quiet) as steps:
        ready = False

        def report(state: Progress) -> None:
            if state.checking:
                steps.report("checked that were written before", state.games_done, state.games)
                return
            # Only now is it sure that the folder can be used: nobody waits for a compiler to learn that it can't.
            nonlocal ready
            if not ready:
                warm_up_engine(plan.setup, quiet)
                ready = True
            progress.report(state.games_done, state.games)

        def describe_kept() -> str:
            return f"{progress.games_done:,} of {plan.games:,} games are written and kept"

        def tell() -> Interrupted:
            return Interrupted(f"interrupted: {describe_kept()}; go on with", resume_command(sys.argv))

        try:
            with end_well(tell):
                summary = write_run(plan, out, staff.workers, staff.backend, resume, report)
        except BatchError as error:
            raise CommandError(f"{error}; {describe_kept()}, and --resume goes on") from error
        seconds = progress.seconds
    return _describe_finished(summary, seconds)


def _describe_finished(summary: Summary, seconds: float) -> str:
    place = f"{describe_bytes(summary.bytes)} in {summary.path}"
    played = summary.games - summary.games_kept
    if not played:
        return f"{summary.games:,} games, all written before, {place}"
    before = f" ({summary.games_kept:,} of them before)" if summary.games_kept else ""
    rate = played / max(seconds, 1e-9)
    return f"{summary.games:,} games{before} in {describe_seconds(seconds)}, {rate:,.0f} games/s, {place}"


def resume_command(arguments: Sequence[str]) -> str:
    """Return what to type to go on with an interrupted command.

    Parameters
    ----------
    arguments : sequence of str
        The program as it was started, and its arguments.

    Returns
    -------
    str
        A line for the shell.
    """
    return repeat_command([*arguments, *([] if "--resume" in arguments else ["--resume"])])


def repeat_command(arguments: Sequence[str]) -> str:
    """Return what to type for the same command; see :func:`resume_command`."""
    program, *options = arguments
    # Started with -m, the program's name is a file that can't be started.
    start = [sys.executable, "-m", "fivetowers_sim"] if program.endswith("__main__.py") else [program]
    words = [*start, *options]
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def describe_bytes(size: int) -> str:
    """Return a size in words, such as ``61.3 MB``."""
    if size < 1_000_000:
        return f"{size / 1_000:.1f} kB"
    return f"{size / 1_000_000:,.1f} MB" if size < 1_000_000_000 else f"{size / 1_000_000_000:,.2f} GB"
