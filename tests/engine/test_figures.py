"""What `greedy` scores on average is what an independent program in another language measured."""

from __future__ import annotations

import math

import pytest

from fivetowers_sim.engine.setup import make_setup
from tests.positions import BASE

GAMES = 60_000
THEIR_GAMES = 300_000
ROUNDING = 0.005

FIGURES = {
    2: ([34.69, 34.30], 22.56),
    3: ([26.19, 25.89, 25.85], 20.21),
    4: ([27.18, 26.92, 26.87, 26.87], 28.30),
    5: ([23.74, 23.57, 23.49, 23.45, 23.48], 26.63),
}
"""By players: mean VP by seat, and mean rounds, of 300,000 games of a C program with the same policy."""


def is_close(values, figure):
    """Say whether a mean lies within four standard errors of a figure, with both programs' errors counted."""
    error = values.std(ddof=1) * math.sqrt(1 / len(values) + 1 / THEIR_GAMES)
    return abs(values.mean() - figure) < 4 * error + ROUNDING


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_greedy_scores_and_plays_as_long_as_the_native_program_says(players):
    tables = make_setup(BASE, players, ["greedy"], seed=80).play(0, GAMES, "games")
    totals = tables["seats"]["total"].reshape(GAMES, players)
    by_seat, rounds = FIGURES[players]
    means = totals.mean(axis=0).round(3).tolist()
    assert [is_close(totals[:, seat], by_seat[seat]) for seat in range(players)] == [True] * players, means
    assert is_close(tables["games"]["rounds"], rounds)
