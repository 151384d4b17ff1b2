"""The Great Powers' own arithmetic (rules 6.2 and 6.4)."""

from __future__ import annotations

from fivetowers_sim.compiled import kernel
from fivetowers_sim.rules.cards import CANDY, SCARY


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
