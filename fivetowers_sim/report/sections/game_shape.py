"""The section on the game itself: seats, the lead, scores, and what is luck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.bench.content import Picture, Section, Table, Verdict
from fivetowers_sim.bench.finished import Finished, Rows, is_certain
from fivetowers_sim.bench.numbers import join, write_estimate, write_interval
from fivetowers_sim.bench.pictures import find_picture
from fivetowers_sim.experiments.shape_figures import CROSSED
from fivetowers_sim.experiments.shape_games import OF_THE_GAME, SHARES, TENTHS
from fivetowers_sim.rules.described import describe_rules

ANCHOR: Final = "the-game-itself"
_SCORES: Final = {
    "total": "VP",
    "cards": "cards",
    "tops": "tops",
    "main": "main tower",
    "pairs": "pairs",
    "teardown": "teardown pile",
}
_PARTS: Final = {
    "strategy": "which strategy it plays",
    "seat": "where it sits",
    "strategy x seat": "seat, differently for each strategy",
    "deal": "the deal, the same in every seat and with every strategy",
    "deal x strategy": "the deal, differently for each strategy",
    "deal x seat": "the deal, differently for each seat: who meets which cards",
    "deal x strategy x seat": "the deal, differently for each seat and strategy",
    "total": "all",
}


class _Shape:
    """The figures of one experiment, with what tables and sentences need of them."""

    def __init__(self, finished: Finished) -> None:
        self.finished = finished
        self.rows = finished.findings
        self.counts: Sequence[int] = finished.plan["players"]
        self.strategies: Sequence[str] = finished.plan["strategies"]
        self.others = [name for name in finished.askers if name != self.strategies[0]]

    def rows_of(self, strategy: str) -> Rows:
        return self.finished.askers[strategy].findings

    def estimate(self, players: int, strategy: str, figure: str, place: str = "") -> Estimate:
        return self.rows_of(strategy).estimate(players=players, strategy=strategy, figure=figure, place=place)

    def write(self, players: int, strategy: str, figure: str, place: str = "") -> str:
        scale, unit = (100, "%") if figure in SHARES else (1, "")
        return write_estimate(self.estimate(players, strategy, figure, place), scale, unit)

    def unequal(self, players: int, strategy: str) -> dict[str, int]:
        """Return the seats that certainly win more (1) or less (-1) than an equal share."""
        rows = self.rows_of(strategy).where(players=players, strategy=strategy, figure="win_share").rows
        return {row["place"]: 1 if row["value"] * players > 1 else -1 for row in rows if is_certain(row)}

    def verdict(self, claim: str, figure: tuple[str, Estimate, int, str], holds: str, population: str) -> Verdict:
        name, estimate, scale, unit = figure
        rules = describe_rules(self.finished.plan["rules"])
        return Verdict(
            claim,
            f"{name}: {write_estimate(estimate, scale, unit)}",
            write_interval(estimate, scale, unit),
            holds,
            self.finished.counted,
            f"{population}; {rules}",
            self.finished.plan["seed"],
            self.finished.command,
        )


def write_game_shape(finished: Finished) -> Section:
    """Write the section.

    Parameters
    ----------
    finished : Finished
        A ``game-shape`` experiment.

    Returns
    -------
    Section
        The section.
    """
    shape = _Shape(finished)
    shown: list[Picture | Table] = [*find_picture(finished, "seats", "Win share of each seat"), _tabulate_seats(shape)]
    for players in shape.counts:
        first = shape.strategies[0]
        scores = f"What scores are made of, {players} players, all {first}"
        shown += [*find_picture(finished, f"scores-{players}", scores), _tabulate_scores(shape, players)]
        chances = f"How often who leads, and who is last, wins, {players} players"
        shown += [*find_picture(finished, f"lead-{players}", chances), _tabulate_chances(shape, players)]
        if shape.rows.where(players=players, strategy=CROSSED).rows:
            luck = f"What varies one player's result, {players} players"
            shown += [*find_picture(finished, f"luck-{players}", luck), _tabulate_variance(shape, players)]
        shown.append(_tabulate_game(shape, players))
    question = "Who wins from which seat, how long does a game stay open, and how much of it is luck?"
    return Section(ANCHOR, "The game itself", question, _judge(shape), _explain(shape), tuple(shown))


def _judge(shape: _Shape) -> tuple[Verdict, ...]:
    verdicts = [_judge_seats(shape), _judge_lead(shape)]
    if shape.rows.where(strategy=CROSSED).rows:
        verdicts.append(_judge_luck(shape))
    return tuple(verdicts)


def _judge_seats(shape: _Shape) -> Verdict:
    first, seats = shape.strategies[0], [(players, str(seat)) for players in shape.counts for seat in range(players)]
    unequal = {players: shape.unequal(players, first) for players in shape.counts}

    def excess(where: tuple[int, str]) -> float:
        players, seat = where
        return abs(shape.estimate(players, first, "win_share", seat).value - 1 / players)

    certain = [(players, seat) for players, seat in seats if seat in unequal[players]]
    players, seat = max(certain or seats, key=excess)
    claim = _claim_seats(unequal)
    figure = f"win share of seat {seat} with {players} players, all {first} (equal: {100 / players:.1f}%)"
    share = shape.estimate(players, first, "win_share", seat)
    holds = _compare_seats(shape)
    return shape.verdict(claim, (figure, share, 100, "%"), holds, f"all seats {first}")


def _claim_seats(unequal: Mapping[int, Mapping[str, int]]) -> str:
    """Say which seats certainly win more or less than an equal share, by number of players."""
    said = []
    for players, seats in unequal.items():
        words = [f"seat {seat} {'more' if sign > 0 else 'less'}" for seat, sign in seats.items()]
        said += [f"with {players} players {join(words)}"] if words else []
    level = [str(players) for players, seats in unequal.items() if not seats]
    if not said:
        return f"No seat is shown to win more or less than an equal share, with {join(level)} players."
    rest = f"; with {join(level)} none is shown to" if level else ""
    return f"Not all seats win an equal share: {'; '.join(said)}{rest}."


def _compare_seats(shape: _Shape) -> str:
    first, others = shape.strategies[0], shape.others
    if not others:
        return f"Asked of {first} alone."
    opposed = [
        f"seat {seat} with {players} players under {other}"
        for other in others
        for players in shape.counts
        for seat, sign in shape.unequal(players, first).items()
        if shape.unequal(players, other).get(seat) == -sign
    ]
    if opposed:
        return f"It flips: {join(opposed)}."
    return f"Under {join(list(others))} no seat is certainly the other way round."


def _judge_lead(shape: _Shape) -> Verdict:
    first = shape.strategies[0]
    players = 3 if 3 in shape.counts else shape.counts[0]
    decided, rounds = (shape.write(players, first, name) for name in ("decided", "rounds"))
    comeback = shape.estimate(players, first, "comeback")
    claim = (
        f"With {players} players a winner leads to the end from round {decided} of {rounds} on, and "
        f"{write_estimate(comeback, 100, '%')} of the victories go to players who don't lead at half time."
    )
    others = [f"{other} {shape.write(players, other, 'comeback')}" for other in shape.others]
    holds = f"The same share under {join(others)}." if others else f"Asked of {first} alone."
    figure = f"victories of players who don't lead at half time, {players} players, all {first}"
    return shape.verdict(claim, (figure, comeback, 100, "%"), holds, f"all seats {first}")


def _judge_luck(shape: _Shape) -> Verdict:
    players = 3 if 3 in shape.counts else shape.counts[0]
    shares = shape.rows.estimates("place", players=players, strategy=CROSSED, figure="margin_share")
    seat = write_estimate(shares["seat"], 100, "%")
    main = "strategy" if "strategy" in shares else "seat"
    who = " or ".join(shape.strategies)
    skill = f"who plays ({who}) makes {write_estimate(shares[main], 100, '%')} and " if main == "strategy" else ""
    claim = (
        f"Of the variance of one player's VP ahead of the best other with {players} players, {skill}where it sits "
        f"makes {seat}; the rest changes from deal to deal."
    )
    figure = f"share of the variance due to the {main}, {players} players"
    population = f"one player in each seat alike, {who} alike, against all {shape.strategies[0]}"
    holds = "It is about these strategies: players who are more alike leave more to luck."
    return shape.verdict(claim, (figure, shares[main], 100, "%"), holds, population)


def _explain(shape: _Shape) -> tuple[str, ...]:
    return (
        *shape.finished.describe_check(),
        "Each strategy plays in all seats. To lead is to have most VP if the game ended then, teardown pile counted. A "
        "shared victory is divided among its winners.",
        "The variance is that of one player's result over deals, seats and strategies, each strategy played in each "
        f"seat on the same deals against {shape.strategies[0]} in all others. A part below 0 is one that chance made "
        "so: the estimates are unbiased.",
    )


def _tabulate_seats(shape: _Shape) -> Table:
    most = max(shape.counts)
    rows = []
    for players in shape.counts:
        for strategy in (shape.strategies[0], *shape.others):
            unequal = shape.unequal(players, strategy)
            marks = {seat: " ▲" if sign > 0 else " ▼" for seat, sign in unequal.items()}
            cells = [
                shape.write(players, strategy, "win_share", str(seat)) + marks.get(str(seat), "")
                for seat in range(players)
            ]
            shared = shape.write(players, strategy, "shared")
            rows.append((f"{players} players, {strategy}", *cells, *[""] * (most - players), shared))
    headings = ("all seats", *(f"seat {seat}" for seat in range(most)), "shared victories")
    caption = "Win shares; ▲ certainly more, ▼ certainly less than an equal share, among all of them together."
    return Table(caption, headings, tuple(rows))


def _tabulate_scores(shape: _Shape, players: int) -> Table:
    rows = tuple(
        (f"{strategy}, seat {seat}", *(shape.write(players, strategy, name, str(seat)) for name in _SCORES))
        for strategy in shape.strategies
        for seat in range(players)
    )
    return Table(f"What scores are made of, in VP, {players} players.", ("", *_SCORES.values()), rows)


def _tabulate_chances(shape: _Shape, players: int) -> Table:
    rows = []
    for strategy in shape.strategies:
        for name, who in (("leader_wins", "leader"), ("last_wins", "last")):
            cells = (shape.write(players, strategy, name, f"{10 * tenth}%") for tenth in TENTHS[::2])
            rows.append((f"{who}, {strategy}", *cells))
    headings = ("wins in the end", *(f"after {10 * tenth}%" for tenth in TENTHS[::2]))
    caption = f"Who leads, or is last, after a part of the rounds, and wins, {players} players."
    return Table(caption, headings, tuple(rows))


def _tabulate_variance(shape: _Shape, players: int) -> Table:
    results = ("margin", "total")
    shares = [
        shape.rows.estimates("place", players=players, strategy=CROSSED, figure=f"{result}_share") for result in results
    ]
    rows = [
        (label, *(write_estimate(own[part], 100, "%") for own in shares))
        for part, label in _PARTS.items()
        if part in shares[0] and part != "total"
    ]
    caption = f"What varies one player's result, in parts of the variance, {players} players."
    return Table(caption, ("", "VP ahead of the best other", "VP"), tuple(rows))


def _tabulate_game(shape: _Shape, players: int) -> Table:
    rows = tuple(
        (label, *(shape.write(players, strategy, name) for strategy in shape.strategies))
        for name, label in OF_THE_GAME.items()
    )
    headings: Any = ("", *(f"all {strategy}" for strategy in shape.strategies))
    return Table(f"The game as a whole, {players} players.", headings, rows)
