"""The weights of a network that judges a table between two rounds; ``judge.py`` says how they are used."""

from __future__ import annotations

import numpy as np

from fivetowers_sim.compiled import ROW
from fivetowers_sim.rules.state import TYPES
from fivetowers_sim.rules.tables import MAX_SEATS

HIDDEN = ROW
TOWER_NUMBERS = 6
TYPE_NUMBERS = 4
SEAT_NUMBERS = 7
GAME_NUMBERS = 4

NET = np.dtype(
    [
        # First layer, for a type: by place and top card; by place, for numbers of the tower; by value, for a card to
        # come and a second one; numbers of the type; and by type.
        ("top", "f4", (MAX_SEATS, 32, HIDDEN)),
        ("tower", "f4", (MAX_SEATS, TOWER_NUMBERS, HIDDEN)),
        ("once", "f4", (32, HIDDEN)),
        ("twice", "f4", (32, HIDDEN)),
        ("kind_number", "f4", (TYPE_NUMBERS, HIDDEN)),
        ("kind", "f4", (TYPES, HIDDEN)),
        # Second layer: of the sum over types, numbers of each place, numbers of the game.
        ("joined", "f4", (HIDDEN, HIDDEN)),
        ("seat", "f4", (MAX_SEATS, SEAT_NUMBERS, HIDDEN)),
        ("game", "f4", (GAME_NUMBERS, HIDDEN)),
        ("bias", "f4", (HIDDEN,)),
        # Third layer: one number for each place.
        ("out", "f4", (MAX_SEATS, HIDDEN)),
        ("out_bias", "f4", (MAX_SEATS,)),
    ],
    align=True,
)
"""The weights."""

BY_PLACE = ("top", "tower", "seat", "out", "out_bias")
"""Those that there are for each place in the order of speaking."""
