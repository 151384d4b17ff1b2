"""What a tournament measures of each deal: shares of the victory, VP, and who finished ahead of whom."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import ClassVar

import numpy as np

from fivetowers_sim.analysis.equilibrium import Lineup
from fivetowers_sim.analysis.estimates import Estimate, estimate_share
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.analysis.pairs import AHEAD, SHARED, Pairs
from fivetowers_sim.questions.tournament.circles import Circle


@dataclass(frozen=True)
class Places:
    """The measure of a tournament: what is measured of a deal, and where.

    Attributes
    ----------
    strategies : int
        How many there are.
    circles : tuple of Circle
        Who sits where in each arm.

    Notes
    -----
    The columns are, in this order: for every line-up and every strategy in it, its share of the victory, all its seats
    and all circles of the line-up together, times :attr:`scale`; for every strategy, its VP, all its seats together;
    for every two strategies, the points of the first (:class:`~fivetowers_sim.analysis.pairs.Pairs`).
    """

    strategies: int
    circles: tuple[Circle, ...]
    detail: ClassVar[str] = "games"

    @property
    def players(self) -> int:
        """Seats at a table."""
        return len(self.circles[0])

    @property
    def scale(self) -> int:
        """The least number that makes a whole number of every share of a victory."""
        return math.lcm(*range(1, self.players + 1))

    @cached_property
    def share_columns(self) -> dict[tuple[Lineup, int], int]:
        """Column of a line-up's strategy."""
        keys = ((lineup, own) for lineup in self.circles_of for own in dict.fromkeys(lineup))
        return {key: column for column, key in enumerate(keys)}

    @cached_property
    def circles_of(self) -> Counter[Lineup]:
        """How many circles of a line-up there are."""
        return Counter(map(_lineup, self.circles))

    @property
    def total_columns(self) -> range:
        """Columns of the strategies' VP."""
        return range(len(self.share_columns), len(self.share_columns) + self.strategies)

    @property
    def pair_columns(self) -> range:
        """Columns of the pairs' points."""
        return range(self.total_columns.stop, self.columns)

    @cached_property
    def columns(self) -> int:
        """How many columns there are."""
        return len(self.share_columns) + self.strategies + math.comb(self.strategies, 2)

    def tables_of(self, strategy: int) -> list[tuple[Lineup, int]]:
        """Return the keys of :attr:`share_columns` for all line-ups with a strategy."""
        return [key for key in self.share_columns if key[1] == strategy]

    def seats_of(self, keys: Iterable[tuple[Lineup, int]]) -> int:
        """Return how many seats strategies have in line-ups on each deal, all circles together."""
        return sum(lineup.count(own) * self.circles_of[lineup] for lineup, own in keys)

    def share(self, keys: Sequence[tuple[Lineup, int]], moments: Moments, confidence: float) -> Estimate:
        """Estimate the share of the victory that a strategy's seats get each, at some line-ups.

        Parameters
        ----------
        keys : sequence of (Lineup, int)
            The line-ups, each with the strategy.
        moments : Moments
            What was measured, summed.
        confidence : float
            Share of repetitions in which the interval covers the true value.

        Returns
        -------
        Estimate
            From 0 to 1 over its seats in a circle.
        """
        # All its seats together get from none to the whole of each circle's victory, whatever their number.
        circles = sum(self.circles_of[lineup] for lineup, _ in keys)
        together = estimate_share(
            moments.tally([self.share_columns[key] for key in keys], circles), self.scale, confidence
        )
        each = circles / self.seats_of(keys)
        return Estimate(together.value * each, together.low * each, together.high * each, moments.games)

    def win_share(self, strategy: int, moments: Moments, confidence: float) -> Estimate:
        """Estimate a strategy's share of the victory per seat, over all tables; see :meth:`share`."""
        return self.share(self.tables_of(strategy), moments, confidence)

    def pairs(self, names: Sequence[str], moments: Moments) -> Pairs:
        """Return the results of every two strategies."""
        meetings = np.zeros((self.strategies, self.strategies), np.int64)
        for circle in self.circles:
            for first, second in combinations(circle, 2):
                if first != second:
                    meetings[first, second] += 1
                    meetings[second, first] += 1
        return Pairs(tuple(names), meetings, moments.select(slice(self.pair_columns.start, None)))

    def add(self, arm: int, tables: Mapping[str, np.ndarray], into: np.ndarray) -> None:
        """Add what a circle's games gave."""
        circle = self.circles[arm]
        seats = tables["seats"].reshape(len(into), self.players)
        # In the records strategies are numbered in the order in which the circle names them.
        seated = np.array(list(dict.fromkeys(circle)))[seats["strategy"]]
        games, rank = np.arange(len(into)), seats["rank"].astype(np.int64)
        share = np.where(rank == 1, self.scale // (rank == 1).sum(1, keepdims=True), 0)
        share_column = np.array([self.share_columns.get((_lineup(circle), own), -1) for own in range(self.strategies)])
        for seat in range(self.players):
            # A seat at a time: two of one strategy add to the same column of a row.
            own = seated[:, seat]
            into[games, share_column[own]] += share[:, seat]
            into[games, self.total_columns.start + own] += seats["total"][:, seat]
        for one, other in combinations(range(self.players), 2):
            met = np.flatnonzero(seated[:, one] != seated[:, other])
            in_order = seated[met, one] < seated[met, other]
            first, second = np.where(in_order, one, other), np.where(in_order, other, one)
            ahead = np.sign(rank[met, second] - rank[met, first])
            column = self._pair_column[seated[met, first], seated[met, second]]
            into[met, column] += np.choose(ahead + 1, (0, SHARED, AHEAD))

    @cached_property
    def _pair_column(self) -> np.ndarray:
        column = np.full((self.strategies, self.strategies), -1)
        column[np.triu_indices(self.strategies, 1)] = self.pair_columns
        return column


def _lineup(circle: Circle) -> Lineup:
    return tuple(sorted(circle))
