"""The Great Powers' own arithmetic (rules 6.2 and 6.4)."""

from __future__ import annotations

from fivetowers_sim.compiled import kernel
from fivetowers_sim.rules.cards import CANDY, SCARY, SCRAP
from fivetowers_sim.rules.tables import SCRAP_POWER


@kernel
def fetches_from_one_tower(kind, taken):
    """Rule 6.2: return how many cards of other types can be fetched by building scrap cards from the hand.

    Each scrap card added gives one fetch, and a fetched scrap card uses one and gives one; so what is
    left for other types is one for each scrap card from the hand.
    """
    return taken if kind == SCRAP else 0


@kernel
def has_scrap_power(rules, seat):
    """Rule 6.2: say whether this seat's scrap cards fetch."""
    return rules.powers[seat] & SCRAP_POWER != 0


@kernel
def count_pairs(game, seat):
    """Rule 6.4: count pairs of equal values across the scary and candy towers, each card in one only."""
    pairs = 0
    for value in range(32):
        pairs += min(_copies_in_tower(game, seat, CANDY, value), _copies_in_tower(game, seat, SCARY, value))
    return pairs


@kernel
def _copies_in_tower(game, seat, kind, value):
    copies = 0
    for slot in range(1, game.height[seat, kind] + 1):
        if game.tower[seat, kind, slot] == value:
            copies += 1
    return copies
