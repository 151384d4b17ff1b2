"""What is said about runs and experiments that were written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fivetowers_sim.api.answer import Answer, Report
from fivetowers_sim.api.arguments import Names, Where
from fivetowers_sim.api.calls import call, is_watched, write_down
from fivetowers_sim.cli.progress import GamesProgress


def verify(run: Where, *, quiet: bool = False) -> list[str]:
    """Compare every part of a run, or every file of an experiment, with the manifest, byte for byte.

    Parameters
    ----------
    run : str, Path or Run
        The run folder or address, or an experiment's folder.
    quiet : bool
        Whether to show no progress.

    Returns
    -------
    list of str
        Each file that isn't as it was written, and the games it holds; empty if all is well.

    Raises
    ------
    RunError
        If it is neither.
    """
    from fivetowers_sim.bench.folder import is_experiment
    from fivetowers_sim.cli.verify import check_experiment, check_run
    from fivetowers_sim.dataset.address import as_place

    with call("verify", locals()) as given:
        place = as_place(given["run"])
        if isinstance(place, Path) and is_experiment(place):
            return [str(problem) for problem in check_experiment(place)]
        return [str(problem) for problem in check_run(place, given["quiet"])]


def digest(run: Where, *, quiet: bool = False) -> str:
    """Return one hash of a run's content: equal for equal options and seed.

    Parameters
    ----------
    run : str, Path or Run
        The run folder or address.
    quiet : bool
        Whether to show no progress.

    Returns
    -------
    str
        The hash, whatever the workers, the files' sizes and the interruptions were.

    Raises
    ------
    RunError
        If it isn't a finished run, or a part can't be read.
    """
    from fivetowers_sim.dataset.digest import digest_run

    with call("digest", locals()) as given, GamesProgress("read", given["quiet"]) as progress:
        return str(digest_run(given["run"], progress.report))


def summary(run: Where, *, quiet: bool = False) -> Answer:
    """Return win share and VP by seat and strategy, with intervals.

    Parameters
    ----------
    run : str, Path or Run
        The run folder or address.
    quiet : bool
        Whether to show no progress.

    Returns
    -------
    Answer
        The tables ``by_strategy``, ``by_seat`` and ``by_strategy_and_seat``. The intervals hold with 95% confidence,
        and are computed over games.

    Raises
    ------
    RunError
        If it isn't a finished run, or a part can't be read.
    """
    from fivetowers_sim.analysis.summary import estimate_summary
    from fivetowers_sim.cli.summary_table import show_summary

    with call("summary", locals()) as given, GamesProgress("read", given["quiet"]) as progress:
        found = estimate_summary(given["run"], progress.report)
    values = found.to_dict()
    tables = {
        name: [{key: value for key, value in row.items() if value is not None} for row in values[name]]
        for name in ("by_strategy", "by_seat", "by_strategy_and_seat")
    }
    return Answer(write_down(show_summary(found)), values, tables)


def replay(run: Where, game: int) -> Answer:
    """Tell one game of a run, round by round: display, words, who took what, towers.

    Parameters
    ----------
    run : str, Path or Run
        The run folder or address.
    game : int
        Number of a game, from 0.

    Returns
    -------
    Answer
        ``to_dict`` is the game's trace.

    Raises
    ------
    ValueError
        If there is no such game.
    RunError
        If it isn't a run, or this version plays the game in another way.
    """
    from fivetowers_sim.cli.replay import check_as_recorded, load_setup
    from fivetowers_sim.cli.trace import traced_games
    from fivetowers_sim.dataset.store import open_run
    from fivetowers_sim.engine.narrate import narrate_game

    with call("replay", locals()) as given:
        opened = open_run(given["run"])
        played = next(traced_games(load_setup(opened, given["game"]), given["game"], 1, not is_watched()))
        check_as_recorded(opened, played)
        return Answer(narrate_game(played), played)


def report(
    folders: Where | Sequence[Where] | None = None,
    *,
    out: Where = "reports",
    experiments: Where = "data/report",
    questions: Names | None = None,
    games: int | str | None = None,
    seed: int = 1,
    workers: int | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    quiet: bool = False,
) -> Report:
    """Write the balance report: one page of HTML that needs nothing else, and the same in Markdown.

    Experiments that are there are used as they are; those that are missing are played first.

    Parameters
    ----------
    folders : sequence of str or Path, optional
        Folders of experiments to report on, instead of the report's own.
    out : str or Path
        Where the report is written.
    experiments : str or Path
        Where the report's own experiments are kept.
    questions : str or sequence of str, optional
        Some of the report's own experiments only.
    games : int, optional
        Games of each experiment that is missing. It is played until it is precise enough if not given.
    seed : int
        Decides all chance of those.
    workers, backend, scheduler : int, str, str
        Who plays, as for ``simulate``.
    quiet : bool
        Whether to show no progress.

    Returns
    -------
    Report
        The pages' paths: ``html`` and ``markdown``.

    Raises
    ------
    ValueError
        For what isn't accepted.
    RunError, BatchError
        If a folder can't be used, or games failed.
    """
    from fivetowers_sim.cli.play_report import (
        Wanted,
        check_report_place,
        end_well_with_report,
        play_missing,
        read_questions,
        write_report,
    )
    from fivetowers_sim.cli.staff import read_staff

    with call("report", locals()) as given:
        staff = read_staff(given["workers"], given["backend"], given["scheduler"])
        asked = read_questions(given["questions"])
        wanted = Wanted(given["experiments"], asked, given["games"], given["seed"], staff, given["quiet"])
        check_report_place(given["out"])
        with end_well_with_report():
            built = write_report(given["folders"] or play_missing(wanted), given["out"])
    claims = "\n".join(f"- {claim}" for claim in built.verdicts)
    return Report(f"{claims}\n\n{built.describe()}", built.to_dict())
