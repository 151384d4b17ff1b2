"""The turn loop: a round, and a game of rounds."""

from __future__ import annotations

from fivetowers_sim.compiled import stage
from fivetowers_sim.engine.log import log_build, log_word, start_game_log, start_round_log, undo_words
from fivetowers_sim.rules.bidding import NO_LIMIT, apply_next_start, ends_bidding, speaker
from fivetowers_sim.rules.build import apply_build
from fivetowers_sim.rules.deal import apply_clean_up, apply_end_of_round, deal_game, reveal_display
from fivetowers_sim.rules.reach import read_display
from fivetowers_sim.strategies.words import choose_word, settle_build


@stage
def start_game(table, log, seed, number):
    """Deal a game; everything in it follows from the seed and its number."""
    deal_game(table.rules, table.game, seed, number)
    start_game_log(log)


@stage
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
    winner = play_bidding(table, log)
    if winner >= 0:
        settle_build(table, winner)
    return close_round(table, log, winner)


@stage
def open_round(table, log):
    """Rule 3.1: reveal the display, before anybody speaks."""
    reveal_display(table.rules, table.game)
    ready_seats(table)
    start_round_log(log, table.game)


@stage
def ready_seats(table):
    """Work out what the seats look up during a round, once the display is revealed."""
    read_display(table.rules, table.game, table.display)
    for seat in range(table.rules.players):
        table.seats.choice[seat].sent_back = 0


@stage
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
def play_bidding(table, log):
    """Rules 3.2, 3.6 and 3.8: let each seat have its word until the winner is one who can build.

    Returns
    -------
    int
        The winner's seat, -1 if all passed.
    """
    rules, game = table.rules, table.game
    place, high_bid, limit, leading_word = 0, 0, NO_LIMIT, -1
    while True:
        while place < rules.players:
            seat = speaker(rules, game, place)
            bid = choose_word(table, seat, high_bid, limit)
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
        place = (winner - game.start) % rules.players
        leading_word = undo_words(log, leading_word)
