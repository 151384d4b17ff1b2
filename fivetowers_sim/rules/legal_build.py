"""Whether a build, given card by card, is legal, and if not, why (rules 3.3 to 3.5 and 6.1 to 6.3)."""

from __future__ import annotations

from typing import Final

from fivetowers_sim.compiled import count_bits, entry_point, kernel
from fivetowers_sim.rules.build import apply_fetch, apply_payment, apply_placement, apply_teardown
from fivetowers_sim.rules.cards import SAND, SCRAP, TOWER_TOP, TREE
from fivetowers_sim.rules.legal import (
    legal_placement,
    legal_placement_below,
    legal_teardown,
    most_payable,
    top_value,
)
from fivetowers_sim.rules.outcomes import Desk, has_bottom_end
from fivetowers_sim.rules.state import BOTTOM_END, FROM_TEARDOWN, TOP_END
from fivetowers_sim.rules.tables import SAND_POWER, SCRAP_POWER, TREE_POWER

(
    NO_FAULT,
    PAYS_TOO_MUCH,
    PAYS_AND_TAKES_TREE,
    TAKES_TOO_FEW,
    TEARS_TOO_MANY,
    TEARS_NO_TOP_CARD,
    NOT_IN_HAND,
    NO_FETCH,
    NOT_IN_PILE,
    NO_BOTTOM,
    BOTH_ENDS,
    DOES_NOT_FIT,
    CLOSES,
    NOT_ALL_BUILT,
) = range(14)

FAULTS: Final = {
    PAYS_TOO_MUCH: "pays more tree cards than it can",
    PAYS_AND_TAKES_TREE: "pays, and takes a tree card from the display",
    TAKES_TOO_FEW: "pays, and takes fewer cards than tree_min_take",
    TEARS_TOO_MANY: "tears down more cards than it may",
    TEARS_NO_TOP_CARD: "tears down {card}, which isn't the top card of its tower, or is a tower top",
    NOT_IN_HAND: "builds {card}, which it didn't take or has built already",
    NO_FETCH: "fetches {card} without the scrap power, or not right after adding a scrap card",
    NOT_IN_PILE: "fetches {card}, which isn't in its teardown pile",
    NO_BOTTOM: "slides {card} under a tower, where that isn't possible",
    BOTH_ENDS: "adds {card} to the other end of the sand tower than the cards before",
    DOES_NOT_FIT: "builds {card} where it may not lie",
    CLOSES: "builds {card}, although never_close is set",
    NOT_ALL_BUILT: "doesn't build all cards that it takes",
}
"""What each fault is, about a build; ``card`` is the one that it was found at."""


@entry_point
def find_fault(rules, game, builder, build):
    """Carry a build out step by step, as far as it is legal.

    Parameters
    ----------
    rules : ndarray of RULES, shape (1,)
        The rule set.
    game : ndarray of GAME, shape (1,)
        A copy of the game, which is changed.
    builder : ndarray of BUILDER, shape (1,)
        Who builds, and within which limits; the limits of the bid aren't looked at.
    build : ndarray of BUILD, shape (1,)
        The build. Display positions taken are shown, and torn-down cards are filled in.

    Returns
    -------
    tuple of two int
        The fault, or NO_FAULT; and the number of the card, among those torn down or placed, where it was found.
    """
    return check_build(Desk(rules[0], game[0], None), builder[0], build[0])


@kernel
def check_build(desk, builder, build):
    """Pay, tear down and place; return the first fault and the card's number."""
    fault = check_payment(desk, builder, build)
    if fault != NO_FAULT:
        return fault, 0
    apply_payment(desk.game, builder.seat, build)
    if build.torn_size > builder.teardown_limit:
        return TEARS_TOO_MANY, 0
    for nth in range(build.torn_size):
        kind, value = build.torn_kind[nth], build.torn_card[nth] & 31
        if not legal_teardown(desk.game, builder.seat, kind, 1) or value != top_value(desk.game, builder.seat, kind):
            return TEARS_NO_TOP_CARD, nth
        apply_teardown(desk.game, builder.seat, kind)
    return check_placements(desk, builder, build)


@kernel
def check_payment(desk, builder, build):
    """Rule 6.1: return what is wrong with the payment, if anything."""
    if build.pay == 0:
        return NO_FAULT
    if builder.powers & TREE_POWER == 0 or build.pay > most_payable(desk.rules, desk.game, builder.seat):
        return PAYS_TOO_MUCH
    if count_bits(build.take) < desk.rules.tree_min_take:
        return TAKES_TOO_FEW
    for position in range(desk.game.display_size):
        if (build.take >> position) & 1 == 1 and desk.game.display[position] >> 5 == TREE:
            return PAYS_AND_TAKES_TREE
    return NO_FAULT


@kernel
def check_placements(desk, builder, build):
    """Rules 3.5, 6.2 and 6.3: place the cards in order; return the first fault and the card's number."""
    in_hand, sand_end, may_fetch = build.take, -1, False
    for nth in range(build.placed_size):
        card, end = int(build.placed_card[nth]), int(build.placed_end[nth])
        if build.placed_from[nth] == FROM_TEARDOWN:
            if not may_fetch:
                return NO_FETCH, nth
            if not in_pile(desk.game, builder.seat, card):
                return NOT_IN_PILE, nth
            apply_fetch(desk.game, builder.seat, card)
        else:
            left = without_card(desk.game, in_hand, card)
            if left == in_hand:
                return NOT_IN_HAND, nth
            in_hand = left
        if starts_sand_tower(desk, builder, card):
            # Its ends are the same; it is written down as the top.
            end = TOP_END
            build.placed_end[nth] = TOP_END
        fault = check_end(desk, builder, card, end)
        if fault != NO_FAULT:
            return fault, nth
        # The first card of a tower commits to neither end.
        if card >> 5 == SAND and desk.game.height[builder.seat, SAND] > 0:
            if sand_end >= 0 and sand_end != end:
                return BOTH_ENDS, nth
            sand_end = end
        apply_placement(desk.game, builder.seat, card, end)
        may_fetch = card >> 5 == SCRAP and builder.powers & SCRAP_POWER != 0
    return NO_FAULT if in_hand == 0 else NOT_ALL_BUILT, 0


@kernel
def check_end(desk, builder, card, end):
    """Rules 2.2 to 2.5 and 6.3: return what is wrong with adding a card to this end of its tower, if anything."""
    kind, value = card >> 5, card & 31
    if builder.never_close and value == TOWER_TOP:
        return CLOSES
    if end != BOTTOM_END:
        top = top_value(desk.game, builder.seat, kind)
        return NO_FAULT if legal_placement(desk.rules, value, top) else DOES_NOT_FIT
    if not has_bottom_end(desk, builder.seat, kind, 0, builder.powers):
        return NO_BOTTOM
    lowest = int(desk.game.tower[builder.seat, kind, 1])
    return NO_FAULT if legal_placement_below(desk.rules, value, lowest) else DOES_NOT_FIT


@kernel
def starts_sand_tower(desk, builder, card):
    """Rule 6.3: say whether a card is the first of a sand tower that has two ends to build at."""
    return card >> 5 == SAND and builder.powers & SAND_POWER != 0 and desk.game.height[builder.seat, SAND] == 0


@kernel
def in_pile(game, seat, card):
    """Say whether a card lies in the seat's teardown pile."""
    for i in range(game.pile_size[seat]):
        if game.pile[seat, i] == card:
            return True
    return False


@kernel
def without_card(game, positions, card):
    """Return display positions (bits) without the first that shows this card; the same if none does."""
    for position in range(game.display_size):
        if (positions >> position) & 1 == 1 and game.display[position] == card:
            return positions & ~(1 << position)
    return positions
