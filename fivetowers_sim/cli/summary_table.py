"""The summary of a run as tables of at most 100 columns."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from fivetowers_sim.bench.numbers import write_estimate
from fivetowers_sim.cli.console import PLAIN_WIDTH, make_table
from fivetowers_sim.rules.described import describe_population

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from fivetowers_sim.analysis.summary import Row, RunSummary

_LONGEST_LABEL: Final = 11

# Column of the dataset and its heading. What has no interval here has one with --json.
_MEANS: Final = {
    "cards": "cards",
    "tops": "tops",
    "main": "main",
    "pairs": "pairs",
    "teardown": "tear",
    "torn_cards": "torn",
    "bids_won": "bids",
}


def show_summary(summary: RunSummary) -> RenderableType:
    """Show a run's figures: by seat, by strategy if there are several, and what they are about.

    Parameters
    ----------
    summary : RunSummary
        The figures.

    Returns
    -------
    rich.console.RenderableType
        For the console.
    """
    from rich.console import Group

    setup = summary.plan["setup"]
    several = len(summary.by_strategy) > 1
    labels = _label_strategies([str(row.strategy) for row in summary.by_strategy], summary.short_names)
    tables: list[RenderableType] = [_show_rows("seat", summary.by_seat, labels), ""]
    if several:
        tables += [_show_rows("strategy", summary.by_strategy, labels), ""]
    if several and setup["seating"] == "rotate":
        tables += [_show_rows("strategy, seat", summary.by_strategy_and_seat, labels), ""]
    short_names = {name: label for name, label in labels.items() if label == summary.short_names.get(name)}
    explained = labels if several else short_names
    legend = [f"{label} is {name}" for name, label in explained.items() if label != name]
    described = _describe(summary, several, short_names)
    return Group(*tables, *(["; ".join(legend) + "."] if legend else []), *described)


def _label_strategies(names: Sequence[str], short_names: Mapping[str, str]) -> dict[str, str]:
    """Give each strategy its short name for a label, or letters to all where that is too long or not its alone."""
    labels = {name: short_names.get(name, name) for name in names}
    if max(map(len, labels.values())) <= _LONGEST_LABEL and len(set(labels.values())) == len(names):
        return labels
    return dict(zip(names, string.ascii_uppercase, strict=False))


def _show_rows(heading: str, rows: Sequence[Row], labels: Mapping[str, str]) -> Table:
    headings = (heading, "games", "win share", "VP", *_MEANS.values())
    cells = [_write_row(row, labels) for row in rows]
    widths = [max(map(len, column)) for column in zip(headings, *cells, strict=True)]
    roomy = sum(widths) + 2 * (len(widths) - 1) <= PLAIN_WIDTH
    table = make_table(padding=(0, 1, 0, 0) if roomy else 0)
    table.add_column(heading, style="cyan", overflow="fold")
    for name in headings[1:]:
        table.add_column(name, justify="right", no_wrap=True)
    for row in cells:
        table.add_row(*row)
    return table


def _write_row(row: Row, labels: Mapping[str, str]) -> list[str]:
    strategy = [] if row.strategy is None else [labels[row.strategy]]
    who = ", ".join(strategy + ([] if row.seat is None else [str(row.seat)]))
    share, total = write_estimate(row.win_share, 100, "%"), write_estimate(row.measures["total"])
    return [who, f"{row.games:,}", share, total, *(f"{row.measures[name].value:.2f}" for name in _MEANS)]


def _describe(summary: RunSummary, several: bool, short_names: Mapping[str, str]) -> list[str]:
    setup = summary.plan["setup"]
    rounds, shared = write_estimate(summary.rounds), write_estimate(summary.shared_victories, 100, "%")
    return [
        f"{summary.games:,} games; {rounds} rounds a game; {shared} of the games end in a shared victory.",
        f"Population: {describe_population(setup, short_names)}.",
        "± is half of a 95% interval over games. VP is the sum of cards, tops, main, pairs and tear (for the "
        "teardown pile); torn counts the cards in that pile, bids the rounds won.",
        _describe_design(setup, several),
    ]


def _describe_design(setup: Mapping[str, Any], several: bool) -> str:
    """Say what the design of the games lets one compare, in a line."""
    if several and setup["seating"] == "fixed":
        return "Each strategy kept its seat: its doing and its seat's can't be told apart here."
    if len({tuple(powers) for powers in setup["powers_by_seat"]}) > 1:
        return "Seats differ in their Great Powers too: seat and powers can't be told apart here."
    compared = "seats and strategies" if several else "seats"
    return f"By design only {compared} differ; whether the other columns cause VP is not tested."
