"""Sums over games of what is measured in each, and of its products: all that intervals and contrasts need.

One game here is one *deal*: everything that is played with the same game number, be it in one setup or in many.
Figures that come from the same deals go up and down together, and the products keep account of that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import Final

import numpy as np

from fivetowers_sim.analysis.estimates import CONFIDENCE, Estimate, Tally, student_t

# Up to here floating point holds every whole number, so that a product of matrices is exact and fast.
_EXACT: Final = 1 << 53

Weight = int | float | Fraction
"""What a column is multiplied by; a floating point number counts as the fraction that it is."""
Weights = Sequence[Weight] | np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Whole numbers measured in each of some games, summed, and their products, summed.

    Attributes
    ----------
    games : int
        Games (deals) measured; each is one cluster.
    sums : ndarray of int64, shape (columns,)
        What was measured, summed over games.
    products : ndarray of int64, shape (columns, columns)
        Products of any two columns in the same game, summed over games. Exact while the sum of the squares of
        every column stays below 2**63.

    Notes
    -----
    They are integers, so that it makes no difference in which order parts of the games are added.
    """

    games: int
    sums: np.ndarray
    products: np.ndarray

    @classmethod
    def zero(cls, columns: int) -> Moments:
        """Return the moments of no game."""
        return cls(0, np.zeros(columns, np.int64), np.zeros((columns, columns), np.int64))

    @classmethod
    def of(cls, measured: np.ndarray) -> Moments:
        """Sum games.

        Parameters
        ----------
        measured : ndarray of int, shape (games, columns)
            What was measured in each game.

        Returns
        -------
        Moments
            Of these games.
        """
        rows = measured.astype(np.int64)
        largest = int(np.abs(rows).max(initial=0))
        if largest**2 * len(rows) < _EXACT:
            floats = rows.astype(np.float64)
            products = (floats.T @ floats).astype(np.int64)
        else:
            products = rows.T @ rows
        return cls(len(rows), rows.sum(0), products)

    def __add__(self, other: Moments) -> Moments:
        """Return the moments of both sets of games."""
        return Moments(self.games + other.games, self.sums + other.sums, self.products + other.products)

    def select(self, columns: Sequence[int] | slice) -> Moments:
        """Return the moments of some of the columns."""
        return Moments(self.games, self.sums[columns], self.products[columns][:, columns])

    def tally(self, columns: Sequence[int], units: int) -> Tally:
        """Return the tally of some columns' sum, which every game spreads over the same number of units.

        Parameters
        ----------
        columns : sequence of int
            The columns to add up; each once.
        units : int
            Units (seats, for instance) in each game.

        Returns
        -------
        Tally
            For :func:`~fivetowers_sim.analysis.estimates.estimate_ratio` and its like.
        """
        chosen = np.asarray(columns, np.intp)
        total = int(self.sums[chosen].sum())
        squared = int(self.products[np.ix_(chosen, chosen)].sum())
        return Tally(self.games, self.games * units, self.games * units**2, total, squared, units * total)

    def mean(self) -> np.ndarray:
        """Return each column's mean over games, shape (columns,); there must be a game."""
        return self.sums / self.games

    def covariance(self) -> np.ndarray:
        """Return the covariance of the columns' means, shape (columns, columns); there must be two games."""
        # In whole numbers up to the division: the difference of large sums would lose digits in floating point.
        sums = self.sums.astype(object)
        cross = self.games * self.products.astype(object) - np.outer(sums, sums)
        return (cross / (self.games**2 * (self.games - 1))).astype(float)

    def weigh(self, weights: Weights) -> tuple[Fraction, Fraction]:
        """Work out a weighted sum of the columns' means, and its variance, without any rounding.

        Parameters
        ----------
        weights : sequence or ndarray of int, float or Fraction
            Weight of each column. Equal columns with opposite weights leave nothing at all.

        Returns
        -------
        tuple of Fraction
            The sum, and the variance over games; there must be two games, or the variance is 0.
        """
        used = [column for column, weight in enumerate(weights) if weight]
        exact = [_as_fraction(weights[column]) for column in used]
        unit = math.lcm(*(weight.denominator for weight in exact))
        whole = [weight.numerator * (unit // weight.denominator) for weight in exact]
        total = sum(map(mul, whole, self.sums[used].tolist()))
        mean = Fraction(total, unit * self.games)
        if self.games < 2:
            return mean, Fraction(0)
        rows = self.products[np.ix_(used, used)].tolist()
        squared = sum(weight * sum(map(mul, whole, row)) for weight, row in zip(whole, rows, strict=True))
        spread = self.games * squared - total**2
        return mean, Fraction(spread, (unit * self.games) ** 2 * (self.games - 1))


def _as_fraction(weight: Weight) -> Fraction:
    # NumPy's whole numbers would stay what they are, and wrap around.
    return Fraction(weight.item() if isinstance(weight, np.generic) else weight)


def estimate_contrast(moments: Moments, weights: Weights, confidence: float = CONFIDENCE) -> Estimate:
    """Estimate a weighted sum of the columns' means, with an interval over games.

    Parameters
    ----------
    moments : Moments
        The games.
    weights : sequence or ndarray of int, float or Fraction
        Weight of each column; a difference has one of 1 and one of -1.
    confidence : float
        Share of repetitions in which the interval covers the true value.

    Returns
    -------
    Estimate
        In the columns' unit. No interval if there are fewer than two games.

    Notes
    -----
    A weighted sum of what one game gave is one number a game, so this is the paired t interval of their mean: it is
    narrow where the columns go up and down together and the weights take that out again (common random numbers;
    A. M. Law, *Simulation Modeling and Analysis*, 5th ed., 2015, chapter 11). It is worked out in whole numbers and
    divided last, so columns that are equal game by game differ by 0 exactly.

    Examples
    --------
    Four deals, each played by two rule sets in which a seat scored 20, 31, 27, 24 and 22, 33, 28, 27 VP:

    >>> moments = Moments.of(np.array([[20, 22], [31, 33], [27, 28], [24, 27]]))
    >>> estimate = estimate_contrast(moments, [-1, 1])
    >>> f"{estimate.value:.2f} from {estimate.low:.2f} to {estimate.high:.2f}"
    '2.00 from 0.70 to 3.30'

    The second rule set gives 2 VP more, and four deals are enough to say that it gives more, since it did in each.
    """
    if moments.games == 0:
        return Estimate(np.nan, np.nan, np.nan, 0)
    mean, variance = moments.weigh(weights)
    value = float(mean)
    if moments.games < 2:
        return Estimate(value, np.nan, np.nan, moments.games)
    margin = student_t(moments.games - 1, confidence) * math.sqrt(variance)
    return Estimate(value, value - margin, value + margin, moments.games)
