"""What is measured of games with each of the 16 sets of Great Powers, for everyone and for one seat alone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Final

import numpy as np

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.analysis.moments import Moments, estimate_contrast
from fivetowers_sim.rules.cards import TOWER_TYPES
from fivetowers_sim.rules.ruleset import POWERS

SETS: Final = 1 << len(POWERS)
USES: Final = {"tree": "trees_paid", "scrap": "cards_fetched", "sand": "cards_built_below", "pairs": "pairs"}
"""What shows that a power is used, by power: cards, or VP for pairs, of a seat in a game."""

_HEIGHTS: Final = tuple(f"{kind}_height" for kind in TOWER_TYPES)
ALONE: Final = ("total", "win_share", *USES.values(), "rounds", "margin")
"""Figures where one seat has the powers, the first ones its own."""
EVERYONE: Final = ("total", *USES.values(), *_HEIGHTS, "rounds", "margin", "shared", "first_share")
"""Figures where all seats have them: those of a seat on average, and those of the game."""
HOLDERS: Final = {"alone": ALONE, "everyone": EVERYONE}


def powers_of(members: int) -> tuple[str, ...]:
    """Return the powers of a set by its bits."""
    return tuple(power for bit, power in enumerate(POWERS) if members >> bit & 1)


@dataclass(frozen=True, slots=True)
class Arm:
    """Who plays, who has powers, and which.

    Attributes
    ----------
    strategy : int
        Number of the strategy in all seats.
    members : int
        The set of powers, as bits.
    seat : int or None
        The one seat that has them; None for all.
    """

    strategy: int
    members: int
    seat: int | None


def list_arms(strategies: int, players: int) -> tuple[Arm, ...]:
    """List every way to play a deal: each set for everyone, and each but the empty one for each seat alone."""
    return tuple(
        Arm(strategy, members, seat)
        for strategy in range(strategies)
        for members in range(SETS)
        for seat in (None, *(range(players) if members else ()))
    )


@dataclass(frozen=True)
class PowerGames:
    """The measure.

    Attributes
    ----------
    strategies : int
        How many strategies play, each by itself.
    players : int
        Seats at a table.

    Notes
    -----
    For each strategy, kind of holder, set and figure there is a column. Where one seat alone has powers, every seat is
    that seat once on every deal, and a column sums over them.
    """

    strategies: int
    players: int
    detail: ClassVar[str] = "games"

    @cached_property
    def arms(self) -> tuple[Arm, ...]:
        """The ways to play."""
        return list_arms(self.strategies, self.players)

    @property
    def share_scale(self) -> int:
        """The least number that makes a whole number of every share of a victory."""
        return math.lcm(*range(1, self.players + 1))

    @cached_property
    def _columns(self) -> dict[tuple[int, str, int, str], int]:
        keys = (
            (strategy, holder, members, figure)
            for strategy in range(self.strategies)
            for holder, figures in HOLDERS.items()
            for members in range(SETS)
            for figure in figures
        )
        return {key: column for column, key in enumerate(keys)}

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return len(self._columns)

    def scale(self, holder: str, figure: str) -> int:
        """Return how many times a figure what is measured of a deal is."""
        of_game = holder == "everyone" and figure in ("rounds", "margin", "shared", "first_share")
        return (1 if of_game else self.players) * (self.share_scale if figure.endswith("share") else 1)

    def add(self, arm: int, tables: Mapping[str, np.ndarray], into: np.ndarray) -> None:
        """Add what an arm's games gave."""
        played = self.arms[arm]
        games, seats = tables["games"], tables["seats"].reshape(len(into), self.players)
        won = seats["rank"] == 1
        shares = np.where(won, self.share_scale // won.sum(1, keepdims=True), 0)

        def put(holder: str, figure: str, values: np.ndarray) -> None:
            into[:, self._columns[played.strategy, holder, played.members, figure]] += values

        if played.seat is None:
            for figure in ("total", *USES.values(), *_HEIGHTS):
                put("everyone", figure, seats[figure].sum(1, dtype=np.int64))
            for figure in ("rounds", "margin"):
                put("everyone", figure, games[figure])
            put("everyone", "shared", games["winners"] > 1)
            put("everyone", "first_share", shares[:, 0])
        # Where nobody has a power, each seat is the one that has none alone.
        for seat in range(self.players) if not played.members else (played.seat,):
            if seat is None:
                continue
            put("alone", "win_share", shares[:, seat])
            for figure in ("total", *USES.values()):
                put("alone", figure, seats[figure][:, seat])
            for figure in ("rounds", "margin"):
                put("alone", figure, games[figure])

    def contrast(
        self, moments: Moments, where: tuple[int, str, str], weights: np.ndarray, confidence: float
    ) -> Estimate:
        """Estimate a weighted sum of a figure over the sets.

        Parameters
        ----------
        moments : Moments
            What was measured.
        where : tuple of (int, str, str)
            Strategy, holder and figure.
        weights : ndarray of int or Fraction, shape (16,)
            Weight of each set.
        confidence : float
            Share of repetitions in which the interval covers the true value.

        Returns
        -------
        Estimate
            In the figure's unit.
        """
        strategy, holder, figure = where
        used = np.flatnonzero(weights)
        columns = [self._columns[strategy, holder, int(members), figure] for members in used]
        scaled = weights[used] * Fraction(1, self.scale(holder, figure))
        return estimate_contrast(moments.select(columns), scaled, confidence)
