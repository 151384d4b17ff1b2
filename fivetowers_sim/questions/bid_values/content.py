"""What the figures on bids say: which bids are better than passing, and what follows for claims about bidding."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fivetowers_sim.bench.content import PictureOf, Section, Table, Verdict
from fivetowers_sim.bench.findings import Finding, Findings
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.bench.numbers import join, write_interval, write_signed
from fivetowers_sim.questions.bid_values.claims import CLAIMS
from fivetowers_sim.questions.bid_values.figures import FEWEST, find, list_flips
from fivetowers_sim.questions.bid_values.measure import FIGURES
from fivetowers_sim.questions.bid_values.strata import EVERY, TITLES, list_strata
from fivetowers_sim.rules.described import describe_rules

if TYPE_CHECKING:
    from fivetowers_sim.questions.bid_values import BidValues

_HEADINGS: Final = ("decisions", "VP", "VP ahead", "win share")
_FORCED: Final = {
    ("higher", ""): "one more than the seat said",
    ("lower", ""): "one less than the seat said",
    ("rather bid", ""): "the lowest bid where the seat passed",
    ("spare", ""): "one more than wins the round",
    ("first", ""): "to speak first in a round",
}
_CLAIMED: Final = {
    ("higher", ""): "1 more",
    ("lower", ""): "1 less",
    ("rather bid", ""): "bid, not pass",
    ("spare", ""): "1 to spare",
    ("begun", "11"): "begun on 11",
    ("first", ""): "speak first",
}
_SIDES: Final = {1: "Better than passing", -1: "Worse than passing", 0: "Not told apart from passing"}
_DOING: Final = {1: "brings something", -1: "costs something", 0: "isn't shown to matter"}
_SAID: Final = (("passing", "0"), ("spare", ""), ("first", ""))
# More columns of figures than these would be wider than a page.
_MOST_COLUMNS: Final = 5


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
    figures, players = {name: asked.figures for name, asked in finished.askers.items()}, finished.plan["players"]
    shown: list[PictureOf | Table] = []
    for nth, name in enumerate(finished.plan["strategies"], 1):
        picture = question.name if nth == 1 else f"{question.name}-{nth}"
        shown += [PictureOf(picture, f"VP that each bid brings against passing, all {name}")]
        shown += [_tabulate_bids(figures[name], name), *_tabulate_strata(figures[name], name, players)]
        shown.append(_tabulate_forced(figures[name], name))
    for name in finished.check.plan["strategies"] if finished.check else ():
        shown += [_tabulate_bids(figures[name], name), _tabulate_forced(figures[name], name)]
    shown += _compare(figures, "What claims about bidding come down to, in VP", _CLAIMED)
    after = {("passing", f"{place}"): "next seat" if place == 1 else f"{place} after" for place in range(1, players)}
    passing = {("passing", "0"): "itself", **after}
    shown += _compare(figures, "Who gains when a seat passes instead of what it said, in VP", passing)
    naive = {("naive", bid): f"bid {bid}" for bid in _list_bids(figures[next(iter(figures))])}
    shown += _compare(figures, "How far a naive look at who bid and who passed is off, in VP", naive)
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
        "against passing; to pass instead, where the seat bid, against what it said; to speak first, the same round "
        "begun by each seat in turn, the first place less the mean of the others. A naive look takes how the games "
        "ended in which the bid was said, less those with a pass.",
        "VP ahead are over the best other seat, win shares in points. Better, worse and what becomes of a claim go by "
        f"each figure's own 95% interval: of figures that are truly 0, one in 20 falls outside by chance. Figures of "
        f"fewer than {FEWEST} decisions are left out.",
    ]
    return Section(question.name, question.title, question.asks, [*_judge(finished, figures)], said, shown)


def _judge(finished: Finished, figures: Mapping[str, Findings]) -> Iterator[Verdict]:
    first = next(iter(figures))
    bids = find(figures[first], first, "against pass")
    if bids:
        best = max(bids, key=lambda bid: bids[bid].estimate.value)
        groups = [
            f"{side}: {', '.join(found)}"
            for sign, side in _SIDES.items()
            if (found := [f"{bid} {_write(one)}" for bid, one in bids.items() if one.estimate.sign == sign])
        ]
        claim = f"{'. '.join(groups)}. That is in VP against passing at the very same decisions, all {first}."
        elsewhere = [f"{name} {_write(one)}" for name, one in _others(figures, "against pass", best)]
        holds = [f"The same bid under {join(elsewhere)}."] if elsewhere else []
        holds += [_describe_flips(figures)] if len(figures) > 1 else []
        figure = f"VP that a forced bid of {best} brings against a forced pass: {_write(bids[best])} VP"
        yield _verdict(finished, claim, (figure, bids[best]), " ".join(holds))
    for where, (claim, _) in CLAIMS.items():
        if one := _find(figures[first], first, *where):
            label, judged = _name(*where), _judge_claim(figures[first], first, where)
            said = f"The claim '{claim}' {judged}, all {first}: {label} {_DOING[one.estimate.sign]}"
            elsewhere = [
                f"{name} {_write(other)} ({_judge_claim(figures[name], name, where)})"
                for name, other in _others(figures, *where)
            ]
            holds = f"Under {join(elsewhere)}." if elsewhere else ""
            yield _verdict(finished, f"{said} ({_write(one)} VP).", (f"{label}: {_write(one)} VP", one), holds)


def _verdict(finished: Finished, claim: str, rests_on: tuple[str, Finding], holds: str) -> Verdict:
    plan, (figure, one) = finished.plan, rests_on
    who = f"{plan['players']} players; all seats {plan['strategies'][0]}"
    population = f"{who}; {plan['futures']} futures of each decision; {describe_rules(plan['rules'])}"
    interval = write_interval(one.estimate)
    return Verdict(claim, figure, interval, holds, finished.counted, population, plan["seed"], finished.command)


def _judge_claim(figures: Findings, strategy: str, where: tuple[str, str]) -> str:
    def tell(kind: str, about: str) -> int | None:
        found = _find(figures, strategy, kind, about)
        return None if found is None else found.estimate.sign

    return CLAIMS[where][1](tell)


def _find(figures: Findings, strategy: str, kind: str, about: str, figure: str = "vp") -> Finding | None:
    return find(figures, strategy, kind, figure).get(about)


def _others(figures: Mapping[str, Findings], kind: str, about: str) -> list[tuple[str, Finding]]:
    """Return the same figure under everybody but the first, where enough decisions say something."""
    found = [(name, _find(own, name, kind, about)) for name, own in figures.items()]
    return [(name, one) for name, one in found[1:] if one]


def _name(kind: str, about: str) -> str:
    """Say what is forced."""
    if kind == "against pass":
        return f"bid {about} against passing"
    if kind == "begun":
        return f"a tower begun on {about}"
    if kind == "passing":
        seats = {"0": "itself", "1": "the next seat"}
        return f"to pass instead, to {seats.get(about, f'seat {about} after it')}"
    return _FORCED[kind, about]


def _describe(figures: Findings, strategy: str) -> str:
    found = [(_name(*where), _find(figures, strategy, *where)) for where in _SAID]
    said = [f"{label} {_DOING[one.estimate.sign]} ({_write(one)} VP)" for label, one in found if one]
    return f"All {strategy}: {'; '.join(said) or 'too few decisions were played to say anything'}."


def _describe_flips(figures: Mapping[str, Findings]) -> str:
    flips = []
    for kind, about in list_flips(figures):
        found = [(name, _find(own, name, kind, about)) for name, own in figures.items()]
        flips.append(f"{_name(kind, about)} ({', '.join(f'{_write(one)} with {name}' for name, one in found if one)})")
    if flips:
        return f"The sign flips between players, in VP: {'; '.join(flips)}."
    return "Nothing flips: no headline figure is certainly above 0 with one player and below 0 with another."


def _write(one: Finding | None) -> str:
    if one is None:
        return ""
    return write_signed(one.estimate, 100 if one["figure"] == "win_share" else 1)


def _list_bids(figures: Findings) -> list[str]:
    return list(dict.fromkeys(one["about"] for one in figures.where(kind="against pass")))


def _split(names: Sequence[str]) -> list[Sequence[str]]:
    """Divide columns evenly among as few tables as are narrow enough."""
    tables = math.ceil(len(names) / _MOST_COLUMNS)
    size = math.ceil(len(names) / tables) if tables else 1
    return [names[first : first + size] for first in range(0, len(names), size)]


def _tabulate_bids(figures: Findings, strategy: str) -> Table:
    found = [find(figures, strategy, "against pass", figure) for figure in FIGURES]
    found.append(find(figures, strategy, "step"))
    counts = figures.by("about", strategy=strategy, kind="against pass", by="all", figure="vp")
    rows = tuple(
        (f"bid {bid}", f"{one['decisions']:,}", *(_write(own.get(bid)) for own in found)) for bid, one in counts.items()
    )
    caption = (
        f"What a forced bid brings the seat that says it, against a forced pass at the same decisions, all {strategy}; "
        "last, against one bid lower."
    )
    return Table(caption, ("", *_HEADINGS, "VP, over 1 less"), rows)


def _tabulate_strata(figures: Findings, strategy: str, players: int) -> Iterator[Table]:
    strata = [stratum for stratum in list_strata(players) if stratum != EVERY]
    found = {stratum: find(figures, strategy, "against pass", stratum=stratum) for stratum in strata}
    for bids in _split(_list_bids(figures)):
        rows = tuple(
            (f"{by.replace('_', ' ')}: {name}", *(_write(own.get(bid)) for bid in bids))
            for (by, name), own in found.items()
        )
        caption = f"The same in VP by kind of decision, all {strategy}: {join([*TITLES.values()])}."
        yield Table(caption, ("", *(f"bid {bid}" for bid in bids)), rows)


def _tabulate_forced(figures: Findings, strategy: str) -> Table:
    begun, passing = (
        [(kind, about) for about in figures.by("about", strategy=strategy, kind=kind, figure="vp")]
        for kind in ("begun", "passing")
    )
    rows = []
    for where in (*_FORCED, *begun, *passing):
        kind, about = where
        count = figures.by("about", strategy=strategy, kind=kind, figure="vp")[about]["decisions"]
        # The margin is the deciding seat's; others have none here.
        cells = [
            ""
            if figure == "margin" and kind == "passing" and about != "0"
            else _write(_find(figures, strategy, *where, figure))
            for figure in FIGURES
        ]
        rows.append((_name(*where), f"{count:,}", *cells))
    caption = f"What else a seat was made to do at the same decisions, and what it brings, all {strategy}."
    return Table(caption, ("", *_HEADINGS), tuple(rows))


def _compare(figures: Mapping[str, Findings], caption: str, wanted: Mapping[tuple[str, str], str]) -> Iterator[Table]:
    """Show some figures in VP with each player in all seats."""
    for part in _split([*wanted]):
        rows = tuple((name, *(_write(_find(own, name, *where)) for where in part)) for name, own in figures.items())
        yield Table(f"{caption}, by who has all seats.", ("", *(wanted[where] for where in part)), rows)
