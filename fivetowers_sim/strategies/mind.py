"""A strategy as the kernels see it: a family, a few numbers, and what positions are worth to it.

Worth is counted in 1/1024 VP, in integers, so that sums don't depend on their order.
"""

from __future__ import annotations

import numpy as np

from fivetowers_sim.compiled import kernel
from fivetowers_sim.rules.state import MAX_TOWER, TYPES
from fivetowers_sim.rules.tables import MAX_CARDS

WORTH_PER_VP = 1024
MAX_STAGES = 10
MAX_WEIGHTS = 16

RANDOM, GREEDY, VALUE, ROLLOUT, CUSTOM = range(5)
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
        # The game is cut into stages of equal numbers of revealed cards; the current one.
        ("stages", "i8"),
        ("stage", "i8"),
        # Whether tearing down a tower without building on it can ever be worth it.
        ("idle_teardown", "i8"),
        # By stage, type, height and top card (EMPTY for none). Never falls with the height.
        ("tower_worth", "i4", (MAX_STAGES, TYPES, MAX_TOWER + 1, 32)),
        # By stage and height of the highest tower.
        ("main_worth", "i4", (MAX_STAGES, MAX_TOWER + 1)),
        # Of a pair across the scary and candy towers.
        ("pair_worth", "i8"),
        # By stage and size of the teardown pile. Never rises with the size.
        ("teardown_worth", "i8", (MAX_STAGES, MAX_CARDS)),
    ],
    align=True,
)


@kernel
def powers_in_use(rules, seat, mind):
    """Return the Great Powers (bits) that the strategy uses in this seat."""
    return rules.powers[seat] & ~mind.ignored_powers
