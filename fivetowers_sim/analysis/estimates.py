"""Estimates with intervals from sums over independent games.

Seats of one game are not independent of each other, so nothing here counts seats: each game contributes one
cluster, however many seats of it are looked at. The sums are integers, so that the order in which parts of a
run are added can't change a figure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from fivetowers_sim.analysis.steady import sure

CONFIDENCE: Final = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and the interval that covers its true value in the stated share of repetitions.

    Attributes
    ----------
    value : float
        The estimate, in the unit of what was measured; not a number if there was nothing to measure.
    low, high : float
        Ends of the interval; not a number where a single game says nothing about the spread.
    games : int
        Independent games behind it.
    """

    value: float
    low: float
    high: float
    games: int

    @property
    def margin(self) -> float:
        """How far the further end of the interval is from the value."""
        return max(self.high - self.value, self.value - self.low)

    @property
    def sign(self) -> int:
        """1 or -1 if the interval is on one side of 0, else 0."""
        return int(self.low > 0) - int(self.high < 0)

    def to_dict(self) -> dict[str, Any]:
        """Return the estimate as plain JSON values; what is not a number becomes null."""
        figures = {"value": self.value, "low": self.low, "high": self.high}
        return {name: None if math.isnan(figure) else figure for name, figure in figures.items()}

    @classmethod
    def read(cls, row: Mapping[str, Any], games: int) -> Estimate:
        """Return the estimate that :meth:`to_dict` wrote, with so many games behind it."""
        value, low, high = (math.nan if row[name] is None else row[name] for name in ("value", "low", "high"))
        return cls(value, low, high, games)


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over games that say how a total relates to the units that it is spread over.

    Attributes
    ----------
    games : int
        Games counted; each is one cluster.
    units, units_squared : int
        Units (seats, for instance) in each game, and their squares, summed.
    total, total_squared : int
        What the units of a game got together, and its square, summed.
    product : int
        Units times total of each game, summed.
    """

    games: int = 0
    units: int = 0
    units_squared: int = 0
    total: int = 0
    total_squared: int = 0
    product: int = 0

    def __add__(self, other: Tally) -> Tally:
        """Return the tally of both sets of games."""
        return Tally(
            self.games + other.games,
            self.units + other.units,
            self.units_squared + other.units_squared,
            self.total + other.total,
            self.total_squared + other.total_squared,
            self.product + other.product,
        )


def estimate_ratio(tally: Tally, scale: int = 1, confidence: float = CONFIDENCE) -> Estimate:
    """Estimate the total per unit, with an interval over games.

    Parameters
    ----------
    tally : Tally
        The games. With one unit in every game this is their mean, with the usual t interval.
    scale : int
        What the totals were multiplied by to make them whole numbers.
    confidence : float
        Share of repetitions in which the interval covers the true value.

    Returns
    -------
    Estimate
        In the unit of the totals. No interval if there are fewer than two games.

    Notes
    -----
    The ratio R of two sums over games has the linearised standard error ``sqrt(G/(G-1) * sum(e**2)) / units``,
    where ``e`` is a game's total minus R times its units (W. G. Cochran, *Sampling Techniques*, 3rd ed., 1977,
    chapter 6). Student's t with one degree of freedom less than there are games gives the interval.
    If seats rotate, the games are drawn more evenly than independent ones; the interval is then a little wide.

    Examples
    --------
    Three games in which a strategy holds one, two and one seats that score 20, 50 and 24 VP together:

    >>> estimate = estimate_ratio(Tally(3, 4, 6, 94, 3476, 144))
    >>> f"{estimate.value:.2f} from {estimate.low:.2f} to {estimate.high:.2f}"
    '23.50 from 17.39 to 29.61'

    A seat of that strategy scored 23.50 VP on average, but three games leave anything from 17 to 30 possible.
    """
    games, units = tally.games, tally.units
    if units == 0:
        return Estimate(math.nan, math.nan, math.nan, games)
    value = tally.total / (units * scale)
    if games < 2:
        return Estimate(value, math.nan, math.nan, games)
    # In whole numbers up to here: the difference of large sums would lose digits in floating point.
    squared_residuals = (
        tally.total_squared * units**2 - 2 * tally.total * units * tally.product + tally.total**2 * tally.units_squared
    )
    standard_error = math.sqrt(Fraction(games * squared_residuals, games - 1)) / (units**2 * scale)
    margin = student_t(games - 1, confidence) * standard_error
    return Estimate(value, value - margin, value + margin, games)


def estimate_share(tally: Tally, scale: int = 1, confidence: float = CONFIDENCE) -> Estimate:
    """Estimate a share from 0 to 1 per unit, with an interval over games that stays within these bounds.

    Parameters
    ----------
    tally : Tally
        The games; no unit's share is below 0 or above ``scale``.
    scale : int
        What the shares were multiplied by to make them whole numbers.
    confidence : float
        Share of repetitions in which the interval covers the true value.

    Returns
    -------
    Estimate
        As :func:`estimate_ratio` gives it, cut off at 0 and 1.

    Notes
    -----
    If every game gave 0 or every game gave 1, the spread seen is none, yet the truth may be something else.
    The interval is then that of Clopper and Pearson (Biometrika 26, 1934) for as many games.

    Examples
    --------
    >>> estimate = estimate_share(Tally(100, 100, 100, 0, 0, 0))
    >>> f"{estimate.value:.0%}, at most {estimate.high:.1%}"
    '0%, at most 3.6%'

    Who lost all of 100 games may still be one who wins one game in 28.
    """
    estimate = estimate_ratio(tally, scale, confidence)
    if tally.units and tally.total in (0, tally.units * scale):
        reach = sure(((1 - confidence) / 2) ** (1 / tally.games))
        return Estimate(estimate.value, *((0.0, 1 - reach) if tally.total == 0 else (reach, 1.0)), tally.games)
    if math.isnan(estimate.low):
        return estimate
    return Estimate(estimate.value, max(0.0, estimate.low), min(1.0, estimate.high), tally.games)


def student_t(degrees: int, confidence: float) -> float:
    """Return how many standard errors an interval reaches, by Student's t with so many degrees of freedom."""
    # The module that holds this alone loads far quicker than scipy.stats.
    from scipy.special import stdtrit

    return sure(stdtrit(degrees, (1 + confidence) / 2))
