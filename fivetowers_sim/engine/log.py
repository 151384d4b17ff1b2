"""Write down what happens in a round, and take back what a cancelled build undoes."""

from __future__ import annotations

from typing import Final

import numpy as np

from fivetowers_sim.compiled import count_bits, kernel
from fivetowers_sim.rules.bidding import PASS
from fivetowers_sim.rules.state import BOTTOM_END, FROM_TEARDOWN
from fivetowers_sim.rules.tables import MAX_SEATS
from fivetowers_sim.strategies.random_play import highest_feasible_bid

MAX_WORDS = MAX_SEATS * (MAX_SEATS + 1)
"""A seat misjudges once a round at most, and after each cancelled build at most everybody speaks again."""

ROUND_LOG: Final = np.dtype(
    [
        # Whether to work out each speaker's highest feasible bid.
        ("with_feasible_bids", "i8"),
        ("words", "i8"),
        ("word_seat", "i8", (MAX_WORDS,)),
        ("word_bid", "i8", (MAX_WORDS,)),
        # Whether a cancelled build undid the word.
        ("word_void", "i8", (MAX_WORDS,)),
        ("word_high_before", "i8", (MAX_WORDS,)),
        ("word_highest_feasible", "i8", (MAX_WORDS,)),
        ("start", "i8"),
        ("display_size", "i8"),
        ("cancelled", "i8"),
        ("winner", "i8"),
        ("bid", "i8"),
        ("taken", "i8"),
        ("paid", "i8"),
        ("torn", "i8"),
        ("fetched", "i8"),
        ("built_below", "i8"),
        # Over the game so far, by seat.
        ("seat_bids_won", "i8", (MAX_SEATS,)),
        ("seat_taken", "i8", (MAX_SEATS,)),
        ("seat_paid", "i8", (MAX_SEATS,)),
        ("seat_torn", "i8", (MAX_SEATS,)),
        ("seat_fetched", "i8", (MAX_SEATS,)),
        ("seat_built_below", "i8", (MAX_SEATS,)),
        ("seat_bids_above_display", "i8", (MAX_SEATS,)),
        ("rounds_without_builder", "i8"),
        ("builds_cancelled", "i8"),
    ],
    align=True,
)
"""What was said and done in the round played last, and counts over the game."""


@kernel
def start_game_log(log):
    """Set the counts over the game to 0."""
    for seat in range(MAX_SEATS):
        log.seat_bids_won[seat] = 0
        log.seat_taken[seat] = 0
        log.seat_paid[seat] = 0
        log.seat_torn[seat] = 0
        log.seat_fetched[seat] = 0
        log.seat_built_below[seat] = 0
        log.seat_bids_above_display[seat] = 0
    log.rounds_without_builder = 0
    log.builds_cancelled = 0


@kernel
def start_round_log(log, game):
    """Note who starts and how many cards are shown, before anybody speaks."""
    log.words = 0
    log.cancelled = 0
    log.start = game.start
    log.display_size = game.display_size


@kernel
def log_word(log, table, seat, bid, high_bid):
    """Note a word, and who has the high bid; the starting player's "no cards" is written 0, as rule 3.2 has it."""
    word = log.words
    log.words = word + 1
    log.word_seat[word] = seat
    log.word_bid[word] = 0 if bid == PASS and seat == log.start else bid
    log.word_void[word] = 0
    log.word_high_before[word] = high_bid
    if bid > high_bid:
        table.seats.leader = seat
    if log.with_feasible_bids:
        log.word_highest_feasible[word] = highest_feasible_bid(table, seat, table.ways)


@kernel
def undo_words(log, table, word):
    """Rule 3.6: mark a word and all later ones as undone, and give the high bid back to who had it before.

    Returns
    -------
    int
        The word that holds the highest bid now, -1 if there is none.
    """
    for later in range(word, log.words):
        log.word_void[later] = 1
    log.cancelled += 1
    log.builds_cancelled += 1
    high_bid = log.word_high_before[word]
    for earlier in range(word - 1, -1, -1):
        if high_bid > 0 and log.word_void[earlier] == 0 and log.word_bid[earlier] == high_bid:
            table.seats.leader = log.word_seat[earlier]
            return earlier
    table.seats.leader = -1
    return -1


@kernel
def log_build(log, table, winner):
    """Note what the winner (-1 for nobody) took, paid, tore down, fetched and slid below."""
    build = table.build
    log.winner = winner
    log.bid = 0
    log.taken = 0
    log.paid = 0
    log.torn = 0
    log.fetched = 0
    log.built_below = 0
    if winner < 0:
        log.rounds_without_builder += 1
        return
    log.bid = build.bid
    log.taken = count_bits(build.take)
    log.paid = build.pay
    log.torn = build.torn_size
    for i in range(build.placed_size):
        log.fetched += build.placed_from[i] == FROM_TEARDOWN
        log.built_below += build.placed_end[i] == BOTTOM_END
    log.seat_bids_won[winner] += 1
    log.seat_taken[winner] += log.taken
    log.seat_paid[winner] += log.paid
    log.seat_torn[winner] += log.torn
    log.seat_fetched[winner] += log.fetched
    log.seat_built_below[winner] += log.built_below
    log.seat_bids_above_display[winner] += log.bid > log.display_size
