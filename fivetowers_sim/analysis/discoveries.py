"""Which of many figures differ from zero for certain, when all of them are looked at, and looked at more than once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from fivetowers_sim.analysis.estimates import Estimate, student_t
from fivetowers_sim.analysis.looks import chance_to_stay_within
from fivetowers_sim.analysis.steady import sure

# Beyond so many standard errors the integral over looks has no digits left, and Boole's bound is as good.
_FAR: Final = 6.0
# What the integral is sure of.
_DECIMALS: Final = 10


def p_value(estimate: Estimate, confidence: float, looks: Sequence[int]) -> float:
    """Return how probable an estimate this far from zero is at any of the looks, if the truth is zero.

    Parameters
    ----------
    estimate : Estimate
        The figure, with an interval made by Student's t.
    confidence : float
        Confidence with which its interval was made.
    looks : sequence of int
        Games at each planned look, rising; one if there was one.

    Returns
    -------
    float
        From 0 to 1; 1 if there is no interval, or a single game behind it.

    Notes
    -----
    With several looks this is the repeated p-value that belongs to Pocock's repeated confidence intervals (C. Jennison
    and B. W. Turnbull, *Group Sequential Methods*, 2000, chapter 9): it holds for whatever reason one stopped.
    """
    from scipy.special import ndtri, stdtr

    if math.isnan(estimate.low) or estimate.games < 2:
        return 1.0
    if estimate.margin <= 0:
        return 1.0 if estimate.value == 0 else 0.0
    degrees = estimate.games - 1
    errors = abs(estimate.value) / (estimate.margin / student_t(degrees, confidence))
    single = sure(2 * stdtr(degrees, -errors))
    if len(looks) == 1 or single >= 1:
        return single
    reach = -float(ndtri(single / 2)) if single > 0 else math.inf
    if reach > _FAR:
        return min(1.0, len(looks) * single)
    return min(1.0, max(single, round(1 - chance_to_stay_within(looks, reach), _DECIMALS)))


def adjust_p_values(p_values: Sequence[float]) -> list[float]:
    """Adjust the p-values of a family, so that among those below a share no more than that share are false findings.

    Parameters
    ----------
    p_values : sequence of float
        One for each figure of the family.

    Returns
    -------
    list of float
        In the same order.

    Notes
    -----
    Y. Benjamini and D. Yekutieli, Annals of Statistics 29, 2001: it holds however the figures hang together, and those
    of one game hang together closely. By ``scipy.stats.false_discovery_control``.

    Examples
    --------
    >>> [round(adjusted, 3) for adjusted in adjust_p_values([0.001, 0.02, 0.6])]
    [0.005, 0.055, 1.0]

    Of three figures, the second would be a finding if it were looked at alone.
    """
    from scipy.stats import false_discovery_control

    if not len(p_values):
        return []
    return [float(adjusted) for adjusted in false_discovery_control(np.asarray(p_values, float), method="by")]
