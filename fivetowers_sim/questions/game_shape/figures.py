"""The figures on a game's shape: what each is of, and which seats certainly win more or less than their share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.bench.findings import Finding, Findings
from fivetowers_sim.bench.numbers import join
from fivetowers_sim.questions.game_shape.measure import OF_A_SEAT, OF_A_TENTH, OF_A_TYPE, TENTHS, Key
from fivetowers_sim.rules.cards import TOWER_TYPES

CROSSED: Final = "crossed"
"""Stands for the strategy where each is crossed with each seat."""
SCORES: Final[Mapping[str, str]] = {
    "cards": "cards",
    "tops": "tops",
    "main": "main tower",
    "pairs": "pairs",
    "teardown": "teardown pile",
}
"""What scores are made of, in words."""
_ORDINALS: Final = ("first", "second", "third", "fourth")


def name_seat(seat: int, players: int) -> str:
    """Return what a seat is called: by its place among those who begin the game."""
    return f"{'last' if seat == players - 1 else _ORDINALS[seat]} player"


def name_place(key: Key) -> str:
    """Return the seat, tower type or part of the game that a figure is about; nothing for the game as a whole."""
    if key.figure in OF_A_TYPE:
        return TOWER_TYPES[key.place]
    if key.figure in OF_A_TENTH:
        return f"{10 * TENTHS[key.place]}%"
    return str(key.place) if key.figure in OF_A_SEAT else ""


def less_fair_share(share: Estimate, players: int) -> Estimate:
    """Return by how much a win share is above an equal one."""
    fair = 1 / players
    return Estimate(share.value - fair, share.low - fair, share.high - fair, share.games)


def find(figures: Findings, players: int, figure: str) -> dict[str, Finding]:
    """Return the findings on a figure by place; figures are those of one strategy."""
    return figures.by("place", players=players, figure=figure)


def tell_side(share: Finding) -> int:
    """Return 1 if a seat certainly wins more than an equal share, -1 if it wins less, else 0."""
    return 0 if not share.certain else 1 if share.estimate.value * share["players"] > 1 else -1


def describe_crossing(strategies: Sequence[str]) -> str:
    """Say whose result the variance is of, without a full stop."""
    first, *others = strategies
    if not others:
        return f"one player in each seat alike, all {first}"
    return f"one player in each seat alike, {join([*strategies], 'or')} alike, against all {first}"
