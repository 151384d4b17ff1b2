"""What a question found, for a terminal: the answer first, then tables of at most 100 columns, then the basis."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fivetowers_sim.bench.content import Section, Table
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.cli.console import make_table

if TYPE_CHECKING:
    from rich import table
    from rich.console import RenderableType


def show_found(section: Section, finished: Finished, out: Path | None = None) -> RenderableType:
    """Show what was found.

    Parameters
    ----------
    section : Section
        What is said of it.
    finished : Finished
        What it rests on.
    out : Path, optional
        The folder in which everything is.

    Returns
    -------
    rich.console.RenderableType
        For the console.
    """
    from rich.console import Group

    parts: list[RenderableType] = []
    for verdict in section.verdicts:
        parts += [verdict.claim, f"{_begin(verdict.figure)}; {verdict.interval}. {verdict.holds}".rstrip(), ""]
    for shown in section.shown:
        if isinstance(shown, Table):
            parts += [shown.caption, "", show_table(shown), ""]
    claims = {verdict.claim for verdict in section.verdicts}
    parts += [said for said in section.said if said not in claims]
    population = dict.fromkeys(f"{one.population}; seed {one.seed}" for one in section.verdicts)
    parts.append(f"{'; '.join([finished.counted, *population])}.")
    parts += [*finished.results.get("basis", ()), f"Again: {finished.command}"]
    return Group(*parts, *([f"All figures are in {out}."] if out else []))


def _begin(text: str) -> str:
    return text[:1].upper() + text[1:]


def show_table(shown: Table, **options: Mapping[str, Any]) -> table.Table:
    """Show a table: names and other words at the left, figures at the right."""
    made = make_table(padding=0 if shown.texts == 1 else (0, 1, 0, 0), **options)
    for nth, heading in enumerate(shown.headings):
        if nth < shown.texts:
            made.add_column(heading, style="cyan" if nth == 0 else None, overflow="fold")
        else:
            # Where there is too little room a long name above figures goes on in the next line; figures don't.
            widest = max((len(row[nth]) for row in shown.rows), default=1)
            made.add_column(heading, justify="right", overflow="fold", min_width=widest)
    for row in shown.rows:
        made.add_row(*row)
    return made
