"""Play games to learn judging from: positions between two rounds, and how the victory was shared in the end.

In each game a round is drawn that is played wildly: anybody, or nobody, wins it at any bid. So are half of the rounds
before, in a quarter of the games. What follows is kept: positions that a choice may lead to, and what they led to when
it was played on as well as the players can.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fivetowers_sim.chance import LESSON, number_at, stream_key
from fivetowers_sim.compiled import call_compiling, entry_point, kernel
from fivetowers_sim.engine.block import take_seats
from fivetowers_sim.engine.log import ROUND_LOG
from fivetowers_sim.engine.play import close_round, open_round, play_round, start_game
from fivetowers_sim.engine.setup import GameSetup
from fivetowers_sim.layout import lone_record
from fivetowers_sim.rules.scoring import score_total
from fivetowers_sim.rules.tables import MAX_SEATS
from fivetowers_sim.strategies.judge import SEEN, VIEW, see_ahead, view_seat
from fivetowers_sim.strategies.words import plan_build, settle_build

_BLOCK = 100

LESSON_ROW = np.dtype(
    [
        # Each seat's share of the victory, in the order of speaking next.
        ("share", "f4", (MAX_SEATS,)),
        ("seen", SEEN),
        # The seat that speaks first; whether the next lesson is a later position of the same game.
        ("start", "i4"),
        ("goes_on", "i4"),
    ],
    align=True,
)


class Lessons(NamedTuple):
    """Positions to learn from, game by game.

    Attributes
    ----------
    rows : ndarray of LESSON_ROW, shape (positions,)
        What they led to.
    views : ndarray of VIEW, shape (positions * players,)
        What each seat has, in the order of speaking next.
    """

    rows: Any
    views: Any


def join_lessons(lessons: list[Lessons]) -> Lessons:
    """Return several lessons as one."""
    return Lessons(*(np.concatenate(parts) for parts in zip(*lessons, strict=True)))


def play_lessons(setup: GameSetup, first_game: int, games: int) -> Lessons:
    """Play games of a setup and return their positions.

    Parameters
    ----------
    setup : GameSetup
        The games; strategies price positions by tables.
    first_game, games : int
        Number of the first game, and how many.
    """
    table, log = setup.lay_table(), lone_record(ROUND_LOG)
    room = _BLOCK * setup.most_rounds
    lessons = Lessons(np.zeros(room, LESSON_ROW), np.zeros(room * setup.players, VIEW))
    # Games last about two thirds of the rounds that they might.
    last_wild = max(1, 2 * setup.most_rounds // 3)
    kept = []
    call_compiling(lambda: _play(table, log, setup.mind_rows, np.array([setup.seed, 0, 0, last_wild]), lessons))
    for first in range(first_game, first_game + games, _BLOCK):
        count = min(_BLOCK, first_game + games - first)
        used = _play(table, log, setup.mind_rows, np.array([setup.seed, first, count, last_wild]), lessons)
        kept.append(Lessons(lessons.rows[:used].copy(), lessons.views[: used * setup.players].copy()))
    return join_lessons(kept)


@entry_point
def _play(table, log, seating, block, lessons):
    """Play games (seed, number of the first, how many, last round that may be wild); return the number of positions."""
    table.seats.staged = 1
    game, used = table.game, 0
    for number in range(block[1], block[1] + block[2]):
        take_seats(table, seating, number)
        start_game(table, log, block[0], number)
        key = stream_key(block[0], number, LESSON)
        wild_round, often, first = 1 + draw(key, 0, block[3]), draw(key, 1, 4) == 0, used
        while not game.over:
            last_pass = game.deck_pass + 1 >= table.rules.deck_passes
            is_kept = game.round >= wild_round
            if game.round == wild_round or (often and not is_kept and draw(key, 3 * game.round, 2) == 0):
                play_wildly(table, log, key)
            else:
                play_round(table, log)
            if is_kept and not game.over:
                note_lesson(table, last_pass, lessons, used)
                used += 1
        share_victory(table, lessons, first, used)
    return used


@kernel
def draw(key, nth, bound):
    """Draw the n-th whole number of a stream, from 0 to bound - 1; nearly uniform."""
    return int(number_at(key, np.uint64(nth)) >> np.uint64(33)) % bound


@kernel
def play_wildly(table, log, key):
    """Play a round that anybody, or nobody, wins at any bid, with the best build for it."""
    open_round(table, log)
    nth = 3 * table.game.round
    winner = draw(key, nth + 1, table.rules.players + 1) - 1
    if winner >= 0:
        plan_build(table, winner, 1 + draw(key, nth + 2, table.game.display_size))
        if table.seats.choice[winner].bid > 0:
            settle_build(table, winner)
        else:
            winner = -1
    close_round(table, log, winner)


@kernel
def note_lesson(table, last_pass, lessons, nth):
    """Write a position down, as minds judge it: with the cards to come that were known when the round began."""
    players, game = table.rules.players, table.game
    row = lessons.rows[nth]
    row.start = game.start
    row.goes_on = 1
    see_ahead(table, last_pass, row.seen)
    for place in range(players):
        seat = (game.start + place) % players
        view_seat(table, table.seats.mind[table.seats.seated[0]], seat, lessons.views[nth * players + place])


@kernel
def share_victory(table, lessons, first, used):
    """Rule 5.5: write how the victory was shared into a game's positions."""
    players = table.rules.players
    best, winners = -(1 << 30), 0
    for seat in range(players):
        score = score_total(table.rules, table.game, seat)
        winners = 1 if score > best else winners + (score == best)
        best = max(best, score)
    for nth in range(first, used):
        row = lessons.rows[nth]
        row.goes_on = nth < used - 1
        for place in range(players):
            won = score_total(table.rules, table.game, (row.start + place) % players) == best
            row.share[place] = np.float32(1.0) / np.float32(winners) if won else np.float32(0.0)
