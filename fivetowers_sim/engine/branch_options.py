"""The options of a decision: what might be done there, and what the seat has in mind with it."""

from __future__ import annotations

from typing import Final

import numpy as np

from fivetowers_sim.compiled import kernel
from fivetowers_sim.engine.note_branch import count_torn
from fivetowers_sim.rules.bidding import PASS
from fivetowers_sim.rules.state import MAX_BID
from fivetowers_sim.strategies.constraints import FREE, NO_TEARDOWN, TEARDOWN, plan_constrained_build

WORDS, WORDS_BY_TEARDOWN, BUILDS, STARTS = range(4)
"""What is tried at a decision: the pass and every bid; the pass and every bid, with a teardown and without one; the
winner's build with a teardown and without one; each seat as the one that starts the round."""

MOST_OPTIONS: Final = 2 * (MAX_BID + 1) + 1

OPTION: Final = np.dtype(
    [
        ("bid", "i8"),
        ("constraint", "i8"),
        ("starts", "i8"),
        ("said", "i8"),
    ],
    align=True,
)
"""An option: a word, or a seat that starts; -1 for none."""


@kernel
def list_options(branches, kind):
    """List the options that can be carried out of the decision that the table has been laid for; return how many."""
    count = 0
    for nth in range(count_candidates(branches, kind)):
        bid, constraint, starts = candidate(branches.watch.noticed, kind, nth)
        option = branches.options[count]
        option.bid = bid
        option.constraint = constraint
        option.starts = starts
        count += plan_option(branches, count)
    return count


@kernel
def count_candidates(branches, kind):
    """Return how many options there might be."""
    noticed = branches.watch.noticed
    if kind == STARTS:
        return branches.table.rules.players
    if kind == BUILDS:
        return 2
    bids = noticed.highest - noticed.high_bid
    return 1 + bids if kind == WORDS else 1 + 2 * bids


@kernel
def candidate(noticed, kind, nth):
    """Return what might be an option: bid or PASS, constraint, and seat that starts (-1: no change)."""
    if kind == STARTS:
        return PASS, FREE, nth
    if kind == BUILDS:
        return noticed.said, NO_TEARDOWN + nth, -1
    if nth == 0:
        return PASS, FREE, -1
    if kind == WORDS:
        return noticed.high_bid + nth, FREE, -1
    return noticed.high_bid + (nth + 1) // 2, NO_TEARDOWN + (nth + 1) % 2, -1


@kernel
def plan_option(branches, nth):
    """Note what the seat has in mind with an option; what it did by itself keeps the very build that it had in mind.

    Returns
    -------
    bool
        Whether the option can be carried out.
    """
    table, noticed, option = branches.table, branches.watch.noticed, branches.options[nth]
    seat, bid, constraint = noticed.seat, option.bid, option.constraint
    choice, own = table.seats.choice[seat], noticed.choice[seat]
    as_planned = own.bid == bid and own.planned == bid and keeps_to(own, constraint)
    if option.starts >= 0:
        option.said = option.starts == seat
    else:
        option.said = bid == noticed.said and (constraint == FREE or as_planned)
    if bid == PASS:
        choice.bid = 0
    elif as_planned:
        table.seats.choice[seat] = own
    else:
        plan_constrained_build(table, seat, bid, constraint)
    branches.choices[nth] = choice
    return bid == PASS or choice.bid == bid


@kernel
def keeps_to(choice, constraint):
    """Say whether a build in mind keeps to a constraint."""
    return constraint == FREE or (count_torn(choice) > 0) == (constraint == TEARDOWN)
