"""Who sits at which table, in which order: the circles that some strategies can form.

A circle is an order round the table. Seats rotate, so that in the course of the deals it is played from every
beginning; where it begins on the first deal is chosen such that on each deal every strategy sits in every seat about
equally often, some in one circle and some in another, and the luck of a seat cancels out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations
from typing import Final

import numpy as np

from fivetowers_sim.analysis.equilibrium import Lineup

Circle = tuple[int, ...]
"""Strategies by their numbers in the order of play, beginning in seat 0 with the first deal."""

MOST_CIRCLES: Final = 1000
"""Above this, a balanced selection is played: more circles cost time before each has had a fair number of games."""


@dataclass(frozen=True, slots=True)
class Circles:
    """The circles to be played.

    Attributes
    ----------
    played : tuple of Circle
        They, each once.
    lineups : int
        Line-ups of at least two different strategies there are, played or not.
    every_lineup, every_order : bool
        Whether all line-ups are played, and each in all of its orders.
    """

    played: tuple[Circle, ...]
    lineups: int
    every_lineup: bool = True
    every_order: bool = True

    @property
    def lineups_played(self) -> int:
        """How many line-ups are played."""
        return len({tuple(sorted(circle)) for circle in self.played})


def list_circles(strategies: int, players: int, most: int = MOST_CIRCLES) -> Circles:
    """List all circles that have at least two different strategies, or a balanced selection if there are too many.

    Parameters
    ----------
    strategies : int
        How many there are to choose from, at least 2. Each may be seated more than once.
    players : int
        Seats at the table.
    most : int
        Most circles to be played; for a selection of line-ups, where one family of them is more, that family.

    Returns
    -------
    Circles
        All of them, or the selection.

    Notes
    -----
    If all circles are too many, each line-up is played in one order and in the opposite one, so that of two neighbours
    either speaks right after the other equally often.

    If these are too many as well, line-ups are chosen by a cyclic design (J. A. John, JRSS B 28, 1966): line-ups of
    different strategies only, and with each all that come of it by adding 1 to every strategy's number, again and
    again, where the first follows the last. So every strategy plays equally often. Line-ups are added one family after
    the other such that strategies meet each other as evenly as they can.

    Examples
    --------
    >>> len(list_circles(3, 3).played)
    8

    Three different players can sit in two orders, a pair and a third in one, and of those there are six.
    """
    lineups = math.comb(strategies + players - 1, players) - strategies
    if lineups * 2 > most and _count_circles(strategies, players) > most:
        both = (order for lineup in _choose_lineups(strategies, players, most // 2) for order in two_ways(lineup))
        return Circles(spread_beginnings(both), lineups, every_lineup=False, every_order=False)
    every = [lineup for lineup in combinations_with_replacement(range(strategies), players) if len({*lineup}) > 1]
    if _count_circles(strategies, players) > most:
        # Not the first order of each, or those with small numbers would always sit together.
        orders = [_arrange(lineup) for lineup in every]
        both = (way for nth, ways in enumerate(orders) for way in two_ways(ways[nth % len(ways)]))
        return Circles(spread_beginnings(both), lineups, every_order=False)
    return Circles(spread_beginnings(circle for lineup in every for circle in _arrange(lineup)), lineups)


def _count_circles(strategies: int, players: int) -> int:
    """Count circles by Burnside's lemma: a turn by k seats leaves those with period gcd(k, seats)."""
    fixed = sum(strategies ** math.gcd(turn, players) for turn in range(players))
    return fixed // players - strategies


def _arrange(lineup: Lineup) -> list[Circle]:
    return sorted({_turn(order) for order in permutations(lineup)})


def two_ways(order: Circle) -> tuple[Circle, ...]:
    """Return an order and the opposite one, or only one if they are the same circle."""
    return tuple(dict.fromkeys((_turn(order), _turn(order[::-1]))))


def _turn(order: Circle) -> Circle:
    """Return the circle of an order: the beginning that sorts first."""
    return min(order[start:] + order[:start] for start in range(len(order)))


def spread_beginnings(circles: Iterable[Circle]) -> tuple[Circle, ...]:
    """Begin each circle where its strategies have sat least often so far."""
    sat: Counter[tuple[int, int]] = Counter()
    begun = []
    for circle in circles:
        orders = [circle[start:] + circle[:start] for start in range(len(circle))]
        order = min(orders, key=lambda order: sum(sat[place] for place in enumerate(order)))
        sat.update(enumerate(order))
        begun.append(order)
    return tuple(begun)


def _choose_lineups(strategies: int, players: int, most: int) -> list[Lineup]:
    """Choose line-ups, whole families at a time, until another family would be too many; at least one."""
    bases = [(0, *others) for others in combinations(range(1, strategies), players - 1)]
    apart = np.array([_distances(base, strategies) for base in bases])
    chosen: dict[Lineup, None] = {}
    met = np.zeros(apart.shape[1], np.int64)
    open_to_choice = np.ones(len(bases), bool)
    while open_to_choice.any():
        # The variance times a whole number, so that equal ones are equal.
        meetings = met + apart
        unevenness = meetings.shape[1] * (meetings**2).sum(1) - meetings.sum(1) ** 2
        best = int(np.where(open_to_choice, unevenness, np.iinfo(np.int64).max).argmin())
        family = {_shift(bases[best], by, strategies): None for by in range(strategies)}
        if chosen and len(chosen) + len(family) > most:
            break
        chosen |= family
        met += apart[best]
        # Other bases of the same family.
        open_to_choice &= np.array([_shift(base, 0, strategies) not in chosen for base in bases])
    return list(chosen)


def _distances(lineup: Lineup, strategies: int) -> np.ndarray:
    """Count how far apart the strategies of a line-up are, for distances 1 to half of all, per pair at it."""
    counts = np.zeros(strategies // 2, np.int64)
    for first, second in combinations(lineup, 2):
        apart = (second - first) % strategies
        counts[min(apart, strategies - apart) - 1] += 1
    if strategies % 2 == 0:
        # There are only half as many pairs of strategies at this distance.
        counts[-1] *= 2
    return counts


def _shift(lineup: Lineup, by: int, strategies: int) -> Lineup:
    return tuple(sorted((strategy + by) % strategies for strategy in lineup))
