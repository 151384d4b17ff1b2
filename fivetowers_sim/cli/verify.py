"""``fivetowers verify``: compare a run folder, or an experiment's, with its manifest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fivetowers_sim.cli.errors import CommandError
from fivetowers_sim.cli.paths import read_place
from fivetowers_sim.cli.progress import GamesProgress

if TYPE_CHECKING:
    from fivetowers_sim.dataset.address import Place
    from fivetowers_sim.dataset.verify import Problem


def verify(
    run: Annotated[
        str,
        typer.Argument(metavar="RUN", parser=read_place, help="The run folder or address, or an experiment's folder."),
    ],
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Compare every part of a run, or every file of an experiment, with the manifest, byte for byte.

    Names each file that isn't as it was written and the games it holds, and ends with code 1 then.
    """
    from fivetowers_sim.bench.folder import is_experiment
    from fivetowers_sim.dataset.address import as_place

    place = as_place(run)
    experiment = isinstance(place, Path) and is_experiment(place)
    problems = check_experiment(place) if experiment else check_run(place, quiet)
    if problems:
        others = f" (and {len(problems) - 1:,} more, listed above)" if len(problems) > 1 else ""
        for problem in problems if others else ():
            typer.echo(str(problem))
        raise CommandError(f"{run}: {problems[0]}{others}")
    typer.echo(f"ok: {describe_experiment(place) if experiment else describe_run(place)}")


def check_experiment(folder: Path) -> list[Problem]:
    """Check an experiment's folder; its files are few."""
    from fivetowers_sim.bench.verify import verify_experiment

    return verify_experiment(folder)


def check_run(run: Place, quiet: bool) -> list[Problem]:
    """Check a run folder, with progress."""
    from fivetowers_sim.dataset.verify import verify_run

    with GamesProgress("checked", quiet) as progress:
        return verify_run(run, progress.report)


def describe_run(run: Place) -> str:
    """Say how much is in a run."""
    from fivetowers_sim.dataset.store import open_run

    manifest = open_run(run).manifest
    return f"{manifest.part_count:,} parts, {manifest.games:,} games"


def describe_experiment(folder: Path) -> str:
    """Say how much is in an experiment's folder."""
    from fivetowers_sim.bench.folder import read_experiment_manifest

    manifest = read_experiment_manifest(folder)
    return f"{manifest['experiment']}, {len(manifest['files']):,} files"
