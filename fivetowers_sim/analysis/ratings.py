"""Plackett–Luce strengths: one number a player that says how often it finishes ahead of any other."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from fivetowers_sim.analysis.estimates import CONFIDENCE, Estimate, student_t
from fivetowers_sim.analysis.pairs import AHEAD, Pairs
from fivetowers_sim.analysis.steady import invert, multiply, sure, sure_all

# Half a meeting won by either of two players who met: it keeps a strength finite, and drowns in a hundred games.
_HALF_A_MEETING: Final = 0.5
_MOST_ITERATIONS: Final = 10_000
_TOLERANCE: Final = 1e-12
_DECIMALS: Final = 9


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """The strengths of some players, on one scale.

    Attributes
    ----------
    names : tuple of str
        The players.
    strengths : ndarray of float, shape (players,)
        Natural logarithms of the Plackett–Luce weights; their mean is 0, so 0 is the field's average player.
    covariance : ndarray of float, shape (players, players)
        Of the strengths, over games; not a number if some players were never separated by results both ways.
    games : int
        Games (deals) behind them.
    confidence : float
        Share of repetitions in which one interval covers the true value.
    """

    names: tuple[str, ...]
    strengths: np.ndarray
    covariance: np.ndarray
    games: int
    confidence: float

    def estimate(self, player: int) -> Estimate:
        """Return a player's strength with its interval."""
        return self._interval(self.strengths[player], self.covariance[player, player])

    def difference(self, first: int, second: int) -> Estimate:
        """Return how much stronger the first is than the second, with its interval."""
        spread = self.covariance
        variance = spread[first, first] + spread[second, second] - 2 * spread[first, second]
        return self._interval(self.strengths[first] - self.strengths[second], variance)

    def against_average(self, player: int) -> Estimate:
        """Return how often a player finishes ahead of the field's average player, 0 to 1, with its interval."""
        strength = self.estimate(player)
        return Estimate(*map(_logistic, (strength.value, strength.low, strength.high)), self.games)

    def expected(self, first: int, second: int) -> float:
        """Return how often the first should finish ahead of the second by their strengths, 0 to 1."""
        return _logistic(self.strengths[first] - self.strengths[second])

    def _interval(self, value: float, variance: float) -> Estimate:
        margin = student_t(self.games - 1, self.confidence) * math.sqrt(max(variance, 0.0))
        return Estimate(float(value), float(value - margin), float(value + margin), self.games)


def estimate_ratings(pairs: Pairs, confidence: float = CONFIDENCE) -> Ratings:
    """Fit Plackett–Luce strengths to the places in which players finished.

    Parameters
    ----------
    pairs : Pairs
        How often each player finished ahead of each; every two must have met, at least by way of others.
    confidence : float
        Share of repetitions in which one interval covers the true value.

    Returns
    -------
    Ratings
        With intervals over games. There are none with fewer than two games, or if the players fall into two groups of
        which one always finished ahead of the other: how far ahead is then anyone's guess.

    Notes
    -----
    By the Plackett–Luce model, of any two players a is ahead of b with probability ``w_a / (w_a + w_b)``, whoever else
    is in the ranking. So the weights can be fitted to all pairs of a ranking as if they were duels; that is consistent
    (full breaking: H. Azari Soufiani et al., *Generalized Method-of-Moments for Rank Aggregation*, NIPS 2013), gives a
    shared place a meaning (half a duel to each), and lets a player hold two seats. The fit is choix's I-LSR
    (L. Maystre and M. Grossglauser, NIPS 2015). Pairs of one ranking, and rankings from one deal, are not
    independent: the covariance is that of the clustered sandwich, with deals as clusters (H. White, Econometrica 50,
    1982; R. L. Williams, Biometrics 56, 2000). Half a duel is added to either side of every pair, or who never came
    out ahead would have no finite strength (the condition is that of L. R. Ford, American Mathematical Monthly 64,
    1957).

    Examples
    --------
    Strengths of 0.7 and -0.7 mean that the first finishes ahead of the second in ``1 / (1 + exp(-1.4))``, that is 80%
    of their meetings, and ahead of an average player in 67%.
    """
    import choix

    ahead = pairs.points()
    met = pairs.meetings > 0
    np.fill_diagonal(met, False)
    # Iterated well beyond the digits that are kept, so that these are the same on every machine.
    fitted = choix.ilsr_pairwise_dense(ahead + _HALF_A_MEETING * met, max_iter=_MOST_ITERATIONS, tol=_TOLERANCE)
    fitted = np.round(fitted, _DECIMALS) + 0.0
    covariance = _sandwich(pairs, fitted)
    if pairs.moments.games < 2 or not _separable(ahead):
        covariance = np.full_like(covariance, np.nan)
    return Ratings(pairs.names, fitted, covariance, pairs.moments.games, confidence)


def _separable(ahead: np.ndarray) -> bool:
    """Say whether every player is linked to every other by results in which it finished ahead, and back."""
    from scipy.sparse.csgraph import connected_components

    groups, _ = connected_components(ahead > 0, directed=True, connection="strong")
    return bool(groups == 1)


def _sandwich(pairs: Pairs, strengths: np.ndarray) -> np.ndarray:
    """Return the covariance of the strengths from the spread of the pairs' points over games."""
    players = len(pairs.names)
    if pairs.moments.games < 2:
        return np.full((players, players), np.nan)
    expected = np.array([[_logistic(own - other) for other in strengths] for own in strengths])
    bread = -pairs.meetings * expected * (1 - expected)
    np.fill_diagonal(bread, 0)
    np.fill_diagonal(bread, -bread.sum(1))
    # How one game moves the score equations: up for the first of a pair, down for the second, in duels.
    turn = np.zeros((players, len(pairs.moments.sums)))
    for column, first, second in pairs.list_pairs():
        turn[first, column], turn[second, column] = 1 / AHEAD, -1 / AHEAD
    # The strengths' sum is free, so the matrix has no inverse; with the mean taken out it has one (its pseudoinverse).
    mean = np.full((players, players), 1 / players)
    slope = multiply(invert(bread + mean) - mean, turn)
    return sure_all(multiply(multiply(slope, pairs.moments.covariance()), slope.T))


def _logistic(strength: float) -> float:
    return math.nan if math.isnan(strength) else sure(1 / (1 + math.exp(-strength)))
