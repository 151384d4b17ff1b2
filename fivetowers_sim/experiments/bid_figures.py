"""The figures on bids: what each is worth against the pass, and what follows for claims about bidding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.bench.budget import Budget
from fivetowers_sim.dataset.schema import encode_parquet
from fivetowers_sim.experiments.bid_games import BEGUN, FIGURES, BidGames, Key
from fivetowers_sim.experiments.bid_strata import EVERY, Stratum, list_strata, name_places

if TYPE_CHECKING:
    import polars as pl

FEWEST: Final = 30
"""Fewer decisions than these are not shown in tables: their interval would say little about itself."""


@dataclass(frozen=True, slots=True)
class BidFinding:
    """A figure about bids.

    Attributes
    ----------
    strategy : str
        Who played, in all seats.
    kind : str
        See :data:`KINDS`.
    stratum : tuple of (str, str)
        At which decisions.
    about : str
        The bid, the place in the order of speaking, or the card; empty if nothing.
    figure : str
        One of ``vp``, ``margin``, ``win_share``.
    estimate : Estimate
        The figure; its ``games`` are the decisions behind it, each of a game of its own.
    """

    strategy: str
    kind: str
    stratum: Stratum
    about: str
    figure: str
    estimate: Estimate

    @property
    def sign(self) -> int:
        """1 or -1 if the interval is on one side of 0, else 0."""
        return self.estimate.sign

    def to_row(self) -> dict[str, Any]:
        """Return it as a row of a table."""
        by, name = self.stratum
        where = {"strategy": self.strategy, "kind": self.kind, "by": by, "class": name, "about": self.about}
        return {**where, "figure": self.figure, **self.estimate.to_dict(), "decisions": self.estimate.games}


KINDS: Final[Mapping[str, str]] = {
    "pass": "the deciding seat's final figure after a pass",
    "against pass": "a bid against the pass, where it could be carried out",
    "step": "a bid against one lower, where both could be carried out",
    "spare": "one more than the lowest bid that wins the round, against that bid",
    "higher": "one more than the seat said, against what it said",
    "lower": "one less than the seat said, against what it said",
    "rather bid": "the lowest possible bid against the pass, where the seat passed",
    "passing": "the pass against what the seat said, for the seat so many places after it",
    "place": "the final figure of the seat that speaks at a place in a round, each seat in turn",
    "first": "the place that speaks first in a round against the mean of the other places",
    "begun": "the lowest bid whose build begins a tower on such a card, against the pass",
    "naive": "games in which a bid was said against games with a pass, less what the bid is worth",
}
"""What is compared, by kind."""


@dataclass(frozen=True, slots=True)
class BidFigures:
    """All figures, strategy by strategy."""

    findings: tuple[BidFinding, ...]

    def find(self, strategy: str, kind: str, figure: str, stratum: Stratum = EVERY) -> dict[str, BidFinding]:
        """Return the findings of a kind by what they are about."""
        wanted = strategy, kind, figure, stratum
        return {one.about: one for one in self.findings if (one.strategy, one.kind, one.figure, one.stratum) == wanted}

    def told(self, strategy: str, kind: str, about: str) -> int | None:
        """Return the sign of a figure in VP over all decisions; None if it is of too few decisions."""
        found = self.find(strategy, kind, "vp")[about]
        return found.sign if found.estimate.games >= FEWEST else None

    def flips(self, strategies: Sequence[str]) -> list[tuple[BidFinding, BidFinding]]:
        """List what is, over all decisions, certainly above 0 VP under a strategy and below under another."""
        pairs = []
        for first, second in combinations(strategies, 2):
            for kind in KINDS:
                there = self.find(second, kind, "vp")
                for about, one in self.find(first, kind, "vp").items():
                    if about in there and one.sign * there[about].sign < 0:
                        pairs.append((one, there[about]))
        return pairs

    def to_dict(self) -> dict[str, Any]:
        """Return them as plain JSON values."""
        return {"kinds": dict(KINDS), "findings": [one.to_row() for one in self.findings]}


def estimate_bids(measure: BidGames, strategies: Sequence[str], moments: Moments, budget: Budget) -> BidFigures:
    """Work out all figures from what was measured.

    Parameters
    ----------
    measure : BidGames
        What the columns are.
    strategies : sequence of str
        The strategies' names.
    moments : Moments
        What was measured.
    budget : Budget
        For intervals that account for looking often.

    Returns
    -------
    BidFigures
        The figures.
    """
    findings = []
    for number, strategy in enumerate(strategies):
        for kind, stratum, about, parts in _list_contrasts(measure):
            for figure in FIGURES:
                if figure == "margin" and kind in ("place", "first"):
                    continue
                estimate = measure.estimate(moments, number, figure, parts, budget.confidence)
                findings.append(BidFinding(strategy, kind, stratum, about, figure, estimate))
    return BidFigures(tuple(findings))


def name_bid(measure: BidGames, slot: int) -> str:
    """Name a bid; the one beyond the display stands for the lowest such bid."""
    return f"{slot}" if slot <= measure.bids else f"{measure.bids + 1}+"


def _list_contrasts(measure: BidGames) -> Iterator[tuple[str, Stratum, str, dict[Key, float]]]:
    """List kind, stratum, what it is about, and what to add up with which weights."""
    bids = range(1, measure.slots)
    for kind in ("pass", "spare", "higher", "lower", "rather bid"):
        yield kind, EVERY, "", {(kind, EVERY, 0): 1}
    for stratum in list_strata(measure.players):
        for bid in bids:
            yield "against pass", stratum, name_bid(measure, bid), {("against pass", stratum, bid): 1}
    for bid in bids:
        yield "step", EVERY, name_bid(measure, bid), {("step", EVERY, bid): 1}
        causal = {("against pass", EVERY, bid): -1.0}
        yield "naive", EVERY, name_bid(measure, bid), {("naive", EVERY, bid): 1, ("naive", EVERY, 0): -1, **causal}
    for place in range(measure.players):
        yield "passing", EVERY, f"{place}", {("passing", EVERY, place): 1}
    names = name_places(measure.players)
    others = {("place", EVERY, place): -Fraction(1, measure.players - 1) for place in range(1, measure.players)}
    for place, name in enumerate(names):
        yield "place", EVERY, name, {("place", EVERY, place): 1}
    yield "first", EVERY, "", {("place", EVERY, 0): 1, **others}
    for nth, name in enumerate(BEGUN):
        yield "begun", EVERY, name, {("begun", EVERY, nth): 1}


def make_bids_frame(figures: BidFigures) -> pl.DataFrame:
    """Return the figures as a frame, a row for each."""
    import polars as pl

    rows = [one.to_row() for one in figures.findings]
    numbers = {"value": pl.Float64, "low": pl.Float64, "high": pl.Float64, "decisions": pl.Int64}
    return pl.DataFrame(rows, schema={name: numbers.get(name, pl.String) for name in rows[0]})


def encode_bid_tables(figures: BidFigures) -> dict[str, bytes]:
    """Return the figures as Parquet files, by file name."""
    return {"bids.parquet": encode_parquet(make_bids_frame(figures), {})}
