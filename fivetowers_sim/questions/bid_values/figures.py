"""The figures on bids: what each is worth against the pass, what else is compared, and what turns with who plays."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import Final

from fivetowers_sim.bench.findings import Finding, Findings
from fivetowers_sim.questions.bid_values.measure import BEGUN, BidGames, Key
from fivetowers_sim.questions.bid_values.strata import EVERY, Stratum, list_strata, name_places

FEWEST: Final = 30
"""Figures of fewer decisions than these are not shown: their interval would say little about itself."""

COLUMNS: Final = ("strategy", "kind", "by", "class", "about", "figure", "value", "low", "high", "decisions")
"""What a row of results says."""

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

_HEADLINES: Final = ("against pass", "spare", "higher", "rather bid", "first")


def find(figures: Findings, kind: str, figure: str = "vp", stratum: Stratum = EVERY) -> dict[str, Finding]:
    """Return a strategy's findings of a kind by what they are about, but for those of too few decisions."""
    by, name = stratum
    found = figures.by("about", kind=kind, by=by, figure=figure, **{"class": name})
    return {about: one for about, one in found.items() if one["decisions"] >= FEWEST}


def list_flips(figures: Collection[Findings]) -> list[tuple[str, str]]:
    """List what is certainly above 0 VP under a strategy and certainly below under another.

    Parameters
    ----------
    figures : collection of Findings
        Those of each strategy.

    Returns
    -------
    list of (str, str)
        Kind and subject of headline figures, each once.
    """
    flips = []
    for kind in _HEADLINES:
        found = [find(own, kind) for own in figures]
        for about in dict.fromkeys(about for one in found for about in one):
            if {1, -1} <= {one[about].estimate.sign for one in found if about in one}:
                flips.append((kind, about))
    return flips


def name_bid(measure: BidGames, slot: int) -> str:
    """Name a bid; the one beyond the display stands for the lowest such bid."""
    return f"{slot}" if slot <= measure.bids else f"{measure.bids + 1}+"


def list_contrasts(measure: BidGames) -> Iterator[tuple[str, Stratum, str, dict[Key, float]]]:
    """List all that is worked out.

    Parameters
    ----------
    measure : BidGames
        What the columns are.

    Yields
    ------
    tuple of (str, Stratum, str, dict of Key to float)
        Kind, stratum, what it is about, and what to add up with which weights.
    """
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
