"""Find the best builds with Great Powers: what to pay, take, tear down, fetch, and at which end to build.

As without powers, each tower is folded to its options, and the options are combined. Combinations are
searched depth first; a branch is left when even the best of the rest can't beat what was found for a
bid at least as high.
"""

from __future__ import annotations

from fivetowers_sim.compiled import kernel, rare_kernel
from fivetowers_sim.rules.cards import CANDY, SAND, SCARY, SCRAP, TOWER_TOP, TREE
from fivetowers_sim.rules.draft import draft_outcome
from fivetowers_sim.rules.legal import legal_teardown, most_payable, top_value
from fivetowers_sim.rules.outcomes import Desk, next_outcome, start_walk
from fivetowers_sim.rules.reach import count_bits
from fivetowers_sim.rules.state import BOTTOM_END, TYPES
from fivetowers_sim.rules.tables import PAIRS_POWER, SCRAP_POWER, TREE_POWER
from fivetowers_sim.strategies.mind import GREEDY, powers_in_use
from fivetowers_sim.strategies.power_options import (
    MAX_OPTIONS,
    Bidder,
    can_take_scrap,
    drop_beaten_options,
    list_options,
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
    search.may_fetch = search.powers & SCRAP_POWER != 0 and can_take_scrap(bidder)
    payable = most_payable(bidder.rules, bidder.game, bidder.seat) if search.powers & TREE_POWER != 0 else 0
    search.highest = min(bidder.game.display_size + payable, bidder.mind.max_bid)
    restricted = bidder.mind.max_bid < bidder.game.display_size + payable
    for bid in range(bidder.game.display_size + payable + 2):
        search.best_worth[bid] = NO_WORTH
        search.front_worth[bid] = NO_WORTH
    if min(search.highest, most_cards_at_best(bidder) + payable) <= high_bid:
        return
    for kind in range(TYPES):
        search.options[kind] = 0
        most_paid = payable if kind == TREE else 0
        # To pay more than outbids everybody is of use for reaching a card to fetch onto, or if cards are worth nothing.
        if kind == TREE and not (search.may_fetch or bidder.mind.idle_teardown or search.every_bid):
            most_paid = min(payable, high_bid + 1)
        for paid in range(most_paid + 1):
            for torn in range(bidder.mind.teardown_limit + 1):
                if legal_teardown(bidder.game, bidder.seat, kind, paid + torn):
                    list_options(bidder, search, (kind, paid, torn))
        drop_beaten_options(search, kind, restricted)
    bound_rest(search)
    combine_options(bidder, search)


@kernel
def most_cards_at_best(bidder):
    """Return a number of cards that no build can exceed: what is shown of towers without a top."""
    most = 0
    for kind in range(TYPES):
        if top_value(bidder.game, bidder.seat, kind) != TOWER_TOP:
            most += bidder.display.kind_size[kind]
    return most


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
    search.most_pairs = count_bits(candy & scary) + count_bits(more_candy & more_scary)


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
    if search.torn[after] > bidder.mind.teardown_limit or search.fetches[after] < 0:
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
        pairs = count_bits(candy.values & scary.values) + count_bits(candy.more_values & scary.more_values)
        total += pairs * bidder.mind.pair_worth
    if total > search.best_worth[bid]:
        search.best_worth[bid] = total
        search.best_picks[bid] = search.picks[TYPES]
        lower = bid
        while lower >= 0 and search.front_worth[lower] < total:
            search.front_worth[lower] = total
            lower -= 1


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
    for step in range(TYPES):
        kind = _KINDS[step]
        option = search.option[kind, (search.best_picks[bid] >> (_PICK_BITS * step)) & (MAX_OPTIONS - 1)]
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
