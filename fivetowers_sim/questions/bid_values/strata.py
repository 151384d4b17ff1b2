"""Kinds of decisions: the stage of the game, the place in the bidding, and what the seat has and is shown."""

from __future__ import annotations

from typing import Final

import numpy as np

from fivetowers_sim.engine.record import NOBODY
from fivetowers_sim.experiments.stages import STAGES, find_stages
from fivetowers_sim.rules.cards import TOWER_TOP, TOWER_TYPES

EVERY: Final = ("all", "all")
"""The stratum of all decisions."""

HIGH_BIDS: Final = ("0", "1", "2", "3", "4 or more")
OWN_TOPS: Final = ("none", "1 to 5", "6 to 10", "11 or more")
FITS: Final = ("0 or 1", "2", "3", "4", "5 or more")

Stratum = tuple[str, str]
"""By what decisions are told apart, and the class."""

TITLES: Final = {
    "stage": "stage of the game",
    "place": "place in the bidding",
    "high_bid": "high bid so far",
    "top": "highest open tower top",
    "fits": "shown cards that fit",
}
"""By what decisions are told apart, in words."""


def name_places(players: int) -> tuple[str, ...]:
    """Name the places in the order of speaking."""
    return ("first", "second", "third", "fourth", "fifth")[:players]


def list_strata(players: int) -> tuple[Stratum, ...]:
    """List all kinds of decisions, :data:`EVERY` first."""
    return (EVERY, *((by, name) for by, names in _classes(players).items() for name in names))


def _classes(players: int) -> dict[str, tuple[str, ...]]:
    return {"stage": STAGES, "place": name_places(players), "high_bid": HIGH_BIDS, "top": OWN_TOPS, "fits": FITS}


def find_strata(decisions: np.ndarray, players: int) -> dict[Stratum, np.ndarray]:
    """Say which decisions are of which kind.

    Parameters
    ----------
    decisions : ndarray of the layout ``decisions``
        Rows, all with a decision.
    players : int
        Seats at a table.

    Returns
    -------
    dict of Stratum to ndarray of bool
        A mask of the rows for each stratum.
    """
    tops = np.stack([decisions[f"{kind}_top"] for kind in TOWER_TYPES]).astype(int)
    highest = np.where((tops == NOBODY) | (tops == TOWER_TOP), 0, tops).max(0)
    numbers = {
        "stage": find_stages(decisions),
        "place": decisions["place"],
        "high_bid": np.minimum(decisions["high_bid"], len(HIGH_BIDS) - 1),
        "top": np.searchsorted([1, 6, 11], highest, side="right"),
        "fits": np.clip(decisions["fits"].astype(int) - 1, 0, len(FITS) - 1),
    }
    found = {
        (by, name): numbers[by] == nth for by, names in _classes(players).items() for nth, name in enumerate(names)
    }
    return {EVERY: np.ones(len(decisions), bool), **found}
