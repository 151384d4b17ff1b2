"""The turn loop one word at a time, for games in which a user's own strategy has to be asked.

These are the functions that blocks of games are played with, only compiled to be called from Python. A table and a
log come as *trays*: instead of a record the array of shape (1,) that it is in, since Numba takes those from Python
fifteen times as fast.
"""

from __future__ import annotations

import numpy as np

from fivetowers_sim.compiled import entry_point, stage
from fivetowers_sim.engine.block import has_room, record_game, record_round, record_seats, take_seats
from fivetowers_sim.engine.log import log_word, undo_words
from fivetowers_sim.engine.play import (
    choose_rollout_bid,
    close_round,
    open_round,
    plan_rollout_build,
    ready_seats,
    say_word,
    start_game,
)
from fivetowers_sim.rules.bidding import ends_bidding, speaker
from fivetowers_sim.rules.scoring import score_total
from fivetowers_sim.strategies.mind import CUSTOM
from fivetowers_sim.strategies.table import Table
from fivetowers_sim.strategies.words import choose_misjudged_bid, settle_build

_MAY_BE_MISSING = ("ways", "power_search", "fronts", "fork", "judge", "shortlist")


def tray_of(record: np.void) -> np.ndarray:
    """Return the array of shape (1,) whose only element is a record, which may lie among others."""
    rows = np.reshape(record.base, -1)
    place = (record.__array_interface__["data"][0] - rows.__array_interface__["data"][0]) // record.dtype.itemsize
    return rows[place : place + 1]


def put_on_trays(table: Table) -> Table:
    """Return a table with the records replaced by their arrays, but for those that may be missing."""
    trays = [tray_of(part) for part in table[: -len(_MAY_BE_MISSING)]]
    return Table(*trays, *(getattr(table, name) for name in _MAY_BE_MISSING))


@stage
def from_trays(trays):
    """Return the table whose records lie on these trays."""
    return Table(
        trays.rules[0],
        trays.game[0],
        trays.display[0],
        trays.seats[0],
        trays.build[0],
        trays.search[0],
        trays.draft[0],
        trays.ways,
        trays.power_search,
        trays.fronts,
        trays.fork,
        trays.judge,
        trays.shortlist,
    )


@entry_point
def step_deal(trays, log, seating, task, record):
    """Seat the strategies and deal a game, if the longest possible game would fit into the record.

    Parameters
    ----------
    trays : Table of arrays
        The game and its players.
    log : ndarray of ROUND_LOG, shape (1,)
        Begun anew.
    seating : ndarray of int64, shape (seatings, players)
        As for :func:`fivetowers_sim.engine.block.play_block`.
    task : ndarray of int64, shape (3,)
        Seed, the game's number, most rounds of a game.
    record : Record
        Where the game will be recorded.

    Returns
    -------
    bool
        Whether it was dealt.
    """
    if not has_room(record, task[2]):
        return False
    table = from_trays(trays)
    take_seats(table, seating, task[1])
    start_game(table, log[0], task[0], task[1])
    return True


@entry_point
def step_open(trays, log, order, totals):
    """Reveal the display; write the seats in the order in which they speak, and each seat's VP if the game ended."""
    table = from_trays(trays)
    open_round(table, log[0])
    for place in range(table.rules.players):
        order[place] = speaker(table.rules, table.game, place)
        totals[place] = score_total(table.rules, table.game, place)


@entry_point
def step_ready(trays):
    """Ready the seats of another table for the round that has just been opened."""
    ready_seats(from_trays(trays))


@entry_point
def step_speak(trays, log, place, given, spoken):
    """Let the seat at a place in the order of speaking have its word.

    Parameters
    ----------
    trays : Table of arrays
        The game and its players.
    log : ndarray of ROUND_LOG, shape (1,)
        Gets the word.
    place : int
        The place.
    given : int
        What a user's strategy says, a bid or PASS; a built-in one chooses for itself.
    spoken : tuple of two int
        The highest bid so far, and the bid to stay below.

    Returns
    -------
    tuple of int and bool
        The word, and whether it ends the bidding at once.
    """
    table = from_trays(trays)
    seat = speaker(table.rules, table.game, place)
    bid = given
    if table.seats.mind[table.seats.seated[seat]].family != CUSTOM:
        bid = say_word(table, seat, spoken[0], spoken[1], choose_rollout_bid)
    log_word(log[0], table, seat, bid, spoken[0])
    return bid, ends_bidding(table.rules, table.game, place, bid)


@entry_point
def step_misjudge(trays, seat, high_bid):
    """Choose a misjudged bid, or PASS; see :func:`fivetowers_sim.strategies.words.choose_misjudged_bid`."""
    table = from_trays(trays)
    return choose_misjudged_bid(table, seat, table.seats.mind[table.seats.seated[seat]], high_bid)


@entry_point
def step_send_back(trays, log, winner, leading_word):
    """Rule 3.6: cancel the winner's build; return the word that holds the highest bid now, -1 for none."""
    table = from_trays(trays)
    table.seats.choice[winner].sent_back = 1
    return undo_words(log[0], table, leading_word)


@entry_point
def step_settle(trays, seat):
    """Write the build that a built-in strategy has in mind onto the table."""
    table = from_trays(trays)
    plan_rollout_build(table, seat, table.fork)
    settle_build(table, seat)


@entry_point
def step_close(trays, log, winner):
    """Carry the winner's build out and end the round; see :func:`fivetowers_sim.engine.play.close_round`."""
    return close_round(from_trays(trays), log[0], winner)


@entry_point
def step_record_round(trays, log, record):
    """Record the round played last."""
    record_round(from_trays(trays), log[0], record)


@entry_point
def step_record_game(trays, log, record, nth):
    """Record the end of a game, the n-th of the record."""
    table = from_trays(trays)
    record_seats(table, log[0], record, nth)
    record_game(table, log[0], record, nth)
