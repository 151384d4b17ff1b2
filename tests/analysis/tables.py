"""Results of tables whose players have known strengths, drawn by the Plackett–Luce model."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement

import numpy as np

from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.analysis.pairs import AHEAD, SHARED, Pairs


def every_lineup(strategies: int, players: int) -> list[tuple[int, ...]]:
    """All line-ups with at least two different strategies."""
    lineups = combinations_with_replacement(range(strategies), players)
    return [lineup for lineup in lineups if len(set(lineup)) > 1]


def draw_luck(random: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Luck with which a strength makes a rank by the Plackett–Luce model: Gumbel's distribution (Yellott, 1977)."""
    return random.gumbel(size=shape)


def count_pairs(lineups: Sequence[tuple[int, ...]], results: Sequence[np.ndarray], strategies: int) -> Pairs:
    """Count who finished ahead of whom; results are, by line-up, how good each seat was on each deal."""
    columns = {pair: column for column, pair in enumerate(combinations(range(strategies), 2))}
    meetings = np.zeros((strategies, strategies), int)
    points = np.zeros((len(results[0]), len(columns)), int)
    for lineup, result in zip(lineups, results, strict=True):
        for one, other in combinations(range(len(lineup)), 2):
            first, second = sorted((one, other), key=lambda seat: lineup[seat])
            pair = lineup[first], lineup[second]
            if pair[0] != pair[1]:
                meetings[pair] += 1
                meetings[pair[::-1]] += 1
                ahead, level = result[:, first] > result[:, second], result[:, first] == result[:, second]
                points[:, columns[pair]] += AHEAD * ahead + SHARED * level
    return Pairs(tuple("abcdefgh"[:strategies]), meetings, Moments.of(points))


def play_lineups(random: np.random.Generator, strengths: np.ndarray, deals: int, players: int, common: float = 0.0):
    """Play every line-up on every deal; with common luck, the same seat is lucky in all line-ups of a deal.

    Returns the line-ups, and by line-up how good each seat was on each deal.
    """
    lineups = every_lineup(len(strengths), players)
    shared = common * random.normal(size=(deals, players))
    results = [strengths[list(lineup)] + draw_luck(random, (deals, players)) + shared for lineup in lineups]
    return lineups, results
