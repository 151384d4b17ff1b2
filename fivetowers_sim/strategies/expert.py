"""``expert``: say the word, and carry out the build, that lead to the best share of the victory.

What the others will say is foreseen in two ways: as ``value`` foresees it, and as if each of them went for its own best
share. Of its own builds for a bid it judges those that are worth most to ``value``, and chooses among them.
"""

from __future__ import annotations

import numpy as np

from fivetowers_sim.compiled import count_bits, kernel, rare_kernel
from fivetowers_sim.rules.bidding import PASS, place_of, speaker
from fivetowers_sim.rules.cards import CANDY, SCARY
from fivetowers_sim.rules.state import MAX_BID, TYPES
from fivetowers_sim.rules.tables import MAX_SEATS
from fivetowers_sim.strategies.judge import THOUGHT, VIEW, WORK, judge_outcome, think_round, view_tower, view_whole
from fivetowers_sim.strategies.mind import EXPERT, MAX_MINDS, powers_in_use
from fivetowers_sim.strategies.power_search import picked_option
from fivetowers_sim.strategies.search import NO_WORTH, SHORTLISTED
from fivetowers_sim.strategies.value import foresee, look_ahead

GUESS = 6
"""Where a mind's weights hold how sure it is that others go for their best share."""

# What choosing among builds may add to a share, at most: bids that would not be best even so aren't looked into.
_HOPE = 0.01

OUTBIDDING = np.dtype(
    [
        # As in FRONTS, for a table where all go for their best share.
        ("gain", "i8", (MAX_MINDS, MAX_SEATS, MAX_BID + 2)),
        ("highest", "i8", (MAX_MINDS, MAX_SEATS)),
        ("after", "i8", (MAX_MINDS,)),
        ("up_to", "i8", (MAX_MINDS,)),
        ("winner", "i1", (MAX_MINDS, MAX_SEATS + 1, MAX_BID + 2, MAX_SEATS + 1)),
        ("winning_bid", "i1", (MAX_MINDS, MAX_SEATS + 1, MAX_BID + 2, MAX_SEATS + 1)),
        ("best_bid", "i8", (MAX_BID + 2,)),
        ("best_above", "f8", (MAX_BID + 2,)),
        # By mind, winner (0: nobody, else the seat and 1), bid and seat: the seat's share.
        ("share", "f4", (MAX_MINDS, MAX_SEATS + 1, MAX_BID + 2, MAX_SEATS)),
    ],
    align=True,
)
"""Who would outbid whom."""

JUDGE = np.dtype(
    [
        ("thought", THOUGHT, (MAX_MINDS,)),
        ("outbidding", OUTBIDDING),
        ("work", WORK),
        # Of the speaker, by bid: its share if it wins with the build that it has chosen, and what the bid leads to.
        # For which bids (bits) it has chosen. What it would have after a build.
        ("own_share", "f8", (MAX_BID + 2,)),
        ("weighed", "f8", (MAX_BID + 2,)),
        ("chosen", "i8"),
        ("tried", VIEW),
    ],
    align=True,
)
"""What minds that judge positions think, and scratch."""


@kernel
def forget_thoughts(table, judge):
    """Begin a round: nothing is thought about."""
    if judge is None:
        return
    for number in range(table.seats.minds):
        judge.thought[number].ready = 0
        judge.outbidding.after[number] = MAX_SEATS


@rare_kernel
def note_views(table, looked_at, seat, fronts, judge):
    """Note what the seat looked at would have after its best build for each bid; the search has just been made."""
    if judge is None or fronts is None:
        return
    number = table.seats.seated[seat]
    mind = table.seats.mind[number]
    if mind.family != EXPERT:
        return
    thought, outbidding = judge.thought[number], judge.outbidding
    if thought.ready == 0:
        think_round(table, mind, thought)
    outbidding.highest[number, looked_at] = fronts.highest[number, looked_at]
    for bid in range(1, fronts.highest[number, looked_at] + 1):
        outbidding.gain[number, looked_at, bid] = fronts.gain[number, looked_at, bid]
        if fronts.gain[number, looked_at, bid] != NO_WORTH:
            view = thought.after[looked_at, bid]
            view.power[:] = thought.held[looked_at].power
            if powers_in_use(table.rules, looked_at, mind) != 0:
                view_power_build(table, mind, looked_at, (bid, view), table.power_search)
            else:
                view_build(table, mind, looked_at, (table.search.best_picks[bid], view))


@kernel
def view_build(table, mind, seat, built):
    """Write what a seat has after a build without Great Powers."""
    picks, view = built
    search, game, display = table.search, table.game, table.display
    pile = game.pile_size[seat]
    for kind in range(TYPES):
        option = (picks >> (5 * kind)) & 31
        torn, entry = search.option_torn[kind, option], search.option_entry[kind, option]
        base = game.height[seat, kind] - torn
        pile += torn
        if entry < 0:
            view_tower(table, mind, view, (kind, base, int(game.tower[seat, kind, base])))
        else:
            view_tower(table, mind, view, (kind, base + display.entry_cards[entry], display.entry_top[entry]))
    view_whole(table, mind, view, pile, 0)


@rare_kernel
def view_power_build(table, mind, seat, built, search):
    """Write what a seat has after its best build for a bid, with Great Powers."""
    if search is None:
        return
    bid, view = built
    picks, pile, pairs = search.best_picks[bid], table.game.pile_size[seat], 0
    for kind in range(TYPES):
        option = picked_option(search, picks, kind)
        pile += option.pile_growth
        view_tower(table, mind, view, (kind, option.height, option.top))
    if search.pairs_count:
        candy, scary = picked_option(search, picks, CANDY), picked_option(search, picks, SCARY)
        pairs = count_bits(candy.values & scary.values) + count_bits(candy.more_values & scary.more_values)
    view_whole(table, mind, view, pile, pairs)


@rare_kernel
def choose_judged_bid(table, seat, spoken, fronts, judge):
    """Choose a seat's word, a bid or PASS, by what it leads to, and the build for it.

    Parameters
    ----------
    table : Table
        The game; who would outbid whom by ``value`` is worked out, and the speaker's own builds are at hand.
    seat : int
        Who speaks.
    spoken : tuple of two int
        The highest bid so far, and the bid to stay below.
    fronts, judge : record of FRONTS, record of JUDGE, or None
        None where nobody judges; then this is compiled to nothing.
    """
    if judge is None or fronts is None:
        return PASS
    high_bid, limit = spoken
    number = table.seats.seated[seat]
    mind = table.seats.mind[number]
    highest = min(fronts.highest[number, seat], mind.max_bid, limit - 1)
    if highest <= high_bid:
        return PASS
    place, leader, thinking = place_of(table.rules, table.game, seat), table.seats.leader, (fronts, judge)
    if mind.weights[GUESS] > 0.0:
        foresee_shares(table, number, mind, (place, high_bid, leader), thinking)
    judge.chosen = 0
    passing = weigh_outcomes(table, number, mind, (place + 1, high_bid, leader, seat), thinking)
    for bid in range(high_bid + 1, highest + 1):
        if fronts.gain[number, seat, bid] != NO_WORTH:
            judge.weighed[bid] = weigh_outcomes(table, number, mind, (place + 1, bid, seat, seat), thinking)
    while True:
        best, best_share = PASS, passing
        for bid in range(high_bid + 1, highest + 1):
            if fronts.gain[number, seat, bid] != NO_WORTH:
                hoped = judge.weighed[bid] + (0.0 if (judge.chosen >> bid) & 1 == 1 else _HOPE)
                if hoped > best_share:
                    best, best_share = bid, hoped
        if best == PASS or (judge.chosen >> best) & 1 == 1:
            return best
        choose_build(table, number, mind, (seat, best), thinking)
        judge.weighed[best] = weigh_outcomes(table, number, mind, (place + 1, best, seat, seat), thinking)


@rare_kernel
def choose_build(table, number, mind, own, thinking):
    """Choose among the shortlisted builds for a bid (seat, bid) the one that leads to the best share.

    With Great Powers there is no shortlist: it is the build worth most.
    """
    seat, bid = own
    judge, shortlist = thinking[1], table.shortlist
    judge.tried.power[:] = judge.thought[number].held[seat].power
    best, best_share = 0, share_of(table, number, mind, (seat, own), thinking)
    if powers_in_use(table.rules, seat, mind) == 0:
        for nth in range(1, SHORTLISTED):
            if shortlist.worth[bid, nth] == NO_WORTH:
                break
            view_build(table, mind, seat, (shortlist.picks[bid, nth], judge.tried))
            judge_outcome(table, mind, judge.thought[number], (seat, judge.tried), judge.work)
            if judge.work.by_seat[seat] > best_share:
                best, best_share = nth, float(judge.work.by_seat[seat])
        table.search.best_picks[bid] = shortlist.picks[bid, best]
    judge.chosen |= 1 << bid
    judge.own_share[bid] = best_share


@rare_kernel
def foresee_shares(table, number, mind, spoken, thinking):
    """Work out who would outbid whom if all went for their best share."""
    fronts, judge = thinking
    place, high_bid, leader = spoken
    outbidding = judge.outbidding
    if place > outbidding.after[number] and high_bid <= outbidding.up_to[number]:
        return
    note_shares(table, number, mind, (-1, 0), thinking)
    if leader >= 0:
        note_shares(table, number, mind, (leader, high_bid), thinking)
    for later in range(place, table.rules.players):
        seat = speaker(table.rules, table.game, later)
        for bid in range(high_bid + 1, fronts.highest[number, seat] + 1):
            if fronts.gain[number, seat, bid] != NO_WORTH:
                note_shares(table, number, mind, (seat, bid), thinking)
    look_ahead(table, number, mind, spoken, outbidding, weigh_share)


@kernel
def weigh_share(outbidding, number, seat, won):
    """Return a seat's share when (winner or -1, bid) wins the round."""
    winner, bid = won
    return float(outbidding.share[number, winner + 1, bid if winner >= 0 else 0, seat])


@kernel
def note_shares(table, number, mind, won, thinking):
    """Note how the victory is shared when (winner or -1, bid) wins the round."""
    winner, bid = find_judged(table, number, mind, won, thinking)
    judge = thinking[1]
    for seat in range(table.rules.players):
        share = judge.thought[number].share[winner + 1, bid, seat]
        judge.outbidding.share[number, won[0] + 1, won[1], seat] = share


@kernel
def weigh_outcomes(table, number, mind, said, thinking):
    """Return the speaker's share when a bid is left to the seats from a place on: (place, bid, leader, speaker)."""
    place, bid, leader, seat = said
    fronts, judge = thinking
    guess, share = mind.weights[GUESS], 0.0
    if guess < 1.0:
        won = foresee(fronts, number, place, (bid, leader))
        share += (1.0 - guess) * share_of(table, number, mind, (seat, won), thinking)
    if guess > 0.0:
        won = foresee(judge.outbidding, number, place, (bid, leader))
        share += guess * share_of(table, number, mind, (seat, won), thinking)
    return share


@kernel
def share_of(table, number, mind, asked, thinking):
    """Return the speaker's share (speaker, (winner or -1, bid)) when somebody wins the round."""
    seat, won = asked
    judge = thinking[1]
    if won[0] == seat and (judge.chosen >> won[1]) & 1 == 1:
        return judge.own_share[won[1]]
    winner, bid = find_judged(table, number, mind, won, thinking)
    return float(judge.thought[number].share[winner + 1, bid, seat])


@kernel
def find_judged(table, number, mind, won, thinking):
    """Make sure that an outcome is judged, and return it; that nobody builds if the winner's build isn't known."""
    winner, bid = won
    fronts, judge = thinking
    thought = judge.thought[number]
    # Somebody may have said what the mind thought impossible.
    if winner < 0 or (fronts.known[number] >> winner) & 1 == 0 or fronts.gain[number, winner, bid] == NO_WORTH:
        winner, bid = -1, 0
    if thought.judged[winner + 1, bid] == 0:
        thought.judged[winner + 1, bid] = 1
        judge_outcome(table, mind, thought, (winner, thought.after[max(winner, 0), bid]), judge.work)
        for seat in range(table.rules.players):
            thought.share[winner + 1, bid, seat] = judge.work.by_seat[seat]
    return winner, bid
