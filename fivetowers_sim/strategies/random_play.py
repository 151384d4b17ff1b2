"""``random``: pick uniformly among everything legal.

The word is picked among the pass and every bid that can be carried out; a build among all different
results with that bid, by drawing the number of one and finding the result of that number.
"""

from __future__ import annotations

from fivetowers_sim.chance import below
from fivetowers_sim.compiled import kernel, rare_kernel
from fivetowers_sim.rules.bidding import PASS
from fivetowers_sim.rules.draft import draft_outcome, start_draft
from fivetowers_sim.rules.outcomes import Desk, count_ends, next_outcome, start_walk
from fivetowers_sim.rules.state import TYPES
from fivetowers_sim.strategies.mind import powers_in_use
from fivetowers_sim.strategies.result_counts import (
    COUNTED_KINDS,
    add_tower,
    count_builds,
    count_tower,
    fetches_given,
    fetches_needed,
)
from fivetowers_sim.strategies.result_counts import WAYS as WAYS
from fivetowers_sim.strategies.result_counts import highest_feasible_bid as highest_feasible_bid


@rare_kernel
def choose_random_bid(table, seat, mind, spoken, ways):
    """Choose a word uniformly among the pass and the bids that can be carried out.

    Parameters
    ----------
    table : Table
        The game, with its display read.
    seat : int
        Who speaks.
    mind : record of MIND
        Its restrictions.
    spoken : tuple of two int
        The highest bid so far, and the bid to stay below.
    ways : record of WAYS, or None
        Scratch; None where no strategy at the table needs it.

    Returns
    -------
    int
        A bid, or PASS.
    """
    if ways is None:
        return PASS
    set_limits(table, ways, seat, mind)
    count_builds(table, ways, seat, 0)
    high_bid, limit = spoken
    last = min(ways.highest, mind.max_bid, limit - 1)
    choices = 1
    for bid in range(high_bid + 1, last + 1):
        choices += ways.by_bid[bid] > 0
    pick = below(table.game, seat, choices)
    for bid in range(high_bid + 1, last + 1):
        if ways.by_bid[bid] > 0:
            pick -= 1
            if pick < 0:
                return bid
    return PASS


@kernel
def set_limits(table, ways, seat, mind):
    """Take over a strategy's restrictions."""
    ways.cards_end = table.game.display_size + 1
    ways.torn_end = mind.teardown_limit + 1
    ways.powers = powers_in_use(table.rules, seat, mind)
    ways.never_close = mind.never_close


@rare_kernel
def draft_random_build(table, seat, mind, bid, ways):
    """Draft a build with this bid, uniformly among all different results."""
    if ways is None:
        return
    set_limits(table, ways, seat, mind)
    count_builds(table, ways, seat, bid)
    pick = below(table.game, seat, ways.by_bid[bid])
    paid = 0
    while pick >= ways.by_payment[paid]:
        pick -= ways.by_payment[paid]
        paid += 1
    start_draft(table.draft, paid)
    desk = Desk(table.rules, table.game, table.display)
    count_tower(desk, ways, seat, TYPES - 1, paid)
    add_tower(ways, TYPES - 1)
    cards, torn, left = find_state(ways, bid - paid, pick)
    for step in range(TYPES - 1, -1, -1):
        pick = below(table.game, seat, ways.total[step + 1, cards, torn, left])
        here, taken, fetched = draft_tower(table, ways, (step, cards, torn, left), pick)
        draft_picked_outcome(table, seat, ways, (step, paid if step == TYPES - 1 else 0, here, taken, fetched))
        cards, torn, left = cards - taken, torn - here, left + fetched - fetches_given(ways, step, taken)


@rare_kernel
def find_state(ways, cards, pick):
    """Return the final state (cards, torn, fetches left) in which the picked result lies."""
    for torn in range(ways.torn_end):
        for left in range(ways.cards_end):
            if pick < ways.total[TYPES, cards, torn, left]:
                return cards, torn, left
            pick -= ways.total[TYPES, cards, torn, left]
    return cards, 0, 0


@rare_kernel
def draft_tower(table, ways, state, pick):
    """Return what the picked result does with a step's tower: cards torn down, taken and fetched."""
    step, cards, torn, left = state
    for here in range(torn + 1):
        for taken in range(cards + 1):
            for fetched in range(ways.cards_end):
                earlier = left + fetched - fetches_given(ways, step, taken)
                if 0 <= earlier < ways.cards_end and fetched <= earlier:
                    results = (
                        ways.tower[step, here, taken, fetched] * ways.total[step, cards - taken, torn - here, earlier]
                    )
                    if pick < results:
                        return here, taken, fetched
                    pick -= results
    return 0, 0, 0


@rare_kernel
def draft_picked_outcome(table, seat, ways, wanted):
    """Draft one of a tower's outcomes with these counts, uniformly."""
    step, paid, torn, taken, fetched = wanted
    kind = COUNTED_KINDS[step]
    desk = Desk(table.rules, table.game, table.display)
    pick = below(table.game, seat, ways.tower[step, torn, taken, fetched])
    for end in range(count_ends(desk, seat, kind, torn, ways.powers)):
        start_walk(desk, ways.walk, seat, (kind, paid, torn, end, ways.powers, ways.never_close))
        while next_outcome(desk, ways.walk, seat):
            if ways.walk.taken == taken and fetches_needed(ways.walk) == fetched:
                if pick == 0:
                    draft_outcome(table.draft, ways.walk, torn)
                    return
                pick -= 1
