"""The rule set as the kernels see it: one record of numbers and look-up tables.

Numba freezes global numbers into machine code, so every dial travels in this record instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from fivetowers_sim.rules.cards import EMPTY
from fivetowers_sim.rules.ruleset import POWERS, RuleSet

MAX_SEATS = 5
MAX_CARDS = 256

TREE_POWER, SCRAP_POWER, SAND_POWER, PAIRS_POWER = (1 << bit for bit in range(4))

RULES = np.dtype(
    [
        ("players", "i8"),
        ("display_size", "i8"),
        ("deck_passes", "i8"),
        ("teardown_limit", "i8"),
        ("vp_per_card", "i8"),
        ("vp_per_topped_card", "i8"),
        ("vp_main_tower", "i8"),
        ("pair_vp", "i8"),
        ("tree_min_take", "i8"),
        ("deck_size", "i8"),
        # Bits of the Great Powers each seat has.
        ("powers", "i8", (MAX_SEATS,)),
        # By value: a bit for each top card that the value may go on; bit EMPTY is always set.
        ("fits_on", "i8", (32,)),
        # By top card: how many values from 0 to the highest may go on it, and which (bits).
        ("openness", "i8", (32,)),
        ("values_on", "i8", (32,)),
        # By size of the teardown pile: VP lost.
        ("teardown_cost", "i8", (MAX_CARDS,)),
        # The cards in play, as codes.
        ("deck", "u1", (MAX_CARDS,)),
        # By type: the values (bits) in play, and those in play twice or more often.
        ("once", "i8", (5,)),
        ("twice", "i8", (5,)),
    ],
    align=True,
)


def power_bits(powers: Iterable[str]) -> int:
    """Return the bits of these Great Powers, in the order of :data:`POWERS`."""
    return sum(1 << POWERS.index(power) for power in set(powers))


def compile_rules(rules: RuleSet, players: int, powers_by_seat: Sequence[Iterable[str]] | None = None) -> np.ndarray:
    """Make the kernels' record of a rule set.

    Parameters
    ----------
    rules : RuleSet
        The rule set.
    players : int
        2 to 5.
    powers_by_seat : sequence of iterable of str, optional
        Great Powers of each seat; those of the rule set for every seat if not given.

    Returns
    -------
    ndarray of RULES, shape (1,)
        The record, in an array.
    """
    table = np.zeros(1, RULES)
    record = table[0]
    record["players"] = players
    for dial in (
        "display_size",
        "deck_passes",
        "teardown_limit",
        "vp_per_card",
        "vp_per_topped_card",
        "vp_main_tower",
        "pair_vp",
        "tree_min_take",
    ):
        record[dial] = getattr(rules, dial)
    seats = powers_by_seat if powers_by_seat is not None else [rules.powers] * players
    record["powers"][:players] = [power_bits(powers) for powers in seats]
    tops: list[int | None] = [*range(rules.highest_value + 1), None]
    for value in range(rules.highest_value + 1):
        fitting = [top for top in tops if rules.fits_on(value, top)]
        record["fits_on"][value] = sum(1 << (EMPTY if top is None else top) for top in fitting)
        for top in fitting:
            record["openness"][EMPTY if top is None else top] += 1
            record["values_on"][EMPTY if top is None else top] |= 1 << value
    record["teardown_cost"][:] = [rules.teardown_cost(torn) for torn in range(MAX_CARDS)]
    deck = rules.deck(players)
    record["deck_size"] = len(deck)
    record["deck"][: len(deck)] = deck
    for code in deck:
        kind, bit = code // 32, 1 << (code % 32)
        record["twice"][kind] |= record["once"][kind] & bit
        record["once"][kind] |= bit
    return table
