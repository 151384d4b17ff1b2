"""What can be done with one tower under the Great Powers: the options that a build is put together from.

An option has more sides than without powers: tree cards paid, fetches needed and given, the change of
the teardown pile, and, for pairs, which values the candy and scary towers hold.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fivetowers_sim.compiled import kernel, rare_kernel
from fivetowers_sim.rules.cards import CANDY, EMPTY, SCARY, SCRAP, TOWER_TOP
from fivetowers_sim.rules.legal import legal_placement_below, legal_teardown
from fivetowers_sim.rules.outcomes import WALK, has_bottom_end, next_outcome, start_walk
from fivetowers_sim.rules.state import BOTTOM_END, MAX_BID, TOP_END, TYPES
from fivetowers_sim.strategies.mind import tower_worth

MAX_OPTIONS = 4096
_VALUES = 31

_MOST_LOST = 63
"""No option pays, tears down or fetches more cards."""

_BYTES_ABOVE = 0x80808080808080
"""The highest bit of each of seven bytes."""

OPTION = np.dtype(
    [
        ("worth", "i8"),
        # Which values the tower holds at least once, twice (bits 31 up), and three and four times.
        ("values", "i8"),
        ("more_values", "i8"),
        # How to build it: an entry of the display (-1: no card), or the cards used in a walk (0: an entry).
        ("used", "i8"),
        # All counts below in one number, to be compared at once.
        ("sides", "i8"),
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
        # Whether bids beyond the next one are of interest, paid with as many tree cards as it takes.
        ("every_bid", "i8"),
        # Whether any scrap card could be taken, so that something might be fetched; and the types (bits) in the
        # teardown pile then.
        ("may_fetch", "i8"),
        ("torn_kinds", "i8"),
        ("pairs_count", "i8"),
        # By type: cards that can be built at the most; and how many cards, taken or paid, an option of the tower
        # in hand needs at the least so that the bid can be above the high bid.
        ("reach", "i8", (TYPES,)),
        ("fewest", "i8"),
        # Whether the seat may not bid as high as it could, so that more cards need not be better.
        ("restricted", "i8"),
        # By type: the number of the first option, and how many; then the options of all types, one after another.
        ("first_option", "i8", (TYPES,)),
        ("options", "i8", (TYPES,)),
        ("option", OPTION, (TYPES * MAX_OPTIONS,)),
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
            if (bidder.display.card_starts[SCRAP, 1] >> top) & 1 == 1:
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
def is_plain(bidder, search, kind, most_paid):
    """Say whether a tower can only be built on top, with shown cards, and is torn down for that only."""
    if bidder.mind.idle_teardown:
        return False
    if not search.may_fetch:
        return not can_build_below(bidder, search, kind, 0)
    if most_paid > 0 and (search.torn_kinds >> kind) & 1 == 1:
        return False
    for torn in range(bidder.mind.teardown_limit + 1):
        if legal_teardown(bidder.game, bidder.seat, kind, torn) and (
            can_fetch_on_top(bidder, search, (kind, 0, torn)) or can_build_below(bidder, search, kind, torn)
        ):
            return False
    return True


@kernel
def can_fetch_on_top(bidder, search, task):
    """Say whether a tower may come out of a build on its top with a card fetched, and not just put back."""
    return search.may_fetch != 0 and finds_card_for_top(bidder, search, task)


@kernel
def finds_card_for_top(bidder, search, task):
    """Say the same where something may be fetched."""
    kind, paid, torn = task
    if torn > 1:
        return True
    game, display, fits_on = bidder.game, bidder.display, bidder.rules.fits_on
    base = game.height[bidder.seat, kind] - paid - torn
    top = int(game.tower[bidder.seat, kind, base])
    hand = 0
    if paid == 0:
        for nth in range(display.kind_size[kind]):
            hand |= 1 << display.kind_value[kind, nth]
    buildable = hand != 0 and (display.card_starts[kind, 1] >> top) & 1 == 1
    if torn == 1 and buildable and fits_on[int(game.tower[bidder.seat, kind, base + 1])] & hand != 0:
        return True
    # A scrap card is only fetched once there is one from the hand.
    below = hand if kind == SCRAP else hand | (1 << top)
    if (search.torn_kinds >> kind) & 1 == 1:
        for i in range(game.pile_size[bidder.seat]):
            card = int(game.pile[bidder.seat, i])
            if card >> 5 == kind and fits_on[card & 31] & below != 0:
                return True
    return False


@kernel
def can_build_below(bidder, search, kind, torn):
    """Rule 6.3: say whether a card, shown or fetched, can slide under a tower's lowest card after tearing down."""
    return has_bottom_end(bidder, bidder.seat, kind, torn, search.powers) and finds_card_for_bottom(
        bidder, search, kind, torn
    )


@kernel
def finds_card_for_bottom(bidder, search, kind, torn):
    """Say the same of a tower that has a bottom end."""
    game, display = bidder.game, bidder.display
    lowest = int(game.tower[bidder.seat, kind, 1])
    for nth in range(display.kind_size[kind]):
        if legal_placement_below(bidder.rules, display.kind_value[kind, nth], lowest):
            return True
    if search.may_fetch:
        height = game.height[bidder.seat, kind]
        for slot in range(height - torn + 1, height + 1):
            if legal_placement_below(bidder.rules, int(game.tower[bidder.seat, kind, slot]), lowest):
                return True
        for i in range(game.pile_size[bidder.seat]):
            card = int(game.pile[bidder.seat, i])
            if card >> 5 == kind and legal_placement_below(bidder.rules, card & 31, lowest):
                return True
    return False


@kernel
def list_payments(bidder, search, kind, most_paid):
    """Add the options of a plain tower for which no card is shown: at most, tree cards are paid.

    None of them beats another.
    """
    height = bidder.game.height[bidder.seat, kind]
    values, more_values = values_held(bidder, search, kind, height)
    for paid in range(search.fewest, most_paid + 1):
        top = int(bidder.game.tower[bidder.seat, kind, height - paid])
        new_option(bidder, search, (kind, paid, 0), (height - paid, top, values, more_values))


@kernel
def list_plain_card(bidder, search, kind):
    """Add the options of a plain tower for which one card is shown, but for any that another beats."""
    game, display = bidder.game, bidder.display
    height = game.height[bidder.seat, kind]
    top = int(game.tower[bidder.seat, kind, height])
    entry = display.first_entry[kind]
    value, starts = display.entry_top[entry], display.entry_starts[entry]
    unchanged = tower_worth(bidder.mind, kind, height, top)
    values, more_values = values_held(bidder, search, kind, height)
    if search.fewest == 0:
        new_option(bidder, search, (kind, 0, 0), (height, top, values, more_values))
    if search.fewest > 1:
        return
    if bidder.mind.never_close and value == TOWER_TOP:
        return
    # Without more cards torn down than needed, the tower is higher.
    torn = 0
    while (starts >> top) & 1 == 0:
        torn += 1
        if torn > bidder.mind.teardown_limit or not legal_teardown(game, bidder.seat, kind, torn):
            return
        top = int(game.tower[bidder.seat, kind, height - torn])
    base = height - torn
    if torn == 0 and not search.restricted and tower_worth(bidder.mind, kind, base + 1, value) >= unchanged:
        search.options[kind] = 0
    if torn > 0:
        values, more_values = values_held(bidder, search, kind, base)
    if counts_values(search, kind):
        values, more_values = add_value(values, more_values, value)
    option = new_option(bidder, search, (kind, 0, torn), (base + 1, value, values, more_values))
    option.cards = 1
    option.entry = entry


@kernel
def list_options(bidder, search, task):
    """Add the options of a tower after paying and tearing down a number of cards."""
    kind, paid, torn = task
    game, display = bidder.game, bidder.display
    fetchable = can_fetch_on_top(bidder, search, task)
    base = game.height[bidder.seat, kind] - paid - torn
    top = int(game.tower[bidder.seat, kind, base])
    buildable = paid == 0 and (display.card_starts[kind, 1] >> top) & 1 == 1
    at_bottom = can_build_below(bidder, search, kind, torn)
    if torn > 0 and not (buildable or fetchable or at_bottom or bidder.mind.idle_teardown):
        return
    values, more_values = values_held(bidder, search, kind, base)
    tower = (base, top, values, more_values)
    if paid >= search.fewest and (torn == 0 or bidder.mind.idle_teardown):
        new_option(bidder, search, task, tower)
    if buildable:
        list_entries(bidder, search, task, tower)
    # At the top, at the bottom, at both or at neither.
    for end in range(TOP_END if fetchable else BOTTOM_END, BOTTOM_END + 1 if at_bottom else TOP_END + 1):
        list_outcomes(bidder, search, task, tower, end)


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
def new_option(bidder, search, task, tower):
    """Start an option that ends in this tower (height, top card, values held), and return it."""
    kind, paid, torn = task
    height, top, values, more_values = tower
    number = search.options[kind]
    search.options[kind] = min(number + 1, MAX_OPTIONS - 1)
    option = search.option[search.first_option[kind] + number]
    option.worth = tower_worth(bidder.mind, kind, height, top)
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


@kernel
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
        if display.entry_cards[entry] < search.fewest or (
            not search.restricted and has_more_below(display, entry, kind, top)
        ):
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


@kernel
def has_more_below(display, entry, kind, top):
    """Say whether with further cards the same card ends on top: that is better in every respect."""
    subset = display.entry_subset[entry]
    for larger in range(entry + 1, display.first_entry[kind + 1]):
        if (
            display.entry_last[larger] == display.entry_last[entry]
            and subset & ~display.entry_subset[larger] == 0
            and (display.entry_starts[larger] >> top) & 1 == 1
        ):
            return True
    return False


@kernel
def list_outcomes(bidder, search, task, tower, end):
    """Add the options that fetch a card or build at the bottom."""
    kind, paid, torn = task
    base, base_top, tower_values, tower_more_values = tower
    walk = search.walk
    start_walk(bidder, walk, bidder.seat, (kind, paid, torn, end, search.powers, bidder.mind.never_close))
    torn_value = int(bidder.game.tower[bidder.seat, kind, base + 1]) if torn == 1 and end == TOP_END else EMPTY
    while next_outcome(bidder, walk, bidder.seat):
        if (end == TOP_END and walk.fetched == 0) or walk.taken + paid < search.fewest:
            continue
        # A torn card that is put back at once need not have been torn down.
        if walk.order[0] >= walk.from_hand and walk.value[walk.order[0]] == torn_value:
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


@kernel
def drop_beaten_options(search, kind, restricted):
    """Keep the options of a tower that no other beats, whatever the other towers do."""
    first, end = search.first_option[kind], search.first_option[kind] + search.options[kind]
    for number in range(first, end):
        join_sides(search.option[number])
    kept = first
    for number in range(first, end):
        if not is_beaten(search, number, (first, kept, end), restricted):
            if kept < number:
                search.option[kept] = search.option[number]
            kept += 1
    search.options[kind] = kept - first


@kernel
def join_sides(option):
    """Write all counts, turned so that more is better, into the bytes of one number; each is below 128."""
    option.sides = (
        option.height
        | (option.cards << 8)
        | ((option.cards + option.paid) << 16)
        | ((_MOST_LOST - option.paid) << 24)
        | ((_MOST_LOST - option.torn) << 32)
        | ((_MOST_LOST - option.needed) << 40)
        | ((_MOST_LOST - option.pile_growth) << 48)
    )


@kernel
def is_beaten(search, number, among, restricted):
    """Say whether an option kept so far, or one that follows, beats this one."""
    first, kept, end = among
    for other in range(first, kept):
        if beats(search.option[other], search.option[number], restricted, True):
            return True
    for other in range(number + 1, end):
        if beats(search.option[other], search.option[number], restricted, False):
            return True
    return False


@kernel
def beats(option, other, restricted, earlier):
    """Say whether an option is at least as good as another in every respect, and better or earlier."""
    # A byte's highest bit is lost where it is less than the other's.
    if option.worth < other.worth or ((option.sides | _BYTES_ABOVE) - other.sides) & _BYTES_ABOVE != _BYTES_ABOVE:
        return False
    if other.values & ~option.values != 0 or other.more_values & ~option.more_values != 0:
        return False
    # Who may not bid high can't use more cards, however good.
    if restricted and (option.cards != other.cards or option.paid != other.paid):
        return False
    return earlier or option.worth > other.worth or option.cards > other.cards
