"""The state of a game: one record, so that a fork of a game is one copy.

Towers are stored from slot 1 up; slot 0 holds :data:`EMPTY`. So the top card of a tower is always
``tower[seat, kind, height]``, and below *n* cards torn down it is ``tower[seat, kind, height - n]``.
"""

from __future__ import annotations

import numpy as np

from fivetowers_sim.rules.cards import EMPTY, TOWER_TYPES
from fivetowers_sim.rules.ruleset import MAX_DISPLAY
from fivetowers_sim.rules.tables import MAX_CARDS, MAX_SEATS

TYPES = len(TOWER_TYPES)
MAX_TOWER = MAX_CARDS // TYPES
"""Most cards that a tower can hold; its slots are one more."""

GAME = np.dtype(
    [
        ("seed", "u8"),
        ("number", "i8"),
        # 1 for the first round.
        ("round", "i8"),
        # Seat that speaks first in this round.
        ("start", "i8"),
        # How often the deck has run out.
        ("deck_pass", "i8"),
        ("over", "i8"),
        ("deck_size", "i8"),
        # Position in the deck of the next card to reveal.
        ("deck_next", "i8"),
        ("discard_size", "i8"),
        ("display_size", "i8"),
        # Streams of the seats' own decisions: key, and how many numbers were drawn.
        ("noise_key", "u8", (MAX_SEATS,)),
        ("noise_count", "u8", (MAX_SEATS,)),
        ("height", "i8", (MAX_SEATS, TYPES)),
        ("pile_size", "i8", (MAX_SEATS,)),
        # Display, deck, discard pile and teardown piles hold card codes.
        ("display", "u1", (MAX_DISPLAY + 1,)),
        ("deck", "u1", (MAX_CARDS,)),
        ("discard", "u1", (MAX_CARDS,)),
        ("pile", "u1", (MAX_SEATS, MAX_CARDS)),
        # Values, bottom to top, from slot 1.
        ("tower", "u1", (MAX_SEATS, TYPES, MAX_TOWER + 1)),
    ],
    align=True,
)

MAX_BID = MAX_DISPLAY + MAX_TOWER
"""No bid is above this: a whole display, and a whole tree tower paid."""

MAX_PLACED = 72
"""Most cards that one build can place: a display, and what it fetches from the teardown pile."""

FROM_HAND, FROM_TEARDOWN = 0, 1
TOP_END, BOTTOM_END = 0, 1

BUILD = np.dtype(
    [
        # What was bid for it; 0 when there is no build.
        ("bid", "i8"),
        # Display positions taken, as bits.
        ("take", "i8"),
        ("pay", "i8"),
        # Tower types torn down, in order; the cards are filled in when the build is applied.
        ("torn_size", "i8"),
        ("torn_kind", "i8", (4,)),
        ("torn_card", "u1", (4,)),
        ("paid_card", "u1", (MAX_TOWER + 1,)),
        # Placements in order: card code, end of the tower, and where the card came from.
        ("placed_size", "i8"),
        ("placed_card", "u1", (MAX_PLACED,)),
        ("placed_end", "u1", (MAX_PLACED,)),
        ("placed_from", "u1", (MAX_PLACED,)),
    ],
    align=True,
)
"""A build (rules 3.4, 3.5, 6.1 to 6.3): everything the winner of a bidding does with the cards."""


def new_games(count: int = 1) -> np.ndarray:
    """Return records for this many games, with empty towers.

    Parameters
    ----------
    count : int, optional
        How many.

    Returns
    -------
    ndarray of GAME, shape (count,)
        The records.
    """
    games = np.zeros(count, GAME)
    games["tower"][..., 0] = EMPTY
    return games
