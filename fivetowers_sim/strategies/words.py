"""What a seat says in the bidding, and the build it carries out when it wins."""

from __future__ import annotations

from fivetowers_sim.chance import below, uniform
from fivetowers_sim.compiled import kernel, rare_kernel
from fivetowers_sim.rules.bidding import PASS
from fivetowers_sim.rules.draft import draft_card, start_draft, write_build
from fivetowers_sim.rules.legal import most_payable
from fivetowers_sim.rules.reach import building_order
from fivetowers_sim.rules.state import FROM_HAND, TOP_END, TYPES
from fivetowers_sim.strategies.expert import choose_judged_bid, note_views
from fivetowers_sim.strategies.mind import EXPERT, GREEDY, RANDOM, powers_in_use
from fivetowers_sim.strategies.power_search import (
    draft_power_tower,
    highest_searched,
    note_power_build,
    power_worth,
    search_power_builds,
)
from fivetowers_sim.strategies.random_play import choose_random_bid, draft_random_build, highest_feasible_bid
from fivetowers_sim.strategies.search import NO_WORTH, note_build, search_builds
from fivetowers_sim.strategies.value import choose_valued_bid, next_to_look_at, note_gains


@kernel
def choose_word(table, seat, high_bid, limit):
    """Choose a seat's word: a bid, or PASS.

    Parameters
    ----------
    table : Table
        The game, with its display read. The seat's choice is overwritten.
    seat : int
        Who speaks.
    high_bid : int
        The highest bid so far, 0 for none.
    limit : int
        The bid must be lower (the one that this seat could not carry out), or NO_LIMIT.

    Returns
    -------
    int
        A number above `high_bid`, or PASS.
    """
    mind = table.seats.mind[table.seats.seated[seat]]
    table.seats.choice[seat].bid = 0
    bid = choose_misjudged_bid(table, seat, mind, high_bid)
    if bid != PASS:
        return bid
    if mind.family == RANDOM:
        bid = choose_random_bid(table, seat, mind, (high_bid, limit), table.ways)
        table.seats.choice[seat].bid = max(bid, 0)
        return bid
    return choose_best_bid(table, seat, mind, high_bid, limit)


@kernel
def choose_misjudged_bid(table, seat, mind, high_bid):
    """Rule 3.6: by chance, choose uniformly a bid that the seat can't carry out; PASS if it doesn't misjudge.

    It says no more than the display's size and the tree cards that it could pay with (rule 6.1), nor more than it
    allows itself. If there is no such number, it doesn't misjudge.
    """
    if mind.misjudge == 0.0 or table.seats.choice[seat].sent_back != 0:
        return PASS
    if uniform(table.game, seat) >= mind.misjudge:
        return PASS
    lowest = max(high_bid, highest_feasible_bid(table, seat, table.ways)) + 1
    highest = min(table.game.display_size + most_payable(table.rules, table.game, seat), mind.max_bid)
    return lowest + below(table.game, seat, highest + 1 - lowest) if lowest <= highest else PASS


@kernel
def choose_best_bid(table, seat, mind, high_bid, limit):
    """Choose a bid by what builds are worth, and note the build in mind.

    Minds that weigh gains look at the builds of everybody who is yet to speak first. The search is written once, since
    it is compiled into wherever it stands.
    """
    bid, over, at_hand, looking = PASS, 0, -1, True
    while looking:
        looked_at = next_to_look_at(table, seat, at_hand, table.fronts)
        if looked_at < 0:
            looking = False
            looked_at, over = seat, high_bid
            if mind.family != GREEDY:
                bid = choose_valued_bid(table, seat, (high_bid, limit), table.fronts)
                if mind.family == EXPERT:
                    bid = choose_judged_bid(table, seat, (high_bid, limit), table.fronts, table.judge)
                if bid == PASS or at_hand == seat:
                    break
                over = bid - 1
        want_shortlists(table.shortlist, mind.family == EXPERT and looked_at == seat)
        search_any_builds(table, looked_at, mind, over)
        if looking:
            note_gains(table, looked_at, seat, table.fronts, table.power_search)
            note_views(table, looked_at, seat, table.fronts, table.judge)
            at_hand = looked_at
    if mind.family == GREEDY:
        bid = find_best_bid(table, seat, mind, high_bid, limit)
    if bid != PASS:
        note_any_build(table, seat, mind, bid)
    return bid


@kernel
def want_shortlists(shortlist, wanted):
    """Say whether the next search is to make shortlists; they are None where nobody wants any."""
    if shortlist is None:
        return
    shortlist.wanted = wanted


@kernel
def search_any_builds(table, seat, mind, high_bid):
    """Search the best build for every bid above the high bid, with or without Great Powers."""
    if powers_in_use(table.rules, seat, mind) != 0:
        search_power_builds(table, seat, mind, high_bid, table.power_search)
    else:
        search_builds(table, seat, mind, high_bid)


@kernel
def find_best_bid(table, seat, mind, high_bid, limit):
    """Find the bid whose best build is worth most; the lowest such bid if there are several, PASS if there is none."""
    has_powers = powers_in_use(table.rules, seat, mind) != 0
    highest = highest_searched(table.power_search) if has_powers else table.game.display_size
    best, best_worth = PASS, NO_WORTH
    for bid in range(high_bid + 1, min(highest, mind.max_bid, limit - 1) + 1):
        worth = power_worth(table.power_search, bid) if has_powers else table.search.best_worth[bid]
        if worth > best_worth:
            best, best_worth = bid, worth
    return best


@kernel
def note_any_build(table, seat, mind, bid):
    """Note the best build found for a bid as what the seat has in mind."""
    if powers_in_use(table.rules, seat, mind) != 0:
        note_power_build(table.seats.choice[seat], table.power_search, bid)
    else:
        note_build(table.seats.choice[seat], table.search, bid)
    table.seats.choice[seat].planned = bid


@rare_kernel
def plan_build(table, seat, bid):
    """Find the seat's best build for a bid that was said for it; a bid of 0 if it can't be carried out."""
    mind = table.seats.mind[table.seats.seated[seat]]
    # Who may bid no more looks at builds that it would not choose itself, since a higher bid has a better one.
    may_bid = mind.max_bid
    mind.max_bid = bid
    search_any_builds(table, seat, mind, bid - 1)
    found = find_best_bid(table, seat, mind, bid - 1, bid + 1)
    mind.max_bid = may_bid
    if found == PASS:
        table.seats.choice[seat].bid = 0
    else:
        note_any_build(table, seat, mind, bid)


@kernel
def settle_build(table, seat):
    """Write the winner's build card by card into ``table.build``."""
    mind = table.seats.mind[table.seats.seated[seat]]
    bid = table.seats.choice[seat].bid
    if mind.family == RANDOM:
        draft_random_build(table, seat, mind, bid, table.ways)
    else:
        draft_best_build(table, seat, mind)
    write_build(table.draft, table.build, bid)


@kernel
def draft_best_build(table, seat, mind):
    """Draft the build that the seat has in mind."""
    draft, display, choice = table.draft, table.display, table.seats.choice[seat]
    start_draft(draft, choice.paid)
    for kind in range(TYPES):
        entry = choice.entry[kind]
        draft.torn[kind] = choice.torn[kind]
        draft.end[kind] = TOP_END
        if choice.used[kind] != 0:
            draft_power_tower(table, seat, mind, kind, table.power_search)
        if entry < 0:
            continue
        top = int(table.game.tower[seat, kind, table.game.height[seat, kind] - choice.torn[kind]])
        for slot in range(building_order(table.rules, display, kind, entry, top, table.seats.order)):
            nth = table.seats.order[slot]
            draft_card(draft, kind, display.kind_value[kind, nth], FROM_HAND)
            draft.take |= 1 << display.kind_position[kind, nth]
