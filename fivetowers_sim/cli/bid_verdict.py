"""What the values of bids say, in sentences that a designer can act on."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from fivetowers_sim.cli.summary_table import write_estimate

if TYPE_CHECKING:
    from fivetowers_sim.experiments.bid_figures import BidFigures, BidFinding
    from fivetowers_sim.experiments.bid_values import BidValuesOutcome


_FEW: Final = "–"


def write_finding(finding: BidFinding, digits: int | None = None) -> str:
    """Write a figure with its sign and margin; shares in points. Too few decisions give a dash."""
    from fivetowers_sim.experiments.bid_figures import FEWEST

    estimate = finding.estimate
    if estimate.games < FEWEST:
        return _FEW
    scale = 100 if finding.figure == "win_share" else 1
    if digits is not None:
        return f"{estimate.value * scale:+.{digits}f} ± {estimate.margin * scale:.{digits}f}"
    text = write_estimate(estimate, scale)
    return text if text.startswith("-") else f"+{text}"


def describe_verdict(outcome: BidValuesOutcome, strategy: str, label: str) -> list[str]:
    """Say what the bids are worth with a strategy in all seats, claim by claim."""
    figures = outcome.figures
    return [
        _describe_bids(figures, strategy, label),
        _describe_height(figures, strategy, label),
        _describe_spare(figures, strategy),
        _describe_eleven(figures, strategy),
        _describe_first(figures, strategy),
    ]


def _known(finding: BidFinding) -> bool:
    from fivetowers_sim.experiments.bid_figures import FEWEST

    return finding.estimate.games >= FEWEST


def _say(finding: BidFinding) -> str:
    return f"{write_finding(finding)} VP ({finding.estimate.games:,} decisions)"


def _describe_bids(figures: BidFigures, strategy: str, label: str) -> str:
    found = [one for one in figures.find(strategy, "against pass", "vp").values() if _known(one)]
    if not found:
        return f"With {label} too few decisions were played to say anything."
    said = ", ".join(f"{one.about} {write_finding(one)}" for one in found)
    better = [one.about for one in found if one.sign > 0]
    worse = [one.about for one in found if one.sign < 0]
    parts = [
        *([f"better than passing on average: {', '.join(better)}"] if better else []),
        *([f"worse: {', '.join(worse)}"] if worse else []),
    ]
    text = f"Bids in VP against passing, with {label}: {said}; {'; '.join(parts) or 'none differs for certain'}."
    own, share = (figures.find(strategy, "passing", name)["0"] for name in ("vp", "win_share"))
    if not _known(own):
        return text
    others = [one for place, one in figures.find(strategy, "passing", "vp").items() if place != "0"]
    gains = ", ".join(write_finding(one) for one in others)
    return (
        f"{text} To pass instead of bidding what it says brings {_say(own)} and {write_finding(share)} points of win "
        f"share; the seats after it get {gains} VP, in the order of speaking."
    )


def _describe_height(figures: BidFigures, strategy: str, label: str) -> str:
    higher, rather = (figures.find(strategy, kind, "vp")[""] for kind in ("higher", "rather bid"))
    if not _known(higher):
        return "Claim 'bids too low': too few decisions to say."
    claim, verdict = _judge(figures, strategy)["higher", ""]
    text = f"Claim '{claim}' {verdict} with {label}: one more than it says brings {_say(higher)}"
    if _known(rather):
        text += f"; the lowest bid where it passes {_say(rather)}"
    return f"{text}."


def _judge(figures: BidFigures, strategy: str) -> dict[tuple[str, str], tuple[str, str]]:
    """Return each claim with its verdict under a strategy, by the figure that it is mainly about."""
    from fivetowers_sim.experiments.bid_claims import CLAIMS

    return {about: (claim, judge(partial(figures.told, strategy))) for about, (claim, judge) in CLAIMS.items()}


def _describe_spare(figures: BidFigures, strategy: str) -> str:
    spare = figures.find(strategy, "spare", "vp")[""]
    if not _known(spare):
        return "Winning by one more than needed: too few decisions to say."
    costs = {1: "pays", -1: "costs", 0: "is not shown to matter"}[spare.sign]
    return f"Winning with one more than needed {costs}: {_say(spare)}."


def _describe_eleven(figures: BidFigures, strategy: str) -> str:
    found = figures.find(strategy, "begun", "vp")
    eleven = found["11"]
    if not _known(eleven):
        return "Claim 'starting a tower on an 11 is fine': too few decisions to say."
    claim, verdict = _judge(figures, strategy)["begun", "11"]
    others = ", ".join(f"on {name} {write_finding(one)}" for name, one in found.items() if name != "11" and _known(one))
    return f"Claim '{claim}' {verdict}: a bid that does brings {_say(eleven)} against passing ({others})."


def _describe_first(figures: BidFigures, strategy: str) -> str:
    first, share = (figures.find(strategy, "first", name)[""] for name in ("vp", "win_share"))
    if not _known(first):
        return "To speak first: too few rounds to say."
    better = {1: "is an advantage", -1: "is a disadvantage", 0: "is not shown to matter"}[first.sign]
    return (
        f"To speak first in a round {better}: {write_finding(first)} VP and {write_finding(share)} points of win share "
        f"against the other places, every seat in turn ({first.estimate.games:,} rounds)."
    )


_HEADLINES: Final = ("against pass", "spare", "higher", "rather bid", "first")


def describe_agreement(outcome: BidValuesOutcome) -> list[str]:
    """Say under which strategies the claims hold, and which headline figures are on different sides of 0."""
    from fivetowers_sim.experiments.check import join_figures, join_labels

    figures, labels = join_figures(outcome), join_labels(outcome)
    said: dict[str, list[str]] = {}
    for one, label in labels.items():
        for claim, verdict in _judge(figures, one).values():
            said.setdefault(claim, []).append(f"{verdict} with {label}")
    claims = "; ".join(f"'{claim}' {', '.join(verdicts)}" for claim, verdicts in said.items())
    claims = f"Over all strategies: {claims}."
    flipped = {(one.kind, one.about): one for one, _ in figures.flips(list(labels)) if one.kind in _HEADLINES}
    if not flipped:
        return [claims, "Nothing flips: no headline figure is certainly above 0 with one and below 0 with another."]
    flips = []
    for (kind, about), finding in flipped.items():
        found = [(figures.find(one, kind, "vp")[about], label) for one, label in labels.items()]
        flips.append(f"{_name(finding)} ({', '.join(f'{write_finding(one)} with {label}' for one, label in found)})")
    return [claims, f"The sign flips between strategies, in VP: {'; '.join(flips)}."]


def _name(finding: BidFinding) -> str:
    from fivetowers_sim.experiments.bid_figures import KINDS

    return f"bid {finding.about} against passing" if finding.kind == "against pass" else KINDS[finding.kind]
