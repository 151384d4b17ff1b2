"""What the rules allow: placing, tearing down and paying (rules 2, 3.4, 6.1 and 6.3)."""

from __future__ import annotations

from fivetowers_sim.compiled import kernel
from fivetowers_sim.rules.cards import TOWER_TOP, TREE
from fivetowers_sim.rules.tables import TREE_POWER


@kernel
def top_value(game, seat, kind):
    """Return the value of a tower's top card, EMPTY for no tower (rule 2.1)."""
    return int(game.tower[seat, kind, game.height[seat, kind]])


@kernel
def legal_placement(rules, value, top):
    """Rules 2.2 to 2.5: say whether a value may go on a top card (EMPTY for no tower)."""
    return (rules.fits_on[value] >> top) & 1 == 1


@kernel
def legal_placement_below(rules, value, lowest):
    """Rule 6.3: say whether a value may slide under the lowest card of a sand tower without a top."""
    return value != TOWER_TOP and (rules.fits_on[lowest] >> value) & 1 == 1


@kernel
def legal_teardown(game, seat, kind, cards):
    """Rules 2.5 and 3.4: say whether this many cards may be torn down from the top of a tower."""
    return cards <= game.height[seat, kind] and (cards == 0 or top_value(game, seat, kind) != TOWER_TOP)


@kernel
def most_payable(rules, game, seat):
    """Rule 6.1: return how many tree cards the seat can pay with: all of a tree tower without a top."""
    if rules.powers[seat] & TREE_POWER == 0 or top_value(game, seat, TREE) == TOWER_TOP:
        return 0
    return game.height[seat, TREE]
