"""Builds under a constraint: the best one for a bid that tears nothing down, or that tears something down."""

from __future__ import annotations

import numpy as np

from fivetowers_sim.compiled import kernel
from fivetowers_sim.rules.legal import legal_teardown
from fivetowers_sim.rules.state import TYPES
from fivetowers_sim.strategies.mind import RANDOM, powers_in_use
from fivetowers_sim.strategies.search import NO_WORTH
from fivetowers_sim.strategies.words import plan_build

FREE, NO_TEARDOWN, TEARDOWN = range(3)
"""What a build has to keep to: nothing; no card torn down; at least one card torn down."""

CONSTRAINTS = ("free", "no teardown", "teardown")
"""Their names."""


@kernel
def plan_constrained_build(table, seat, bid, constraint):
    """Find the seat's best build for a bid that was said for it, under a constraint.

    Parameters
    ----------
    table : Table
        The game, with its display read. The seat's choice is overwritten: the bid and the build, or a bid of 0 if it
        can't be carried out so.
    seat : int
        Who builds.
    bid : int
        Above 0.
    constraint : int
        FREE, NO_TEARDOWN or TEARDOWN. A seat with Great Powers has no build that must tear down: cards paid with, torn
        down and fetched depend on each other, which the search does not put in a required order. Whoever plays by
        chance keeps to no constraint.
    """
    table.seats.choice[seat].bid = bid
    if constraint == FREE:
        plan_build(table, seat, bid)
        return
    mind = table.seats.mind[table.seats.seated[seat]]
    if mind.family == RANDOM:
        table.seats.choice[seat].bid = 0
    elif constraint == TEARDOWN:
        plan_teardown(table, seat, bid)
    else:
        may_tear = mind.teardown_limit
        mind.teardown_limit = 0
        plan_build(table, seat, bid)
        mind.teardown_limit = may_tear


@kernel
def plan_teardown(table, seat, bid):
    """Find the best build that tears down at least one card: tear each top card down first, then build at best."""
    mind = table.seats.mind[table.seats.seated[seat]]
    choice = table.seats.choice[seat]
    best, best_worth = -1, NO_WORTH
    if mind.teardown_limit > 0 and powers_in_use(table.rules, seat, mind) == 0:
        for kind in range(TYPES):
            if legal_teardown(table.game, seat, kind, 1):
                plan_without_top(table, seat, bid, kind)
                if choice.bid == bid and table.search.best_worth[bid] > best_worth:
                    best, best_worth = kind, table.search.best_worth[bid]
    if best < 0:
        choice.bid = 0
    else:
        plan_without_top(table, seat, bid, best)
        choice.torn[best] += 1


@kernel
def plan_without_top(table, seat, bid, kind):
    """Find the best build as if the top card of a tower were torn down already; it is put back."""
    game = table.game
    mind = table.seats.mind[table.seats.seated[seat]]
    height, torn = game.height[seat, kind], game.pile_size[seat]
    # The card has to lie in the pile, since minds may count what is there.
    covered = game.pile[seat, torn]
    game.pile[seat, torn] = np.uint8(kind * 32 + game.tower[seat, kind, height])
    game.pile_size[seat] = torn + 1
    game.height[seat, kind] = height - 1
    mind.teardown_limit -= 1
    table.seats.choice[seat].bid = bid
    plan_build(table, seat, bid)
    mind.teardown_limit += 1
    game.height[seat, kind] = height
    game.pile_size[seat] = torn
    game.pile[seat, torn] = covered
