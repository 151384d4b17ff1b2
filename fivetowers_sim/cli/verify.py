"""``fivetowers verify``: compare a run folder with its manifest."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fivetowers_sim.cli.errors import CommandError
from fivetowers_sim.cli.progress import GamesProgress


def verify(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The run folder.")],
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Compare every part of a run with the manifest, byte for byte.

    Names each file that isn't as it was written and the games it holds, and ends with code 1 then.
    """
    from fivetowers_sim.dataset.store import open_run
    from fivetowers_sim.dataset.verify import verify_run

    with GamesProgress("checked", quiet) as progress:
        problems = verify_run(run, progress.report)
    if problems:
        others = f" (and {len(problems) - 1:,} more, listed above)" if len(problems) > 1 else ""
        for problem in problems if others else ():
            typer.echo(str(problem))
        raise CommandError(f"{run}: {problems[0]}{others}")
    manifest = open_run(run).manifest
    typer.echo(f"ok: {manifest.part_count:,} parts, {manifest.games:,} games")
