"""The stage of the game at which a decision is: by rounds played and to come."""

from __future__ import annotations

from typing import Final

import numpy as np

STAGES: Final = ("first third", "middle third", "last third")


def find_stages(decisions: np.ndarray) -> np.ndarray:
    """Return the number of each decision's stage.

    Parameters
    ----------
    decisions : ndarray of the layout ``decisions``
        Rows, all with a decision.

    Returns
    -------
    ndarray of int
        Places in :data:`STAGES`.
    """
    rounds = decisions["round"].astype(int)
    in_all = np.maximum(rounds + decisions["rounds_to_come"], 1)
    return np.minimum(len(STAGES) * (rounds - 1) // in_all, len(STAGES) - 1)
