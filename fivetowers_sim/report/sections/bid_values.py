"""The section on bid values: what each bid is worth against passing, and what follows for claims about bidding."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.bench.content import Picture, Section, Table, Verdict
from fivetowers_sim.bench.finished import Finished, Rows
from fivetowers_sim.bench.numbers import join, write_interval, write_signed
from fivetowers_sim.bench.pictures import list_pictures
from fivetowers_sim.experiments.bid_claims import CLAIMS
from fivetowers_sim.experiments.bid_figures import FEWEST
from fivetowers_sim.rules.described import describe_rules

ANCHOR: Final = "bid-values"
_FIGURES: Final = {
    "vp": ("VP", 1),
    "margin": ("VP ahead of the best other", 1),
    "win_share": ("win share, points", 100),
}
_STRATA: Final = {
    "stage": "stage of the game",
    "place": "place in the bidding",
    "high_bid": "high bid so far",
    "top": "highest open tower top",
    "fits": "shown cards that fit",
}
_CLAIMS: Final = {
    ("higher", ""): "one more than the seat said, against what it said",
    ("lower", ""): "one less than the seat said, against what it said",
    ("rather bid", ""): "the lowest possible bid where the seat passed, against the pass",
    ("spare", ""): "winning with one more than needed, against the lowest bid that wins",
    ("begun", "11"): "a bid whose build begins a tower on an 11, against the pass",
    ("first", ""): "speaking first in a round, against the mean of the other places",
}
"""What claims about bidding come down to, by kind and what it is about."""


def write_bid_values(finished: Finished) -> Section:
    """Write the section.

    Parameters
    ----------
    finished : Finished
        A ``bid-values`` experiment.

    Returns
    -------
    Section
        The section.
    """
    strategies: Sequence[str] = finished.plan["strategies"]
    pictures = list(list_pictures(finished))
    shown: list[Picture | Table] = [*pictures[len(strategies) :]]
    for nth, strategy in enumerate(strategies):
        own = finished.findings.where(strategy=strategy)
        shown += [*pictures[nth : nth + 1], _tabulate_bids(own, strategy), _tabulate_strata(own, strategy)]
    shown += [_tabulate_claims(finished), _tabulate_passing(finished.findings, strategies)]
    shown.append(_tabulate_naive(finished.findings, strategies))
    said = (
        "Decisions of the bidding are drawn evenly from games. At each, every bid that can be carried out and the pass "
        "are forced in turn and the game is played on, in the same futures, whose hidden cards are drawn anew from "
        "what the player can't know. So figures are what a bid does, not what those who chose it had.",
        *finished.describe_check(),
    )
    question = "What is each bid worth, and to whom?"
    return Section(ANCHOR, "Bid values", question, _judge(finished), said, shown)


def _known(rows: Rows, **equal: Any) -> dict[str, Estimate]:
    """Return figures by what they are about, those of too few decisions left out."""
    kept = [row for row in rows.where(**equal).rows if row["decisions"] >= FEWEST and row["value"] is not None]
    return {row["about"]: rows.estimate_of(row) for row in kept}


def _overall(finished: Finished, strategy: str) -> Rows:
    """Return the figures in VP over all decisions, with a strategy in all seats."""
    return finished.askers[strategy].findings.where(strategy=strategy, by="all", figure="vp")


def _judge(finished: Finished) -> list[Verdict]:
    first, *others = finished.askers
    bids = _known(_overall(finished, first), kind="against pass")
    if not bids:
        return []
    best = max(bids, key=lambda bid: bids[bid].value)
    said = ", ".join(f"{bid} {write_signed(worth)}" for bid, worth in bids.items())
    elsewhere = [
        f"{name} {write_signed(there[best])}"
        for name in others
        if best in (there := _known(_overall(finished, name), kind="against pass"))
    ]
    verdicts = [
        _verdict(
            finished,
            f"What bids bring in VP against passing, all {first}: {said}.",
            (f"VP that a bid of {best} brings against the pass", bids[best]),
            f"The same bid under {join(elsewhere)}." if elsewhere else "",
        )
    ]
    for where in CLAIMS:
        verdicts += _judge_claim(finished, where)
    return verdicts


def _judge_claim(finished: Finished, where: tuple[str, str]) -> list[Verdict]:
    """Say what a claim comes to under each strategy; nothing if too few decisions say something."""
    (claim, judge), label = CLAIMS[where], _CLAIMS[where]
    found: dict[str, tuple[Estimate, str]] = {}
    for name in finished.askers:
        rows = _overall(finished, name)
        if worth := _find(rows, *where):
            found[name] = worth, judge(partial(_tell, rows))
    first, *others = finished.askers
    if first not in found:
        return []
    worth, verdict = found[first]
    sign = {1: "brings", -1: "costs", 0: "isn't shown to bring or cost anything,"}[worth.sign]
    said = f"{label[0].upper()}{label[1:]}: {sign} {write_signed(worth)} VP, all {first}. So '{claim}' {verdict}."
    elsewhere = [f"{name} {write_signed(found[name][0])} ({found[name][1]})" for name in others if name in found]
    return [_verdict(finished, said, (label, worth), f"Under {join(elsewhere)}." if elsewhere else "")]


def _find(rows: Rows, kind: str, about: str) -> Estimate | None:
    """Return a figure over all decisions; None if it is of too few."""
    return _known(rows, kind=kind).get(about)


def _tell(rows: Rows, kind: str, about: str) -> int | None:
    found = _find(rows, kind, about)
    return None if found is None else found.sign


def _verdict(finished: Finished, claim: str, figure: tuple[str, Estimate], holds: str) -> Verdict:
    plan, (label, worth) = finished.plan, figure
    population = f"{plan['players']} players; all seats {plan['strategies'][0]}; {describe_rules(plan['rules'])}"
    figure_text, interval = f"{label}: {write_signed(worth)} VP", write_interval(worth)
    return Verdict(claim, figure_text, interval, holds, finished.counted, population, plan["seed"], finished.command)


def _tabulate_bids(rows: Rows, strategy: str) -> Table:
    found = {name: _known(rows, by="all", kind="against pass", figure=name) for name in _FIGURES}
    counts = {row["about"]: row["decisions"] for row in rows.where(by="all", kind="against pass", figure="vp").rows}
    body = tuple(
        (
            f"bid {bid}",
            *(write_signed(found[name][bid], scale) for name, (_, scale) in _FIGURES.items()),
            f"{counts[bid]:,}",
        )
        for bid in found["vp"]
    )
    headings = ("", *(label for label, _ in _FIGURES.values()), "decisions")
    return Table(f"What a bid brings the seat that says it, against the pass, all {strategy}.", headings, body)


def _tabulate_strata(rows: Rows, strategy: str) -> Table:
    bids = list(_known(rows, by="all", kind="against pass", figure="vp"))
    body = []
    for by, label in _STRATA.items():
        own = rows.where(by=by, kind="against pass", figure="vp")
        for name in dict.fromkeys(row["class"] for row in own.rows):
            worth = _known(own, **{"class": name})
            cells = [write_signed(worth[bid]) if bid in worth else "" for bid in bids]
            body.append((f"{label}: {name}", *cells))
    caption = f"The same in VP, by kind of decision, all {strategy}; empty where fewer than {FEWEST} decisions are."
    return Table(caption, ("", *(f"bid {bid}" for bid in bids)), tuple(body))


def _tabulate_claims(finished: Finished) -> Table:
    body = []
    for (kind, about), label in _CLAIMS.items():
        found = [_known(_overall(finished, name), kind=kind).get(about) for name in finished.askers]
        body.append((label, *("too few decisions" if one is None else write_signed(one) for one in found)))
    return Table("What claims about bidding come down to, in VP.", ("", *finished.askers), tuple(body))


def _tabulate_passing(rows: Rows, strategies: Sequence[str]) -> Table:
    found = [_known(rows, strategy=name, by="all", kind="passing", figure="vp") for name in strategies]
    names = {"0": "the seat that passes"}
    places = dict.fromkeys(place for one in found for place in one)
    body = tuple(
        (
            names.get(place, f"the seat {place} after it"),
            *(write_signed(one[place]) if place in one else "" for one in found),
        )
        for place in places
    )
    return Table("Who gains when a seat passes instead of what it said, in VP.", ("", *strategies), body)


def _tabulate_naive(rows: Rows, strategies: Sequence[str]) -> Table:
    found = [_known(rows, strategy=name, by="all", kind="naive", figure="vp") for name in strategies]
    bids = dict.fromkeys(bid for one in found for bid in one)
    body = tuple((f"bid {bid}", *(write_signed(one[bid]) if bid in one else "" for one in found)) for bid in bids)
    caption = "How far the average result of those who bid so, less that of those who passed, is off, in VP."
    return Table(caption, ("", *strategies), body)
