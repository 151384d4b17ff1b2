"""A strategy as the kernels see it: a family, a few numbers, and what positions are worth to it.

Worth is counted in 1/1024 VP, in integers, so that sums don't depend on their order.
"""

from __future__ import annotations

import numpy as np

from fivetowers_sim.compiled import kernel
from fivetowers_sim.rules.state import MAX_TOWER, TYPES
from fivetowers_sim.rules.tables import MAX_CARDS
from fivetowers_sim.strategies.net import NET

WORTH_PER_VP = 1024
MAX_STAGES = 10
MAX_WEIGHTS = 16
MAX_MINDS = 25
"""Every strategy at the table with every set of powers at it."""
ROUNDS_COUNTED = 64
"""More rounds to come than this count as this many less one."""

NO_ZERO, ONE_ZERO, MORE_ZEROS, ZEROS_UNCOUNTED = range(4)
"""What a mind knows of the 0s of a type that can still come: none, one, more; or it doesn't look."""
ZERO_LEVELS = 4

RANDOM, GREEDY, VALUE, ROLLOUT, CUSTOM, EXPERT = range(6)
"""The families' ids."""

MIND = np.dtype(
    [
        ("family", "i8"),
        # Restrictions: at most this many cards torn down in a build (never more than the rules allow), no bid
        # above, no tower tops, powers (bits) left unused.
        ("teardown_limit", "i8"),
        ("max_bid", "i8"),
        ("never_close", "i8"),
        ("ignored_powers", "i8"),
        # Chance, at each word, to say a bid that can't be built.
        ("misjudge", "f8"),
        # The family's own parameters, in the order that it declares them.
        ("weights", "f8", (MAX_WEIGHTS,)),
        # Great Powers (bits) that the worth tables count on.
        ("powers", "i8"),
        # Number of the strategy among those at the table: what is recorded.
        ("label", "i8"),
        # The game is cut into stages by the rounds to come after the current one; stage 0 is the last round.
        ("stages", "i8"),
        ("stage", "i8"),
        ("stage_of", "i8", (ROUNDS_COUNTED,)),
        # Whether tearing down a tower without building on it can ever be worth it.
        ("idle_teardown", "i8"),
        # What a tower is worth now, by type and top card (EMPTY for none): so much, and so much for each of its
        # cards (never less than 0).
        ("top_worth", "i4", (TYPES, 32)),
        ("card_worth", "i4", (TYPES, 32)),
        # By stage and height of the highest tower. Never falls with the height.
        ("main_worth", "i4", (MAX_STAGES, MAX_TOWER + 1)),
        # By stage, of a pair across the scary and candy towers. Never less than 0.
        ("pair_worth", "i8", (MAX_STAGES,)),
        # By stage and size of the teardown pile. Never rises with the size.
        ("teardown_worth", "i8", (MAX_STAGES, MAX_CARDS)),
        # What a tower is worth by stage, type, 0s to come and top card; current prices are copied to where they
        # are read. Values below which there are prices, besides EMPTY; a card to come that fits on the
        # top adds some, for minds that count cards.
        ("values", "i8"),
        ("counts_cards", "i8"),
        # What the current prices were made of: stage, 0s to come, and cards to come.
        ("priced_at", "i8", (TYPES,)),
        ("priced_once", "i8", (TYPES,)),
        ("priced_twice", "i8", (TYPES,)),
        ("staged_top_worth", "i4", (MAX_STAGES, TYPES, ZERO_LEVELS, 32)),
        ("staged_card_worth", "i4", (MAX_STAGES, TYPES, ZERO_LEVELS, 32)),
        ("staged_fit_worth", "i4", (MAX_STAGES, TYPES, ZERO_LEVELS, 32)),
        # How positions are judged, by minds that do so.
        ("net", NET),
    ],
    align=True,
)


@kernel
def powers_in_use(rules, seat, mind):
    """Return the Great Powers (bits) that the strategy uses in this seat."""
    return rules.powers[seat] & ~mind.ignored_powers


@kernel
def tower_worth(mind, kind, height, top):
    """Return what a tower of this type, height and top card (EMPTY for none) is worth now."""
    return int(mind.top_worth[kind, top]) + height * int(mind.card_worth[kind, top])
