"""``fivetowers report``: what experiments found, as pages to take along."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from fivetowers_sim.cli import choice
from fivetowers_sim.cli.paths import read_folder
from fivetowers_sim.cli.play_experiment import AsJson, Quiet
from fivetowers_sim.cli.play_report import (
    DEFAULT_EXPERIMENTS,
    Wanted,
    check_report_place,
    end_well_with_report,
    play_missing,
    read_questions,
    write_report,
)
from fivetowers_sim.cli.staff import DEFAULT_BACKEND, Backend, Scheduler, Workers, read_staff
from fivetowers_sim.cli.whole_number import read_whole_number


def report(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[DIR]…",
            parser=read_folder,
            help="Folders of experiments to report on, instead of the report's own.",
        ),
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", parser=read_folder, help="Where the report is written.")
    ] = Path("reports"),
    experiments: Annotated[
        Path,
        typer.Option(
            "--experiments", metavar="DIR", parser=read_folder, help="Where the report's own experiments are kept."
        ),
    ] = DEFAULT_EXPERIMENTS,
    questions: Annotated[
        str | None, typer.Option("--questions", metavar="A,B,…", help="Some of the report's own experiments only.")
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            metavar="N",
            parser=read_whole_number,
            help="Games of each experiment that is missing. [default: until it is precise enough]",
        ),
    ] = None,
    seed: choice.Seed = choice.DEFAULT_SEED,
    workers: Workers = None,
    backend: Backend = DEFAULT_BACKEND,
    scheduler: Scheduler = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write the balance report: one page of HTML that needs nothing else, and the same in Markdown.

    Experiments that are there are used as they are; those that are missing are played first.
    """
    staff = read_staff(workers, backend, scheduler)
    wanted = Wanted(experiments, read_questions(questions), games, seed, staff, quiet)
    check_report_place(out)
    with end_well_with_report():
        built = write_report(folders or play_missing(wanted), out)
    if as_json:
        typer.echo(json.dumps(built.to_dict(), indent=2))
    else:
        typer.echo("\n".join([*(f"- {claim}" for claim in built.verdicts), "", built.describe()]))
