"""Whether "finishes ahead of" is an order, or goes round in a circle."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

from fivetowers_sim.analysis.estimates import CONFIDENCE
from fivetowers_sim.analysis.pairs import Pairs

CYCLE: Final = "cycle"
ORDER: Final = "order"
OPEN: Final = "open"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the pairs say about an order.

    Attributes
    ----------
    kind : str
        ``cycle``: some players beat each other in a circle. ``order``: whatever the undecided pairs turn out to be,
        there is no circle. ``open``: none was found, but undecided pairs leave room for one.
    cycle : tuple of int
        Players of a shortest circle, each ahead of the next and the last ahead of the first; empty if there is none.
    undecided : tuple of (int, int)
        Pairs whose interval holds one half, and pairs who never met.
    pairs : int
        Pairs looked at.
    confidence : float
        Share of repetitions in which no pair is decided the wrong way.
    """

    kind: str
    cycle: tuple[int, ...]
    undecided: tuple[tuple[int, int], ...]
    pairs: int
    confidence: float


def find_cycle(pairs: Pairs, confidence: float = CONFIDENCE, each: float | None = None) -> Verdict:
    """Find out whether players beat each other in a circle.

    Parameters
    ----------
    pairs : Pairs
        How often each player finished ahead of each.
    confidence : float
        Share of repetitions in which no pair is decided the wrong way.
    each : float, optional
        Confidence of one pair's interval that comes to that. That of Bonferroni if not given; more is needed if
        somebody looks several times (:func:`~fivetowers_sim.analysis.looks.look_confidence` of
        :func:`pair_confidence`).

    Returns
    -------
    Verdict
        What was found.

    Notes
    -----
    A pair counts as decided if the interval of its share doesn't hold one half. A circle needs all of its pairs, so
    the intervals are such that they hold for all pairs together.

    Examples
    --------
    With three players of whom each finishes ahead of the next in 60% of 10,000 meetings, every interval is some 60%
    ± 1.2: a circle. If the third and the first were at 50.5% ± 1.2, the verdict would be ``open``.
    """
    players = len(pairs.names)
    shares = pairs.estimate(pair_confidence(players, confidence) if each is None else each)
    beats = np.zeros((players, players), bool)
    for (first, second), share in shares.items():
        beats[first, second] = share.low > 0.5
    undecided = tuple(
        (first, second)
        for first, second in zip(*np.triu_indices(players, 1), strict=True)
        if not (beats[first, second] or beats[second, first])
    )
    cycle = _shortest_cycle(beats)
    kind = CYCLE if cycle else OPEN if _leaves_room(beats, undecided) else ORDER
    return Verdict(kind, cycle, tuple((int(a), int(b)) for a, b in undecided), math.comb(players, 2), confidence)


def pair_confidence(players: int, confidence: float = CONFIDENCE) -> float:
    """Return the confidence for one pair with which the intervals of all pairs hold together (Bonferroni)."""
    return 1 - (1 - confidence) / math.comb(players, 2)


def describe_cycle(verdict: Verdict, names: Sequence[str] | Mapping[int, str]) -> str:
    """Say in a sentence what was found.

    Parameters
    ----------
    verdict : Verdict
        What was found.
    names : sequence or mapping of str
        What to call the players.

    Returns
    -------
    str
        With a full stop.
    """
    sure = f"({verdict.confidence:.0%} confidence for all {verdict.pairs} pairs together)"
    if verdict.kind == CYCLE:
        circle = " ahead of ".join(names[player] for player in (*verdict.cycle, verdict.cycle[0]))
        return f"The order goes round in a circle: {circle} {sure}."
    level = len(verdict.undecided)
    left = f"{level} {'pair is' if level == 1 else 'pairs are'} too close to call"
    if verdict.kind == ORDER:
        return f"The order has no circle{f'; {left}' if level else ''} {sure}."
    return f"No circle was found, but there may be one: {left} {sure}."


def _shortest_cycle(beats: np.ndarray) -> tuple[int, ...]:
    """Return a shortest circle, beginning with its first player, or nothing."""
    players = range(len(beats))
    best: tuple[int, ...] = ()
    for start in players:
        path = _shortest_way(beats, start)
        if path and (not best or len(path) < len(best)):
            best = path
    return best


def _shortest_way(beats: np.ndarray, start: int) -> tuple[int, ...]:
    """Return the shortest way from a player back to itself, breadth first."""
    ways = [(start,)]
    seen = {start}
    for way in ways:
        for follower in np.flatnonzero(beats[way[-1]]):
            if follower == start:
                return way
            if int(follower) not in seen:
                seen.add(int(follower))
                ways.append((*way, int(follower)))
    return ()


def _leaves_room(beats: np.ndarray, undecided: Sequence[tuple[int, int]]) -> bool:
    """Say whether there could be a circle of three or more if undecided pairs went the way that suits it."""
    from scipy.sparse.csgraph import connected_components

    possible = beats.copy()
    for first, second in undecided:
        possible[first, second] = possible[second, first] = True
    _, group = connected_components(possible, directed=True, connection="strong")
    # In a group of three or more where every two are linked, some circle goes through three.
    return bool(np.bincount(group).max() >= 3) and any(
        possible[a, b] and possible[b, c] and possible[c, a]
        for a, b, c in product(range(len(beats)), repeat=3)
        if len({a, b, c}) == 3
    )
