"""Sums of ratios of what was measured in games, with intervals over games."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from fivetowers_sim.analysis.estimates import CONFIDENCE, Estimate, student_t
from fivetowers_sim.analysis.moments import Moments, Weight

Term = tuple[Weight, Sequence[int], int]
"""A weight, the columns that are added up, and the column of the units that their sum is spread over."""


def estimate_ratios(moments: Moments, terms: Sequence[Term], confidence: float = CONFIDENCE) -> Estimate:
    """Estimate a weighted sum of totals per unit, with an interval over games.

    Parameters
    ----------
    moments : Moments
        The games.
    terms : sequence of (int, float or Fraction, sequence of int, int)
        For each ratio its weight, the columns whose sum is the total, and the column of the units.
    confidence : float
        Share of repetitions in which the interval covers the true value.

    Returns
    -------
    Estimate
        In the columns' unit. Its ``games`` are the fewest units behind any ratio. Not a number if a ratio has no units,
        and without an interval if one has a single unit.

    Notes
    -----
    Each ratio is linearised (W. G. Cochran, *Sampling Techniques*, 3rd ed., 1977, chapter 6): a game contributes its
    total less the ratio times its units, divided by all units. The weighted sum of these contributions is one number a
    game, so ratios over the same games, or over parts of them, keep account of each other. Student's t has one degree
    of freedom less than the fewest units, where a unit is a game or a part of one.

    Examples
    --------
    Five games; in three of them a bid of 2 was possible, and gained 4, 1 and 4 VP:

    >>> moments = Moments.of(np.array([[4, 1], [0, 0], [1, 1], [4, 1], [0, 0]]))
    >>> estimate = estimate_ratios(moments, [(1, [0], 1)])
    >>> f"{estimate.value:.2f} from {estimate.low:.2f} to {estimate.high:.2f}, {estimate.games} games"
    '3.00 from -1.30 to 7.30, 3 games'

    It gained 3 VP where it was possible, but three games leave the sign open.
    """
    units = min(int(moments.sums[unit]) for _, _, unit in terms)
    if units == 0:
        return Estimate(np.nan, np.nan, np.nan, 0)
    used = sorted({column for _, columns, unit in terms for column in (*columns, unit)})
    place = {column: nth for nth, column in enumerate(used)}
    gradient, value = [Fraction(0)] * len(used), Fraction(0)
    for weight, columns, unit in terms:
        spread_over = int(moments.sums[unit])
        ratio = Fraction(sum(int(moments.sums[column]) for column in columns), spread_over)
        value += Fraction(weight) * ratio
        share = Fraction(weight) * Fraction(moments.games, spread_over)
        for column in columns:
            gradient[place[column]] += share
        gradient[place[unit]] -= share * ratio
    if units < 2:
        return Estimate(float(value), np.nan, np.nan, units)
    # As for a mean over the units: with few of them among many games the games' own factor would be too small.
    widened = Fraction(units * (moments.games - 1), (units - 1) * moments.games)
    _, variance = moments.select(used).weigh(gradient)
    margin = student_t(units - 1, confidence) * math.sqrt(variance * widened)
    return Estimate(float(value), float(value) - margin, float(value) + margin, units)
