"""Look at an estimate several times and stop when it is precise enough, without promising too much.

Who looks again and again, and stops when an interval pleases, is wrong more often than the interval says. Here the
looks are fixed beforehand, and every look's interval is widened by so much that *all* of them cover the true value
together in the stated share of repetitions. Then the interval at which one stops holds, for whatever reason one
stopped (repeated confidence intervals: C. Jennison and B. W. Turnbull, JRSS B 51, 1989; the same widening at every
look: S. J. Pocock, Biometrika 64, 1977).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from fivetowers_sim.analysis.estimates import CONFIDENCE
from fivetowers_sim.analysis.steady import sure

GROWTH: Final = 1.5
"""Each look is at this many times the games of the look before, so at most a third is played in vain."""

_NODES: Final = 160


def plan_looks(first: int, most: int, multiple: int = 1, growth: float = GROWTH) -> tuple[int, ...]:
    """Fix at which numbers of games to look.

    Parameters
    ----------
    first, most : int
        Games at the first look, and no fewer than so many at the last; at least 1.
    multiple : int
        Every look is at a multiple of this, so that each seating has been played equally often.
    growth : float
        How many times the games of the look before, at least 1.1.

    Returns
    -------
    tuple of int
        Rising numbers of games; the last is the first multiple from ``most`` on.

    Raises
    ------
    ValueError
        If ``growth`` is below 1.1: looks that close to each other need a finer method.
    """
    if growth < 1.1:
        raise ValueError(f"growth is {growth}; accepted is 1.1 or more")
    last = _round_up(most, multiple)
    looks: list[int] = []
    games = float(first)
    while (look := _round_up(games, multiple)) < last:
        looks.append(look)
        games = max(look * growth, look + multiple)
    return (*looks, last)


def _round_up(games: float, multiple: int) -> int:
    return max(1, math.ceil(games / multiple)) * multiple


def look_confidence(looks: Sequence[int], confidence: float = CONFIDENCE) -> float:
    """Return the confidence that each look's interval needs, so that all cover together as often as wanted.

    Parameters
    ----------
    looks : sequence of int
        Games at each look, rising.
    confidence : float
        Share of repetitions in which the intervals of all looks cover the true value.

    Returns
    -------
    float
        To be given to an estimate at each look; ``confidence`` itself if there is one look.

    Notes
    -----
    The standardised estimates at the looks are those of a random walk with normal steps at these numbers of games.
    The chance that it stays within c standard deviations at all looks is integrated look by look (P. Armitage, C. K.
    McPherson and B. C. Rowe, JRSS A 132, 1969) and c is chosen so that it is the confidence. It is exact for means of
    many independent games. Student's t then takes the place of the normal distribution at the same confidence.

    Examples
    --------
    >>> each = look_confidence((100, 200, 300, 400, 500))
    >>> f"{each:.2%}"
    '98.42%'

    Who may stop at any of five looks has to ask for 98.4% at each, to be right 95 times in 100 in the end.
    """
    from scipy.optimize import brentq
    from scipy.special import ndtr, ndtri

    if len(looks) == 1:
        return confidence
    least = float(ndtri((1 + confidence) / 2))
    # With a share of the error for each look, all together make no more than the whole (Boole).
    most = float(ndtri(1 - (1 - confidence) / 2 / len(looks)))
    width = brentq(lambda reach: chance_to_stay_within(looks, reach) - confidence, least, most + 1e-6, xtol=1e-12)
    return sure(2 * ndtr(width) - 1)


def chance_to_stay_within(looks: Sequence[int], reach: float) -> float:
    """Return the chance that an unbiased estimate is within so many standard errors of the truth at every look.

    Parameters
    ----------
    looks : sequence of int
        Games at each look, rising.
    reach : float
        Standard errors.

    Returns
    -------
    float
        From 0 to 1, good to some 13 decimals.
    """
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    bounds = reach * np.sqrt(np.asarray(looks, float) / looks[0])
    steps = np.diff(np.asarray(looks, float) / looks[0])
    sums = bounds[0] * nodes
    density = np.exp(-(sums**2) / 2) / math.sqrt(2 * math.pi)
    mass = bounds[0] * weights * density
    for bound, step in zip(bounds[1:], steps, strict=True):
        reached = bound * nodes
        kernel = np.exp(-((reached[:, None] - sums) ** 2) / (2 * step)) / math.sqrt(2 * math.pi * step)
        sums, mass = reached, bound * weights * (kernel * mass).sum(1)
    return math.fsum(mass)
