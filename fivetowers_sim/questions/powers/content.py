"""What the figures on Great Powers say: each power's worth, how they work together, and which are alike."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Final

from fivetowers_sim.bench.content import PictureOf, Section, Table, Verdict
from fivetowers_sim.bench.findings import Finding, Findings
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.bench.numbers import join, write_estimate, write_interval, write_signed
from fivetowers_sim.questions.powers.figures import find, is_ahead, list_flips, rank
from fivetowers_sim.rules.described import describe_rules
from fivetowers_sim.rules.ruleset import POWERS

if TYPE_CHECKING:
    from fivetowers_sim.questions.powers import Powers

_USED: Final = {
    "tree": "tree cards paid",
    "scrap": "cards fetched",
    "sand": "cards built below",
    "pairs": "VP for pairs",
}
_KINDS: Final = {"shapley": "share", "single": "by itself", "last": "last of four"}
_SET_FIGURES: Final = {
    ("alone", "total"): "1 seat: VP",
    ("alone", "win_share"): "its win share",
    ("everyone", "total"): "all: VP",
    ("everyone", "rounds"): "rounds",
    ("everyone", "margin"): "VP ahead",
    ("everyone", "first_share"): "1st wins",
}


def name_set(powers: str) -> str:
    """Return a short name of a set of powers."""
    names = [] if powers == "none" else powers.split("+")
    missing = [power for power in POWERS if power not in names]
    if not names or not missing:
        return "all four" if names else "none"
    return f"all but {missing[0]}" if len(missing) == 1 else powers


def write_powers(question: type[Powers], finished: Finished) -> Section:
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
        The section.
    """
    strategies = finished.plan["strategies"]
    shown: list[PictureOf | Table] = []
    for nth, strategy in enumerate(strategies):
        name = "powers" if nth == 0 else f"powers-{nth + 1}"
        shown.append(PictureOf(name, f"What each set of powers brings the one seat with it, all {strategy}"))
        figures = finished.figures
        shown += [_tabulate_powers(figures, strategy), _tabulate_pairs(figures, strategy)]
        shown.append(_tabulate_sets(figures, strategy))
    if finished.check:
        shown += [_tabulate_powers(finished.check.figures, name) for name in finished.check.plan["strategies"]]
    said = [_rank(asked.figures, strategy) for strategy, asked in finished.askers.items()]
    said += finished.describe_check()
    said += [
        "Every deal is played with each of the 16 sets of powers for everyone, and for each seat alone. A power's "
        "share is what it adds to a set of powers, averaged over the orders in which they could be added (Shapley); "
        "the shares add up to what all four bring. Sets that nobody would play count in it, so the 16 sets are shown "
        "too. Win shares are in points.",
        f"~ and 'not told apart' are by false-discovery control over the {finished.results['family']} figures tested: "
        "of the findings, at most 5% are false.",
    ]
    return Section(question.name, question.title, question.asks, [_judge(finished)], said, shown)


def _judge(finished: Finished) -> Verdict:
    strategies = list(finished.askers)
    first, figures = strategies[0], finished.figures
    best = rank(figures, first)[0]
    share = find(figures, first, "shapley")[best].estimate
    every = Findings(figures.findings + (finished.check.figures.findings if finished.check else ()))
    flips = list_flips(every, strategies)
    if flips:
        said = [
            f"{one.power} is ahead of {join([*one.others])} under {join([*one.ahead])}, behind under "
            f"{join([*one.behind])}"
            for one in flips
        ]
        holds = f"The order flips: {'; '.join(said)}."
    else:
        others = join(strategies[1:])
        holds = f"Under {others} no two are certainly the other way round." if others else f"Asked of {first} alone."
    rules = describe_rules(finished.plan["rules"])
    return Verdict(
        _rank(figures, first),
        f"share of {best} of the VP that powers bring the one seat with them: {write_signed(share)}",
        write_interval(share),
        holds,
        finished.counted,
        f"{finished.plan['players']} players; all seats {first}; {rules} but for these",
        finished.plan["seed"],
        finished.command,
    )


def _rank(figures: Findings, strategy: str) -> str:
    ranking, shares = rank(figures, strategy), find(figures, strategy, "shapley")
    said = [f"{power} {write_signed(shares[power].estimate)} VP" for power in ranking]
    text = said[0]
    for (one, other), written in zip(pairwise(ranking), said[1:], strict=True):
        text += f"{' before ' if is_ahead(figures, strategy, one, other) else ', not told apart from '}{written}"
    null = [power for power in ranking if not shares[power].certain]
    worthless = f" Not shown to be worth anything: {join(null)}." if null else ""
    return f"What powers are worth to the one seat with them, all {strategy}: {text}.{worthless}"


def _tabulate_powers(figures: Findings, strategy: str) -> Table:
    columns = [find(figures, strategy, kind) for kind in _KINDS]
    wins = find(figures, strategy, "shapley", figure="win_share")
    uses = {one["powers"]: one for one in figures.where(strategy=strategy, kind="use")}
    rows = tuple(
        (
            power,
            *(write_signed(own[power].estimate) for own in columns),
            write_signed(wins[power].estimate, 100),
            f"{write_estimate(uses[power].estimate)} {_USED[power]}",
        )
        for power in rank(figures, strategy)
    )
    headings = ("power", *(f"VP, {label}" for label in _KINDS.values()), "win share", "used, in a game")
    return Table(f"What each power brings the one seat that has it, all {strategy}.", headings, rows)


def _tabulate_pairs(figures: Findings, strategy: str) -> Table:
    together, apart = (find(figures, strategy, kind) for kind in ("interaction", "difference"))
    wins = find(figures, strategy, "interaction", figure="win_share")

    def mark(one: Finding) -> str:
        return write_signed(one.estimate) + ("" if one.certain else " ~")

    pairs = {f"{one}+{other}": join([one, other]) for one, other in combinations(POWERS, 2)}
    rows = tuple(
        (label, mark(together[pair]), write_signed(wins[pair].estimate, 100), mark(apart[pair]))
        for pair, label in pairs.items()
    )
    caption = (
        f"Two powers in one seat's hands, all {strategy}: how much more they bring together than each by itself "
        "(Shapley interaction). ~ isn't certain."
    )
    return Table(caption, ("powers", "VP, together", "win share, together", "VP, first less second"), rows)


def _tabulate_sets(figures: Findings, strategy: str) -> Table:
    found = {where: find(figures, strategy, "gain", *where) for where in _SET_FIGURES}
    levels = [find(figures, strategy, "level", *where)["none"].estimate for where in _SET_FIGURES]
    order = sorted(found["alone", "total"], key=lambda powers: -found["alone", "total"][powers].estimate.value)
    rows = [
        (
            name_set(powers),
            *(write_signed(own[powers].estimate, _scale(name)) for (_, name), own in found.items()),
        )
        for powers in order
    ]
    names = [name for _, name in _SET_FIGURES]
    # With every seat in turn the one seat's is an equal share, by design.
    none = [
        write_estimate(one, _scale(name), "%" if _scale(name) > 1 else "")
        for one, name in zip(levels, names, strict=True)
    ]
    none[1] = f"{100 * levels[1].value:.1f}%"
    caption = (
        f"What each set changes for the one seat with it, and where everyone has it, all {strategy}; last, games "
        "without powers."
    )
    return Table(caption, ("set", *_SET_FIGURES.values()), (*rows, ("(none)", *none)))


def _scale(figure: str) -> int:
    return 100 if figure.endswith("share") else 1
