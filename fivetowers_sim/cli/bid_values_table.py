"""What bids are worth as tables of at most 100 columns."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fivetowers_sim.bench.question import describe_precision
from fivetowers_sim.cli.bid_verdict import describe_agreement, describe_verdict, write_finding
from fivetowers_sim.cli.check import describe_check
from fivetowers_sim.cli.console import make_table
from fivetowers_sim.cli.refit import describe_tables

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from fivetowers_sim.experiments.bid_figures import BidFigures
    from fivetowers_sim.experiments.bid_values import BidValuesOutcome

# More bids than this get one digit only, to stay within a line.
_MOST_WIDE: Final = 5

_QUESTIONS: Final = (
    ("higher", "one more than the seat said"),
    ("lower", "one less than the seat said"),
    ("rather bid", "the lowest bid where the seat passed"),
    ("spare", "one more than wins the round"),
    ("first", "to speak first in a round"),
)


def show_bid_values(outcome: BidValuesOutcome, out: Path | None = None) -> RenderableType:
    """Show what bids are worth, and the verdict.

    Parameters
    ----------
    outcome : BidValuesOutcome
        The figures.
    out : Path, optional
        The folder in which they are.

    Returns
    -------
    rich.console.RenderableType
        For the console.
    """
    from rich.console import Group

    from fivetowers_sim.experiments.check import join_labels

    asked, figures = outcome.asked, outcome.figures
    parts: list[RenderableType] = []
    for strategy, label in zip(asked.strategies, asked.labels, strict=True):
        parts += [f"All seats {label}. Each bid against passing, at the same decisions:", ""]
        parts += [_show_bids(figures, strategy), "", "The same in VP, by kind of decision:", ""]
        parts += [_show_strata(outcome, strategy), "", _show_questions(outcome, strategy), ""]
        parts += [*describe_verdict(outcome, strategy, label), ""]
    if outcome.check:
        parts += _show_check(outcome.check)
    if len(join_labels(outcome)) > 1:
        parts += [*describe_agreement(outcome), ""]
    return Group(*parts, *_describe(outcome), *([f"All figures are in {out}."] if out else []))


def _show_check(check: BidValuesOutcome) -> list[RenderableType]:
    """Show what a stronger player found, as far as verdicts rest on it."""
    (strategy,), (label,) = check.asked.strategies, check.asked.labels
    parts = [describe_check(check, f"{check.decisions:,} decisions"), "", _show_bids(check.figures, strategy), ""]
    return [*parts, _show_questions(check, strategy), "", *describe_verdict(check, strategy, label), ""]


def _make_table(first: str, headings: Iterable[str]) -> Table:
    table = make_table(padding=0)
    table.add_column(first, style="cyan", no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _show_bids(figures: BidFigures, strategy: str) -> Table:
    table = _make_table("bid", ("decisions", "VP", "margin", "win share", "VP, over 1 less", "naive is off by"))
    columns = [figures.find(strategy, "against pass", name) for name in ("vp", "margin", "win_share")]
    others = [figures.find(strategy, kind, "vp") for kind in ("step", "naive")]
    for bid, one in columns[0].items():
        known = [found[bid] for found in (*columns, *others)]
        # The lowest bid's step is the one from the pass.
        cells = [write_finding(found) for found in known]
        table.add_row(bid, f"{one.estimate.games:,}", *cells)
    return table


def _show_strata(outcome: BidValuesOutcome, strategy: str) -> Table:
    from fivetowers_sim.experiments.bid_strata import EVERY, TITLES, list_strata

    bids = list(outcome.figures.find(strategy, "against pass", "vp"))
    digits = None if len(bids) <= _MOST_WIDE else 1
    table = _make_table("", (f"bid {bid}" for bid in bids))
    strata = [stratum for stratum in list_strata(outcome.asked.players) if stratum != EVERY]
    for by, group in groupby(strata, key=lambda stratum: stratum[0]):
        table.add_row(TITLES[by])
        for stratum in group:
            found = outcome.figures.find(strategy, "against pass", "vp", stratum)
            table.add_row(f"  {stratum[1]}", *(write_finding(found[bid], digits) for bid in bids))
    return table


def _show_questions(outcome: BidValuesOutcome, strategy: str) -> Table:
    table = _make_table("what it brings", ("decisions", "VP", "margin", "win share"))
    figures = outcome.figures

    def add(kind: str, about: str, label: str) -> None:
        found = [figures.find(strategy, kind, name).get(about) for name in ("vp", "margin", "win_share")]
        # The margin is the deciding seat's; others have none here.
        own = kind != "passing" or about == "0"
        cells = [write_finding(one) if one and (own or one.figure != "margin") else "" for one in found]
        table.add_row(label, f"{found[0].estimate.games:,}", *cells)

    for kind, label in _QUESTIONS:
        add(kind, "", label)
    for card in figures.find(strategy, "begun", "vp"):
        add("begun", card, f"a tower begun on {card}")
    add("passing", "0", "to pass instead, to itself")
    for place in range(1, outcome.asked.players):
        add("passing", f"{place}", f"to pass instead, to {'the next seat' if place == 1 else f'seat {place} after it'}")
    return table


def describe_decisions(outcome: BidValuesOutcome) -> str:
    """Say how much was played, by which rules, without a full stop."""
    asked = outcome.asked
    powers = f"; powers {', '.join(asked.rules.powers)}" if asked.rules.powers else ""
    return (
        f"{outcome.decisions:,} decisions, {asked.futures} futures each; {asked.players} players; "
        f"rules {asked.rules.name}{powers}; seed {asked.seed}"
    )


def _describe(outcome: BidValuesOutcome) -> list[str]:
    from fivetowers_sim.experiments.check import join_labels

    asked = outcome.asked
    return [
        f"{describe_decisions(outcome)}. A decision is a word of a seat that could bid, drawn evenly from the words of "
        "a game of its own; the deals are the same for every strategy. Every bid that the seat could carry out and the "
        "pass are played to the end in the same futures, with what the seat can't know redrawn.",
        "A tower begun: the lowest bid whose build begins one on such a card and no other, against passing. To pass "
        "instead: where the seat bid, against what it said. Margin: over the best other seat. Win shares are in "
        "points. Naive: how the games ended in which the bid was said, less those with a pass; it is off by so much. "
        "To speak first: the same round begun by each seat in turn, the first place less the mean of the others. A "
        "dash: fewer than 30 decisions.",
        describe_precision(asked.budget, outcome.decisions, outcome.look, outcome.reached, "bid against passing"),
        *describe_tables(join_labels(outcome), {asked.rules.name: asked.rules}, asked.players),
        f"Again: {asked.command}",
    ]
