"""What can be done with one tower under the Great Powers: the options that a build is put together from.

An option has more sides than without powers: tree cards paid, fetches needed and given, the change of
the teardown pile, and, for pairs, which values the candy and scary towers hold.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fivetowers_sim.compiled import kernel, rare_kernel
from fivetowers_sim.rules.cards import CANDY, SAND, SCARY, SCRAP, TOWER_TOP
from fivetowers_sim.rules.legal import legal_teardown
from fivetowers_sim.rules.outcomes import WALK, has_bottom_end, next_outcome, start_walk
from fivetowers_sim.rules.state import BOTTOM_END, MAX_BID, TOP_END, TYPES

MAX_OPTIONS = 4096
_VALUES = 31

OPTION = np.dtype(
    [
        ("worth", "i8"),
        # Which values the tower holds at least once, twice (bits 31 up), and three and four times.
        ("values", "i8"),
        ("more_values", "i8"),
        # How to build it: an entry of the display (-1: no card), or the cards used in a walk (0: an entry).
        ("used", "i8"),
        ("entry", "i2"),
        ("height", "i1"),
        ("cards", "i1"),
        ("paid", "i1"),
        ("torn", "i1"),
        # Fetches needed of other towers' scrap cards, and what the teardown pile grows by.
        ("needed", "i1"),
        ("pile_growth", "i1"),
        ("end", "i1"),
        ("top", "i1"),
    ],
    align=True,
)
"""One way for a tower to come out. Small, since options are compared and moved again and again."""


class Bidder(NamedTuple):
    """Whose build is searched. Small, since it goes from function to function.

    Attributes
    ----------
    rules, game, display : records
        As of the table.
    mind : record of MIND
        The seat's strategy.
    seat : int
        The seat.
    """

    rules: Any
    game: Any
    display: Any
    mind: Any
    seat: Any


POWER_SEARCH = np.dtype(
    [
        ("walk", WALK),
        ("powers", "i8"),
        ("high_bid", "i8"),
        # Whether any scrap card could be taken, so that something might be fetched; and the types (bits) in the
        # teardown pile then.
        ("may_fetch", "i8"),
        ("torn_kinds", "i8"),
        ("pairs_count", "i8"),
        # By type.
        ("options", "i8", (TYPES,)),
        ("option", OPTION, (TYPES, MAX_OPTIONS)),
        # The steps of a combination: the towers with several options.
        ("steps", "i8"),
        ("step_kind", "i8", (TYPES,)),
        # By step: the best that this and later towers can add, each side by itself.
        ("rest_worth", "i8", (TYPES + 1,)),
        ("rest_height", "i8", (TYPES + 1,)),
        ("rest_bid", "i8", (TYPES + 1,)),
        ("rest_shrink", "i8", (TYPES + 1,)),
        # The combination in hand: before each step, and the option picked at it; picks by type.
        ("cursor", "i8", (TYPES + 1,)),
        ("worth", "i8", (TYPES + 1,)),
        ("height", "i8", (TYPES + 1,)),
        ("cards", "i8", (TYPES + 1,)),
        ("paid", "i8", (TYPES + 1,)),
        ("torn", "i8", (TYPES + 1,)),
        ("fetches", "i8", (TYPES + 1,)),
        ("pile_growth", "i8", (TYPES + 1,)),
        ("picks", "i8", (TYPES + 1,)),
        ("most_pairs", "i8"),
        # By bid: the best worth and its options; and the best worth of this bid or a higher one.
        ("best_worth", "i8", (MAX_BID + 2,)),
        ("best_picks", "i8", (MAX_BID + 2,)),
        ("front_worth", "i8", (MAX_BID + 2,)),
        ("highest", "i8"),
    ],
    align=True,
)


@kernel
def can_take_scrap(bidder):
    """Rule 6.2: say whether a scrap card of the display can be built, so that something may be fetched."""
    game = bidder.game
    for torn in range(bidder.mind.teardown_limit + 1):
        if legal_teardown(game, bidder.seat, SCRAP, torn):
            top = int(game.tower[bidder.seat, SCRAP, game.height[bidder.seat, SCRAP] - torn])
            if (bidder.display.any_starts[SCRAP] >> top) & 1 == 1:
                return True
    return False


@kernel
def find_torn_kinds(game, seat):
    """Return which types (bits) the teardown pile holds."""
    kinds = 0
    for i in range(game.pile_size[seat]):
        kinds |= 1 << (int(game.pile[seat, i]) >> 5)
    return kinds


@kernel
def is_left_alone(bidder, search, kind):
    """Say whether nothing can be built on a tower: no card of its type is shown, and none can be fetched."""
    if bidder.display.kind_size[kind] > 0 or bidder.mind.idle_teardown:
        return False
    # A single torn card alone would only be put back, unless it can go to the bottom.
    torn_card_is_no_use = bidder.mind.teardown_limit <= 1 and kind != SAND
    return not search.may_fetch or (torn_card_is_no_use and (search.torn_kinds >> kind) & 1 == 0)


@kernel
def list_payments(bidder, search, kind, most_paid):
    """Add the options of a tower that is left alone, but for tree cards paid. None of them beats another."""
    height = bidder.game.height[bidder.seat, kind]
    values, more_values = values_held(bidder, search, kind, height)
    for paid in range(most_paid + 1):
        top = int(bidder.game.tower[bidder.seat, kind, height - paid])
        new_option(bidder, search, (kind, paid, 0), (height - paid, top, values, more_values))


@kernel
def list_options(bidder, search, task):
    """Add the options of a tower after paying and tearing down a number of cards."""
    kind, paid, torn = task
    game, display = bidder.game, bidder.display
    # A single torn card alone would only be put back, unless it can go to the bottom.
    few = torn == 0 or (torn == 1 and display.kind_size[kind] == 0 and kind != SAND)
    fetchable = search.may_fetch and (not few or (search.torn_kinds >> kind) & 1 == 1)
    base = game.height[bidder.seat, kind] - paid - torn
    top = int(game.tower[bidder.seat, kind, base])
    buildable = paid == 0 and (display.any_starts[kind] >> top) & 1 == 1
    at_bottom = (fetchable or display.kind_size[kind] > 0) and has_bottom_end(
        bidder, bidder.seat, kind, torn, search.powers
    )
    if torn > 0 and not (buildable or fetchable or at_bottom or bidder.mind.idle_teardown):
        return
    values, more_values = values_held(bidder, search, kind, base)
    tower = (base, top, values, more_values)
    if torn == 0 or bidder.mind.idle_teardown:
        new_option(bidder, search, task, tower)
    if buildable:
        list_entries(bidder, search, task, tower)
    if fetchable:
        list_outcomes(bidder, search, task, tower, TOP_END)
    if at_bottom:
        list_outcomes(bidder, search, task, tower, BOTTOM_END)


@kernel
def counts_values(search, kind):
    """Say whether it matters which values the tower holds."""
    return search.pairs_count != 0 and kind in (CANDY, SCARY)


@kernel
def values_held(bidder, search, kind, height):
    """Return which values lie in the tower up to a height; nothing where it doesn't matter."""
    values, more_values = 0, 0
    if counts_values(search, kind):
        for slot in range(1, height + 1):
            values, more_values = add_value(values, more_values, int(bidder.game.tower[bidder.seat, kind, slot]))
    return values, more_values


@kernel
def worth_of_tower(mind, kind, height, top):
    """Return what a tower is worth to the strategy now."""
    return mind.tower_worth[mind.stage, kind, height, top]


@kernel
def new_option(bidder, search, task, tower):
    """Start an option that ends in this tower (height, top card, values held), and return it."""
    kind, paid, torn = task
    height, top, values, more_values = tower
    number = search.options[kind]
    search.options[kind] = min(number + 1, MAX_OPTIONS - 1)
    option = search.option[kind, number]
    option.worth = worth_of_tower(bidder.mind, kind, height, top)
    option.height = height
    option.cards = 0
    option.paid = paid
    option.torn = torn
    option.needed = 0
    option.pile_growth = torn
    option.values = values
    option.more_values = more_values
    option.entry = -1
    option.used = 0
    option.end = TOP_END
    option.top = top
    return option


@kernel
def add_value(values, more_values, value):
    """Count one more card of a value."""
    if (values >> value) & 1 == 0:
        return values | (1 << value), more_values
    return add_copy(values, more_values, value)


@rare_kernel
def add_copy(values, more_values, value):
    """Count a second, third or fourth card of a value."""
    if (values >> (value + _VALUES)) & 1 == 0:
        return values | (1 << (value + _VALUES)), more_values
    if (more_values >> value) & 1 == 0:
        return values, more_values | (1 << value)
    return values, more_values | (1 << (value + _VALUES))


@rare_kernel
def list_entries(bidder, search, task, tower):
    """Add the options that build shown cards on top and fetch nothing."""
    kind, _, torn = task
    base, top, tower_values, tower_more_values = tower
    display = bidder.display
    intact_top = 1 << int(bidder.game.tower[bidder.seat, kind, bidder.game.height[bidder.seat, kind]])
    for entry in range(display.first_entry[kind], display.first_entry[kind + 1]):
        starts = display.entry_starts[entry]
        if (starts >> top) & 1 == 0 or (torn > 0 and starts & intact_top != 0):
            continue
        if bidder.mind.never_close and display.entry_top[entry] == TOWER_TOP:
            continue
        values, more_values = tower_values, tower_more_values
        if counts_values(search, kind):
            for nth in range(display.kind_size[kind]):
                if (display.entry_subset[entry] >> nth) & 1 == 1:
                    values, more_values = add_value(values, more_values, display.kind_value[kind, nth])
        cards = display.entry_cards[entry]
        option = new_option(bidder, search, task, (base + cards, display.entry_top[entry], values, more_values))
        option.cards = cards
        option.entry = entry


@rare_kernel
def list_outcomes(bidder, search, task, tower, end):
    """Add the options that fetch a card or build at the bottom."""
    kind, paid, torn = task
    base, base_top, tower_values, tower_more_values = tower
    walk = search.walk
    start_walk(bidder, walk, bidder.seat, (kind, paid, torn, end, search.powers, bidder.mind.never_close))
    while next_outcome(bidder, walk, bidder.seat):
        if end == TOP_END and walk.fetched == 0:
            continue
        values, more_values = tower_values, tower_more_values
        if counts_values(search, kind):
            for nth in range(walk.placed):
                values, more_values = add_value(values, more_values, walk.value[walk.order[nth]])
        top = walk.end_value[walk.placed] if end == TOP_END else base_top
        option = new_option(bidder, search, task, (base + walk.placed, top, values, more_values))
        option.cards = walk.taken
        option.needed = 0 if kind == SCRAP else walk.fetched
        option.pile_growth = torn - walk.fetched
        option.used = walk.used
        option.end = end
        # Options of one tower are many only when much can be fetched: keep the list short on the way.
        if search.options[kind] == MAX_OPTIONS - 1:
            drop_beaten_options(search, kind, True)


@rare_kernel
def drop_beaten_options(search, kind, restricted):
    """Keep the options of a tower that no other beats, whatever the other towers do."""
    kept = 0
    for number in range(search.options[kind]):
        if not is_beaten(search, kind, number, kept, restricted):
            if kept < number:
                search.option[kind, kept] = search.option[kind, number]
            kept += 1
    search.options[kind] = kept


@kernel
def is_beaten(search, kind, number, kept, restricted):
    """Say whether an option kept so far, or one that follows, beats this one."""
    for other in range(search.options[kind]):
        alive = other < kept or other > number
        if alive and beats(search.option[kind, other], search.option[kind, number], restricted, other < kept):
            return True
    return False


@kernel
def beats(option, other, restricted, earlier):
    """Say whether an option is at least as good as another in every respect, and better or earlier."""
    more_cards = option.cards - other.cards
    less_paid = other.paid - option.paid
    # Below 0 if any of these is: that takes one branch instead of eight.
    lead = (
        (option.worth - other.worth)
        | (option.height - other.height)
        | (other.torn - option.torn)
        | (other.needed - option.needed)
        | (other.pile_growth - option.pile_growth)
        | less_paid
        | more_cards
        | (more_cards - less_paid)
    )
    if lead < 0 or (other.values & ~option.values) | (other.more_values & ~option.more_values) != 0:
        return False
    # Who may not bid high can't use more cards, however good.
    if restricted and more_cards | less_paid != 0:
        return False
    return earlier or option.worth > other.worth or more_cards > 0
