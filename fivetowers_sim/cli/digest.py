"""``fivetowers digest``: one hash of what a run holds."""

from __future__ import annotations

from typing import Annotated

import typer

from fivetowers_sim.cli.paths import read_place
from fivetowers_sim.cli.progress import GamesProgress


def digest(
    run: Annotated[str, typer.Argument(metavar="RUN", parser=read_place, help="The run folder or address.")],
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Print one hash of a run's content.

    It is equal for equal options and seed, whatever the workers, the files' sizes and the interruptions.
    """
    from fivetowers_sim.dataset.digest import digest_run

    with GamesProgress("read", quiet) as progress:
        found = digest_run(run, progress.report)
    typer.echo(found)
