"""What a tournament says: who wins most, who isn't told apart, whether there are circles, and what the best mix is."""

from __future__ import annotations

import math
import string
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.bench.content import PictureOf, Section, Table, Verdict
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.bench.numbers import join, write_estimate, write_interval, write_signed
from fivetowers_sim.rules.described import describe_powers, name_rules

if TYPE_CHECKING:
    from fivetowers_sim.questions.tournament import Tournament

# With more strategies than this, the margins of the pairs don't fit into 100 columns; without them, fewer than this.
_MOST_WITH_MARGINS: Final = 7
_MOST_IN_A_ROW: Final = 14
# Longer names are told below the tables.
_LONGEST_NAME: Final = 20
_MOST_NAMED: Final = 3
_COLUMNS: Final[Mapping[str, tuple[str, int, str]]] = {
    "win_share": ("win share", 100, "%"),
    "total": ("VP", 1, ""),
    "strength": ("strength", 1, ""),
    "against_average": ("v. average", 100, "%"),
}


class Standings:
    """A tournament's figures as results have them, with strategies as tables call them.

    Parameters
    ----------
    finished : Finished
        The tournament.

    Attributes
    ----------
    rows : dict of str to mapping
        Every strategy's figures, the strongest first.
    letters : dict of str to str
        A letter for each.
    ahead : dict of (str, str) to Estimate
        In which share of their meetings the first finishes ahead of the second.
    expected : dict of (str, str) to float
        That share by their strengths.
    """

    def __init__(self, finished: Finished) -> None:
        results = finished.results
        self._deals = int(results["deals"])
        self._labels: Mapping[str, str] = results["labels"]
        self.rows: dict[str, Mapping[str, Any]] = {self.name(row["strategy"]): row for row in results["strategies"]}
        self.letters = dict(zip(self.rows, string.ascii_uppercase, strict=False))
        pairs = {(self.name(row["strategy"]), self.name(row["against"])): row for row in results["pairs"]}
        self.ahead = {pair: Estimate.read(row["ahead"], self._deals) for pair, row in pairs.items()}
        self.expected: dict[tuple[str, str], float] = {pair: row["expected"] for pair, row in pairs.items()}

    def name(self, strategy: str) -> str:
        """Return what tables call a strategy."""
        return self._labels.get(strategy, strategy)

    def find(self, figure: str) -> dict[str, Estimate]:
        """Return a figure of every strategy, without those of which it isn't known."""
        return {name: Estimate.read(row[figure], self._deals) for name, row in self.rows.items() if row[figure]}


def write_tournament(question: type[Tournament], finished: Finished) -> Section:
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
    standings, results = Standings(finished), finished.results
    names = list(standings.rows)
    short = max(map(len, names)) <= _LONGEST_NAME
    shown: list[PictureOf | Table] = [
        PictureOf("tournament", "How often a seat wins, and who finishes ahead of whom"),
        _tabulate_strategies(standings, short),
        *(_tabulate_pairs(standings, names[at : at + _MOST_IN_A_ROW]) for at in range(0, len(names), _MOST_IN_A_ROW)),
    ]
    # What the first table doesn't say: a letter's name, and what a short name stands for.
    full = {standings.name(name): name for name in results["labels"]}
    hidden = [
        f"{letter} is {full[name]}" for name, letter in standings.letters.items() if not short or full[name] != name
    ]
    said = ["; ".join(hidden) + "."] if hidden else []
    said += [f"Every deal is played {describe_tables(finished)}.", _describe_fit(standings)]
    said += [_describe_mix(standings), *_describe_best_response(finished)]
    return Section(question.name, question.title, question.asks, [_judge(finished, standings)], said, shown)


def _judge(finished: Finished, standings: Standings) -> Verdict:
    plan, order = finished.plan, finished.results["order"]
    shares = standings.find("win_share")
    best, *others = sorted(shares, key=lambda name: -shares[name].value)
    near = [name for name in others if not shares[name].high < shares[best].low]
    behind = [f"{name} with {_write_share(shares[name])}" for name in others if name not in near]
    if near:
        each = join(_name_some([_write_share(shares[name]) for name in (best, *near)]))
        who_wins = join(_name_some([best, *near]))
        claim = f"{who_wins} win most and are not told apart: {each} of the games for each of their seats"
    else:
        claim = f"{best} wins most: {_write_share(shares[best])} of the games for each of its seats"
    if behind:
        claim += f"; then {'comes' if len(behind) == 1 else 'come'} {join(_name_some(behind))}"
    who = f"line-ups of {join([*shares])}"
    return Verdict(
        f"{claim}.",
        f"win share of {best}: {_write_share(shares[best])}",
        write_interval(shares[best], 100, "%"),
        _describe_order(order, standings),
        finished.counted,
        f"{plan['players']} players; {who}; {name_rules(plan['rules'])}; {describe_powers(plan['powers_by_seat'])}",
        plan["seed"],
        finished.command,
    )


def _name_some(said: Sequence[str]) -> list[str]:
    """Leave out what nobody reads of a long list."""
    return [*said] if len(said) <= _MOST_NAMED + 1 else [*said[:_MOST_NAMED], f"{len(said) - _MOST_NAMED} others"]


def _describe_order(order: Mapping[str, Any], standings: Standings) -> str:
    sentence = str(order["sentence"])
    if not order["cycle"]:
        return sentence
    names = [*order["cycle"], order["cycle"][0]]
    return sentence.replace(" ahead of ".join(names), " ahead of ".join(map(standings.name, names)))


def describe_tables(finished: Finished) -> str:
    """Say who sat with whom, without a full stop."""
    results = finished.results
    played, every = results["lineups_played"], results["lineups"]
    if played < every:
        chosen = f"a balanced selection of {played:,} out of {every:,} line-ups"
        return f"with {chosen} (all would be too many), each in one order and the opposite one, seats rotating"
    orders = "in every order" if results["every_order"] else "each in one order and the opposite one"
    return f"with all {every:,} line-ups of at least two strategies, {orders}, seats rotating"


def _tabulate_strategies(standings: Standings, short: bool) -> Table:
    columns = [(standings.find(figure), scale, unit) for figure, (_, scale, unit) in _COLUMNS.items()]
    mix = standings.find("mix")
    rows = tuple(
        (
            f"{letter} {name}" if short else letter,
            *(write_estimate(figures[name], scale, unit) for figures, scale, unit in columns),
            *([_write_mix(mix[name])] if mix else []),
        )
        for name, letter in standings.letters.items()
    )
    caption = (
        "How a seat of each strategy fares. strength: logarithm of the Plackett-Luce weight, 0 for the average here. "
        "v. average: how often one would finish ahead of an average player."
    )
    if mix:
        caption += " mix: how often a seat is given it in the mix against which none gains; middle 95%."
    headings = ("strategy", *(heading for heading, _, _ in _COLUMNS.values()), *(["mix, %"] if mix else []))
    return Table(caption, headings, rows)


def _write_mix(mix: Estimate) -> str:
    ends = "" if math.isnan(mix.low) else f" ({100 * mix.low:.0f}–{100 * mix.high:.0f})"
    return f"{100 * mix.value:.0f}{ends}"


def _write_share(share: Estimate) -> str:
    return write_estimate(share, 100, "%")


def _tabulate_pairs(standings: Standings, columns: Sequence[str]) -> Table:
    """Tabulate in which share of their meetings the row's strategy finishes ahead of the column's."""
    letters, ahead = standings.letters, standings.ahead
    with_margins = len(letters) <= _MOST_WITH_MARGINS

    def write(share: Estimate | None) -> str:
        if share is None:
            return "·"
        undecided = "" if share.low > 0.5 or share.high < 0.5 else "~"
        return undecided + (write_estimate(share, 100) if with_margins else f"{100 * share.value:.1f}")

    rows = tuple((letters[name], *(write(ahead.get((name, other))) for other in columns)) for name in letters)
    widest = max(100 * share.margin for share in ahead.values())
    caption = (
        "Who finishes ahead of whom: in how many of 100 meetings at a table the row finishes ahead of the column, a "
        f"shared place counting half (± {widest:.1f} at most). ~ marks those whose interval holds 50."
    )
    return Table(caption, ("ahead, %", *(letters[name] for name in columns)), rows)


def _describe_fit(standings: Standings) -> str:
    ahead, expected = standings.ahead, standings.expected
    one, other = max(ahead, key=lambda pair: abs(ahead[pair].value - expected[pair]))
    seen, by_strength = ahead[one, other].value, expected[one, other]
    return f"Strengths fit worst for {one} against {other}: ahead in {by_strength:.1%} by them, {seen:.1%} seen."


def _describe_mix(standings: Standings) -> str:
    replies = standings.find("reply").values()
    if not replies:
        return "No equilibrium mix: that takes all line-ups."
    gain = 100 * max(0.0, *(reply.value for reply in replies))
    most = 100 * max(reply.high for reply in replies)
    sure = "" if math.isnan(most) else f" ({most:.2f} at most within the intervals)"
    return (
        "Where each seat is given a strategy by the mix, a seat with always the same one gains no more than "
        f"{gain:.2f} points of win share{sure}. Strategies that aren't listed may gain more."
    )


def _describe_best_response(finished: Finished) -> list[str]:
    found = finished.results["best_response"]
    if found is None:
        return []
    gain = Estimate.read(found["gain"], found["deals"])
    shown = "beats the mix" if gain.low > 0 else "is not shown to beat the mix"
    return [
        f"Best response: tuning found {found['strategy']}, which {shown}. It gains {write_signed(gain, 100)} points of "
        f"win share over the equal share, on {found['games']:,} fresh games. A longer search may find more."
    ]
