"""From a plan for each tower to one build, card by card (rules 3.4, 3.5 and 6.2)."""

from __future__ import annotations

import numpy as np

from fivetowers_sim.compiled import kernel, rare_kernel
from fivetowers_sim.rules.cards import SCRAP
from fivetowers_sim.rules.outcomes import MAX_LOOSE, card_origin
from fivetowers_sim.rules.state import FROM_TEARDOWN, TYPES

DRAFT = np.dtype(
    [
        ("pay", "i8"),
        # Display positions taken, as bits.
        ("take", "i8"),
        ("fetches", "i8"),
        # By type: cards to tear down; then the cards to place, in order.
        ("torn", "i8", (TYPES,)),
        ("size", "i8", (TYPES,)),
        ("end", "i8", (TYPES,)),
        ("value", "u1", (TYPES, MAX_LOOSE)),
        ("origin", "u1", (TYPES, MAX_LOOSE)),
        ("written", "i8", (TYPES,)),
    ],
    align=True,
)
"""What is to be done to each tower, without an order between the towers."""


@kernel
def start_draft(draft, pay):
    """Begin a draft: nothing taken, nothing torn down."""
    draft.pay = pay
    draft.take = 0
    draft.fetches = 0
    for kind in range(TYPES):
        draft.torn[kind] = 0
        draft.size[kind] = 0


@kernel
def draft_card(draft, kind, value, origin):
    """Add a card to a tower's plan."""
    draft.value[kind, draft.size[kind]] = value
    draft.origin[kind, draft.size[kind]] = origin
    draft.size[kind] += 1
    draft.fetches += origin == FROM_TEARDOWN


@rare_kernel
def draft_outcome(draft, walk, torn):
    """Make a walk's outcome a tower's plan."""
    draft.torn[walk.kind] = torn
    draft.end[walk.kind] = walk.end
    for nth in range(walk.placed):
        card = walk.order[nth]
        draft_card(draft, walk.kind, walk.value[card], card_origin(walk, card))
        if card < walk.from_hand:
            draft.take |= 1 << walk.position[card]


@kernel
def write_build(draft, build, bid):
    """Write a draft as a build: what is torn down, then the cards in an order that allows every fetch.

    Towers don't mind the order among themselves, but a card can only be fetched right after a scrap card.
    """
    build.bid = bid
    build.take = draft.take
    build.pay = draft.pay
    build.torn_size = 0
    build.placed_size = 0
    for kind in range(TYPES):
        draft.written[kind] = 0
        for _ in range(draft.torn[kind]):
            build.torn_kind[build.torn_size] = kind
            build.torn_size += 1
    if draft.fetches > 0:
        write_fetching_cards(draft, build)
    for kind in range(TYPES):
        while draft.written[kind] < draft.size[kind]:
            write_next_card(draft, build, kind)


@kernel
def write_next_card(draft, build, kind):
    """Write the next card of a tower's plan."""
    nth = draft.written[kind]
    draft.written[kind] = nth + 1
    build.placed_card[build.placed_size] = kind * 32 + draft.value[kind, nth]
    build.placed_end[build.placed_size] = draft.end[kind]
    build.placed_from[build.placed_size] = draft.origin[kind, nth]
    build.placed_size += 1


@rare_kernel
def write_fetching_cards(draft, build):
    """Write the scrap tower's plan, and with it every fetched card.

    A scrap card from the hand and the fetched ones on it use up their fetches among themselves, but for
    the last one's: it goes to another tower, whose cards below the fetched one are written before.
    """
    while draft.written[SCRAP] < draft.size[SCRAP]:
        fetching = write_up_to_fetch(draft, build)
        write_next_card(draft, build, SCRAP)
        while draft.written[SCRAP] < draft.size[SCRAP] and is_fetched(draft, SCRAP, draft.written[SCRAP]):
            write_next_card(draft, build, SCRAP)
        if fetching >= 0:
            write_next_card(draft, build, fetching)


@kernel
def is_fetched(draft, kind, nth):
    """Say whether a card of a tower's plan comes from the teardown pile."""
    return draft.origin[kind, nth] == FROM_TEARDOWN


@kernel
def write_up_to_fetch(draft, build):
    """Write one other tower's plan as far as its next fetched card.

    Returns
    -------
    int
        The tower's type; -1 if no tower has a fetched card left.
    """
    for kind in range(TYPES):
        for nth in range(draft.written[kind], draft.size[kind]):
            if kind != SCRAP and is_fetched(draft, kind, nth):
                while draft.written[kind] < nth:
                    write_next_card(draft, build, kind)
                return kind
    return -1
