"""What the figures on the game's shape say: who wins from which seat, how long games stay open, and what is luck."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fivetowers_sim.analysis.variance_split import DEALS
from fivetowers_sim.bench.content import PictureOf, Section, Table, Verdict
from fivetowers_sim.bench.findings import Finding, Findings
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.bench.numbers import join, write_estimate, write_interval
from fivetowers_sim.questions.game_shape.figures import CROSSED, SCORES, describe_crossing, find, name_seat, tell_side
from fivetowers_sim.questions.game_shape.measure import OF_A_TENTH, OF_THE_GAME, RESULTS, SHARES, TENTHS
from fivetowers_sim.rules.cards import TOWER_TYPES
from fivetowers_sim.rules.described import describe_rules

if TYPE_CHECKING:
    from fivetowers_sim.questions.game_shape import GameShape

_PARTS: Final = {
    "strategy": "which strategy it plays",
    "seat": "where it sits",
    "strategy x seat": "seat, differently for each strategy",
    "deal": "the deal, the same in every seat and with every strategy",
    "deal x strategy": "the deal, differently for each strategy",
    "deal x seat": "the deal, differently for each seat: who meets which cards",
    "deal x strategy x seat": "the deal, differently for each seat and strategy",
}
_OF_A_SEAT: Final = {"win_share": "win share", "total": "VP", **SCORES, "torn_cards": "cards torn down"}
_IN_PERCENT: Final = SHARES | {"decided_part", *(f"{result}_share" for result in RESULTS)}
_MARKS: Final = {1: " ▲", -1: " ▼", 0: ""}


def write_shape(question: type[GameShape], finished: Finished) -> Section:
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
        The section; without what is luck where one deal was played.
    """
    counts, split = finished.plan["players"], finished.figures.where(strategy=CROSSED)
    figures = {name: asked.figures.where(strategy=name) for name, asked in finished.askers.items()}
    first = next(iter(figures))
    shown: list[PictureOf | Table] = [PictureOf("seats", "Win share of each seat"), _tabulate_seats(figures, counts)]
    for players in counts:
        about = f"{players} players"
        shown.append(PictureOf(f"scores-{players}", f"What scores are made of, {about}, all {first}"))
        shown += [_tabulate_scores(own, players, name) for name, own in figures.items()]
        shown.append(PictureOf(f"lead-{players}", f"How often who leads, and who is last, wins, {about}"))
        shown.append(_tabulate_chances(figures, players))
        if split:
            shown.append(PictureOf(f"luck-{players}", f"What varies one player's result, {about}"))
            shown.append(_tabulate_variance(split, players))
        shown.append(_tabulate_game(figures, players))
    said = [
        *finished.describe_check(),
        "Each strategy has all seats on every deal. The first player is the one who begins the first round, the last "
        "player speaks last in it. A shared victory is divided among its winners. Who wins more or less than an equal "
        f"share is told by false-discovery control over the {finished.results['family']} win shares: of such findings "
        "at most 5% are false.",
        "To lead is to have most VP if the game ended then, teardown pile counted, alone or with others.",
    ]
    if split:
        said.append(
            "The variance is that of one player's result over deals, seats and strategies, each strategy played in "
            f"each seat on the same deals against {first} in all others. A part below 0 is one that chance made so: "
            "the estimates are unbiased."
        )
    verdicts = [*_judge(finished, figures, split)]
    return Section(question.name, question.title, question.asks, verdicts, said, shown)


def _judge(finished: Finished, figures: Mapping[str, Findings], split: Findings) -> Iterator[Verdict]:
    plan, (first, *others) = finished.plan, figures
    counts, names = plan["players"], plan["strategies"]
    own, usual = figures[first], 3 if 3 in counts else counts[0]
    population = f"{join([*map(str, counts)])} players; all seats {first}; {describe_rules(plan['rules'])}"

    def judge(claim: str, what: str, one: Finding, holds: str) -> Verdict:
        figure, interval = f"{what}: {_write(one)}", write_interval(one.estimate, 100, "%")
        return Verdict(claim, figure, interval, holds, finished.counted, population, plan["seed"], finished.command)

    shares = [one for players in counts for one in find(own, players, "win_share").values()]
    one = max(shares, key=lambda one: (one.certain, abs(one.estimate.value - 1 / one["players"])))
    players = one["players"]
    what = f"win share of the {_name(one)} with {players} players, all {first} (equal: {100 / players:.1f}%)"
    yield judge(_claim_seats(own, counts), what, one, _compare_seats(figures, counts))

    told = {name: _write(find(own, usual, name)[""]) for name in ("decided", "rounds", "comeback", "margin")}
    claim = (
        f"With {usual} players {told['comeback']} of the victories go to players who don't lead at half time; a winner "
        f"leads to the end from round {told['decided']} of {told['rounds']} on, and is {told['margin']} VP ahead in "
        "the end."
    )
    same = [f"{name} {_write(find(figures[name], usual, 'comeback')[''])}" for name in others]
    holds = f"The same share under {join(same)}." if others else f"Asked of {first} alone."
    what = f"victories of players who don't lead at half time, {usual} players, all {first}"
    yield judge(claim, what, find(own, usual, "comeback")[""], holds)

    parts = find(split, usual, "margin_share")
    luck = sum(one.estimate.value for name, one in parts.items() if name.startswith(DEALS))
    # Where nothing varies there is nothing to share out.
    if parts and not math.isnan(luck):
        who = {"strategy": f"who plays ({join([*names], 'or')})", "seat": "where one sits"}
        made = [f"{text} makes {_write(parts[name])}" for name, text in who.items() if name in parts]
        claim = (
            f"With {usual} players about {100 * luck:.0f}% of what varies one player's VP ahead of the best other "
            f"changes from deal to deal; {join(made)}."
        )
        main = "strategy" if "strategy" in parts else "seat"
        what = f"share of the variance due to the {main}, {usual} players"
        holds = f"This is of {describe_crossing(names)}; players who are more alike leave more to luck."
        yield judge(claim, what, parts[main], holds)


def _claim_seats(own: Findings, counts: Sequence[int]) -> str:
    told = _tell_sides(own, counts)
    level = f"with {join([str(players) for players in counts if players not in told])} players"
    if not told:
        return f"No seat is shown to win more or less than an equal share, {level}."
    rest = f"; {level} none is shown to differ" if len(told) < len(counts) else ""
    return f"Not all seats win an equal share: {'; '.join(told.values())}{rest}."


def _compare_seats(figures: Mapping[str, Findings], counts: Sequence[int]) -> str:
    (first, own), *others = figures.items()
    if not others:
        return f"Asked of {first} alone."
    opposed = [
        f"the {_name(one)} of {players} under {name}"
        for name, other in others
        for players in counts
        for seat, one in find(other, players, "win_share").items()
        if tell_side(one) * tell_side(find(own, players, "win_share")[seat]) < 0
    ]
    said = (
        f"It flips: {join(opposed)}" if opposed else "Under no other strategy is a seat certainly the other way round"
    )
    told = [
        f"under {name} {', '.join(_tell_sides(other, counts).values()) or 'none is shown to differ'}"
        for name, other in others
    ]
    return f"{said}; {'; '.join(told)}."


def _tell_sides(own: Findings, counts: Sequence[int]) -> dict[int, str]:
    """Say by number of players who certainly wins more or less than an equal share; nothing where nobody does."""
    words = {
        players: [
            f"the {_name(one)} {'more' if side > 0 else 'less'} ({_write(one)})"
            for one in find(own, players, "win_share").values()
            if (side := tell_side(one))
        ]
        for players in counts
    }
    return {players: f"with {players} players {join(own)}" for players, own in words.items() if own}


def _name(one: Finding) -> str:
    return name_seat(int(one["place"]), one["players"])


def _write(one: Finding, unit: str = "%") -> str:
    share = one["figure"] in _IN_PERCENT
    return write_estimate(one.estimate, 100 if share else 1, unit if share else "")


def _tabulate_seats(figures: Mapping[str, Findings], counts: Sequence[int]) -> Table:
    most, rows = max(counts), []
    for players in counts:
        for name, own in figures.items():
            *others, last = (
                _write(one, "") + _MARKS[tell_side(one)] for one in find(own, players, "win_share").values()
            )
            rows.append((f"{players} players, {name}", *others, *[""] * (most - players), last))
    caption = (
        "Win shares in %, by who has all seats; ▲ certainly more, ▼ certainly less than an equal share, among all of "
        "them together."
    )
    return Table(caption, ("", *(name_seat(seat, most) for seat in range(most))), tuple(rows))


def _tabulate_scores(own: Findings, players: int, strategy: str) -> Table:
    found = {label: find(own, players, figure).values() for figure, label in _OF_A_SEAT.items()}
    rows = tuple((label, *map(_write, seats)) for label, seats in found.items())
    caption = f"What scores are made of, in VP, {players} players, all {strategy}."
    return Table(caption, ("", *(name_seat(seat, players) for seat in range(players))), rows)


def _tabulate_chances(figures: Mapping[str, Findings], players: int) -> Table:
    times = [f"{10 * tenth}%" for tenth in TENTHS[::2]]
    rows = []
    for name, own in figures.items():
        for figure, who in zip(OF_A_TENTH, ("leader", "last"), strict=True):
            found = find(own, players, figure)
            rows.append((f"{who}, {name}", *(_write(found[time]) for time in times)))
    caption = f"Who leads, or is last, after a part of the rounds, and wins, {players} players."
    return Table(caption, ("wins in the end", *(f"after {time}" for time in times)), tuple(rows))


def _tabulate_variance(split: Findings, players: int) -> Table:
    shares, variances = (
        [find(split, players, f"{result}_{kind}") for result in RESULTS] for kind in ("share", "variance")
    )
    rows = [(label, *(_write(own[part]) for own in shares)) for part, label in _PARTS.items() if part in shares[0]]
    rows.append(("(the variance, in VP²)", *(_write(own["total"]) for own in variances)))
    caption = f"What varies one player's result, in parts of the variance, {players} players."
    return Table(caption, ("", "VP ahead of the best other", "VP"), tuple(rows))


def _tabulate_game(figures: Mapping[str, Findings], players: int) -> Table:
    labels = {(figure, ""): label for figure, label in OF_THE_GAME.items()}
    labels |= {("height", kind): f"cards in a {kind} tower" for kind in TOWER_TYPES}
    labels |= {("topped", kind): f"{kind} towers with a top" for kind in TOWER_TYPES}
    rows = tuple(
        (label, *(_write(find(own, players, figure)[place]) for own in figures.values()))
        for (figure, place), label in labels.items()
    )
    return Table(f"The game as a whole, {players} players, by who has all seats.", ("", *figures), rows)
