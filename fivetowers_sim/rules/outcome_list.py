"""Every outcome of each of a builder's towers, written down (rules 2.2 to 2.6, 3.4, 3.5 and 6)."""

from __future__ import annotations

import numpy as np

from fivetowers_sim.compiled import kernel
from fivetowers_sim.rules.cards import TREE
from fivetowers_sim.rules.legal import legal_teardown, most_payable
from fivetowers_sim.rules.outcomes import (
    MAX_LOOSE,
    card_origin,
    has_bottom_end,
    next_outcome,
    start_walk,
    take_bits,
)
from fivetowers_sim.rules.reach import read_display
from fivetowers_sim.rules.state import BOTTOM_END, TYPES
from fivetowers_sim.rules.tables import TREE_POWER

BUILDER = np.dtype(
    [
        ("seat", "i8"),
        # Bits of the Great Powers that it uses, and what else it allows itself.
        ("powers", "i8"),
        ("teardown_limit", "i8"),
        ("never_close", "i8"),
        # Both included.
        ("lowest_bid", "i8"),
        ("highest_bid", "i8"),
    ],
    align=True,
)
"""Who would build, and within which limits."""

OUTCOME = np.dtype(
    [
        ("kind", "i8"),
        ("paid", "i8"),
        ("torn", "i8"),
        ("end", "i8"),
        # Display positions taken, as bits, and how many.
        ("take", "i8"),
        ("taken", "i8"),
        ("fetched", "i8"),
        # The cards placed, in order.
        ("placed", "i8"),
        ("value", "u1", (MAX_LOOSE,)),
        ("origin", "u1", (MAX_LOOSE,)),
    ],
    align=True,
)
"""What can become of one tower."""


@kernel
def list_outcomes(desk, builder, listing, outcomes):
    """Write the outcomes of every tower, as many as fit, and note how many there are."""
    read_display(desk.rules, desk.game, desk.display)
    count = 0
    for kind in range(TYPES):
        listing.first[kind] = count
        most_paid = 0
        if kind == TREE and builder.powers & TREE_POWER != 0:
            most_paid = most_payable(desk.rules, desk.game, builder.seat)
        for paid in range(most_paid + 1):
            for torn in range(builder.teardown_limit + 1):
                if legal_teardown(desk.game, builder.seat, kind, paid + torn):
                    count = list_tower_outcomes(desk, builder, listing.walk, outcomes, (kind, paid, torn, count))
    listing.first[TYPES] = count


@kernel
def list_tower_outcomes(desk, builder, walk, outcomes, task):
    """Write the outcomes of one tower after paying and tearing down this many cards; return the new count."""
    kind, paid, torn, count = task
    for end in range(2):
        if end == BOTTOM_END and not has_bottom_end(desk, builder.seat, kind, torn, builder.powers):
            continue
        start_walk(desk, walk, builder.seat, (kind, paid, torn, end, builder.powers, builder.never_close))
        while next_outcome(desk, walk, builder.seat):
            if count < len(outcomes):
                write_outcome(walk, paid, torn, outcomes[count])
            count += 1
    return count


@kernel
def write_outcome(walk, paid, torn, outcome):
    """Write down where a walk stands."""
    outcome.kind = walk.kind
    outcome.paid = paid
    outcome.torn = torn
    outcome.end = walk.end
    outcome.take = take_bits(walk)
    outcome.taken = walk.taken
    outcome.fetched = walk.fetched
    outcome.placed = walk.placed
    for nth in range(walk.placed):
        card = walk.order[nth]
        outcome.value[nth] = walk.value[card]
        outcome.origin[nth] = card_origin(walk, card)
