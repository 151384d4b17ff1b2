"""How much of the variance of a result is due to chance and how much to what was crossed with it.

Every deal is played in every *cell*, one for each combination of the levels of some factors, seat and strategy for
instance. The variance of the result over deals and cells, all equally likely, is then a sum of one part for each set
of factors: of what the cells' means tell about these factors, and of what changes from deal to deal with them. The
first set of all is the empty one: what a deal changes in all cells alike.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from itertools import chain, combinations
from operator import mul
from typing import Final

import numpy as np

from fivetowers_sim.analysis.estimates import CONFIDENCE, Estimate, student_t
from fivetowers_sim.analysis.moments import Moments

DEALS: Final = "deal"
"""What chance is called in the names of parts."""


@dataclass(frozen=True)
class Crossing:
    """Factors that are crossed with each other and with the deals.

    Attributes
    ----------
    levels : mapping of str to int
        Levels of each factor. Cells are in the order of :func:`numpy.ravel`, the last factor's levels next to each
        other.
    """

    levels: Mapping[str, int]

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return int(np.prod([*self.levels.values()], dtype=int))

    @cached_property
    def factors(self) -> tuple[tuple[str, ...], ...]:
        """Every set of factors that have more than one level, smaller ones first."""
        varied = [name for name, levels in self.levels.items() if levels > 1]
        return tuple(chain.from_iterable(combinations(varied, size) for size in range(len(varied) + 1)))

    def quadratic(self, factors: tuple[str, ...]) -> np.ndarray:
        """Return the matrix of whole numbers that measures a set of factors in a row of cells.

        Parameters
        ----------
        factors : tuple of str
            One of :attr:`factors`.

        Returns
        -------
        ndarray of int64, shape (cells, cells)
            The number of cells times the projection on what these factors do together and no fewer of them.
        """
        pieces = []
        for name, levels in self.levels.items():
            mean = np.ones((levels, levels), np.int64)
            pieces.append(levels * np.eye(levels, dtype=np.int64) - mean if name in factors else mean)
        return reduce(np.kron, pieces)

    def measure(self, cells: np.ndarray) -> np.ndarray:
        """Work out what has to be summed over deals besides the cells, for the parts and their intervals.

        Parameters
        ----------
        cells : ndarray of int, shape (deals, cells)
            The result of each deal in each cell.

        Returns
        -------
        ndarray of int64, shape (deals, sets of factors)
            The number of cells times the squared length of each projection.
        """
        rows = cells.astype(np.int64)
        return np.column_stack([((rows @ self.quadratic(one)) * rows).sum(axis=1) for one in self.factors])


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the variance.

    Attributes
    ----------
    name : str
        Such as ``seat``, ``deal`` or ``deal x seat``.
    variance : Estimate
        In the square of the result's unit. Unbiased, so a small part may come out below 0.
    share : Estimate
        Of the whole variance.
    """

    name: str
    variance: Estimate
    share: Estimate


def name_part(factors: tuple[str, ...], with_deals: bool) -> str:
    """Return a part's name."""
    return " x ".join(((DEALS,) if with_deals else ()) + factors)


def split_variance(moments: Moments, crossing: Crossing, confidence: float = CONFIDENCE) -> tuple[Part, ...]:
    """Split the variance of a result over deals and cells into its parts.

    Parameters
    ----------
    moments : Moments
        Of the cells' columns, followed by what :meth:`Crossing.measure` gives; two deals at least.
    crossing : Crossing
        What was crossed.
    confidence : float
        Share of repetitions in which an interval covers the true value.

    Returns
    -------
    tuple of Part
        What the factors do, then what they do with the deals. The last is ``total``.

    Notes
    -----
    This is the analysis of variance of a crossed design with one random factor, the deal, and fixed ones (S. R. Searle,
    G. Casella and C. E. McCulloch, *Variance Components*, 1992, chapter 4), written as projections: with covariance S
    of the cells over deals, means m and projection P of rank r on a set of factors, the parts are ``tr(P S)`` and
    ``m'P m``, each divided by the number of cells. The second is taken less ``tr(P S)`` over the number of deals, by
    which chance inflates it. Intervals follow from the spread over deals of what enters (delta method). They are poor
    for parts near 0, whose estimates are skewed.

    Examples
    --------
    Two seats on four deals; the second seat gets 2 VP more, and the deals differ by much more:

    >>> cells = np.array([[10, 12], [20, 22], [31, 33], [40, 42]])
    >>> crossing = Crossing({"seat": 2})
    >>> parts = split_variance(Moments.of(np.hstack([cells, crossing.measure(cells)])), crossing)
    >>> [(part.name, round(part.variance.value, 2)) for part in parts]
    [('seat', 1.0), ('deal', 170.25), ('deal x seat', 0.0), ('total', 171.25)]

    The seat makes less than a hundredth of the variance; nearly all of it is the deal, the same for both.
    """
    cells, deals = crossing.cells, moments.games
    sums = [int(total) for total in moments.sums]
    fixed, random = [], []
    for place, factors in enumerate(crossing.factors):
        quadratic = crossing.quadratic(factors).tolist()
        # The cells' means, projected and squared: what these factors explain of them.
        projected = [sum(map(mul, row, sums)) for row in quadratic]
        explained = Fraction(sum(map(mul, projected, sums)), cells * deals**2)
        chance = (Fraction(sums[cells + place], cells * deals) - explained) * Fraction(deals, (deals - 1) * cells)
        slope = [Fraction(0)] * len(sums)
        slope[:cells] = [Fraction(2 * one, cells**2 * deals) for one in projected]
        if factors:
            fixed.append((name_part(factors, False), explained / cells - chance / deals, slope))
        slope = [-one for one in slope]
        slope[cells + place] = Fraction(1, cells**2)
        random.append((name_part(factors, True), chance, slope))
    return _with_shares([*fixed, *random], moments, confidence)


def _with_shares(
    parts: list[tuple[str, Fraction, list[Fraction]]], moments: Moments, confidence: float
) -> tuple[Part, ...]:
    reach = student_t(moments.games - 1, confidence)

    def estimate(value: Fraction, slope: Sequence[Fraction]) -> Estimate:
        margin = reach * math.sqrt(moments.weigh(slope)[1])
        return Estimate(float(value), float(value) - margin, float(value) + margin, moments.games)

    total = sum((value for _, value, _ in parts), Fraction(0))
    whole = [sum(slopes, Fraction(0)) for slopes in zip(*(slope for *_, slope in parts), strict=True)]
    split = []
    for name, value, slope in [*parts, ("total", total, whole)]:
        share = Estimate(np.nan, np.nan, np.nan, moments.games)
        if total > 0:
            tilt = [(one - value / total * all_of_it) / total for one, all_of_it in zip(slope, whole, strict=True)]
            share = estimate(value / total, tilt)
        split.append(Part(name, estimate(value, slope), share))
    return tuple(split)
