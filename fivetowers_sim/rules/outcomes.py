"""Every way one tower can come out of a build (rules 2.2 to 2.6, 3.5, 6.2 and 6.3).

Cards of different types don't get in each other's way: a build can be planned tower by tower. All
that ties the towers together are counts: cards taken, cards torn down, tree cards paid, and fetches.
A scrap card from the hand gives one fetch to another tower; a fetched scrap card uses one fetch and
gives one, so any number of scrap cards can be fetched once a scrap card from the hand lies.

An outcome is told by its result, not by the order that led to it: identical copies are used in
order, those from the hand before those from the teardown pile.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fivetowers_sim.compiled import kernel, rare_kernel
from fivetowers_sim.rules.cards import EMPTY, SAND, SCRAP, TOWER_TOP
from fivetowers_sim.rules.legal import legal_placement, legal_placement_below
from fivetowers_sim.rules.state import BOTTOM_END, FROM_HAND, FROM_TEARDOWN, TOP_END
from fivetowers_sim.rules.tables import SAND_POWER, SCRAP_POWER

MAX_LOOSE = 60
"""Most cards of one type that can be in hand and teardown pile together."""

WALK = np.dtype(
    [
        ("kind", "i8"),
        # The cards that may be placed: first those shown, then those of the teardown pile; each part by value.
        ("cards", "i8"),
        ("from_hand", "i8"),
        ("value", "i8", (MAX_LOOSE,)),
        # Display position of a shown card.
        ("position", "i8", (MAX_LOOSE,)),
        # Whether there are two of a value; then, bits of cards that must, or must not, be placed before this one.
        ("copies", "i8"),
        ("after", "i8", (MAX_LOOSE,)),
        ("before", "i8", (MAX_LOOSE,)),
        # Where the walk builds, and with how many fetches at most.
        ("end", "i8"),
        ("most_fetched", "i8"),
        # The tower before: its height, and the slots of the game's record.
        ("height", "i8"),
        # The outcome: cards placed in order, as numbers; the tower's end after each; and counts.
        ("started", "i8"),
        ("placed", "i8"),
        ("order", "i8", (MAX_LOOSE,)),
        ("end_value", "i8", (MAX_LOOSE + 1,)),
        ("used", "i8"),
        ("taken", "i8"),
        ("fetched", "i8"),
    ],
    align=True,
)
"""The state of a walk through a tower's outcomes."""


class Desk(NamedTuple):
    """A game without players: what is needed to say what is legal.

    Attributes
    ----------
    rules : record of RULES
        The rule set.
    game : record of GAME
        The game.
    display : record of DISPLAY
        What of the display can be built where.
    """

    rules: Any
    game: Any
    display: Any


@rare_kernel
def start_walk(desk, walk, seat, task):
    """Set a walk up.

    Parameters
    ----------
    desk : Desk
        Rules, game and display.
    walk : record of WALK
        Overwritten.
    seat : int
        Who builds.
    task : tuple of six int
        Tower type, tree cards paid from it, cards torn down from it, end of the tower, bits of Great
        Powers used, and whether tower tops are not to be built.

    Notes
    -----
    With `end` at the bottom the walk has outcomes that differ from those at the top only.
    """
    kind, paid, torn, end, powers, never_close = task
    game, display = desk.game, desk.display
    walk.kind = kind
    walk.end = end
    walk.height = game.height[seat, kind] - paid - torn
    walk.started = 0
    walk.placed = 0
    walk.used = 0
    walk.taken = 0
    walk.fetched = 0
    walk.cards = 0
    if paid == 0:
        for nth in range(display.kind_size[kind]):
            if not (never_close and display.kind_value[kind, nth] == TOWER_TOP):
                add_loose_card(walk, 0, display.kind_value[kind, nth], display.kind_position[kind, nth])
    walk.from_hand = walk.cards
    walk.most_fetched = 0
    if powers & SCRAP_POWER != 0 and display.kind_size[SCRAP] > 0:
        walk.most_fetched = MAX_LOOSE if kind == SCRAP else display.kind_size[SCRAP]
        for i in range(game.pile_size[seat]):
            if game.pile[seat, i] >> 5 == kind:
                add_loose_card(walk, walk.from_hand, int(game.pile[seat, i]) & 31, -1)
        for nth in range(torn):
            add_loose_card(walk, walk.from_hand, int(game.tower[seat, kind, walk.height + 1 + nth]), -1)
    walk.copies = has_copies(walk)
    if walk.copies:
        order_copies(walk)
    if end == BOTTOM_END:
        walk.end_value[0] = int(game.tower[seat, kind, 1])
    else:
        walk.end_value[0] = int(game.tower[seat, kind, walk.height])


@kernel
def add_loose_card(walk, first, value, position):
    """Insert a card by value among those from number `first` on."""
    slot = walk.cards
    while slot > first and walk.value[slot - 1] > value:
        walk.value[slot] = walk.value[slot - 1]
        walk.position[slot] = walk.position[slot - 1]
        slot -= 1
    walk.value[slot] = value
    walk.position[slot] = position
    walk.cards += 1


@kernel
def has_copies(walk):
    """Say whether some value is there twice."""
    values = 0
    for i in range(walk.cards):
        if (values >> walk.value[i]) & 1 == 1:
            return True
        values |= 1 << walk.value[i]
    return False


@rare_kernel
def order_copies(walk):
    """Say which copy of a card comes first: in order, and from the hand before from the pile."""
    for i in range(walk.cards):
        walk.after[i] = 0
        walk.before[i] = 0
        first = 0 if i < walk.from_hand else walk.from_hand
        if i > first and walk.value[i - 1] == walk.value[i]:
            walk.after[i] = 1 << (i - 1)
        if i < walk.from_hand:
            for j in range(walk.from_hand, walk.cards):
                if walk.value[j] == walk.value[i]:
                    walk.before[i] |= 1 << j


@rare_kernel
def next_outcome(desk, walk, seat):
    """Move on to the next outcome; the first is the tower with nothing placed (not at the bottom).

    Returns
    -------
    bool
        Whether there was one.
    """
    card = 0
    if walk.started == 0:
        walk.started = 1
        if walk.end == TOP_END:
            return True
    while True:
        while card < walk.cards:
            if can_place(desk.rules, walk, card):
                place_card(walk, card)
                if walk.end == TOP_END or not is_top_outcome(desk, walk, seat):
                    return True
                card = -1
            card += 1
        if walk.placed == 0:
            return False
        card = take_back_card(walk) + 1


@kernel
def can_place(rules, walk, card):
    """Rules 2.2 to 2.5, 6.2 and 6.3: say whether a card can be placed next."""
    if (walk.used >> card) & 1 == 1:
        return False
    if walk.copies and (walk.after[card] & ~walk.used != 0 or walk.before[card] & walk.used != 0):
        return False
    if card >= walk.from_hand and (walk.fetched >= walk.most_fetched or (walk.kind == SCRAP and walk.placed == 0)):
        return False
    value = walk.value[card]
    if walk.end == BOTTOM_END:
        return legal_placement_below(rules, value, walk.end_value[walk.placed])
    return legal_placement(rules, value, walk.end_value[walk.placed])


@kernel
def place_card(walk, card):
    """Put a card on the end of the tower that the walk builds on."""
    walk.order[walk.placed] = card
    walk.placed += 1
    walk.end_value[walk.placed] = walk.value[card]
    walk.used |= 1 << card
    if card < walk.from_hand:
        walk.taken += 1
    else:
        walk.fetched += 1


@kernel
def take_back_card(walk):
    """Undo the last placement and return its card's number."""
    walk.placed -= 1
    card = walk.order[walk.placed]
    walk.used &= ~(1 << card)
    if card < walk.from_hand:
        walk.taken -= 1
    else:
        walk.fetched -= 1
    return card


@kernel
def is_top_outcome(desk, walk, seat):
    """Say whether the tower, built at the bottom, looks as if the same cards had been built on top.

    It does if its lowest cards are the tower as it was: what follows is then a fitting order on top.
    """
    tower = desk.game.tower
    for slot in range(walk.height):
        if slot < walk.placed:
            value = walk.value[walk.order[walk.placed - 1 - slot]]
        else:
            value = int(tower[seat, walk.kind, 1 + slot - walk.placed])
        if value != tower[seat, walk.kind, 1 + slot]:
            return False
    return True


@kernel
def has_bottom_end(desk, seat, kind, torn, powers):
    """Rule 6.3: say whether the sand tower, after tearing down, can be added to at its bottom."""
    if kind != SAND or powers & SAND_POWER == 0:
        return False
    height = desk.game.height[seat, kind] - torn
    top = int(desk.game.tower[seat, kind, height])
    return top != EMPTY and top != TOWER_TOP


@kernel
def count_ends(desk, seat, kind, torn, powers):
    """Rule 6.3: return at how many ends a build can add to a tower: at the top end, and perhaps at the bottom."""
    return BOTTOM_END + 1 if has_bottom_end(desk, seat, kind, torn, powers) else TOP_END + 1


@kernel
def take_bits(walk):
    """Return the display positions (bits) of the cards taken in the outcome."""
    bits = 0
    for nth in range(walk.placed):
        if walk.order[nth] < walk.from_hand:
            bits |= 1 << walk.position[walk.order[nth]]
    return bits


@kernel
def card_origin(walk, card):
    """Return where a card of the walk comes from."""
    return FROM_HAND if card < walk.from_hand else FROM_TEARDOWN
