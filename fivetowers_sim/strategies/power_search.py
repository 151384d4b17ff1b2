"""Find the best builds with Great Powers: what to pay, take, tear down, fetch, and at which end to build.

As without powers, each tower is folded to its options, and the options are combined. An option now
has more sides: tree cards paid, fetches needed and given, the change of the teardown pile, and, for
pairs, which values the candy and scary towers hold. Combinations are searched depth first; a branch
is left when even the best of the rest can't beat what was found for a bid at least as high.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fivetowers_sim.compiled import kernel, rare_kernel
from fivetowers_sim.rules.cards import CANDY, SAND, SCARY, SCRAP, TOWER_TOP, TREE
from fivetowers_sim.rules.draft import draft_outcome
from fivetowers_sim.rules.legal import legal_teardown, most_payable
from fivetowers_sim.rules.outcomes import WALK, Desk, has_bottom_end, next_outcome, start_walk
from fivetowers_sim.rules.ruleset import MAX_DISPLAY
from fivetowers_sim.rules.state import BOTTOM_END, MAX_TOWER, TOP_END, TYPES
from fivetowers_sim.rules.tables import PAIRS_POWER, SCRAP_POWER, TREE_POWER
from fivetowers_sim.strategies.search import NO_WORTH

MAX_BID = MAX_DISPLAY + MAX_TOWER
MAX_OPTIONS = 4096
_PICK_BITS = 12
_VALUES = 31

_KINDS = (SCRAP, TREE, CANDY, SCARY, SAND)
"""The order in which towers are combined: scrap first, since it gives fetches."""

OPTION = np.dtype(
    [
        ("worth", "i8"),
        ("height", "i8"),
        ("cards", "i8"),
        ("paid", "i8"),
        ("torn", "i8"),
        # Fetches needed of other towers' scrap cards, and what the teardown pile grows by.
        ("needed", "i8"),
        ("pile_growth", "i8"),
        # Which values the tower holds at least once, twice (bits 31 up), and three and four times.
        ("values", "i8"),
        ("more_values", "i8"),
        # How to build it: an entry of the display (-1: no card), or the cards used in a walk (0: an entry).
        ("entry", "i8"),
        ("used", "i8"),
        ("end", "i8"),
        ("top", "i8"),
    ],
    align=True,
)


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
        ("teardown_limit", "i8"),
        ("high_bid", "i8"),
        # Whether any scrap card could be taken, so that something might be fetched.
        ("may_fetch", "i8"),
        ("pairs_count", "i8"),
        # By type.
        ("options", "i8", (TYPES,)),
        ("option", OPTION, (TYPES, MAX_OPTIONS)),
        # By step: the best that this and later towers can add, each side by itself.
        ("rest_worth", "i8", (TYPES + 1,)),
        ("rest_height", "i8", (TYPES + 1,)),
        ("rest_bid", "i8", (TYPES + 1,)),
        ("rest_shrink", "i8", (TYPES + 1,)),
        # The combination in hand: before each step, and the option picked at it.
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


@rare_kernel
def search_builds_with_powers(bidder, high_bid, search):
    """Fill ``best_worth`` and ``best_picks`` for every bid above the high bid.

    A bid that a higher one beats may be left out.

    Parameters
    ----------
    bidder : Bidder
        Who would build, with the display read.
    high_bid : int
        Bids up to this are of no interest.
    search : record of POWER_SEARCH
        Overwritten.
    """
    search.powers = bidder.rules.powers[bidder.seat] & ~bidder.mind.ignored_powers
    search.teardown_limit = min(bidder.rules.teardown_limit, bidder.mind.teardown_limit)
    search.high_bid = high_bid
    search.pairs_count = search.powers & PAIRS_POWER
    search.may_fetch = search.powers & SCRAP_POWER != 0 and can_take_scrap(bidder, search.teardown_limit)
    payable = most_payable(bidder.rules, bidder.game, bidder.seat) if search.powers & TREE_POWER != 0 else 0
    search.highest = min(bidder.game.display_size + payable, bidder.mind.max_bid)
    restricted = bidder.mind.max_bid < bidder.game.display_size + payable
    for bid in range(bidder.game.display_size + payable + 2):
        search.best_worth[bid] = NO_WORTH
        search.front_worth[bid] = NO_WORTH
    for kind in range(TYPES):
        search.options[kind] = 0
        most_paid = payable if kind == TREE else 0
        # To pay more than outbids everybody is only of use for reaching a card to fetch onto.
        if kind == TREE and not search.may_fetch:
            most_paid = min(payable, high_bid + 1)
        for paid in range(most_paid + 1):
            for torn in range(search.teardown_limit + 1):
                if legal_teardown(bidder.game, bidder.seat, kind, paid + torn):
                    list_options(bidder, search, (kind, paid, torn))
        drop_beaten_options(search, kind, restricted)
    bound_rest(search)
    combine_options(bidder, search)


@kernel
def can_take_scrap(bidder, teardown_limit):
    """Rule 6.2: say whether a scrap card of the display can be built, so that something may be fetched."""
    game = bidder.game
    for torn in range(teardown_limit + 1):
        if legal_teardown(game, bidder.seat, SCRAP, torn):
            top = int(game.tower[bidder.seat, SCRAP, game.height[bidder.seat, SCRAP] - torn])
            if (bidder.display.any_starts[SCRAP] >> top) & 1 == 1:
                return True
    return False


@kernel
def list_options(bidder, search, task):
    """Add the options of a tower after paying and tearing down a number of cards."""
    kind, paid, torn = task
    game, display = bidder.game, bidder.display
    # A single torn card alone would only be put back.
    few = torn == 0 or (torn == 1 and display.kind_size[kind] == 0)
    fetchable = search.may_fetch and (not few or has_torn_card(game, bidder.seat, kind))
    if torn > 0 and not fetchable and display.kind_size[kind] == 0 and not bidder.mind.idle_teardown:
        return
    height = game.height[bidder.seat, kind]
    base = height - paid - torn
    top = int(game.tower[bidder.seat, kind, base])
    values, more_values = 0, 0
    if search.pairs_count and (kind == CANDY or kind == SCARY):
        for slot in range(1, base + 1):
            values, more_values = add_value(values, more_values, int(game.tower[bidder.seat, kind, slot]))
    if torn == 0 or bidder.mind.idle_teardown:
        option = new_option(search, task, (base, top, values, more_values))
        option.worth = bidder.mind.tower_worth[bidder.mind.stage, kind, base, top]
    if paid == 0 and (display.any_starts[kind] >> top) & 1 == 1:
        list_entries(bidder, search, task, (base, top, values, more_values))
    if fetchable:
        list_outcomes(bidder, search, task, TOP_END)
    if (fetchable or display.kind_size[kind] > 0) and has_bottom_end(bidder, bidder.seat, kind, torn, search.powers):
        list_outcomes(bidder, search, task, BOTTOM_END)


@kernel
def new_option(search, task, tower):
    """Start an option with nothing placed, and return it."""
    kind, paid, torn = task
    height, top, values, more_values = tower
    number = search.options[kind]
    search.options[kind] = min(number + 1, MAX_OPTIONS - 1)
    option = search.option[kind, number]
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
def has_torn_card(game, seat, kind):
    """Say whether the teardown pile holds a card of this type."""
    for i in range(game.pile_size[seat]):
        if game.pile[seat, i] >> 5 == kind:
            return True
    return False


@rare_kernel
def list_entries(bidder, search, task, tower):
    """Add the options that build shown cards on top and fetch nothing."""
    kind, paid, torn = task
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
        if search.pairs_count and (kind == CANDY or kind == SCARY):
            for nth in range(display.kind_size[kind]):
                if (display.entry_subset[entry] >> nth) & 1 == 1:
                    values, more_values = add_value(values, more_values, display.kind_value[kind, nth])
        cards = display.entry_cards[entry]
        option = new_option(search, task, (base + cards, display.entry_top[entry], values, more_values))
        option.cards = cards
        option.entry = entry
        option.worth = bidder.mind.tower_worth[bidder.mind.stage, kind, base + cards, display.entry_top[entry]]


@rare_kernel
def list_outcomes(bidder, search, task, end):
    """Add the options that fetch a card or build at the bottom."""
    kind, paid, torn = task
    walk = search.walk
    start_walk(bidder, walk, bidder.seat, (kind, paid, torn, end, search.powers, bidder.mind.never_close))
    while next_outcome(bidder, walk, bidder.seat):
        if end == TOP_END and walk.fetched == 0:
            continue
        values, more_values = 0, 0
        if search.pairs_count and (kind == CANDY or kind == SCARY):
            for slot in range(1, walk.height + 1):
                values, more_values = add_value(values, more_values, int(bidder.game.tower[bidder.seat, kind, slot]))
            for nth in range(walk.placed):
                values, more_values = add_value(values, more_values, walk.value[walk.order[nth]])
        top = walk.end_value[walk.placed]
        if end == BOTTOM_END:
            top = int(bidder.game.tower[bidder.seat, kind, walk.height])
        height = walk.height + walk.placed
        option = new_option(search, task, (height, top, values, more_values))
        option.worth = bidder.mind.tower_worth[bidder.mind.stage, kind, height, top]
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
        beaten = False
        for other in range(search.options[kind]):
            if other < kept or other > number:
                if beats(search.option[kind, other], search.option[kind, number], restricted, other < kept):
                    beaten = True
                    break
        if not beaten:
            if kept < number:
                search.option[kind, kept] = search.option[kind, number]
            kept += 1
    search.options[kind] = kept


@kernel
def beats(option, other, restricted, earlier):
    """Say whether an option is at least as good as another in every respect, and better or earlier."""
    if (
        option.worth < other.worth
        or option.height < other.height
        or option.torn > other.torn
        or option.needed > other.needed
        or option.pile_growth > other.pile_growth
        or option.paid > other.paid
        or option.cards < other.cards
        or option.cards + option.paid < other.cards + other.paid
        or other.values & ~option.values != 0
        or other.more_values & ~option.more_values != 0
    ):
        return False
    # Who may not bid high can't use more cards, however good.
    if restricted and (option.cards != other.cards or option.paid != other.paid):
        return False
    return earlier or option.worth > other.worth or option.cards > other.cards


@kernel
def bound_rest(search):
    """For each step, find the best that its and the later towers can add."""
    search.rest_worth[TYPES] = 0
    search.rest_height[TYPES] = 0
    search.rest_bid[TYPES] = 0
    search.rest_shrink[TYPES] = 0
    candy, more_candy, scary, more_scary = 0, 0, 0, 0
    for back in range(TYPES):
        step = TYPES - 1 - back
        kind = _KINDS[step]
        worth, height, bid, shrink = NO_WORTH, 0, 0, 0
        for number in range(search.options[kind]):
            option = search.option[kind, number]
            worth = max(worth, option.worth)
            height = max(height, option.height)
            bid = max(bid, option.cards + option.paid)
            shrink = max(shrink, -option.pile_growth)
            if kind == CANDY:
                candy |= option.values
                more_candy |= option.more_values
            elif kind == SCARY:
                scary |= option.values
                more_scary |= option.more_values
        search.rest_worth[step] = search.rest_worth[step + 1] + worth
        search.rest_height[step] = max(search.rest_height[step + 1], height)
        search.rest_bid[step] = search.rest_bid[step + 1] + bid
        search.rest_shrink[step] = search.rest_shrink[step + 1] + shrink
    search.most_pairs = count_set_bits(candy & scary) + count_set_bits(more_candy & more_scary)


@kernel
def count_set_bits(bits):
    """Return how many bits of a non-negative number are set."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@rare_kernel
def combine_options(bidder, search):
    """Search the combinations of options, one tower a step, depth first."""
    search.worth[0] = 0
    search.height[0] = 0
    search.cards[0] = 0
    search.paid[0] = 0
    search.torn[0] = 0
    search.fetches[0] = 0
    search.pile_growth[0] = 0
    search.picks[0] = 0
    step = 0
    search.cursor[0] = -1
    while step >= 0:
        search.cursor[step] += 1
        if search.cursor[step] >= search.options[_KINDS[step]]:
            step -= 1
        elif can_extend(bidder, search, step):
            if step == TYPES - 1:
                offer_combination(bidder, search)
            else:
                step += 1
                search.cursor[step] = -1


@kernel
def can_extend(bidder, search, step):
    """Add the step's option to the combination; say whether it is allowed and may lead to a better build."""
    kind = _KINDS[step]
    option = search.option[kind, search.cursor[step]]
    after = step + 1
    search.torn[after] = search.torn[step] + option.torn
    search.fetches[after] = search.fetches[step] - option.needed
    if search.torn[after] > search.teardown_limit or search.fetches[after] < 0:
        return False
    if kind == SCRAP and search.powers & SCRAP_POWER != 0:
        search.fetches[after] += option.cards
    search.cards[after] = search.cards[step] + option.cards
    search.paid[after] = search.paid[step] + option.paid
    highest = search.cards[after] + search.paid[after] + search.rest_bid[after]
    if highest <= search.high_bid:
        return False
    search.worth[after] = search.worth[step] + option.worth
    search.height[after] = max(search.height[step], option.height)
    search.pile_growth[after] = search.pile_growth[step] + option.pile_growth
    search.picks[after] = search.picks[step] | (search.cursor[step] << (_PICK_BITS * step))
    pile = max(0, bidder.game.pile_size[bidder.seat] + search.pile_growth[after] - search.rest_shrink[after])
    best_possible = (
        search.worth[after]
        + search.rest_worth[after]
        + bidder.mind.main_worth[bidder.mind.stage, max(search.height[after], search.rest_height[after])]
        + bidder.mind.teardown_worth[bidder.mind.stage, pile]
        + search.most_pairs * bidder.mind.pair_worth
    )
    return best_possible > search.front_worth[min(highest, search.highest)]


@kernel
def offer_combination(bidder, search):
    """Note the combination if it is the best for its bid."""
    cards, paid = search.cards[TYPES], search.paid[TYPES]
    bid = cards + paid
    if bid > search.highest or (paid > 0 and cards < bidder.rules.tree_min_take):
        return
    total = (
        search.worth[TYPES]
        + bidder.mind.main_worth[bidder.mind.stage, search.height[TYPES]]
        + bidder.mind.teardown_worth[bidder.mind.stage, bidder.game.pile_size[bidder.seat] + search.pile_growth[TYPES]]
    )
    if search.pairs_count:
        candy = search.option[CANDY, search.cursor[2]]
        scary = search.option[SCARY, search.cursor[3]]
        pairs = count_set_bits(candy.values & scary.values) + count_set_bits(candy.more_values & scary.more_values)
        total += pairs * bidder.mind.pair_worth
    if total > search.best_worth[bid]:
        search.best_worth[bid] = total
        search.best_picks[bid] = search.picks[TYPES]
        lower = bid
        while lower >= 0 and search.front_worth[lower] < total:
            search.front_worth[lower] = total
            lower -= 1


@rare_kernel
def choose_best_power_bid(table, seat, mind, spoken, search):
    """Choose the bid whose best build is worth most, with Great Powers; note the build in ``choices``.

    Parameters
    ----------
    table : Table
        The game, with its display read.
    seat : int
        Who speaks.
    mind : record of MIND
        The seat's strategy.
    spoken : tuple of two int
        The highest bid so far, and the bid to stay below.
    search : record of POWER_SEARCH, or None
        Scratch; None where nobody has Great Powers.

    Returns
    -------
    int
        The bid, 0 if there is none.
    """
    if search is None:
        return 0
    high_bid, limit = spoken
    bidder = Bidder(table.rules, table.game, table.display, mind, seat)
    search_builds_with_powers(bidder, high_bid, search)
    best, best_worth = 0, NO_WORTH
    for bid in range(high_bid + 1, min(search.highest, limit - 1) + 1):
        if search.best_worth[bid] > best_worth:
            best, best_worth = bid, search.best_worth[bid]
    choice = table.choices[seat]
    choice.bid = best
    choice.paid = 0
    for step in range(TYPES):
        kind = _KINDS[step]
        option = search.option[kind, (search.best_picks[best] >> (_PICK_BITS * step)) & (MAX_OPTIONS - 1)]
        choice.torn[kind] = option.torn
        choice.entry[kind] = option.entry
        choice.used[kind] = option.used
        choice.end[kind] = option.end
        choice.top[kind] = option.top
        choice.paid += option.paid
    return best


@rare_kernel
def draft_power_tower(table, seat, mind, kind, search):
    """Draft what a seat has in mind for a tower when it fetches or builds at the bottom."""
    if search is None:
        return
    choice = table.choices[seat]
    powers = table.rules.powers[seat] & ~mind.ignored_powers
    paid = choice.paid if kind == TREE else 0
    walk, desk = search.walk, Desk(table.rules, table.game, table.display)
    start_walk(desk, walk, seat, (kind, paid, choice.torn[kind], choice.end[kind], powers, mind.never_close))
    while next_outcome(desk, walk, seat):
        at_wanted_end = choice.end[kind] == BOTTOM_END or walk.end_value[walk.placed] == choice.top[kind]
        if walk.used == choice.used[kind] and at_wanted_end:
            draft_outcome(table.draft, walk, choice.torn[kind])
            return
