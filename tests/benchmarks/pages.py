"""The table of figures, on the screen and as a page of the documentation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.benchmarks.figures import TOLERANCE, Figure, is_worse, share_worse

COLOURS = {"met": "green", "missed": "red", "worse": "red"}
METHOD = """\
How it is measured:

- Speeds of kernels are for one core, in the core's own time. What is compared is played in short bursts by turns; the
  ratio is the median over neighbouring bursts, the speed shown that of the best burst. The yardstick is
  [`native_greedy.c`](../tests/benchmarks/native_greedy.c), the same policy written in C.
- Writing, scaling and starts are by the clock on the wall, repeated; the shortest time counts, as what else the
  machine does can only make it longer. Writing is compared with the kernel alone on the same games, in one process
  that may start as many threads as `fivetowers simulate --workers 1`, and into files as large as those of a run of a
  million games.
- Forks are games that are branched at a decision of the bidding: every word is tried in the same eight futures, each
  played to the end of the game. They are compared with whole games of the same strategy, in bursts by turns.
- Memory is the most that a command held at a time, as the system counts it; all are given the same run.
- A start is from the command to its end, one game written. "Nothing compiled yet" starts with an empty cache.
"""


def print_table(figures: Iterable[Figure], kept: Mapping[str, Figure] | None, console: Console) -> None:
    """Print the figures, beside the kept ones if there are any."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading, is_number in (("measured", False), ("what", False), ("figure", True), ("target", True), ("", False)):
        table.add_column(heading, justify="right" if is_number else "left")
    if kept is not None:
        table.add_column("kept", justify="right")
        table.add_column("change", justify="right")
    table.add_column("note")
    group = None
    for figure in figures:
        cells = [figure.group if figure.group != group else "", figure.name, figure.shown, figure.target]
        cells.append(paint(figure.verdict))
        if kept is not None:
            cells += compare_cells(figure, kept)
        table.add_row(*cells, figure.note)
        group = figure.group
    console.print(table)


def compare_cells(figure: Figure, kept: Mapping[str, Figure]) -> list[str]:
    """Return what was kept, and by how much this run is better or worse."""
    if figure.key not in kept:
        return ["–", "–"]
    before = kept[figure.key]
    share = share_worse(figure, before)
    word = f"{abs(share):.0%} {'worse' if share > 0 else 'better'}"
    return [before.shown, f"[{COLOURS['worse']}]{word}[/]" if is_worse(figure, before) else word]


def paint(verdict: str) -> str:
    """Return a verdict with its colour."""
    return f"[{COLOURS[verdict]}]{verdict}[/]" if verdict else ""


def machine_line(results: Mapping[str, Any]) -> str:
    """Return in one line what the figures were measured on."""
    machine = results["machine"]
    versions = ", ".join(f"{name} {machine[name.lower()]}" for name in ("Python", "numba", "numpy", "polars"))
    return f"{machine['processor']}, {machine['cores']} cores, {machine['system']}; {versions}; {machine['date']}"


def write_page(results: Mapping[str, Any], figures: Iterable[Figure]) -> str:
    """Return the page for the documentation, in Markdown."""
    lines = [
        "# Benchmarks",
        "",
        "Written by `make bench-keep`; `make bench-compare` measures again and flags what is more than "
        f"{TOLERANCE:.0%} worse.",
        "",
        f"Measured on: {machine_line(results)}.",
        f"Native yardstick: {results['native']}.",
        "",
        "| measured | what | figure | target | met? | note |",
        "|---|---|---:|---:|---|---|",
    ]
    for figure in figures:
        cells = figure.group, figure.name, figure.shown, figure.target, figure.verdict, figure.note
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", METHOD])
