"""What the figures on bids say: which bids are better than passing, and what follows for claims about bidding."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from fivetowers_sim.bench.content import PictureOf, Section, Table, Verdict
from fivetowers_sim.bench.findings import Finding, Findings
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.bench.numbers import join, write_interval, write_signed
from fivetowers_sim.questions.bid_values.claims import CLAIMS
from fivetowers_sim.questions.bid_values.figures import FEWEST, find, list_flips
from fivetowers_sim.questions.bid_values.measure import FIGURES
from fivetowers_sim.questions.bid_values.strata import TITLES, list_strata
from fivetowers_sim.rules.described import describe_rules

if TYPE_CHECKING:
    from fivetowers_sim.questions.bid_values import BidValues

What = tuple[str, str]
"""What is forced: a kind of figure, and what it is about."""

_HEADINGS: Final = ("decisions", "VP", "VP ahead", "win share")
_FORCED: Final[Mapping[What, str]] = {
    ("higher", ""): "one more than the seat said",
    ("lower", ""): "one less than the seat said",
    ("rather bid", ""): "the lowest bid where the seat passed",
    ("spare", ""): "one more than wins the round",
    ("first", ""): "to speak first in a round",
    ("passing", "0"): "to pass instead of what it said",
    ("passing", "1"): "the same, to the next seat",
}
_CLAIMED: Final[Mapping[What, str]] = {
    ("higher", ""): "1 more",
    ("lower", ""): "1 less",
    ("rather bid", ""): "bid, not pass",
    ("spare", ""): "1 to spare",
    ("begun", "11"): "begun on 11",
    ("first", ""): "speak first",
}
_SIDES: Final = {1: "Better than passing", -1: "Worse than passing", 0: "Not told apart from passing"}
_DOES: Final = {1: "brings something", -1: "costs something", 0: "isn't shown to matter"}
# With more columns than these a table would be wider than a page.
_MOST_COLUMNS: Final = 6


def write_bids(question: type[BidValues], finished: Finished) -> Section:
    """Write the section.

    Parameters
    ----------
    question : type
        What it is called and answers.
    finished : Finished
        What was found.

    Returns
    -------
    Section
        The section; without a verdict if too few decisions say something.
    """
    figures = {name: asked.figures.where(strategy=name) for name, asked in finished.askers.items()}
    players, shown = finished.plan["players"], list[PictureOf | Table]()
    for nth, (name, own) in enumerate(figures.items(), 1):
        checks = name not in finished.plan["strategies"]
        if not checks:
            picture = question.name if nth == 1 else f"{question.name}-{nth}"
            shown.append(PictureOf(picture, f"VP that each bid brings against passing, all {name}"))
        shown.append(_tabulate_bids(own, name))
        shown += [] if checks else _tabulate_strata(own, name, players)
        shown.append(_tabulate_forced(own, name))
    passing = {("passing", f"{place}"): f"{place} after it" if place else "itself" for place in range(players)}
    naive = {("naive", bid): f"bid {bid}" for own in figures.values() for bid in own.by("about", kind="naive")}
    shown += _compare(figures, "What claims about bidding come down to", _CLAIMED)
    shown += _compare(figures, "Who gains when a seat passes instead of what it said", passing)
    shown += _compare(figures, "How far a naive look at those who bid so and those who passed is off", naive)
    said = [_describe(own, name) for name, own in figures.items()]
    said += [
        *finished.describe_check(),
        "Decisions of the bidding are drawn evenly from games, one from each: the words of seats that could bid. There "
        "every bid that can be carried out, and the pass, are forced in turn and the game is played to its end, in the "
        "same futures, whose hidden cards are drawn anew from what the player can't know. So a bid's worth is that of "
        "a forced bid against a forced pass at the very same decisions: what the bid does, not what those who chose it "
        "had.",
        "One more and one less are against what the seat said; one more than wins, against the lowest bid that nobody "
        "outbids in any future; a tower begun, the lowest bid whose build begins one on such a card and no other, "
        "against passing; to speak first, the same round begun by each seat in turn, the first place less the mean of "
        "the others. A naive look takes how the games ended in which the bid was said, less those with a pass.",
        "VP ahead are over the best other seat, win shares in points. Better, worse and what becomes of a claim go by "
        "each figure's own 95% interval: of figures that are truly 0, one in 20 falls outside by chance. Figures of "
        f"fewer than {FEWEST} decisions are left out.",
    ]
    return Section(question.name, question.title, question.asks, [*_judge(finished, figures)], said, shown)


def _judge(finished: Finished, figures: Mapping[str, Findings]) -> Iterator[Verdict]:
    first, *others = figures
    bids = find(figures[first], "against pass")
    if bids:
        # The one that is most certainly worth something, not a rare one that may be worth much.
        best = max(bids, key=lambda bid: bids[bid].estimate.low)
        groups = [
            f"{side}: {join(found)}"
            for sign, side in _SIDES.items()
            if (found := [f"{bid} ({_write(one)})" for bid, one in bids.items() if one.estimate.sign == sign])
        ]
        claim = f"{'. '.join(groups)}. In VP, forced against a forced pass at the very same decisions, all {first}."
        told = [
            f"{name} {_write(worth)}" for name in others if (worth := find(figures[name], "against pass").get(best))
        ]
        holds = [f"The same bid under {join(told)}."] if told else []
        holds += [_describe_flips(figures)] if others else []
        figure = f"VP that a forced bid of {best} brings against a forced pass: {_write(bids[best])} VP"
        yield _verdict(finished, claim, figure, bids[best], " ".join(holds))
    for what, (claim, _) in CLAIMS.items():
        if one := _find(figures[first], what):
            does = f"{_name(what)} {_DOES[one.estimate.sign]} ({_write(one)} VP)"
            claim = f"The claim '{claim}' {_judge_claim(figures[first], what)}, all {first}: {does}."
            told = [
                f"{name} {_write(other)} ({_judge_claim(figures[name], what)})"
                for name in others
                if (other := _find(figures[name], what))
            ]
            holds = f"Under {join(told)}." if told else ""
            yield _verdict(finished, claim, f"{_name(what)}: {_write(one)} VP", one, holds)


def _verdict(finished: Finished, claim: str, figure: str, one: Finding, holds: str) -> Verdict:
    plan, interval = finished.plan, write_interval(one.estimate)
    who = f"{plan['players']} players; all seats {plan['strategies'][0]}"
    population = f"{who}; {plan['futures']} futures of each decision; {describe_rules(plan['rules'])}"
    return Verdict(claim, figure, interval, holds, finished.counted, population, plan["seed"], finished.command)


def _judge_claim(own: Findings, what: What) -> str:
    def tell(kind: str, about: str) -> int | None:
        found = _find(own, (kind, about))
        return None if found is None else found.estimate.sign

    return CLAIMS[what][1](tell)


def _find(own: Findings, what: What, figure: str = "vp") -> Finding | None:
    kind, about = what
    return find(own, kind, figure).get(about)


def _name(what: What) -> str:
    kind, about = what
    others = {"against pass": f"bid {about} against passing", "begun": f"a tower begun on {about}"}
    return _FORCED.get(what) or others.get(kind) or f"the same, to seat {about} after it"


def _describe(own: Findings, strategy: str) -> str:
    said = [f"'{claim}' {_judge_claim(own, what)}" for what, (claim, _) in CLAIMS.items()]
    for what in (("passing", "0"), ("spare", ""), ("first", "")):
        if one := _find(own, what):
            said.append(f"{_name(what)} {_DOES[one.estimate.sign]} ({_write(one)} VP)")
    return f"All {strategy}: {'; '.join(said)}."


def _describe_flips(figures: Mapping[str, Findings]) -> str:
    flips = []
    for what in list_flips(figures.values()):
        found = [f"{_write(one)} with {name}" for name, own in figures.items() if (one := _find(own, what))]
        flips.append(f"{_name(what)} ({', '.join(found)})")
    if flips:
        return f"The sign flips between players, in VP: {'; '.join(flips)}."
    return "Nothing flips: no headline figure is certainly above 0 with one player and below 0 with another."


def _write(one: Finding | None) -> str:
    if one is None:
        return ""
    return write_signed(one.estimate, 100 if one["figure"] == "win_share" else 1)


def _tabulate_bids(own: Findings, strategy: str) -> Table:
    found = [*(find(own, "against pass", figure) for figure in FIGURES), find(own, "step")]
    rows = tuple(
        (f"bid {bid}", f"{one['decisions']:,}", *(_write(worths.get(bid)) for worths in found))
        for bid, one in own.by("about", kind="against pass", by="all", figure="vp").items()
    )
    caption = (
        f"What a forced bid brings the seat that says it, against a forced pass at the same decisions, all {strategy}; "
        "last, against one bid lower."
    )
    return Table(caption, ("", *_HEADINGS, "VP, over 1 less"), rows)


def _tabulate_strata(own: Findings, strategy: str, players: int) -> Iterator[Table]:
    found = {
        f"{by.replace('_', ' ')}: {name}": find(own, "against pass", stratum=(by, name))
        for by, name in list_strata(players)[1:]
    }
    cells = {label: {f"bid {bid}": _write(one) for bid, one in worths.items()} for label, worths in found.items()}
    bids = [f"bid {bid}" for bid in own.by("about", kind="against pass")]
    return _lay_out(f"The same in VP by {join([*TITLES.values()])}, all {strategy}.", bids, cells)


def _tabulate_forced(own: Findings, strategy: str) -> Table:
    rows = []
    for kind in ("higher", "lower", "rather bid", "spare", "first", "begun", "passing"):
        for about, one in own.by("about", kind=kind, figure="vp").items():
            cells = [_write(_find(own, (kind, about), figure)) for figure in FIGURES]
            if kind == "passing" and about != "0":
                # Only the deciding seat's margin is measured.
                cells[FIGURES.index("margin")] = ""
            rows.append((_name((kind, about)), f"{one['decisions']:,}", *cells))
    caption = f"What else a seat was made to do at the same decisions, and what it brings, all {strategy}."
    return Table(caption, ("", *_HEADINGS), tuple(rows))


def _compare(figures: Mapping[str, Findings], caption: str, wanted: Mapping[What, str]) -> Iterator[Table]:
    """Show some figures in VP with each player in all seats."""
    cells = {
        name: {heading: _write(_find(own, what)) for what, heading in wanted.items()} for name, own in figures.items()
    }
    return _lay_out(f"{caption}, in VP, by who has all seats.", [*wanted.values()], cells)


def _lay_out(caption: str, headings: list[str], cells: Mapping[str, Mapping[str, str]]) -> Iterator[Table]:
    """Lay figures out in as few tables as are narrow enough, without rows that are empty throughout."""
    told = {label: own for label, own in cells.items() if any(own.values())}
    if not told:
        return
    size = math.ceil(len(headings) / math.ceil(len(headings) / _MOST_COLUMNS))
    for first in range(0, len(headings), size):
        part = headings[first : first + size]
        yield Table(
            caption, ("", *part), tuple((label, *(own.get(one, "") for one in part)) for label, own in told.items())
        )
