"""How much of what a set of things is worth each of them, and each two of them together, account for.

All weights are for the worth of every set, a set being numbered by its bits: thing 0 is in the sets with odd numbers.
"""

from __future__ import annotations

from fractions import Fraction
from math import factorial

import numpy as np


def shapley_weights(things: int, own: int) -> np.ndarray:
    """Return by what to multiply the worth of every set to get the Shapley value of one thing.

    Parameters
    ----------
    things : int
        How many there are.
    own : int
        Which of them.

    Returns
    -------
    ndarray of Fraction, shape (2**things,)
        Weights that sum to 0. Over all things they sum to 1 for the set of all, -1 for the empty set, and else 0.

    Notes
    -----
    What the thing adds to the sets without it, averaged over the orders in which all might be added one by one (L. S.
    Shapley, *A value for n-person games*, 1953).

    Examples
    --------
    Two things, worth 1 and 2 alone and 5 together; the Shapley value of the first is the mean of 1 - 0 and 5 - 2:

    >>> float(shapley_weights(2, 0) @ [0, 1, 2, 5])
    2.0
    """
    weights = np.full(1 << things, Fraction(0), object)
    for members in range(1 << things):
        if not members >> own & 1:
            size = members.bit_count()
            share = Fraction(factorial(size) * factorial(things - size - 1), factorial(things))
            weights[members | 1 << own] += share
            weights[members] -= share
    return weights


def interaction_weights(things: int, one: int, other: int) -> np.ndarray:
    """Return by what to multiply the worth of every set to get the Shapley interaction of two things.

    Parameters
    ----------
    things : int
        How many there are, at least 2.
    one, other : int
        Two different ones.

    Returns
    -------
    ndarray of Fraction, shape (2**things,)
        Weights that sum to 0.

    Notes
    -----
    How much more both add to a set than each of them adds by itself, averaged over the sets without them (M. Grabisch
    and M. Roubens, International Journal of Game Theory 28, 1999). Above 0 they help each other.

    Examples
    --------
    >>> float(interaction_weights(2, 0, 1) @ [0, 1, 2, 5])
    2.0
    """
    weights = np.full(1 << things, Fraction(0), object)
    for members in range(1 << things):
        if not (members >> one & 1 or members >> other & 1):
            size = members.bit_count()
            share = Fraction(factorial(size) * factorial(things - size - 2), factorial(things - 1))
            for added, sign in ((0, 1), (1 << one, -1), (1 << other, -1), (1 << one | 1 << other, 1)):
                weights[members | added] += sign * share
    return weights
