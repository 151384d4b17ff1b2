"""``value``: bid for what a position gains by it, looking at what the others would gain.

What a bid gains a seat is the worth of its best build for that bid, less the worth of its position as it is.
The mind works this out for every seat and bid, with its own tables. From the last seat to speak back to its
own, it then works out who would outbid whom: each seat weighs winning at a bid against letting others win.
"""

from __future__ import annotations

import numpy as np

from fivetowers_sim.compiled import kernel, rare_kernel
from fivetowers_sim.rules.bidding import PASS, place_of, speaker
from fivetowers_sim.rules.legal import top_value
from fivetowers_sim.rules.powers import count_pairs
from fivetowers_sim.rules.state import MAX_BID, TYPES
from fivetowers_sim.rules.tables import MAX_SEATS, PAIRS_POWER
from fivetowers_sim.strategies.mind import EXPERT, GREEDY, MAX_MINDS, powers_in_use, tower_worth
from fivetowers_sim.strategies.power_search import highest_searched, power_worth
from fivetowers_sim.strategies.search import NO_WORTH

THRESHOLD, DENIAL, FORESIGHT = range(3)
ROLLOUTS, AHEAD = 6, 7
"""Where a mind's weights hold the parameters that the kernels read; see :data:`families.VALUE_PARAMETERS`."""

FRONTS = np.dtype(
    [
        # By mind: the seats (bits) whose gains it has worked out in this round.
        ("known", "i8", (MAX_MINDS,)),
        # By mind, seat and bid: what the bid gains the seat, NO_WORTH if it can't be carried out; the highest.
        ("gain", "i8", (MAX_MINDS, MAX_SEATS, MAX_BID + 2)),
        ("highest", "i8", (MAX_MINDS, MAX_SEATS)),
        # By mind, winner and bid: what it is worth to the winner, and to anybody else, that it wins the round with it.
        ("to_winner", "f8", (MAX_MINDS, MAX_SEATS, MAX_BID + 2)),
        ("to_others", "f8", (MAX_MINDS, MAX_SEATS, MAX_BID + 2)),
        # By mind, place in the order of speaking, high bid and who made it (0: nobody, else the seat and 1): who wins
        # the round in the end, and at which bid. It is worked out for what can be said after one place, up to a bid.
        ("after", "i8", (MAX_MINDS,)),
        ("up_to", "i8", (MAX_MINDS,)),
        ("winner", "i1", (MAX_MINDS, MAX_SEATS + 1, MAX_BID + 2, MAX_SEATS + 1)),
        ("winning_bid", "i1", (MAX_MINDS, MAX_SEATS + 1, MAX_BID + 2, MAX_SEATS + 1)),
        # By high bid: the best bid above it, PASS if there is none, and what that is worth to the speaker.
        ("best_bid", "i8", (MAX_BID + 2,)),
        ("best_above", "f8", (MAX_BID + 2,)),
    ],
    align=True,
)
"""What minds have worked out about a round, and scratch."""


@kernel
def forget_fronts(table, fronts):
    """Begin a round: nothing is worked out."""
    if fronts is None:
        return
    for number in range(table.seats.minds):
        fronts.known[number] = 0
        fronts.after[number] = MAX_SEATS


@kernel
def next_to_look_at(table, seat, at_hand, fronts):
    """Return a seat whose gains the speaker has yet to work out, -1 if there is none.

    It looks at everybody who is yet to speak, at who has the high bid, as far as they matter to it, and last at itself:
    then its own builds are still at hand. `fronts` is None where nobody weighs gains; then this is compiled to nothing.
    """
    if fronts is None:
        return -1
    number = table.seats.seated[seat]
    if table.seats.mind[number].family == GREEDY:
        return -1
    rules, game = table.rules, table.game
    known, mind = fronts.known[number], table.seats.mind[number]
    # Who thinks that nobody will outbid it need not look at those who could.
    first = place_of(rules, game, seat) + 1 if mind.weights[FORESIGHT] > 0.0 else rules.players
    for place in range(first, rules.players):
        other = speaker(rules, game, place)
        if (known >> other) & 1 == 0:
            return other
    leader = table.seats.leader
    if leader >= 0 and (known >> leader) & 1 == 0 and mind.weights[DENIAL] > 0.0:
        return leader
    # Who judges positions chooses among several builds, which are at hand once they are searched.
    again = table.seats.mind[number].family == EXPERT and at_hand != seat
    return seat if again or (known >> seat) & 1 == 0 else -1


@rare_kernel
def note_gains(table, looked_at, seat, fronts, power_search):
    """Note what every bid gains the seat looked at, as the speaker sees it; the search has just been made."""
    if fronts is None:
        return
    number = table.seats.seated[seat]
    mind = table.seats.mind[number]
    fronts.known[number] |= 1 << looked_at
    unchanged = worth_unchanged(table, looked_at, mind)
    has_powers = powers_in_use(table.rules, looked_at, mind) != 0
    highest = highest_searched(power_search) if has_powers else table.game.display_size
    gain = fronts.gain[number, looked_at]
    fronts.highest[number, looked_at] = 0
    for bid in range(1, MAX_BID + 2):
        fronts.to_others[number, looked_at, bid] = 0.0
    for bid in range(1, highest + 1):
        worth = power_worth(power_search, bid) if has_powers else table.search.best_worth[bid]
        gain[bid] = NO_WORTH
        if worth != NO_WORTH:
            gain[bid] = worth - unchanged
            fronts.to_winner[number, looked_at, bid] = gain[bid] - mind.weights[THRESHOLD]
            fronts.to_others[number, looked_at, bid] = -mind.weights[DENIAL] * max(gain[bid], 0)
            fronts.highest[number, looked_at] = bid


@kernel
def worth_unchanged(table, seat, mind):
    """Return what a seat's position is worth if it builds nothing in this round."""
    game = table.game
    worth, height = 0, 0
    for kind in range(TYPES):
        worth += tower_worth(mind, kind, game.height[seat, kind], top_value(game, seat, kind))
        height = max(height, game.height[seat, kind])
    if powers_in_use(table.rules, seat, mind) & PAIRS_POWER != 0:
        worth += count_pairs(game, seat) * mind.pair_worth[mind.stage]
    return worth + mind.main_worth[mind.stage, height] + mind.teardown_worth[mind.stage, game.pile_size[seat]]


@kernel
def weigh_worth(fronts, number, seat, won):
    """Return what it is worth to a seat that (winner or -1, bid) wins the round."""
    winner, bid = won
    if winner < 0:
        return 0.0
    return fronts.to_winner[number, winner, bid] if winner == seat else fronts.to_others[number, winner, bid]


@kernel
def weigh_word(fronts, number, mind, place, said, weigh):
    """Return what it is worth to the speaker at a place to leave it at (speaker, leader, bid)."""
    seat, leader, bid = said
    ahead = mind.weights[FORESIGHT]
    worth = 0.0
    if ahead > 0.0:
        worth += ahead * weigh(fronts, number, seat, foresee(fronts, number, place + 1, (bid, leader)))
    if ahead < 1.0:
        worth += (1.0 - ahead) * weigh(fronts, number, seat, (leader, bid))
    return worth


@kernel
def choose_among(fronts, number, mind, spoken, seat):
    """Choose a seat's word at a place, knowing what the later ones would say.

    Parameters
    ----------
    fronts : record of FRONTS
        With what is won from the next place on.
    number, mind : int, record of MIND
        Who thinks.
    spoken : tuple of four int
        The place, the high bid, who made it (-1 for nobody), and the highest bid to consider.
    seat : int
        Who speaks.

    Returns
    -------
    int
        The bid, PASS for none.
    """
    place, high_bid, leader, highest = spoken
    best, best_worth = PASS, weigh_word(fronts, number, mind, place, (seat, leader, high_bid), weigh_worth)
    for bid in range(high_bid + 1, highest + 1):
        if fronts.gain[number, seat, bid] != NO_WORTH:
            worth = weigh_word(fronts, number, mind, place, (seat, seat, bid), weigh_worth)
            if worth > best_worth:
                best, best_worth = bid, worth
    return best


@kernel
def foresee(fronts, number, place, spoken):
    """Return who wins the round, and at which bid, once the seats from a place on have spoken over (bid, seat)."""
    high_bid, leader = spoken
    winner = int(fronts.winner[number, place, high_bid, leader + 1])
    return winner, int(fronts.winning_bid[number, place, high_bid, leader + 1])


@kernel
def note_foreseen(fronts, number, place, spoken, won):
    """Note who wins from (high bid, leader) at a place on."""
    high_bid, leader = spoken
    fronts.winner[number, place, high_bid, leader + 1] = won[0]
    fronts.winning_bid[number, place, high_bid, leader + 1] = won[1]


@kernel
def look_ahead(table, number, mind, spoken, fronts, weigh):
    """Work out who wins, for whatever is said at a place, when all later seats weigh as this mind does.

    Parameters
    ----------
    table : Table
        The game.
    number, mind : int, record of MIND
        Who thinks.
    spoken : tuple of three int
        The place, the high bid, and who made it.
    fronts : record of FRONTS
        With the gains of everybody who is yet to speak.
    weigh : kernel
        What it is worth to a seat that somebody wins: :func:`weigh_worth`, or another that takes the same.
    """
    place, high_bid, leader = spoken
    rules, game = table.rules, table.game
    fronts.after[number] = place
    top = high_bid
    for later in range(place, rules.players):
        top = max(top, fronts.highest[number, speaker(rules, game, later)])
    fronts.up_to[number] = top
    for now in range(rules.players, place, -1):
        seat = speaker(rules, game, now)
        if now < rules.players:
            weigh_bids(fronts, number, mind, (now, seat), (high_bid, top), weigh)
        for high in range(high_bid, top + 1):
            # Before the place itself the high bid was the leader's, after it one of those who have spoken since.
            for since in range(place - 1, now):
                by = leader if since < place else speaker(rules, game, since)
                if (since < place) != (high == high_bid):
                    continue
                if now == rules.players:
                    note_foreseen(fronts, number, now, (high, by), (by, high))
                elif fronts.best_above[high] > weigh_word(fronts, number, mind, now, (seat, by, high), weigh):
                    won = foresee(fronts, number, now + 1, (fronts.best_bid[high], seat))
                    note_foreseen(fronts, number, now, (high, by), won)
                else:
                    note_foreseen(fronts, number, now, (high, by), foresee(fronts, number, now + 1, (high, by)))


@kernel
def weigh_bids(fronts, number, mind, speaking, bids, weigh):
    """For each high bid from the lowest to the highest, find the speaker's best bid above it, whoever has made it.

    Of equal ones it is the lowest, as :func:`choose_among` has it.
    """
    place, seat = speaking
    lowest, highest = bids
    best, best_worth = PASS, -np.inf
    for bid in range(highest, lowest - 1, -1):
        fronts.best_bid[bid] = best
        fronts.best_above[bid] = best_worth
        if bid <= fronts.highest[number, seat] and fronts.gain[number, seat, bid] != NO_WORTH:
            worth = weigh_word(fronts, number, mind, place, (seat, seat, bid), weigh)
            if worth >= best_worth:
                best, best_worth = bid, worth


@rare_kernel
def choose_valued_bid(table, seat, spoken, fronts):
    """Choose a seat's word, a bid or PASS, when the gains of all that matter are worked out.

    Parameters
    ----------
    table : Table
        The game, with its display read and its stage noted.
    seat : int
        Who speaks.
    spoken : tuple of two int
        The highest bid so far, and the bid to stay below.
    fronts : record of FRONTS, or None
        None where nobody weighs; then this is compiled to nothing.
    """
    if fronts is None:
        return PASS
    high_bid, limit = spoken
    number = table.seats.seated[seat]
    mind = table.seats.mind[number]
    place = place_of(table.rules, table.game, seat)
    leader = table.seats.leader
    highest = min(fronts.highest[number, seat], mind.max_bid, limit - 1)
    if highest <= high_bid:
        return PASS
    # An earlier seat of this mind has looked at all that can be said since; unless a cancelled build leads further
    # back, or somebody says more than it thought possible.
    again = place <= fronts.after[number] or high_bid > fronts.up_to[number]
    if again and mind.weights[FORESIGHT] > 0.0:
        look_ahead(table, number, mind, (place, high_bid, leader), fronts, weigh_worth)
    return choose_among(fronts, number, mind, (place, high_bid, leader, highest), seat)
