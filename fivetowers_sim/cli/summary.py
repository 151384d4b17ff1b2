"""``fivetowers summary``: how each seat and each strategy fared."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from fivetowers_sim.cli.console import make_console
from fivetowers_sim.cli.paths import read_place
from fivetowers_sim.cli.progress import GamesProgress
from fivetowers_sim.cli.summary_table import show_summary


def summary(
    run: Annotated[str, typer.Argument(metavar="RUN", parser=read_place, help="The run folder or address.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print every figure with its interval as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Show win share and VP by seat and strategy, with intervals.

    The intervals hold with 95% confidence, and are computed over games.
    """
    from fivetowers_sim.analysis.summary import estimate_summary

    with GamesProgress("read", quiet) as progress:
        found = estimate_summary(run, progress.report)
    if as_json:
        typer.echo(json.dumps(found.to_dict(), indent=2))
    else:
        make_console(wide=True).print(show_summary(found))
