"""Play a block of games and record it into arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fivetowers_sim.compiled import entry_point, kernel
from fivetowers_sim.engine.log import MAX_WORDS
from fivetowers_sim.engine.play import play_round, start_game
from fivetowers_sim.engine.record import BIDS, GAMES, NO_TOTAL, NOBODY, ROUNDS, SEATS
from fivetowers_sim.layout import empty_rows
from fivetowers_sim.rules.cards import TOWER_TOP
from fivetowers_sim.rules.legal import top_value
from fivetowers_sim.rules.scoring import (
    score_cards,
    score_main,
    score_pairs,
    score_teardown,
    score_tops,
    score_total,
)


class Record(NamedTuple):
    """Arrays that a block of games is recorded into; those of unwanted tables are empty.

    Attributes
    ----------
    games, seats, rounds, bids : ndarray of the layout's dtype
        The rows.
    used : ndarray of int64, shape (2,)
        How many rows of rounds and bids are filled.
    """

    games: Any
    seats: Any
    rounds: Any
    bids: Any
    used: Any


def new_record(games: int, players: int, rounds: int, bids: int) -> Record:
    """Return a record with room for this many games and rows."""
    return Record(
        games=empty_rows(GAMES, games),
        seats=empty_rows(SEATS, games * players),
        rounds=empty_rows(ROUNDS, rounds),
        bids=empty_rows(BIDS, bids),
        # Far from what other threads count, as a lone record is.
        used=np.zeros(48, np.int64)[16:18],
    )


@entry_point
def play_block(table, log, seating, block, record):
    """Play games in order until all are played or the next might not fit into the record.

    Parameters
    ----------
    table : Table
        Rules, strategies and scratch paper.
    log : record of ROUND_LOG
        Scratch.
    seating : ndarray of int64, shape (seatings, players)
        Mind of each seat; game g is seated as in row g modulo the number of rows.
    block : ndarray of int64, shape (4,)
        Seed, number of the first game, how many games, most rounds of a game.
    record : Record
        Gets the rows.

    Returns
    -------
    int
        How many games were played.
    """
    seed, first, count, most_rounds = block[0], block[1], block[2], block[3]
    record.used[0] = 0
    record.used[1] = 0
    log.with_feasible_bids = len(record.bids) > 0
    with_rounds = len(record.rounds) > 0
    for nth in range(count):
        if not has_room(record, most_rounds):
            return nth
        take_seats(table, seating, first + nth)
        start_game(table, log, seed, first + nth)
        while not table.game.over:
            play_round(table, log)
            if with_rounds:
                record_round(table, log, record)
        record_seats(table, log, record, nth)
        record_game(table, log, record, nth)
    return count


@kernel
def has_room(record, most_rounds):
    """Say whether the longest possible game would fit."""
    rounds_left = len(record.rounds) - record.used[0]
    bids_left = len(record.bids) - record.used[1]
    return (len(record.rounds) == 0 or rounds_left >= most_rounds) and (
        len(record.bids) == 0 or bids_left >= most_rounds * MAX_WORDS
    )


@kernel
def take_seats(table, seating, number):
    """Seat the strategies for this game."""
    row = number % len(seating)
    for seat in range(table.rules.players):
        table.seats.seated[seat] = seating[row, seat]


@kernel
def record_round(table, log, record):
    """Write the round played last, and its words, if bids are wanted."""
    row = record.rounds[record.used[0]]
    record.used[0] += 1
    row.game = table.game.number
    row.round = table.game.round
    row.start = log.start
    row.display_size = log.display_size
    row.winner = log.winner if log.winner >= 0 else NOBODY
    row.bid = log.bid
    row.taken = log.taken
    row.paid = log.paid
    row.torn = log.torn
    row.fetched = log.fetched
    row.built_below = log.built_below
    row.cancelled = log.cancelled
    row.winner_total = score_total(table.rules, table.game, log.winner) if log.winner >= 0 else NO_TOTAL
    if len(record.bids) == 0:
        return
    for word in range(log.words):
        line = record.bids[record.used[1]]
        record.used[1] += 1
        line.game = table.game.number
        line.round = table.game.round
        line.turn = word + 1
        line.seat = log.word_seat[word]
        line.bid = log.word_bid[word] if log.word_bid[word] >= 0 else NOBODY
        line.void = log.word_void[word] != 0
        line.high_bid_before = log.word_high_before[word]
        line.highest_feasible_bid = log.word_highest_feasible[word]


@kernel
def record_seats(table, log, record, nth):
    """Write each seat's score and what it did."""
    rules, game = table.rules, table.game
    for seat in range(rules.players):
        row = record.seats[nth * rules.players + seat]
        row.game = game.number
        row.seat = seat
        row.strategy = table.seats.mind[table.seats.seated[seat]].label
        row.powers = rules.powers[seat]
        row.total = score_total(rules, game, seat)
        row.cards = score_cards(rules, game, seat)
        row.tops = score_tops(rules, game, seat)
        row.main = score_main(rules, game, seat)
        row.pairs = score_pairs(rules, game, seat)
        row.teardown = score_teardown(rules, game, seat)
        row.torn_cards = game.pile_size[seat]
        row.bids_won = log.seat_bids_won[seat]
        row.cards_taken = log.seat_taken[seat]
        row.cards_torn_down = log.seat_torn[seat]
        row.trees_paid = log.seat_paid[seat]
        row.cards_fetched = log.seat_fetched[seat]
        row.cards_built_below = log.seat_built_below[seat]
        row.bids_above_display = log.seat_bids_above_display[seat]
        row.candy_height = game.height[seat, 0]
        row.scary_height = game.height[seat, 1]
        row.tree_height = game.height[seat, 2]
        row.scrap_height = game.height[seat, 3]
        row.sand_height = game.height[seat, 4]
        row.candy_topped = top_value(game, seat, 0) == TOWER_TOP
        row.scary_topped = top_value(game, seat, 1) == TOWER_TOP
        row.tree_topped = top_value(game, seat, 2) == TOWER_TOP
        row.scrap_topped = top_value(game, seat, 3) == TOWER_TOP
        row.sand_topped = top_value(game, seat, 4) == TOWER_TOP


@kernel
def record_game(table, log, record, nth):
    """Rule 5.5: write who won; tied players share the victory. The seats are recorded first."""
    players = table.rules.players
    seats = record.seats[nth * players : (nth + 1) * players]
    row = record.games[nth]
    best, second, winners = -(1 << 30), -(1 << 30), 0
    for seat in range(players):
        total = int(seats[seat].total)
        if total > best:
            best, second, winners = total, best, 1
        elif total == best:
            second, winners = best, winners + 1
        else:
            second = max(second, total)
    for seat in range(players):
        rank = 1
        for other in range(players):
            rank += seats[other].total > seats[seat].total
        seats[seat].rank = rank
        seats[seat].win_share = 1.0 / winners if rank == 1 else 0.0
    row.game = table.game.number
    row.players = players
    row.rounds = table.game.round
    row.winners = winners
    row.winning_total = best
    row.margin = best - second
    row.rounds_without_builder = log.rounds_without_builder
    row.builds_cancelled = log.builds_cancelled
