"""What a build does to the table (rules 2.6, 3.3 to 3.5, 6.1 to 6.3)."""

from __future__ import annotations

import numpy as np

from fivetowers_sim.compiled import kernel
from fivetowers_sim.rules.cards import TREE
from fivetowers_sim.rules.state import BOTTOM_END, FROM_TEARDOWN


@kernel
def apply_payment(game, seat, build):
    """Rule 6.1: pay `build.pay` cards from the top of the tree tower to the discard pile."""
    for paid in range(build.pay):
        height = game.height[seat, TREE]
        card = np.uint8(TREE * 32 + game.tower[seat, TREE, height])
        game.height[seat, TREE] = height - 1
        game.discard[game.discard_size] = card
        game.discard_size += 1
        build.paid_card[paid] = card


@kernel
def apply_teardown(game, seat, kind):
    """Rule 3.4: move the top card of a tower to its owner's teardown pile.

    Returns
    -------
    int
        The card's code.
    """
    height = game.height[seat, kind]
    card = np.uint8(kind * 32 + game.tower[seat, kind, height])
    game.height[seat, kind] = height - 1
    game.pile[seat, game.pile_size[seat]] = card
    game.pile_size[seat] += 1
    return card


@kernel
def apply_placement(game, seat, card, end):
    """Rules 2.2, 2.6 and 6.3: add a card to the top, or slide it under the bottom, of its tower."""
    kind, value = card >> 5, card & 31
    height = game.height[seat, kind] + 1
    game.height[seat, kind] = height
    if end == BOTTOM_END:
        for slot in range(height, 1, -1):
            game.tower[seat, kind, slot] = game.tower[seat, kind, slot - 1]
        game.tower[seat, kind, 1] = value
    else:
        game.tower[seat, kind, height] = value


@kernel
def apply_fetch(game, seat, card):
    """Rule 6.2: take one card of this code out of the teardown pile."""
    last = game.pile_size[seat] - 1
    for i in range(last + 1):
        if game.pile[seat, i] == card:
            game.pile[seat, i] = game.pile[seat, last]
            break
    game.pile_size[seat] = last


@kernel
def apply_build(game, seat, build):
    """Rules 3.3 to 3.5: pay, tear down, then place every card, in the build's order.

    Parameters
    ----------
    game : record of GAME
        Changed; the display is left for the clean-up.
    seat : int
        The builder.
    build : record of BUILD
        A legal build; `paid_card` and `torn_card` are filled in.
    """
    apply_payment(game, seat, build)
    for i in range(build.torn_size):
        build.torn_card[i] = apply_teardown(game, seat, build.torn_kind[i])
    for i in range(build.placed_size):
        card = int(build.placed_card[i])
        if build.placed_from[i] == FROM_TEARDOWN:
            apply_fetch(game, seat, card)
        apply_placement(game, seat, card, build.placed_end[i])
