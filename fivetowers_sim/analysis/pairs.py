"""How often one of two players finishes ahead of the other, counted over games that several play together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from fivetowers_sim.analysis.estimates import CONFIDENCE, Estimate, estimate_share
from fivetowers_sim.analysis.moments import Moments

AHEAD: Final = 2
SHARED: Final = 1
"""Points for a place ahead of the other, and for a shared place: half of one, in whole numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The results of every two players who met.

    Attributes
    ----------
    names : tuple of str
        The players.
    meetings : ndarray of int, shape (players, players)
        How often two of them meet in one game (deal), the same in every game; symmetric, 0 for who never meet.
        A player who holds two seats meets the others twice.
    moments : Moments
        For every two players, in the order of ``itertools.combinations``, the points of the first:
        :data:`AHEAD` for each meeting in which it finished ahead, :data:`SHARED` for each shared place.
    """

    names: tuple[str, ...]
    meetings: np.ndarray
    moments: Moments

    def list_pairs(self) -> Iterator[tuple[int, int, int]]:
        """Yield the column, first and second player of every two who meet."""
        for column, (first, second) in enumerate(combinations(range(len(self.names)), 2)):
            if self.meetings[first, second]:
                yield column, first, second

    def points(self) -> np.ndarray:
        """Return how often each finished ahead of each, shared places counting half, shape (players, players)."""
        ahead = np.zeros(self.meetings.shape)
        for column, first, second in self.list_pairs():
            ahead[first, second] = self.moments.sums[column] / AHEAD
            ahead[second, first] = self.moments.games * self.meetings[first, second] - ahead[first, second]
        return ahead

    def estimate(self, confidence: float = CONFIDENCE) -> dict[tuple[int, int], Estimate]:
        """Estimate, for every two who meet, in which share of their meetings the first finishes ahead.

        Parameters
        ----------
        confidence : float
            Share of repetitions in which one interval covers the true value.

        Returns
        -------
        dict of (int, int) to Estimate
            Both ways round: the share of (a, b) and that of (b, a) add up to 1.
        """
        found = {}
        for column, first, second in self.list_pairs():
            tally = self.moments.tally([column], int(self.meetings[first, second]))
            share = estimate_share(tally, AHEAD, confidence)
            found[first, second] = share
            found[second, first] = Estimate(1 - share.value, 1 - share.high, 1 - share.low, share.games)
        return found
