"""Find the best builds with Great Powers: what to pay, take, tear down, fetch, and at which end to build.

As without powers, each tower is folded to its options, and the options are combined. Combinations are
searched depth first; a branch is left when even the best of the rest can't beat what was found for a
bid at least as high.
"""

from __future__ import annotations

from fivetowers_sim.compiled import count_bits, kernel, rare_kernel
from fivetowers_sim.rules.cards import CANDY, SAND, SCARY, SCRAP, TOWER_TOP, TREE
from fivetowers_sim.rules.draft import draft_outcome
from fivetowers_sim.rules.legal import legal_teardown, most_payable
from fivetowers_sim.rules.outcomes import Desk, next_outcome, start_walk
from fivetowers_sim.rules.state import BOTTOM_END, TYPES
from fivetowers_sim.rules.tables import PAIRS_POWER, SCRAP_POWER, TREE_POWER
from fivetowers_sim.strategies.mind import GREEDY, powers_in_use
from fivetowers_sim.strategies.power_options import (
    MAX_OPTIONS,
    Bidder,
    can_build_below,
    can_take_scrap,
    counts_values,
    drop_beaten_options,
    find_torn_kinds,
    is_plain,
    list_options,
    list_payments,
    list_plain_card,
)
from fivetowers_sim.strategies.search import NO_WORTH

_PICK_BITS = 12

_KINDS = (SCRAP, TREE, CANDY, SCARY, SAND)
"""The order in which towers are combined: scrap first, since it gives fetches."""


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
    search.powers = powers_in_use(bidder.rules, bidder.seat, bidder.mind)
    search.high_bid = high_bid
    search.pairs_count = search.powers & PAIRS_POWER
    payable = most_payable(bidder.rules, bidder.game, bidder.seat) if search.powers & TREE_POWER != 0 else 0
    search.highest = min(bidder.game.display_size + payable, bidder.mind.max_bid)
    for bid in range(high_bid + 1, search.highest + 1):
        search.best_worth[bid] = NO_WORTH
        search.front_worth[bid] = NO_WORTH
    search.may_fetch = search.powers & SCRAP_POWER != 0 and can_take_scrap(bidder)
    reach = reach_at_best(bidder, search) + payable
    if min(search.highest, reach) <= high_bid or not list_all_options(bidder, search, payable, reach):
        return
    order_steps(search)
    bound_rest(search)
    combine_options(bidder, search)


@kernel
def list_all_options(bidder, search, payable, reach):
    """List the options of every tower that can be part of a bid above the high bid and that no other one beats.

    Returns False if some tower has none. `reach` is a bid that no build can exceed.
    """
    search.torn_kinds = find_torn_kinds(bidder.game, bidder.seat) if search.may_fetch else 0
    search.restricted = bidder.mind.max_bid < bidder.game.display_size + payable
    end = 0
    for kind in range(TYPES):
        search.first_option[kind] = end
        search.options[kind] = 0
        most_paid = payable if kind == TREE else 0
        # Which values could be had decides a tie, so where pairs count all options are needed to know them.
        search.fewest = 0
        if not counts_values(search, kind):
            search.fewest = max(0, search.high_bid + 1 - (reach - search.reach[kind] - most_paid))
        # To pay more than outbids everybody is of use for reaching a card to fetch onto, or if cards are worth nothing.
        if kind == TREE and not (search.may_fetch or bidder.mind.idle_teardown or search.every_bid):
            most_paid = min(payable, search.high_bid + 1)
        shown = bidder.display.kind_size[kind]
        plain = shown <= 1 and is_plain(bidder, search, kind, most_paid)
        if plain and shown == 0:
            list_payments(bidder, search, kind, most_paid)
        elif plain and most_paid == 0:
            list_plain_card(bidder, search, kind)
        else:
            list_every_option(bidder, search, kind, most_paid)
            drop_beaten_options(search, kind, search.restricted)
        if search.options[kind] == 0:
            return False
        end += search.options[kind]
    return True


@kernel
def list_every_option(bidder, search, kind, most_paid):
    """List a tower's options for every number of tree cards paid and cards torn down."""
    for paid in range(most_paid + 1):
        for torn in range(bidder.mind.teardown_limit + 1):
            if legal_teardown(bidder.game, bidder.seat, kind, paid + torn):
                list_options(bidder, search, (kind, paid, torn))


@kernel
def reach_at_best(bidder, search):
    """Return a number of cards that no build can exceed, from a glance at the towers' ends.

    Fills ``reach`` with what each tower adds to it without a teardown.
    """
    game, display, limit = bidder.game, bidder.display, bidder.mind.teardown_limit
    most, most_after_teardown = 0, 0
    for kind in range(TYPES):
        shown = display.kind_size[kind]
        height = game.height[bidder.seat, kind]
        top = int(game.tower[bidder.seat, kind, height])
        below = int(game.tower[bidder.seat, kind, height - (height > 0)])
        # Calculated with, not branched on, as without powers.
        if search.may_fetch:
            fits = int(top != TOWER_TOP)
        else:
            fits = ((display.card_starts[kind, 1] >> top) & 1) | can_build_below(bidder, search, kind, 0)
        fits_below = (height > 0) & (top != TOWER_TOP) & ((limit > 1) | (display.card_starts[kind, 1] >> below) & 1)
        search.reach[kind] = shown * fits
        most += shown * fits
        most_after_teardown = max(most_after_teardown, shown * (1 - fits) * fits_below)
    return most + most_after_teardown * limit


@kernel
def order_steps(search):
    """Make a step of each tower with several options; begin the combination with the only option of the others."""
    search.steps = 0
    search.worth[0] = 0
    search.height[0] = 0
    search.cards[0] = 0
    search.paid[0] = 0
    search.torn[0] = 0
    search.fetches[0] = 0
    search.pile_growth[0] = 0
    search.picks[0] = 0
    for place in range(TYPES):
        kind = _KINDS[place]
        if search.options[kind] > 1:
            search.step_kind[search.steps] = kind
            search.steps += 1
        else:
            add_option(search, 0, 0, kind, 0)


@kernel
def add_option(search, before, after, kind, number):
    """Add an option of a tower to the combination before a step; what comes of it is the one after."""
    option = search.option[search.first_option[kind] + number]
    given = option.cards if kind == SCRAP and search.powers & SCRAP_POWER != 0 else 0
    search.worth[after] = search.worth[before] + option.worth
    search.height[after] = max(search.height[before], option.height)
    search.cards[after] = search.cards[before] + option.cards
    search.paid[after] = search.paid[before] + option.paid
    search.torn[after] = search.torn[before] + option.torn
    search.fetches[after] = search.fetches[before] - option.needed + given
    search.pile_growth[after] = search.pile_growth[before] + option.pile_growth
    search.picks[after] = search.picks[before] | (number << (_PICK_BITS * kind))


@kernel
def bound_rest(search):
    """For each step, find the best that its and the later towers can add."""
    search.rest_worth[search.steps] = 0
    search.rest_height[search.steps] = 0
    search.rest_bid[search.steps] = 0
    search.rest_shrink[search.steps] = 0
    for step in range(search.steps - 1, -1, -1):
        kind = search.step_kind[step]
        worth, height, bid, shrink = NO_WORTH, 0, 0, 0
        for number in range(search.first_option[kind], search.first_option[kind] + search.options[kind]):
            option = search.option[number]
            worth = max(worth, option.worth)
            height = max(height, option.height)
            bid = max(bid, option.cards + option.paid)
            shrink = max(shrink, -option.pile_growth)
        search.rest_worth[step] = search.rest_worth[step + 1] + worth
        search.rest_height[step] = max(search.rest_height[step + 1], height)
        search.rest_bid[step] = search.rest_bid[step + 1] + bid
        search.rest_shrink[step] = search.rest_shrink[step + 1] + shrink
    search.most_pairs = most_pairs_at_best(search) if search.pairs_count != 0 else 0


@kernel
def most_pairs_at_best(search):
    """Return a number of pairs that no combination can exceed."""
    candy, more_candy, scary, more_scary = 0, 0, 0, 0
    for number in range(search.first_option[CANDY], search.first_option[CANDY] + search.options[CANDY]):
        candy |= search.option[number].values
        more_candy |= search.option[number].more_values
    for number in range(search.first_option[SCARY], search.first_option[SCARY] + search.options[SCARY]):
        scary |= search.option[number].values
        more_scary |= search.option[number].more_values
    return count_bits(candy & scary) + count_bits(more_candy & more_scary)


@rare_kernel
def combine_options(bidder, search):
    """Search the combinations of options, one tower a step, depth first."""
    if search.cards[0] + search.paid[0] + search.rest_bid[0] <= search.high_bid:
        return
    if search.steps == 0:
        if is_allowed(bidder, search, 0):
            offer_combination(bidder, search)
        return
    step = 0
    search.cursor[0] = -1
    while step >= 0:
        search.cursor[step] += 1
        if search.cursor[step] >= search.options[search.step_kind[step]]:
            step -= 1
        elif can_extend(bidder, search, step):
            if step == search.steps - 1:
                offer_combination(bidder, search)
            else:
                step += 1
                search.cursor[step] = -1


@kernel
def is_allowed(bidder, search, step):
    """Say whether the combination before a step tears down and fetches no more than it may."""
    return search.torn[step] <= bidder.mind.teardown_limit and search.fetches[step] >= 0


@kernel
def can_extend(bidder, search, step):
    """Add the step's option to the combination; say whether it is allowed and may lead to a better build."""
    after = step + 1
    add_option(search, step, after, search.step_kind[step], search.cursor[step])
    if not is_allowed(bidder, search, after):
        return False
    highest = search.cards[after] + search.paid[after] + search.rest_bid[after]
    if highest <= search.high_bid:
        return False
    pile = max(0, bidder.game.pile_size[bidder.seat] + search.pile_growth[after] - search.rest_shrink[after])
    best_possible = (
        search.worth[after]
        + search.rest_worth[after]
        + bidder.mind.main_worth[bidder.mind.stage, max(search.height[after], search.rest_height[after])]
        + bidder.mind.teardown_worth[bidder.mind.stage, pile]
        + search.most_pairs * bidder.mind.pair_worth[bidder.mind.stage]
    )
    return best_possible > search.front_worth[min(highest, search.highest)]


@kernel
def offer_combination(bidder, search):
    """Note the combination if it is the best for its bid."""
    steps = search.steps
    cards, paid = search.cards[steps], search.paid[steps]
    bid = cards + paid
    if bid > search.highest or (paid > 0 and cards < bidder.rules.tree_min_take):
        return
    total = (
        search.worth[steps]
        + bidder.mind.main_worth[bidder.mind.stage, search.height[steps]]
        + bidder.mind.teardown_worth[bidder.mind.stage, bidder.game.pile_size[bidder.seat] + search.pile_growth[steps]]
    )
    if search.pairs_count:
        candy = picked_option(search, search.picks[steps], CANDY)
        scary = picked_option(search, search.picks[steps], SCARY)
        pairs = count_bits(candy.values & scary.values) + count_bits(candy.more_values & scary.more_values)
        total += pairs * bidder.mind.pair_worth[bidder.mind.stage]
    if total > search.best_worth[bid]:
        search.best_worth[bid] = total
        search.best_picks[bid] = search.picks[steps]
        lower = bid
        while lower > search.high_bid and search.front_worth[lower] < total:
            search.front_worth[lower] = total
            lower -= 1


@kernel
def picked_option(search, picks, kind):
    """Return the option of a tower that a combination picks."""
    return search.option[search.first_option[kind] + ((picks >> (_PICK_BITS * kind)) & (MAX_OPTIONS - 1))]


@rare_kernel
def search_power_builds(table, seat, mind, high_bid, search):
    """Search a seat's builds with its Great Powers; see :func:`search_builds_with_powers`.

    `search` is None where nobody has any; then this is compiled to nothing.
    """
    if search is None:
        return
    search.every_bid = mind.family != GREEDY
    search_builds_with_powers(Bidder(table.rules, table.game, table.display, mind, seat), high_bid, search)


@kernel
def highest_searched(search):
    """Return the highest bid that a search looked at, what strategies don't use or allow themselves left out."""
    if search is None:
        return 0
    return search.highest


@kernel
def power_worth(search, bid):
    """Return the worth of the best build found for a bid, NO_WORTH for none."""
    if search is None:
        return NO_WORTH
    return search.best_worth[bid]


@kernel
def note_power_build(choice, search, bid):
    """Note the best build for a bid as what a seat has in mind."""
    if search is None:
        return
    choice.bid = bid
    choice.paid = 0
    for kind in range(TYPES):
        option = picked_option(search, search.best_picks[bid], kind)
        choice.torn[kind] = option.torn
        choice.entry[kind] = option.entry
        choice.used[kind] = option.used
        choice.end[kind] = option.end
        choice.top[kind] = option.top
        choice.paid += option.paid


@rare_kernel
def draft_power_tower(table, seat, mind, kind, search):
    """Draft what a seat has in mind for a tower when it fetches or builds at the bottom."""
    if search is None:
        return
    choice = table.seats.choice[seat]
    powers = powers_in_use(table.rules, seat, mind)
    paid = choice.paid if kind == TREE else 0
    walk, desk = search.walk, Desk(table.rules, table.game, table.display)
    start_walk(desk, walk, seat, (kind, paid, choice.torn[kind], choice.end[kind], powers, mind.never_close))
    while next_outcome(desk, walk, seat):
        at_wanted_end = choice.end[kind] == BOTTOM_END or walk.end_value[walk.placed] == choice.top[kind]
        if walk.used == choice.used[kind] and at_wanted_end:
            draft_outcome(table.draft, walk, choice.torn[kind])
            return
