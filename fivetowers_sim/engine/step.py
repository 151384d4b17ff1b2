"""The turn loop one step at a time, for whoever wants to look at the table between rounds.

These are the functions that blocks of games are played with, only compiled to be called from Python.
"""

from __future__ import annotations

from fivetowers_sim.compiled import entry_point
from fivetowers_sim.engine.play import play_round, start_game
from fivetowers_sim.rules.scoring import (
    score_cards,
    score_main,
    score_pairs,
    score_teardown,
    score_tops,
    score_total,
)

SCORE_PARTS = ("cards", "tops", "main", "pairs", "teardown", "total")
"""What :func:`step_scores` fills in, in this order."""


@entry_point
def step_start(table, log, seed, number):
    """Deal a game; see :func:`fivetowers_sim.engine.play.start_game`."""
    start_game(table, log, seed, number)


@entry_point
def step_round(table, log):
    """Play one round; see :func:`fivetowers_sim.engine.play.play_round`.

    Returns
    -------
    bool
        Whether the discard pile became a new deck at the end of the round.
    """
    return play_round(table, log)


@entry_point
def step_scores(table, scores):
    """Write what each seat scores if the game ends now.

    Parameters
    ----------
    table : Table
        The game.
    scores : ndarray of int64, shape (players, 6)
        Gets the VP of each seat, by :data:`SCORE_PARTS`.
    """
    rules, game = table.rules, table.game
    for seat in range(rules.players):
        scores[seat, 0] = score_cards(rules, game, seat)
        scores[seat, 1] = score_tops(rules, game, seat)
        scores[seat, 2] = score_main(rules, game, seat)
        scores[seat, 3] = score_pairs(rules, game, seat)
        scores[seat, 4] = score_teardown(rules, game, seat)
        scores[seat, 5] = score_total(rules, game, seat)
