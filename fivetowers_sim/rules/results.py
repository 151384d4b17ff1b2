"""Every different result that a build can have (rules 3.3 to 3.5 and 6): what may be done here, and what it leads to.

A result is the cards taken, paid, torn down and fetched, and the towers afterwards. Each tower's outcomes are
listed first; then they are combined, tower by tower in the rulebook's order, as far as the counts that tie the
towers together allow.
"""

from __future__ import annotations

import numpy as np

from fivetowers_sim.compiled import entry_point, kernel
from fivetowers_sim.rules.build import apply_placement
from fivetowers_sim.rules.cards import EMPTY, SCRAP, TREE
from fivetowers_sim.rules.draft import draft_card, start_draft, write_build
from fivetowers_sim.rules.outcome_list import OUTCOME, list_outcomes
from fivetowers_sim.rules.outcomes import WALK, Desk
from fivetowers_sim.rules.reach import DISPLAY
from fivetowers_sim.rules.scoring import score_total
from fivetowers_sim.rules.state import GAME, TYPES
from fivetowers_sim.rules.tables import SCRAP_POWER

_USUAL_OUTCOMES = 256
_USUAL_RESULTS = 512

RESULT = np.dtype(
    [
        ("bid", "i4"),
        # Display positions taken, as bits.
        ("take", "i4"),
        ("pay", "i4"),
        # VP of the builder if the game ended after this build.
        ("score", "i4"),
        # By type: the tower's outcome.
        ("outcome", "i4", (TYPES,)),
    ],
    align=True,
)
"""A combination of outcomes that is a legal build."""

LISTING = np.dtype(
    [
        ("walk", WALK),
        # The outcomes of type k are first[k] to first[k + 1] - 1.
        ("first", "i8", (TYPES + 1,)),
        # By type: the most that this and the later towers can add to a bid.
        ("rest_bid", "i8", (TYPES + 1,)),
        # Whether all outcomes are listed.
        ("begun", "i8"),
        # The combination in hand: the type whose outcome comes next (-1: all is listed), the outcome of each, and
        # before each type what the earlier ones add up to.
        ("kind", "i8"),
        ("pick", "i8", (TYPES,)),
        ("bid", "i8", (TYPES + 1,)),
        ("take", "i8", (TYPES + 1,)),
        ("torn", "i8", (TYPES + 1,)),
        ("fetched", "i8", (TYPES + 1,)),
        # Fetches that scrap cards from the hand give to other towers, less those that the towers use.
        ("fetches_left", "i8", (TYPES + 1,)),
        # The table after that combination.
        ("after", GAME),
    ],
    align=True,
)
"""How far the listing has come."""


@entry_point
def list_results(position, builder, listing, outcomes, results):
    """Write the next results, as many as fit; before the first, write every outcome of every tower.

    Parameters
    ----------
    position : Desk of arrays
        Rules, game and display, each in an array of shape (1,). The display is read here.
    builder : ndarray of BUILDER, shape (1,)
        Who would build.
    listing : ndarray of LISTING, shape (1,)
        How far it has come; moved on. At the start all zero, but for slot 0 of the towers afterwards.
    outcomes : ndarray of OUTCOME
        Filled at the start. If they don't fit, nothing else happens, and ``first`` says how many there are.
    results : ndarray of RESULT
        Overwritten from the start.

    Returns
    -------
    int
        How many results were written; if fewer than fit, there are no more.
    """
    desk = Desk(position.rules[0], position.game[0], position.display[0])
    return list_next_results(desk, builder[0], listing[0], outcomes, results)


@kernel
def list_next_results(desk, builder, listing, outcomes, results):
    """List for :func:`list_results`, on the records themselves."""
    if listing.begun == 0:
        list_outcomes(desk, builder, listing, outcomes)
        if listing.first[TYPES] > len(outcomes):
            return 0
        start_combining(listing, outcomes)
    count = 0
    while listing.kind >= 0 and count < len(results):
        kind = listing.kind
        listing.pick[kind] += 1
        if listing.pick[kind] == listing.first[kind + 1]:
            listing.kind -= 1
        elif extend_combination(desk, builder, listing, outcomes[listing.pick[kind]]):
            if kind < TYPES - 1:
                listing.kind += 1
                listing.pick[kind + 1] = listing.first[kind + 1] - 1
            elif legal_combination(desk, builder, listing, outcomes[listing.pick[TREE]].paid):
                write_result(desk, builder, listing, outcomes[listing.pick[TREE]].paid, results[count])
                count += 1
    return count


@kernel
def start_combining(listing, outcomes):
    """Begin with no outcome chosen, and note what the towers can add to a bid."""
    listing.rest_bid[TYPES] = 0
    for back in range(TYPES):
        kind = TYPES - 1 - back
        most = 0
        for number in range(listing.first[kind], listing.first[kind + 1]):
            most = max(most, outcomes[number].taken + outcomes[number].paid)
        listing.rest_bid[kind] = listing.rest_bid[kind + 1] + most
    listing.begun = 1
    listing.kind = 0
    listing.pick[0] = listing.first[0] - 1
    listing.bid[0] = 0
    listing.take[0] = 0
    listing.torn[0] = 0
    listing.fetched[0] = 0
    listing.fetches_left[0] = 0


@kernel
def extend_combination(desk, builder, listing, outcome):
    """Add the next tower's outcome; say whether a build within the limits can still come of it."""
    before, after = listing.kind, listing.kind + 1
    listing.torn[after] = listing.torn[before] + outcome.torn
    listing.bid[after] = listing.bid[before] + outcome.taken + outcome.paid
    if (
        listing.torn[after] > builder.teardown_limit
        or listing.bid[after] > builder.highest_bid
        or listing.bid[after] + listing.rest_bid[after] < builder.lowest_bid
    ):
        return False
    listing.take[after] = listing.take[before] | outcome.take
    listing.fetched[after] = listing.fetched[before] + outcome.fetched
    listing.fetches_left[after] = listing.fetches_left[before]
    if before != SCRAP:
        listing.fetches_left[after] -= outcome.fetched
    elif builder.powers & SCRAP_POWER != 0:
        listing.fetches_left[after] += outcome.taken
    apply_outcome(desk.game, listing.after, builder.seat, before, outcome)
    return True


@kernel
def apply_outcome(game, after, seat, kind, outcome):
    """Make a tower of `after` what the outcome makes of it in `game`."""
    height = game.height[seat, kind] - outcome.paid - outcome.torn
    after.height[seat, kind] = height
    for slot in range(1, height + 1):
        after.tower[seat, kind, slot] = game.tower[seat, kind, slot]
    for nth in range(outcome.placed):
        apply_placement(after, seat, kind * 32 + int(outcome.value[nth]), outcome.end)


@kernel
def legal_combination(desk, builder, listing, paid):
    """Rules 3.2, 6.1 and 6.2: say whether the whole combination has a bid, a payment and fetches that are allowed."""
    bid = listing.bid[TYPES]
    enough_taken = paid == 0 or bid - paid >= desk.rules.tree_min_take
    return builder.lowest_bid <= bid and bid > 0 and enough_taken and listing.fetches_left[TYPES] >= 0


@kernel
def write_result(desk, builder, listing, paid, result):
    """Write the combination down, with the score that it leads to."""
    pile = desk.game.pile_size[builder.seat] + listing.torn[TYPES] - listing.fetched[TYPES]
    listing.after.pile_size[builder.seat] = pile
    result.bid = listing.bid[TYPES]
    result.take = listing.take[TYPES]
    result.pay = paid
    result.score = score_total(desk.rules, listing.after, builder.seat)
    for kind in range(TYPES):
        result.outcome[kind] = listing.pick[kind]


@entry_point
def write_result_build(outcomes, results, number, drafts, builds):
    """Write a result as a build, card by card.

    Parameters
    ----------
    outcomes : ndarray of OUTCOME
        Those that the results refer to.
    results : ndarray of RESULT
        The results.
    number : int
        Which of them.
    drafts : ndarray of DRAFT, shape (1,)
        Scratch.
    builds : ndarray of BUILD, shape (1,)
        Overwritten, but for the cards paid and torn down.
    """
    draft_result(outcomes, results[number], drafts[0])
    write_build(drafts[0], builds[0], results[number].bid)


@kernel
def draft_result(outcomes, result, draft):
    """Draft what becomes of each tower."""
    start_draft(draft, result.pay)
    draft.take = result.take
    for kind in range(TYPES):
        outcome = outcomes[result.outcome[kind]]
        draft.torn[kind] = outcome.torn
        draft.end[kind] = outcome.end
        for nth in range(outcome.placed):
            draft_card(draft, kind, int(outcome.value[nth]), int(outcome.origin[nth]))


def find_results(rules: np.ndarray, game: np.ndarray, builder: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """List every different result that a build can have.

    Parameters
    ----------
    rules : ndarray of RULES, shape (1,)
        The rule set.
    game : ndarray of GAME, shape (1,)
        The game, with its display revealed.
    builder : ndarray of BUILDER, shape (1,)
        Who would build, and within which limits.

    Returns
    -------
    outcomes : ndarray of OUTCOME
        What can become of each tower.
    results : ndarray of RESULT
        The results, each once: towers in the rulebook's order, each first as it is and without tearing down.
    """
    # Arrays rather than records: Numba takes them from Python much faster.
    position = Desk(rules, game, np.zeros(1, DISPLAY))
    listing = np.zeros(1, LISTING)
    listing["after"]["tower"][..., 0] = EMPTY
    outcomes, room, found = np.empty(_USUAL_OUTCOMES, OUTCOME), _USUAL_RESULTS, []
    while True:
        results = np.empty(room, RESULT)
        count = list_results(position, builder, listing, outcomes, results)
        if not listing[0]["begun"]:
            outcomes = np.empty(listing[0]["first"][TYPES], OUTCOME)
            continue
        found.append(results[:count])
        if count < room:
            break
        room *= 2
    outcomes = outcomes[: listing[0]["first"][TYPES]]
    return outcomes, found[0] if len(found) == 1 else np.concatenate(found)
