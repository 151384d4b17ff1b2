"""The turn loop: a round, and a game of rounds."""

from __future__ import annotations

import numpy as np

from fivetowers_sim.chance import stream_key
from fivetowers_sim.compiled import kernel, rare_kernel, stage
from fivetowers_sim.engine.log import log_build, log_word, start_game_log, start_round_log, undo_words
from fivetowers_sim.engine.watch import notice_word
from fivetowers_sim.rules.bidding import NO_LIMIT, PASS, apply_next_start, ends_bidding, place_of, speaker
from fivetowers_sim.rules.build import apply_build
from fivetowers_sim.rules.deal import apply_clean_up, apply_end_of_round, deal_game, reveal_display, shuffle_cards
from fivetowers_sim.rules.reach import read_display
from fivetowers_sim.rules.scoring import score_total
from fivetowers_sim.strategies.expert import forget_thoughts
from fivetowers_sim.strategies.mind import ROLLOUT, WORTH_PER_VP
from fivetowers_sim.strategies.search import NO_WORTH
from fivetowers_sim.strategies.stages import note_stage
from fivetowers_sim.strategies.value import AHEAD, DENIAL, ROLLOUTS, forget_fronts, worth_unchanged
from fivetowers_sim.strategies.words import choose_word, plan_build, settle_build


@kernel
def start_game(table, log, seed, number):
    """Deal a game; everything in it follows from the seed and its number."""
    deal_game(table.rules, table.game, seed, number)
    start_game_log(log)


@kernel
def play_round(table, log):
    """Rules 3 and 4: play one round, log it, and prepare the next.

    Parameters
    ----------
    table : Table
        The game and its players.
    log : record of ROUND_LOG
        Gets the round's words and deeds.

    Returns
    -------
    bool
        Whether the discard pile became a new deck at the end of the round.
    """
    open_round(table, log)
    winner = play_bidding(table, log, (0, 0, -1), None, choose_rollout_bid)
    if winner >= 0:
        plan_rollout_build(table, winner, table.fork)
        settle_build(table, winner)
    return close_round(table, log, winner)


@kernel
def open_round(table, log):
    """Rule 3.1: reveal the display, before anybody speaks."""
    reveal_display(table.rules, table.game)
    ready_seats(table)
    start_round_log(log, table.game)


@kernel
def ready_seats(table):
    """Work out what the seats look up during a round, once the display is revealed."""
    read_display(table.rules, table.game, table.display)
    if table.seats.staged:
        note_stage(table.rules, table.game, table.seats)
    forget_fronts(table, table.fronts)
    forget_thoughts(table, table.judge)
    table.seats.leader = -1
    for seat in range(table.rules.players):
        table.seats.choice[seat].sent_back = 0
        table.seats.choice[seat].planned = 0


@kernel
def close_round(table, log, winner):
    """Rules 3.5 to 3.8 and 4: carry out the build of the winner (-1 for nobody), log it, and prepare the next round.

    Returns
    -------
    bool
        Whether the discard pile became a new deck.
    """
    rules, game = table.rules, table.game
    if winner >= 0:
        apply_build(game, winner, table.build)
    else:
        table.build.take = 0
    log_build(log, table, winner)
    apply_clean_up(game, table.build.take)
    apply_next_start(rules, game, winner)
    return apply_end_of_round(rules, game)


@stage
def play_bidding(table, log, begun, watch, try_futures):
    """Rules 3.2, 3.6 and 3.8: let each seat have its word until the winner is one who can build.

    Parameters
    ----------
    table : Table
        The game and its players.
    log : record of ROUND_LOG
        Gets the words.
    begun : tuple of three int
        The place in the order of speaking to go on from, the high bid, and the number of its word in the log (-1 for
        none).
    watch : Watch, or None
        Told of every word before it is logged; None if nobody watches, then it is compiled to nothing.
    try_futures : kernel
        :func:`choose_rollout_bid`; in futures themselves :func:`try_no_futures`.

    Returns
    -------
    int
        The winner's seat, -1 if all passed.
    """
    rules, game = table.rules, table.game
    place, high_bid, leading_word = begun
    limit = NO_LIMIT
    while True:
        while place < rules.players:
            seat = speaker(rules, game, place)
            bid = say_word(table, seat, high_bid, limit, try_futures)
            notice_word(table, (seat, bid, high_bid, limit, leading_word), watch)
            limit = NO_LIMIT
            log_word(log, table, seat, bid, high_bid)
            if bid > high_bid:
                high_bid, leading_word = bid, log.words - 1
                if ends_bidding(rules, game, place, bid):
                    break
            place += 1
        if leading_word < 0:
            return -1
        winner = log.word_seat[leading_word]
        if table.seats.choice[winner].bid == high_bid:
            return winner
        # Rule 3.6: back to the winner's word, as if it and all later words had not been said.
        table.seats.choice[winner].sent_back = 1
        limit = high_bid
        high_bid = log.word_high_before[leading_word]
        place = place_of(rules, game, winner)
        leading_word = undo_words(log, table, leading_word)


@stage
def say_word(table, seat, high_bid, limit, try_futures):
    """Choose a seat's word; see :func:`fivetowers_sim.strategies.words.choose_word`."""
    mind = table.seats.mind[table.seats.seated[seat]]
    bid = choose_word(table, seat, high_bid, limit)
    choice = table.seats.choice[seat]
    # A misjudged bid has no build in mind, and stands.
    if mind.family == ROLLOUT and (bid == PASS or choice.bid == bid):
        bid = try_futures(table, seat, (high_bid, limit), table.fork)
        choice.bid = max(bid, 0)
    return bid


@kernel
def try_no_futures(table, seat, spoken, fork):
    """Stand in for :func:`choose_rollout_bid` in the futures that it tries, where nobody tries any.

    Were that function called there again, Numba would take it for recursion, and link the call by a name that two
    kernels in one process can't share: the second would jump to nowhere.
    """
    return PASS


@rare_kernel
def plan_rollout_build(table, winner, fork):
    """Find the build for a bid that futures spoke for; `fork` is None where nobody tries any."""
    if fork is None:
        return
    choice = table.seats.choice[winner]
    if table.seats.mind[table.seats.seated[winner]].family == ROLLOUT and choice.planned != choice.bid:
        plan_build(table, winner, choice.bid)


@rare_kernel
def choose_rollout_bid(table, seat, spoken, fork):
    """``rollout``: try the pass and every bid in many futures, and take what leads to the best positions.

    In each future the unknown cards are redrawn, all seats bid by the mind's own tables, and after a few rounds these
    tables say what has been reached. Every option meets the same futures: what remains between them is what they do.

    Parameters
    ----------
    table : Table
        The game.
    seat : int
        Who speaks.
    spoken : tuple of two int
        The highest bid so far, and the bid to stay below.
    fork : Fork, or None
        Where the futures are played; None if nobody does this, then it is compiled to nothing.

    Returns
    -------
    int
        The bid, PASS for none.
    """
    if fork is None:
        return PASS
    high_bid, limit = spoken
    number = table.seats.seated[seat]
    mind = table.seats.mind[number]
    highest = min(table.fronts.highest[number, seat], mind.max_bid, limit - 1)
    if highest <= high_bid:
        return PASS
    # The pass is option 0.
    for option in range(highest + 1):
        fork.reached[option] = 0.0
    table.game.noise_count[seat] += np.uint64(1)
    for future in range(int(mind.weights[ROLLOUTS])):
        redraw(table.game, fork, stream_key(table.game.noise_key[seat], table.game.noise_count[seat], future))
        for option in range(highest + 1):
            if option == 0 or (option > high_bid and table.fronts.gain[number, seat, option] != NO_WORTH):
                begun = begin_option(table, seat, (option, high_bid), fork)
                rounds = 0
                while rounds <= mind.weights[AHEAD] and not fork.table.game.over:
                    if rounds > 0:
                        open_round(fork.table, fork.log)
                        begun = (0, 0, -1)
                    finish_round(fork.table, fork.log, begun)
                    rounds += 1
                fork.reached[option] += weigh_reached(fork.table, seat, mind)
    best = 0
    for option in range(high_bid + 1, highest + 1):
        tried = table.fronts.gain[number, seat, option] != NO_WORTH
        if tried and fork.reached[option] > fork.reached[best]:
            best = option
    return best if best > 0 else PASS


@kernel
def redraw(game, fork, key):
    """Copy the game with its hidden cards in another order: those left in the deck, and all later decks."""
    fork.games[1] = game
    redraw_hidden(fork.games[1], key)


@kernel
def redraw_hidden(game, key):
    """Draw anew what no player can know: the order of the cards left in the deck, and of all later decks."""
    shuffle_cards(game.deck[game.deck_next :], game.deck_size - game.deck_next, key)
    game.seed = key >> np.uint64(1)


@kernel
def begin_option(table, seat, said, fork):
    """Copy the round into the fork, after a seat has said a word (0 to pass) over a high bid.

    Returns
    -------
    tuple of three int
        Where the bidding stands; see :func:`play_bidding`.
    """
    option, high_bid = said
    inner, log = fork.table, fork.log
    rules, game = inner.rules, inner.game
    fork.games[0] = fork.games[1]
    for other in range(rules.players):
        inner.seats.seated[other] = table.seats.seated[seat]
    ready_seats(inner)
    start_round_log(log, game)
    if table.seats.leader >= 0:
        log_word(log, inner, table.seats.leader, high_bid, 0)
        inner.seats.choice[table.seats.leader].bid = high_bid
    if option > 0:
        inner.seats.choice[seat].bid = option
        return go_on_after(inner, log, seat, option, (high_bid, log.words - 1))
    return place_of(rules, game, seat) + 1, high_bid, log.words - 1


@kernel
def go_on_after(table, log, seat, bid, led):
    """Log a word that is given, and find where the bidding stands after it.

    Parameters
    ----------
    table : Table
        The game, after the words before.
    log : record of ROUND_LOG
        Gets the word.
    seat, bid : int
        Who says what; PASS to pass.
    led : tuple of two int
        The high bid before, and the number of its word in the log (-1 for none).

    Returns
    -------
    tuple of three int
        For :func:`play_bidding`.
    """
    high_bid, leading_word = led
    place = place_of(table.rules, table.game, seat)
    log_word(log, table, seat, bid, high_bid)
    if bid > high_bid:
        high_bid, leading_word = bid, log.words - 1
        if ends_bidding(table.rules, table.game, place, bid):
            place = table.rules.players
    return place + 1, high_bid, leading_word


@kernel
def finish_round(table, log, begun):
    """Play a round that is under way to its end; see :func:`play_bidding`."""
    winner = play_bidding(table, log, begun, None, try_no_futures)
    choice = table.seats.choice[winner]
    if winner >= 0 and choice.planned != choice.bid:
        # Said before the fork, maybe by somebody who can't carry it out.
        plan_build(table, winner, choice.bid)
        winner = winner if choice.bid > 0 else -1
    if winner >= 0:
        settle_build(table, winner)
    close_round(table, log, winner)


@kernel
def weigh_reached(table, seat, mind):
    """Return what the position that was reached is worth to a seat, counting what the others have against it."""
    worth = 0.0
    for other in range(table.rules.players):
        if table.game.over:
            reached = score_total(table.rules, table.game, other) * WORTH_PER_VP
        else:
            reached = worth_unchanged(table, other, table.seats.mind[table.seats.seated[other]])
        worth += reached if other == seat else -mind.weights[DENIAL] * reached
    return worth
