"""The order and the end of the bidding (rules 3.2, 3.6 to 3.8 and 6.1a)."""

from __future__ import annotations

from fivetowers_sim.compiled import kernel
from fivetowers_sim.rules.tables import TREE_POWER

PASS = -1
"""What a seat that passes says; the starting player's "no cards" is 0."""

NO_LIMIT = 1 << 30
"""Limit of a word when no build of the speaker was cancelled in this round."""


@kernel
def speaker(rules, game, place):
    """Rule 3.2: return the seat that speaks at this place (0 for the starting player)."""
    # Without a division, which would take longer than all the rest.
    seat = game.start + place
    return seat - rules.players if seat >= rules.players else seat


@kernel
def place_of(rules, game, seat):
    """Rule 3.2: return the place (0 for the starting player) at which this seat speaks."""
    place = seat - game.start
    return place + rules.players if place < 0 else place


@kernel
def ends_bidding(rules, game, place, bid):
    """Rules 3.2 and 6.1a: say whether a bid, said at this place, ends the bidding at once.

    One of the display's size does, unless somebody who has yet to speak holds the tree power and may
    go higher; then all the others have their word.
    """
    if bid < game.display_size:
        return False
    for later in range(place + 1, rules.players):
        if rules.powers[speaker(rules, game, later)] & TREE_POWER != 0:
            return False
    return True


@kernel
def apply_next_start(rules, game, winner):
    """Rules 3.7 and 3.8: the seat after the builder starts next; without a builder, the same seat."""
    if winner >= 0:
        game.start = (winner + 1) % rules.players
