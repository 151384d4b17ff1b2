"""Value tables made by hand, of which the best word can be worked out on paper."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fivetowers_sim.rules.cards import EMPTY, TOWER_TOP
from fivetowers_sim.rules.state import TYPES
from fivetowers_sim.strategies.mind import ZERO_LEVELS
from fivetowers_sim.strategies.value_files import write_tables
from fivetowers_sim.strategies.value_tables import ValueTables

TORN = -50.0
"""VP of a torn card: nobody tears down."""


def hand_made(tops: dict[int, float]) -> ValueTables:
    """Return tables of one stage: 1 VP for a card, 2 under a top, these VP for top cards, nothing else."""
    card = np.full((1, TYPES, ZERO_LEVELS, 32), 1.0)
    card[..., TOWER_TOP] = 2.0
    card[..., EMPTY] = 0.0
    top = np.zeros_like(card)
    for value, vp in tops.items():
        top[..., value] = vp
    return ValueTables(
        stage_starts=(1,),
        top=top,
        card=card,
        fit=np.zeros_like(card),
        main=np.zeros((1, 25)),
        teardown=TORN * np.arange(16)[None, :],
        provenance={"made": "by hand"},
    )


def save(tables: ValueTables, folder: Path) -> str:
    """Write tables into a file and return the strategy that plays by them."""
    path = folder / "by-hand.json"
    path.write_text(write_tables(tables, 15), encoding="utf-8")
    return path.as_posix()
