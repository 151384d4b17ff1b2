"""What follows from recorded games without being recorded."""

from __future__ import annotations

import numpy as np


def count_untaken(games: np.ndarray, rounds: np.ndarray) -> np.ndarray:
    """Count the cards that displays held and nobody took.

    Parameters
    ----------
    games, rounds : ndarray of records
        The tables ``games`` and ``rounds`` of the same games.

    Returns
    -------
    ndarray of int64, shape (games,)
        Cards.
    """
    ends = np.cumsum(games["rounds"], dtype=np.int64)
    left = np.concatenate([[0], np.cumsum(rounds["display_size"].astype(np.int64) - rounds["taken"])])
    return np.asarray(left[ends] - left[ends - games["rounds"]])
