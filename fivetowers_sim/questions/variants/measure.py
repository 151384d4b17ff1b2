"""The headline figures of a game, measured of every deal and arm: who wins, what scores are made of, how games go."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Final

import numpy as np

from fivetowers_sim.analysis.estimates import Estimate, estimate_share
from fivetowers_sim.analysis.moments import Moments, estimate_contrast
from fivetowers_sim.engine.counted import count_untaken

_OF_A_SEAT: Final = {
    "total": "VP of a player",
    "cards": "VP for cards",
    "tops": "VP for tops",
    "main": "VP for the main tower",
    "pairs": "VP for pairs",
    "teardown": "VP for the teardown pile",
    "torn_cards": "cards in the teardown pile",
}
_OF_A_GAME: Final = {
    "rounds": "rounds",
    "winning_total": "VP of the winner",
    "margin": "VP ahead of the second",
    "shared": "shared victories",
    "untaken": "cards left untaken",
}
SEATS: Final = ("first player", "second player", "third player", "fourth player", "fifth player")
"""Who sits where, in the order in which the first round goes."""


@dataclass(frozen=True, slots=True)
class Headline:
    """A headline figure.

    Attributes
    ----------
    name : str
        Such as ``win_share``.
    seat : int or None
        Of which seat; None for a mean over seats, or a figure of the game as a whole.
    label : str
        In words.
    scale : int
        What is measured of a deal is this many times the figure, a whole number.
    is_share : bool
        Whether it is a share from 0 to 1.
    """

    name: str
    seat: int | None
    label: str
    scale: int
    is_share: bool

    @property
    def shown_as(self) -> tuple[int, str]:
        """By what it is multiplied to be read, and the unit written after it."""
        return (100, "%") if self.is_share else (1, "")


def list_headlines(players: int) -> tuple[Headline, ...]:
    """Return the headline figures for a number of players, in the order of columns."""
    share_scale = math.lcm(*range(1, players + 1))
    return (
        *(Headline("win_share", seat, f"win share, {SEATS[seat]}", share_scale, True) for seat in range(players)),
        *(Headline("total", seat, f"VP, {SEATS[seat]}", 1, False) for seat in range(players)),
        *(Headline(name, None, label, players, False) for name, label in _OF_A_SEAT.items()),
        *(Headline(name, None, label, 1, name == "shared") for name, label in _OF_A_GAME.items()),
    )


@dataclass(frozen=True)
class Headlines:
    """The measure: every headline figure of every arm.

    Attributes
    ----------
    players : int
        Seats at a table.
    arms : int
        How many arms there are. Their figures follow one another.
    """

    players: int
    arms: int
    detail: ClassVar[str] = "rounds"

    @cached_property
    def figures(self) -> tuple[Headline, ...]:
        """The figures."""
        return list_headlines(self.players)

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return self.arms * len(self.figures)

    def column(self, arm: int, figure: int) -> int:
        """Return the column of an arm's figure."""
        return arm * len(self.figures) + figure

    def add(self, arm: int, tables: Mapping[str, np.ndarray], into: np.ndarray) -> None:
        """Add what an arm's games gave."""
        games, rounds = tables["games"], tables["rounds"]
        seats = tables["seats"].reshape(len(into), self.players)
        share_scale, won = self.figures[0].scale, seats["rank"] == 1
        shares = np.where(won, share_scale // won.sum(1, keepdims=True), 0)
        measured = (
            *shares.T,
            *seats["total"].T,
            *(seats[name].sum(1, dtype=np.int64) for name in _OF_A_SEAT),
            *(games[name] for name in ("rounds", "winning_total", "margin")),
            games["winners"] > 1,
            count_untaken(games, rounds),
        )
        first = self.column(arm, 0)
        for place, values in enumerate(measured):
            into[:, first + place] += values

    def estimate(self, moments: Moments, arm: int, figure: int, confidence: float) -> Estimate:
        """Estimate a figure in an arm."""
        headline, column = self.figures[figure], self.column(arm, figure)
        if headline.is_share:
            return estimate_share(moments.tally([column], 1), headline.scale, confidence)
        return estimate_contrast(moments.select([column]), [Fraction(1, headline.scale)], confidence)

    def difference(self, moments: Moments, arms: tuple[int, int], figure: int, confidence: float) -> Estimate:
        """Estimate by how much a figure is larger in the second arm than in the first, deal by deal."""
        columns = [self.column(arm, figure) for arm in arms]
        unit = Fraction(1, self.figures[figure].scale)
        return estimate_contrast(moments.select(columns), [-unit, unit], confidence)
