"""How many different results the builds of a seat can have: cards taken, paid, torn down, fetched; towers afterwards.

Results are not listed but counted, tower by tower: outcomes by cards torn down, taken and fetched are multiplied
and added up, for every number of cards taken, torn down and fetches left over.
"""

from __future__ import annotations

import numpy as np

from fivetowers_sim.compiled import kernel, rare_kernel
from fivetowers_sim.rules.cards import CANDY, SAND, SCARY, SCRAP, TREE
from fivetowers_sim.rules.legal import legal_teardown, most_payable
from fivetowers_sim.rules.outcomes import WALK, Desk, count_ends, next_outcome, start_walk
from fivetowers_sim.rules.reach import legal_highest_bid
from fivetowers_sim.rules.ruleset import MAX_DISPLAY, MAX_TEARDOWN_LIMIT
from fivetowers_sim.rules.state import MAX_BID, MAX_TOWER, TYPES
from fivetowers_sim.rules.tables import SCRAP_POWER, TREE_POWER

COUNTED_KINDS = (SCRAP, CANDY, SCARY, SAND, TREE)
"""The order in which towers are counted: scrap first, since it gives fetches; tree last, since it pays."""

_CARDS = MAX_DISPLAY + 1
_TORN = MAX_TEARDOWN_LIMIT + 1

WAYS = np.dtype(
    [
        ("walk", WALK),
        # By step (a tower each): results by cards torn down, taken and fetched.
        ("tower", "i8", (TYPES, _TORN, _CARDS, _CARDS)),
        # Before each step: results by cards taken, torn down and fetches left.
        ("total", "i8", (TYPES + 1, _CARDS, _TORN, _CARDS)),
        # By bid: results; and by tree cards paid, of the bid in question.
        ("by_bid", "i8", (MAX_BID + 1,)),
        # No bid is above this.
        ("highest", "i8"),
        ("by_payment", "i8", (MAX_TOWER + 1,)),
        # One more than the most cards that can be taken, and torn down: where loops end. Loops that end at a
        # constant would be unrolled, which here takes the compiler very long.
        ("cards_end", "i8"),
        ("torn_end", "i8"),
        # The powers that the seat uses, and whether it never closes a tower.
        ("powers", "i8"),
        ("never_close", "i8"),
    ],
    align=True,
)


@rare_kernel
def count_builds(table, ways, seat, wanted_bid):
    """Count the results of all builds by bid, and those with the wanted bid by payment.

    Parameters
    ----------
    table : Table
        The game, with its display read.
    ways : record of WAYS
        Its limits are set; the rest is overwritten.
    seat : int
        Who would build.
    wanted_bid : int
        Whose payments are counted.
    """
    desk = Desk(table.rules, table.game, table.display)
    most_paid = most_payable(table.rules, table.game, seat) if ways.powers & TREE_POWER != 0 else 0
    for bid in range(ways.cards_end + most_paid):
        ways.by_bid[bid] = 0
    start_totals(ways)
    for step in range(TYPES - 1):
        count_tower(desk, ways, seat, step, 0)
        add_tower(ways, step)
    for paid in range(most_paid + 1):
        count_tower(desk, ways, seat, TYPES - 1, paid)
        add_tower(ways, TYPES - 1)
        ways.by_payment[paid] = 0
        for cards in range(ways.cards_end):
            if cards + paid == 0 or (paid > 0 and cards < table.rules.tree_min_take):
                continue
            results = total_of(ways, TYPES, cards)
            ways.by_bid[cards + paid] += results
            if cards + paid == wanted_bid:
                ways.by_payment[paid] = results
    ways.highest = ways.cards_end - 1 + most_paid


@rare_kernel
def start_totals(ways):
    """Before the first tower there is one result: nothing taken, torn down or fetched."""
    for cards in range(ways.cards_end):
        for torn in range(ways.torn_end):
            for left in range(ways.cards_end):
                ways.total[0, cards, torn, left] = cards + torn + left == 0


@kernel
def total_of(ways, step, cards):
    """Return how many results before a step take this many cards."""
    results = 0
    for torn in range(ways.torn_end):
        for left in range(ways.cards_end):
            results += ways.total[step, cards, torn, left]
    return results


@rare_kernel
def count_tower(desk, ways, seat, step, paid):
    """Count a tower's outcomes by cards torn down, taken and fetched at the cost of other towers."""
    kind = COUNTED_KINDS[step]
    for torn in range(ways.torn_end):
        for cards in range(ways.cards_end):
            for fetched in range(ways.cards_end):
                ways.tower[step, torn, cards, fetched] = 0
    for torn in range(ways.torn_end):
        if not legal_teardown(desk.game, seat, kind, torn + paid):
            break
        for end in range(count_ends(desk, seat, kind, torn, ways.powers)):
            start_walk(desk, ways.walk, seat, (kind, paid, torn, end, ways.powers, ways.never_close))
            while next_outcome(desk, ways.walk, seat):
                ways.tower[step, torn, ways.walk.taken, fetches_needed(ways.walk)] += 1


@kernel
def fetches_needed(walk):
    """Return how many fetches an outcome needs of the scrap cards from the hand."""
    return 0 if walk.kind == SCRAP else walk.fetched


@kernel
def fetches_given(ways, step, cards):
    """Return how many fetches a step's tower gives to the others."""
    return cards if step == 0 and ways.powers & SCRAP_POWER != 0 else 0


@rare_kernel
def add_tower(ways, step):
    """Combine a tower's outcomes with the results before it."""
    for cards in range(ways.cards_end):
        for torn in range(ways.torn_end):
            for left in range(ways.cards_end):
                ways.total[step + 1, cards, torn, left] = 0
    for cards in range(ways.cards_end):
        for torn in range(ways.torn_end):
            for left in range(ways.cards_end):
                before = ways.total[step, cards, torn, left]
                if before > 0:
                    add_outcomes(ways, step, (cards, torn, left), before)


@kernel
def add_outcomes(ways, step, state, before):
    """Add a tower's outcomes to one state of the results before it."""
    cards, torn, left = state
    for here in range(ways.torn_end - torn):
        for taken in range(ways.cards_end - cards):
            for fetched in range(left + 1):
                outcomes = ways.tower[step, here, taken, fetched]
                if outcomes > 0:
                    after = left - fetched + fetches_given(ways, step, taken)
                    ways.total[step + 1, cards + taken, torn + here, after] += before * outcomes


@rare_kernel
def highest_feasible_bid(table, seat, ways):
    """Return the highest bid that the seat could carry out by the rules, whatever its strategy."""
    if ways is None:
        return legal_highest_bid(table.rules, table.game, seat, table.display)
    if table.rules.powers[seat] == 0:
        return legal_highest_bid(table.rules, table.game, seat, table.display)
    ways.cards_end = table.game.display_size + 1
    ways.torn_end = table.rules.teardown_limit + 1
    ways.powers = table.rules.powers[seat]
    ways.never_close = 0
    count_builds(table, ways, seat, 0)
    bid = ways.highest
    while bid > 0 and ways.by_bid[bid] == 0:
        bid -= 1
    return bid
