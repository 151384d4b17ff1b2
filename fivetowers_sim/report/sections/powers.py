"""The section on Great Powers: what each is worth, and how they work together."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, pairwise
from typing import Any, Final

from fivetowers_sim.bench.content import Picture, Section, Table, Verdict
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.bench.numbers import join, write_estimate, write_interval, write_signed
from fivetowers_sim.bench.pictures import find_picture
from fivetowers_sim.experiments.power_figures import Finding, PowerFigures
from fivetowers_sim.report.population import describe_rules
from fivetowers_sim.rules.ruleset import POWERS

ANCHOR: Final = "great-powers"
_USED: Final = {
    "tree": "tree cards paid",
    "scrap": "cards fetched",
    "sand": "cards built below",
    "pairs": "VP for pairs",
}
_KINDS: Final = {"shapley": "share", "single": "by itself", "last": "last of four"}
_SET_FIGURES: Final = {
    ("alone", "total"): "one seat: VP",
    ("alone", "win_share"): "its win share, points",
    ("everyone", "total"): "everyone: VP",
    ("everyone", "rounds"): "rounds",
    ("everyone", "margin"): "VP ahead of the second",
    ("everyone", "first_share"): "first player's win share, points",
}


def read_figures(finished: Finished) -> PowerFigures:
    """Return the figures of a ``powers`` experiment as it worked with them."""

    def read(row: Mapping[str, Any]) -> Finding:
        powers = () if row["powers"] == "none" else tuple(row["powers"].split("+"))
        about = row["strategy"], row["kind"], powers, row["holder"], row["figure"]
        return Finding(*about, finished.findings.estimate_of(row), row["p"], row["adjusted_p"])

    return PowerFigures(tuple(map(read, finished.findings.rows)))


def write_powers(finished: Finished) -> Section:
    """Write the section.

    Parameters
    ----------
    finished : Finished
        A ``powers`` experiment.

    Returns
    -------
    Section
        The section.
    """
    figures, strategies = read_figures(finished), finished.plan["strategies"]
    shown: list[Picture | Table] = []
    for nth, strategy in enumerate(strategies):
        name = "powers" if nth == 0 else f"powers-{nth + 1}"
        shown += find_picture(finished, name, f"What each set of powers brings the one seat with it, all {strategy}")
        shown += [_tabulate_powers(figures, strategy), _tabulate_pairs(figures, strategy)]
        shown.append(_tabulate_sets(figures, strategy))
    said = [_rank(read_figures(asked), strategy) for strategy, asked in finished.askers.items()]
    said += finished.describe_check()
    said.append(
        "Every deal is played with each of the 16 sets of powers for everyone, and for each seat alone. A power's "
        "share is what it adds to a set of powers, averaged over the orders in which they could be added (Shapley); "
        "the shares add up to what all four bring. Sets that nobody would play count in it, so the 16 sets are shown "
        "too."
    )
    question = "What is each power worth to whoever has it, do they help each other, and are they alike?"
    return Section(ANCHOR, "Great Powers", question, [_judge(finished, figures)], said, shown)


def _judge(finished: Finished, figures: PowerFigures) -> Verdict:
    strategies = list(finished.askers)
    first = strategies[0]
    best = figures.ranking(first)[0]
    share = figures.find(first, "shapley", "alone", "total")[best,].estimate
    every = PowerFigures(figures.findings + read_figures(finished.check).findings) if finished.check else figures
    flips = every.flips(strategies)
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


def _rank(figures: PowerFigures, strategy: str) -> str:
    ranking, shares = figures.ranking(strategy), figures.find(strategy, "shapley", "alone", "total")
    said = [f"{power} {write_signed(shares[power,].estimate)} VP" for power in ranking]
    text = said[0]
    for (one, other), written in zip(pairwise(ranking), said[1:], strict=True):
        text += f"{' before ' if figures.is_ahead(strategy, one, other) else ', not told apart from '}{written}"
    return f"What powers are worth to the one seat with them, all {strategy}: {text}."


def _tabulate_powers(figures: PowerFigures, strategy: str) -> Table:
    columns = [figures.find(strategy, kind, "alone", "total") for kind in _KINDS]
    wins = figures.find(strategy, "shapley", "alone", "win_share")
    uses = {one.powers: one for one in figures.findings if (one.strategy, one.kind) == (strategy, "use")}
    rows = tuple(
        (
            power,
            *(write_signed(own[power,].estimate) for own in columns),
            write_signed(wins[power,].estimate, 100),
            f"{write_estimate(uses[power,].estimate)} {_USED[power]}",
        )
        for power in figures.ranking(strategy)
    )
    headings = ("power", *(f"VP, {label}" for label in _KINDS.values()), "win share, points", "used, in a game")
    return Table(f"What each power brings the one seat that has it, all {strategy}.", headings, rows)


def _tabulate_pairs(figures: PowerFigures, strategy: str) -> Table:
    together = figures.find(strategy, "interaction", "alone", "total")
    apart = figures.find(strategy, "difference", "alone", "total")
    rows = tuple(
        (
            join(list(pair)),
            *(write_signed(own[pair].estimate) + ("" if own[pair].certain else " ~") for own in (together, apart)),
        )
        for pair in combinations(POWERS, 2)
    )
    caption = f"Two powers in one seat's hands, in VP, all {strategy}; ~ isn't certain among all that are tested."
    return Table(caption, ("powers", "more together than each by itself", "first less second"), rows)


def _tabulate_sets(figures: PowerFigures, strategy: str) -> Table:
    found = {where: figures.find(strategy, "gain", *where) for where in _SET_FIGURES}
    order = sorted(found["alone", "total"], key=lambda powers: -found["alone", "total"][powers].estimate.value)
    rows = tuple(
        (
            "+".join(powers),
            *(
                write_signed(own[powers].estimate, 100 if name.endswith("share") else 1)
                for (_, name), own in found.items()
            ),
        )
        for powers in order
    )
    caption = f"What each set changes for the one seat with it, and where everyone has it, all {strategy}."
    return Table(caption, ("set", *_SET_FIGURES.values()), rows)
