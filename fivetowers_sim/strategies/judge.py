"""A network that judges a table between two rounds: how the victory is expected to be shared among the seats.

Seats are seen in the order in which they speak next. Towers of each type are looked at together, by weights that all
types share; what comes of the five is summed, joined with what each seat has and how much of the game is left, and
turned into shares that add up to 1. Every sum is taken in one order, and nothing but +, ×, ÷ and roots is used, so
that shares are the same to the last bit on every machine.
"""

from __future__ import annotations

import numpy as np

from fivetowers_sim.compiled import add_row, count_bits, kernel, rare_kernel
from fivetowers_sim.rules.cards import TOWER_TOP
from fivetowers_sim.rules.legal import top_value
from fivetowers_sim.rules.powers import count_pairs
from fivetowers_sim.rules.state import MAX_BID, TYPES
from fivetowers_sim.rules.tables import MAX_SEATS, PAIRS_POWER, SAND_POWER, SCRAP_POWER, TREE_POWER
from fivetowers_sim.strategies.mind import WORTH_PER_VP, tower_worth
from fivetowers_sim.strategies.net import GAME_NUMBERS, HIDDEN, SEAT_NUMBERS, TOWER_NUMBERS, TYPE_NUMBERS
from fivetowers_sim.strategies.stages import fits_to_come

POWERS_OF_TYPES = (PAIRS_POWER, PAIRS_POWER, TREE_POWER, SCRAP_POWER, SAND_POWER)
"""The Great Power (bit) of each tower type."""

VIEW = np.dtype(
    [
        ("height", "i1", (TYPES,)),
        ("top", "i1", (TYPES,)),
        # Cards to come, 0s aside, that may go on it; and what the mind's tables say it is worth, in VP.
        ("fits", "i1", (TYPES,)),
        # Whether the seat uses the Great Power of the type.
        ("power", "i1", (TYPES,)),
        ("price", "f4", (TYPES,)),
        # VP if the game ended now, what the tables say the position is worth, height of the main tower, VP lost.
        ("score", "f4"),
        ("worth", "f4"),
        ("main", "f4"),
        ("lost", "f4"),
    ],
    align=True,
)
"""What a seat has."""

SEEN = np.dtype(
    [
        # By type, the values (bits) of which a card, or two, are.
        ("once", "i4", (TYPES,)),
        ("twice", "i4", (TYPES,)),
        # How many rounds, and whether no new deck is.
        ("rounds", "f4"),
        ("last_pass", "f4"),
    ],
    align=True,
)
"""What is to come."""

THOUGHT = np.dtype(
    [
        # Whether the round's views are made; for which winners (bits of seat + 1) the sums are.
        ("ready", "i8"),
        ("summed", "i8"),
        ("seen", SEEN),
        ("held", VIEW, (MAX_SEATS,)),
        # First layer by type, before towers add to it; by winner (0: nobody, else the seat and 1) and type, what comes
        # of it if nothing is built; and that summed over types.
        ("base", "f4", (TYPES, HIDDEN)),
        ("layer", "f4", (MAX_SEATS + 1, TYPES, HIDDEN)),
        ("total", "f4", (MAX_SEATS + 1, HIDDEN)),
        # By seat and bid: what the seat has after its best build by worth. By winner and bid: whether it is judged,
        # and how the victory is shared then.
        ("after", VIEW, (MAX_SEATS, MAX_BID + 2)),
        ("judged", "i1", (MAX_SEATS + 1, MAX_BID + 2)),
        ("share", "f4", (MAX_SEATS + 1, MAX_BID + 2, MAX_SEATS)),
    ],
    align=True,
)
"""What a mind thinks about a round."""

WORK = np.dtype(
    [
        ("first", "f4", (HIDDEN,)),
        ("joined", "f4", (HIDDEN,)),
        ("second", "f4", (HIDDEN,)),
        # By place in the order of speaking next, and by seat.
        ("by_place", "f4", (MAX_SEATS,)),
        ("by_seat", "f4", (MAX_SEATS,)),
    ],
    align=True,
)
"""Scratch of judging."""


@kernel
def view_tower(table, mind, view, tower):
    """Write one tower (type, height, top) into a view."""
    kind, height, top = tower
    view.height[kind] = height
    view.top[kind] = top
    view.fits[kind] = fits_to_come(table.rules, table.seats, kind, top) if top != TOWER_TOP else 0
    view.price[kind] = np.float32(tower_worth(mind, kind, height, top)) * np.float32(1.0 / WORTH_PER_VP)


@kernel
def view_whole(table, mind, view, pile, pairs):
    """Write what follows from all towers, the size of the teardown pile and the number of pairs."""
    rules = table.rules
    score, height, worth = 0, 0, np.float32(0.0)
    for kind in range(TYPES):
        closed = view.top[kind] == TOWER_TOP
        score += view.height[kind] * (rules.vp_per_topped_card if closed else rules.vp_per_card)
        height = max(height, view.height[kind])
        worth += view.price[kind]
    score += height * rules.vp_main_tower + pairs * rules.pair_vp - rules.teardown_cost[pile]
    more = mind.main_worth[mind.stage, height] + mind.teardown_worth[mind.stage, pile]
    more += pairs * mind.pair_worth[mind.stage]
    view.score = np.float32(score)
    view.worth = worth + np.float32(more) * np.float32(1.0 / WORTH_PER_VP)
    view.main = np.float32(height)
    view.lost = np.float32(rules.teardown_cost[pile])


@rare_kernel
def view_seat(table, mind, seat, view):
    """Write what a seat has."""
    game, powers = table.game, table.rules.powers[seat]
    for kind in range(TYPES):
        view.power[kind] = powers & POWERS_OF_TYPES[kind] != 0
        view_tower(table, mind, view, (kind, game.height[seat, kind], top_value(game, seat, kind)))
    pairs = count_pairs(game, seat) if powers & PAIRS_POWER != 0 else 0
    view_whole(table, mind, view, game.pile_size[seat], pairs)


@kernel
def see_ahead(table, last_pass, seen):
    """Write what is to come after this round."""
    for kind in range(TYPES):
        seen.once[kind] = table.seats.once[kind]
        seen.twice[kind] = table.seats.twice[kind]
    seen.rounds = np.float32(table.seats.rounds_to_come)
    seen.last_pass = np.float32(last_pass)


@kernel
def tower_number(view, zeros, kind, which):
    """Return a number of a tower, of a size near 1."""
    closed = view.top[kind] == TOWER_TOP
    if which == 0:
        return np.float32(view.height[kind]) * np.float32(0.125)
    if which == 1:
        return np.float32(view.height[kind]) * np.float32(0.125) if closed else np.float32(0.0)
    if which == 2:
        return np.float32(view.fits[kind]) * np.float32(0.125)
    if which == 3:
        return np.float32(0.0) if closed else np.float32(zeros) * np.float32(0.5)
    if which == 4:
        return view.price[kind] * np.float32(0.0625)
    return np.float32(view.power[kind])


@kernel
def type_number(seen, kind, which):
    """Return a number of a type, of a size near 1."""
    if which == 0:
        return np.float32(count_bits(seen.once[kind])) * np.float32(0.0625)
    if which == 1:
        return np.float32(count_bits(seen.twice[kind])) * np.float32(0.0625)
    if which == 2:
        return seen.rounds * np.float32(0.05)
    return seen.last_pass


@kernel
def game_number(seen, which):
    """Return a number of the game, of a size near 1."""
    if which == 0:
        return seen.rounds * np.float32(0.05)
    if which == 1:
        return np.float32(1.0) / (np.float32(1.0) + seen.rounds)
    if which == 2:
        return np.sqrt(seen.rounds) * np.float32(0.2)
    return seen.last_pass


ALONE = (np.float32(0.0), np.float32(-1e4), np.float32(-1e4), np.float32(-1e4), np.float32(-1e4))
"""What :func:`compare_with` begins with."""


@kernel
def compare_with(known, view):
    """Return (sum of worth, highest and second highest worth, highest and second highest score) with one more seat."""
    total, best, second, best_score, second_score = known
    if view.worth > best:
        best, second = view.worth, best
    else:
        second = max(second, view.worth)
    if view.score > best_score:
        best_score, second_score = view.score, best_score
    else:
        second_score = max(second_score, view.score)
    return total + view.worth, best, second, best_score, second_score


@kernel
def seat_number(view, seen, all_seats, which):
    """Return a number of a seat, of a size near 1; `all_seats` from :func:`compare_with`, with the mean for the sum."""
    if which == 0:
        return view.score * np.float32(0.03125)
    if which == 1:
        return view.worth * np.float32(0.03125)
    if which == 2:
        return view.main * np.float32(0.125)
    if which == 3:
        return view.lost * np.float32(0.125)
    mean, best, second, best_score, second_score = all_seats
    # How far ahead, in the unit of what is still to be decided.
    open_to_change = np.float32(4.0) * np.sqrt(seen.rounds + np.float32(1.0))
    if which == 4:
        return (view.worth - mean) / open_to_change
    if which == 5:
        return (view.worth - (second if view.worth == best else best)) / open_to_change
    return (view.score - (second_score if view.score == best_score else best_score)) / open_to_change


@kernel
def add_type(net, seen, kind, into):
    """Write the first layer of a type, before what towers add to it."""
    for i in range(HIDDEN):
        into[i] = net.kind[kind, i]
    for which in range(TYPE_NUMBERS):
        add_row(into, net.kind_number[which], type_number(seen, kind, which))
    once, twice = seen.once[kind], seen.twice[kind]
    value = 0
    while once >> value != 0:
        if (once >> value) & 1 != 0:
            add_row(into, net.once[value], np.float32(1.0))
        if (twice >> value) & 1 != 0:
            add_row(into, net.twice[value], np.float32(1.0))
        value += 1


@kernel
def add_tower(net, view, zeros, where, into):
    """Add to a type's first layer what the tower of the seat at a place (kind, place) adds to it."""
    kind, place = where
    add_row(into, net.top[place, view.top[kind]], np.float32(1.0))
    for which in range(TOWER_NUMBERS):
        add_row(into, net.tower[place, which], tower_number(view, zeros, kind, which))


@kernel
def count_zeros(seen, kind):
    """Return how many 0s of a type are to come, 0 to 2."""
    return (seen.once[kind] & 1) + (seen.twice[kind] & 1)


@kernel
def keep_positive(into, row):
    """Write what of a row is above 0."""
    for i in range(HIDDEN):
        into[i] = max(row[i], np.float32(0.0))


@kernel
def power_of_e(x):
    """Return e to the power of a number from -40 to 0, by a fixed polynomial."""
    x = max(x, np.float32(-40.0)) * np.float32(1.4426950408889634)
    whole = int(np.floor(x))
    part = x - np.float32(whole)
    grown = np.float32(1.535336188319500e-4)
    grown = grown * part + np.float32(1.339887440266574e-3)
    grown = grown * part + np.float32(9.618437357674640e-3)
    grown = grown * part + np.float32(5.550332471162809e-2)
    grown = grown * part + np.float32(2.402264791363012e-1)
    grown = grown * part + np.float32(6.931472028550421e-1)
    grown = grown * part + np.float32(1.0)
    half, times = np.float32(0.5), -whole
    while times > 0:
        if times & 1 != 0:
            grown *= half
        half *= half
        times >>= 1
    return grown


@kernel
def share_out(net, work, players):
    """Turn the second layer into shares by place."""
    highest = np.float32(-1e30)
    for place in range(players):
        weighed = net.out_bias[place]
        for i in range(HIDDEN):
            weighed += work.second[i] * net.out[place, i]
        work.by_place[place] = weighed
        highest = max(highest, weighed)
    total = np.float32(0.0)
    for place in range(players):
        work.by_place[place] = power_of_e(work.by_place[place] - highest)
        total += work.by_place[place]
    for place in range(players):
        work.by_place[place] /= total


@kernel
def begin_second(net, work, seen):
    """Write the second layer, but for what seats add to it, from the sum of the first in ``work.joined``."""
    for i in range(HIDDEN):
        work.second[i] = net.bias[i]
    for which in range(GAME_NUMBERS):
        add_row(work.second, net.game[which], game_number(seen, which))
    for j in range(HIDDEN):
        if work.joined[j] != np.float32(0.0):
            add_row(work.second, net.joined[j], work.joined[j])


@kernel
def add_seat(net, work, seen, place, view, all_seats):
    """Add to the second layer what the seat at a place adds to it."""
    for which in range(SEAT_NUMBERS):
        add_row(work.second, net.seat[place, which], seat_number(view, seen, all_seats, which))


@rare_kernel
def think_round(table, mind, thought):
    """Look at the table before anybody builds."""
    thought.ready = 1
    thought.summed = 0
    thought.judged[:] = 0
    see_ahead(table, table.game.deck_pass + 1 >= table.rules.deck_passes, thought.seen)
    for seat in range(table.rules.players):
        view_seat(table, mind, seat, thought.held[seat])
    for kind in range(TYPES):
        add_type(mind.net, thought.seen, kind, thought.base[kind])


@kernel
def place_after(table, winner, seat):
    """Rules 3.7 and 3.8: return at which place a seat speaks next if the winner (-1: nobody) builds in this round."""
    place = seat - (winner + 1 if winner >= 0 else table.game.start)
    if place < 0:
        place += table.rules.players
    return place if place < table.rules.players else place - table.rules.players


@kernel
def layer_type(table, mind, thought, changed, work):
    """Write the first layer of a type (type, winner, the winner's view); the view counts for the winner alone."""
    kind, winner, view = changed
    zeros = count_zeros(thought.seen, kind)
    for i in range(HIDDEN):
        work.first[i] = thought.base[kind, i]
    for seat in range(table.rules.players):
        where = kind, place_after(table, winner, seat)
        add_tower(mind.net, view if seat == winner else thought.held[seat], zeros, where, work.first)


@rare_kernel
def sum_types(table, mind, thought, winner, work):
    """Work out the first layer where the winner (-1: nobody) builds nothing."""
    thought.summed |= 1 << (winner + 1)
    total = thought.total[winner + 1]
    for i in range(HIDDEN):
        total[i] = np.float32(0.0)
    for kind in range(TYPES):
        layer_type(table, mind, thought, (kind, winner, thought.held[max(winner, 0)]), work)
        layer = thought.layer[winner + 1, kind]
        keep_positive(layer, work.first)
        add_row(total, layer, np.float32(1.0))


@rare_kernel
def judge_outcome(table, mind, thought, outcome, work):
    """Work out how the victory is shared when somebody wins this round and has so much afterwards.

    Parameters
    ----------
    table : Table
        The game.
    mind, thought : record of MIND, record of THOUGHT
        Who thinks, and what of the round.
    outcome : tuple of int and record of VIEW
        The winner (-1: nobody), and what the winner has afterwards.
    work : record of WORK
        ``by_seat`` gets the shares.
    """
    winner, after = outcome
    players = table.rules.players
    if table.seats.rounds_to_come == 0:
        share_scores(table, thought, outcome, work)
        return
    if (thought.summed >> (winner + 1)) & 1 == 0:
        sum_types(table, mind, thought, winner, work)
    for i in range(HIDDEN):
        work.joined[i] = thought.total[winner + 1, i]
    known = ALONE
    for seat in range(players):
        known = compare_with(known, after if seat == winner else thought.held[seat])
    all_seats = known[0] / np.float32(players), known[1], known[2], known[3], known[4]
    if winner >= 0:
        before = thought.held[winner]
        for kind in range(TYPES):
            if after.height[kind] != before.height[kind] or after.top[kind] != before.top[kind]:
                layer_type(table, mind, thought, (kind, winner, after), work)
                for i in range(HIDDEN):
                    work.joined[i] += max(work.first[i], np.float32(0.0)) - thought.layer[winner + 1, kind, i]
    begin_second(mind.net, work, thought.seen)
    for seat in range(players):
        view = after if seat == winner else thought.held[seat]
        add_seat(mind.net, work, thought.seen, place_after(table, winner, seat), view, all_seats)
    keep_positive(work.second, work.second)
    share_out(mind.net, work, players)
    for seat in range(players):
        work.by_seat[seat] = work.by_place[place_after(table, winner, seat)]


@kernel
def share_scores(table, thought, outcome, work):
    """Rule 5.5: share the victory by the scores themselves, since this is the last round."""
    winner, after = outcome
    best, winners = np.float32(-1e30), 0
    for seat in range(table.rules.players):
        score = after.score if seat == winner else thought.held[seat].score
        if score > best:
            best, winners = score, 1
        elif score == best:
            winners += 1
    for seat in range(table.rules.players):
        score = after.score if seat == winner else thought.held[seat].score
        work.by_seat[seat] = np.float32(1.0) / np.float32(winners) if score == best else np.float32(0.0)
