"""The equilibrium mix of a tournament's strategies, and how sure it is."""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np

from fivetowers_sim.analysis.equilibrium import Payoffs, reply_weights, solve_equilibrium
from fivetowers_sim.analysis.estimates import CONFIDENCE, Estimate, student_t
from fivetowers_sim.analysis.moments import Moments, estimate_contrast
from fivetowers_sim.analysis.steady import factor, multiply, sure_all
from fivetowers_sim.questions.tournament.measure import Places

_DRAWS: Final = 200


class Mixing:
    """The equilibrium, and how sure it is.

    Parameters
    ----------
    places : Places
        What was measured.
    moments : Moments
        Its sums.
    confidence : float
        Of each interval.

    Attributes
    ----------
    found : Equilibrium
        The mix.
    """

    def __init__(self, places: Places, moments: Moments, confidence: float) -> None:
        self._confidence = confidence
        self._places = places
        # Shares of one seat, as they are in the columns.
        self._units = np.array([places.scale * places.seats_of([key]) for key in places.share_columns], float)
        self._shares = moments.select(slice(len(places.share_columns)))
        self._payoffs = self._read(self._shares.mean())
        self.found = solve_equilibrium(self._payoffs)

    def mix(self, strategy: int) -> Estimate:
        """Return how often a seat is given the strategy."""
        tail = (1 - CONFIDENCE) / 2
        low, high = np.quantile(self._drawn[:, strategy], (tail, 1 - tail)) if len(self._drawn) else (np.nan, np.nan)
        return Estimate(float(self.found.mix[strategy]), float(low), float(high), self._shares.games)

    def reply(self, strategy: int) -> Estimate:
        """Return how much a seat that always plays the strategy gains over an equal share, against the mix."""
        weights = np.zeros(len(self._units))
        for key, weight in reply_weights(self.found.mix, self._payoffs, strategy).items():
            weights[self._places.share_columns[key]] = weight
        gain = estimate_contrast(self._shares, weights / self._units, self._confidence)
        # What is left of the weights is a table of this strategy alone, where it gets the equal share.
        equal = float(weights.sum()) / self._places.players
        return Estimate(gain.value - equal, gain.low - equal, gain.high - equal, gain.games)

    def _read(self, mean: np.ndarray) -> Payoffs:
        keys = self._places.share_columns
        shares = dict(zip(keys, (mean / self._units).tolist(), strict=True))
        return Payoffs(self._places.players, self._places.strategies, shares)

    @cached_property
    def _drawn(self) -> np.ndarray:
        """Solve the game again for payoffs drawn from their normal distribution (parametric bootstrap)."""
        if self._shares.games < 2:
            return np.empty((0, self._places.strategies))
        # A few hundred draws have no tails beyond 95%: for more confidence they are spread further instead.
        wider = student_t(self._shares.games - 1, self._confidence) / student_t(self._shares.games - 1, CONFIDENCE)
        drawn = np.random.default_rng(0).standard_normal((_DRAWS, len(self._units)))
        means = self._shares.mean() + sure_all(wider * multiply(drawn, factor(self._shares.covariance()).T))
        return np.array([solve_equilibrium(self._read(mean), self.found.mix).mix for mean in means])
