"""Who leads a game as it goes on: changes of the lead, when the winner is decided, what a lead is worth.

Scores are running: ``scores[game, round, seat]`` is what a seat would have if the game ended after that round. Round 0
is the beginning, and where a game is over its last scores go on to the end of the array.

Measures of this kind describe how uncertain a game stays (C. Browne, *Automatic Generation and Evaluation of
Recombination Games*, PhD thesis, Queensland University of Technology, 2008: lead change, drama, decisiveness).
"""

from __future__ import annotations

import numpy as np


def find_leaders(scores: np.ndarray) -> np.ndarray:
    """Say who has most.

    Parameters
    ----------
    scores : ndarray of int, shape (games, rounds + 1, seats)
        Running scores.

    Returns
    -------
    ndarray of bool, same shape
        Whether a seat leads, alone or with others.
    """
    return np.asarray(scores == scores.max(axis=2, keepdims=True))


def count_lead_changes(leading: np.ndarray) -> np.ndarray:
    """Count how often somebody came to lead alone who wasn't the last to do so.

    Parameters
    ----------
    leading : ndarray of bool, shape (games, rounds + 1, seats)
        As :func:`find_leaders` says.

    Returns
    -------
    ndarray of int64, shape (games,)
        Changes. To come first into the lead is none, and a tie neither is one nor gives up the lead.

    Examples
    --------
    >>> scores = np.array([[[0, 0], [3, 0], [3, 3], [3, 5], [6, 5]]])
    >>> count_lead_changes(find_leaders(scores)).tolist()
    [2]

    The first seat led, the second drew level and passed, and the first took the lead back: two changes.
    """
    alone = np.where(leading.sum(axis=2) == 1, leading.argmax(axis=2), -1)
    changes = np.zeros(len(leading), np.int64)
    last = alone[:, 0].copy()
    for now in alone.T[1:]:
        changes += (now >= 0) & (last >= 0) & (now != last)
        last = np.where(now >= 0, now, last)
    return changes


def find_decided(leading: np.ndarray, won: np.ndarray) -> np.ndarray:
    """Find the round from which a winner led to the end.

    Parameters
    ----------
    leading : ndarray of bool, shape (games, rounds + 1, seats)
        As :func:`find_leaders` says.
    won : ndarray of bool, shape (games, seats)
        Who won in the end, alone or with others.

    Returns
    -------
    ndarray of int64, shape (games,)
        First round after which, and after every later one, a winner was among those who led; 1 if always.

    Examples
    --------
    >>> scores = np.array([[[0, 0], [3, 0], [3, 5], [6, 5]]])
    >>> find_decided(find_leaders(scores), np.array([[True, False]])).tolist()
    [3]

    The winner led early and was passed; only after round 3 was it decided.
    """
    behind = ~(leading & won[:, None, :]).any(axis=2)
    rounds = np.arange(leading.shape[1])
    return np.asarray(np.maximum(np.where(behind, rounds, 0).max(axis=1) + 1, 1), np.int64)


def share_out(shares: np.ndarray, chosen: np.ndarray, scale: int) -> np.ndarray:
    """Give the mean share of the victory of the chosen seats, as a whole number.

    Parameters
    ----------
    shares : ndarray of int, shape (games, seats)
        Each seat's share of the victory, times some whole number.
    chosen : ndarray of bool, shape (games, seats)
        The seats, at least one in each game.
    scale : int
        What to multiply by: a multiple of every possible number of chosen seats.

    Returns
    -------
    ndarray of int64, shape (games,)
        The mean share of the chosen, times that number and ``scale``.
    """
    return np.asarray((shares * chosen).sum(axis=1) * (scale // chosen.sum(axis=1)), np.int64)


def scores_after(scores: np.ndarray, rounds: np.ndarray, part: tuple[int, int]) -> np.ndarray:
    """Give the scores after a part of each game.

    Parameters
    ----------
    scores : ndarray of int, shape (games, rounds + 1, seats)
        Running scores.
    rounds : ndarray of int, shape (games,)
        How many rounds each game had.
    part : tuple of (int, int)
        Numerator and denominator of the part; the round is rounded down.

    Returns
    -------
    ndarray of int, shape (games, seats)
        Scores.
    """
    numerator, denominator = part
    return np.asarray(scores[np.arange(len(scores)), rounds.astype(np.int64) * numerator // denominator])
