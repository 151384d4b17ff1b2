"""What is measured of games under several schedules of teardown costs, with all seats free and one seat held back."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Final

import numpy as np

from fivetowers_sim.analysis.estimates import Estimate, estimate_share
from fivetowers_sim.analysis.moments import Moments, estimate_contrast
from fivetowers_sim.rules.ruleset import RuleSet

PRINTED: Final = RuleSet().teardown_costs
SCHEDULES: Final = {
    "free": (0,),
    "flat 1": (1,),
    "flat 2": (2,),
    "printed": PRINTED,
    "doubling": (1, 2, 4, 8, 16, 32, 64),
}
"""Schedules that are tried: what the first torn card costs, the second and so on, as the dial is written."""

OWN: Final = "these rules"
"""What a schedule is called that the rules have and that isn't the printed one."""

# Piles as large as this tell any two schedules apart that people would call different.
_PILE: Final = 40

FREE: Final = {
    "torn": "cards torn down by a seat",
    "none_torn": "seats that tear nothing down",
    "penalty": "VP for the teardown pile",
    "total": "VP of a seat",
    "winning_total": "VP of the winner",
    "margin": "VP ahead of the second",
    "shared": "shared victories",
    "rounds": "rounds",
    "untaken": "cards left untaken",
}
"""Figures of games in which everybody may tear down, besides each seat's win share."""

HELD: Final = {"total": "VP", "lead": "VP ahead of the best other", "win_share": "win share", "others": "VP of another"}
"""Figures of the one seat that never tears down, and of the others."""

_OF_A_GAME: Final = ("winning_total", "margin", "shared", "rounds", "untaken")
SHARES: Final = ("none_torn", "shared", "win_share")


@dataclass(frozen=True, slots=True)
class Arm:
    """Who plays by which schedule.

    Attributes
    ----------
    strategy, schedule : int
        Number of the strategy in all seats, and of the schedule.
    seat : int or None
        The one seat that never tears down; None for nobody.
    """

    strategy: int
    schedule: int
    seat: int | None


@dataclass(frozen=True)
class TeardownGames:
    """The measure.

    Attributes
    ----------
    strategies, schedules : int
        How many there are of each.
    players : int
        Seats at a table.

    Notes
    -----
    For each strategy, schedule and figure there is a column, for those of a held seat a second one with what the same
    seats get when they are free. Every seat is held once on every deal, and a column sums over them.
    """

    strategies: int
    schedules: int
    players: int
    detail: ClassVar[str] = "rounds"

    @cached_property
    def arms(self) -> tuple[Arm, ...]:
        """The ways to play: nobody held back, and each seat in turn."""
        return tuple(
            Arm(strategy, schedule, seat)
            for strategy in range(self.strategies)
            for schedule in range(self.schedules)
            for seat in (None, *range(self.players))
        )

    @property
    def share_scale(self) -> int:
        """The least number that makes a whole number of every share of a victory."""
        return math.lcm(*range(1, self.players + 1))

    @cached_property
    def _columns(self) -> dict[tuple[int, int, str, str], int]:
        figures = [("everyone", name) for name in FREE]
        figures += [("everyone", f"win_share {seat}") for seat in range(self.players)]
        figures += [(kind, name) for kind in ("free", "held") for name in HELD]
        keys = (
            (strategy, schedule, *figure)
            for strategy in range(self.strategies)
            for schedule in range(self.schedules)
            for figure in figures
        )
        return {key: column for column, key in enumerate(keys)}

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return len(self._columns)

    def scale(self, kind: str, figure: str) -> int:
        """Return how many times a figure what is measured of a deal is."""
        if kind == "everyone":
            if figure.startswith("win_share"):
                return self.share_scale
            return 1 if figure in _OF_A_GAME else self.players
        return self.players * {"win_share": self.share_scale, "others": self.players - 1}.get(figure, 1)

    def add(self, arm: int, tables: Mapping[str, np.ndarray], into: np.ndarray) -> None:
        """Add what an arm's games gave."""
        played = self.arms[arm]
        seats = tables["seats"].reshape(len(into), self.players)
        totals, won = seats["total"].astype(np.int64), seats["rank"] == 1
        shares = np.where(won, self.share_scale // won.sum(1, keepdims=True), 0)
        of_seats = {"total": totals, "lead": lead_of(totals), "win_share": shares}
        of_seats["others"] = totals.sum(1, keepdims=True) - totals

        def put(kind: str, figure: str, values: np.ndarray) -> None:
            into[:, self._columns[played.strategy, played.schedule, kind, figure]] += values

        if played.seat is not None:
            for figure, values in of_seats.items():
                put("held", figure, values[:, played.seat])
            return
        for figure, values in of_seats.items():
            put("free", figure, values.sum(1))
        for seat in range(self.players):
            put("everyone", f"win_share {seat}", shares[:, seat])
        for figure, values in _measure_free(tables, seats).items():
            put("everyone", figure, values)

    def contrast(
        self, moments: Moments, strategy: int, weights: Mapping[tuple[int, str, str], int], confidence: float
    ) -> Estimate:
        """Estimate a sum of figures of one strategy.

        Parameters
        ----------
        moments : Moments
            What was measured.
        strategy : int
            Number of the strategy.
        weights : mapping of (int, str, str) to int
            Weight by schedule, kind (``everyone``, ``free`` or ``held``) and figure.
        confidence : float
            Share of repetitions in which the interval covers the true value.

        Returns
        -------
        Estimate
            In the figures' unit; a share by itself stays within 0 and 1.
        """
        columns = [self._columns[strategy, *key] for key in weights]
        scales = [self.scale(kind, figure) for _, kind, figure in weights]
        if len(columns) == 1 and next(iter(weights))[2].split()[0] in SHARES:
            return estimate_share(moments.tally(columns, 1), scales[0], confidence)
        scaled = [Fraction(weight, scale) for weight, scale in zip(weights.values(), scales, strict=True)]
        return estimate_contrast(moments.select(columns), scaled, confidence)


def lead_of(totals: np.ndarray) -> np.ndarray:
    """Return how far each seat is ahead of the best of the others, less than 0 behind; shape (games, players)."""
    ordered = np.sort(totals, axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    return totals - np.where(totals == best, second, best)


def _measure_free(tables: Mapping[str, np.ndarray], seats: np.ndarray) -> dict[str, np.ndarray]:
    """Return the figures of each game in which everybody may tear down; those of seats are summed."""
    games, rounds = tables["games"], tables["rounds"]
    ends = np.cumsum(games["rounds"], dtype=np.int64)
    left = np.concatenate([[0], np.cumsum(rounds["display_size"].astype(np.int64) - rounds["taken"])])
    return {
        "torn": seats["cards_torn_down"].sum(1, dtype=np.int64),
        "none_torn": (seats["cards_torn_down"] == 0).sum(1),
        "penalty": seats["teardown"].sum(1, dtype=np.int64),
        "total": seats["total"].sum(1, dtype=np.int64),
        **{name: games[name] for name in ("winning_total", "margin", "rounds")},
        "shared": games["winners"] > 1,
        "untaken": left[ends] - left[ends - games["rounds"]],
    }


def write_costs(costs: tuple[int, ...]) -> str:
    """Write what the first torn cards cost, such as ``1-2-3-4``."""
    one = RuleSet(teardown_costs=costs)
    return "-".join(str(one.teardown_cost(torn) - one.teardown_cost(torn - 1)) for torn in range(1, 5))


def list_schedules(rules: RuleSet, costs: Sequence[tuple[int, ...]] | None = None) -> dict[str, tuple[int, ...]]:
    """List the schedules to compare, that of the rules first, each once.

    Parameters
    ----------
    rules : RuleSet
        The rules.
    costs : sequence of tuple of int, optional
        Schedules, as the dial ``teardown_costs`` is written; those of :data:`SCHEDULES` if not given.

    Returns
    -------
    dict of str to tuple of int
        Name to schedule.
    """
    own = "printed" if _is_same(rules.teardown_costs, PRINTED) else OWN
    offered = SCHEDULES if costs is None else {_name(one): one for one in costs}
    others = {name: one for name, one in offered.items() if not _is_same(one, rules.teardown_costs)}
    return {own: rules.teardown_costs, **others}


def _name(costs: tuple[int, ...]) -> str:
    known = [name for name, one in SCHEDULES.items() if _is_same(one, costs)]
    return known[0] if known else "costs " + ",".join(map(str, costs))


def _is_same(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    first, second = RuleSet(teardown_costs=one), RuleSet(teardown_costs=other)
    return all(first.teardown_cost(torn) == second.teardown_cost(torn) for torn in range(_PILE))
