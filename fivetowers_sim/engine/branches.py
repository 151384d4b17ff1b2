"""Branch a game at one of its decisions: force every option, and play each on in the same futures.

A game is played once, as it is, and one decision of it is drawn. Then, future by future, what the seat can't know is
redrawn, and for every option the table is laid as it was, the option is forced, and all seats play on with their own
strategies to the end. Options meet the same futures: what remains between them is what they do.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from fivetowers_sim.chance import FUTURE, SEAT_NOISE, stream_key
from fivetowers_sim.compiled import entry_point, kernel, rare_kernel
from fivetowers_sim.engine.block import record_game, record_seats, take_seats
from fivetowers_sim.engine.branch_options import BUILDS, MOST_OPTIONS, STARTS, list_options
from fivetowers_sim.engine.note_branch import (
    note_decision,
    note_first_round,
    note_no_decision,
    note_option,
    note_result,
)
from fivetowers_sim.engine.play import (
    choose_rollout_bid,
    close_round,
    go_on_after,
    open_round,
    plan_rollout_build,
    play_bidding,
    ready_seats,
    redraw_hidden,
    start_game,
)
from fivetowers_sim.engine.watch import (
    AT_BUILD,
    AT_FIRST_WORD,
    AT_START,
    AT_WORD,
    FUTURE_BEGUN,
    KEPT,
    PLAYED,
    begin_watching,
    bring_back,
    go_on_from,
    notice_start,
    notice_winner,
)
from fivetowers_sim.rules.tables import MAX_SEATS
from fivetowers_sim.strategies.words import plan_build, settle_build

TASK: Final = np.dtype(
    [
        ("seed", "i8"),
        ("first", "i8"),
        ("games", "i8"),
        ("kind", "i8"),
        ("futures", "i8"),
        # Whether futures are redrawn; if not, each is the game's own.
        ("redrawn", "i8"),
        # Number of the first future; others are others.
        ("first_future", "i8"),
        # Whether the table is laid already, and its first decision is branched again and again; then where its bidding
        # stands: the place that speaks, the high bid, and the number of its word in the log (-1 for none).
        ("laid", "i8"),
        ("place", "i8"),
        ("high_bid", "i8"),
        ("leading_word", "i8"),
    ],
    align=True,
)
"""What to play."""


class Branches(NamedTuple):
    """Where games are branched; one for each thread.

    Attributes
    ----------
    table : Table
        A watched table.
    watch : Watch
        The watch.
    options : ndarray of OPTION, shape (MOST_OPTIONS,)
        The options of a decision.
    choices : ndarray of CHOICE, shape (MOST_OPTIONS,)
        What the seat has in mind with each.
    builds : ndarray of BUILD, shape (MOST_OPTIONS,)
        What it builds if it wins; filled for a table that was laid.
    """

    table: Any
    watch: Any
    options: Any
    choices: Any
    builds: Any


class BranchRecord(NamedTuple):
    """Arrays that branched games are recorded into.

    Attributes
    ----------
    games, seats : ndarray of the layouts' dtypes
        The games as they were played.
    decisions : ndarray, shape (games,)
        A row for each.
    options : ndarray
        Rows.
    used : ndarray of int64, shape (1,)
        How many rows of options are filled.
    """

    games: Any
    seats: Any
    decisions: Any
    options: Any
    used: Any


@entry_point
def play_branches(branches, seating, task, record):
    """Play and branch games in order until all are done or the next might not fit into the record.

    Parameters
    ----------
    branches : Branches
        The table.
    seating : ndarray of int64, shape (seatings, players)
        As for :func:`fivetowers_sim.engine.block.play_block`.
    task : record of TASK
        What to play.
    record : BranchRecord
        Gets the rows.

    Returns
    -------
    int
        How many games were branched.
    """
    table, watch = branches.table, branches.watch
    log = watch.logs[PLAYED]
    log.with_feasible_bids = False
    record.used[0] = 0
    if task.laid:
        watch_laid_table(table, task, watch)
        note_builds(branches, task.kind)
    for nth in range(task.games):
        if len(record.options) - record.used[0] < MOST_OPTIONS:
            return nth
        number = task.first + nth
        if not task.laid:
            take_seats(table, seating, number)
            begin_watching(watch, watched_kind(task.kind), task.seed, number)
            start_game(table, log, task.seed, number)
            open_watched_round(table, watch)
            while not table.game.over:
                play_watched_round(table, watch)
            watch.noticed.watching = 0
            record_seats(table, log, record, nth)
            record_game(table, log, record, nth)
        if watch.noticed.seen == 0:
            note_no_decision(record.decisions[nth], number)
        else:
            watch.games[PLAYED] = watch.games[KEPT]
            lay_again(table, watch)
            note_decision(table, watch.noticed, record.decisions[nth], number)
            try_options(branches, task, record, record.decisions[nth])
    return task.games


@kernel
def watch_laid_table(table, task, watch):
    """Play the round of a table that was laid in the watch, to keep its first decision if a seat has one."""
    watch.games[PLAYED] = watch.games[KEPT]
    lay_again(table, watch)
    leader = table.seats.leader
    if leader >= 0:
        # Nobody knows what it has in mind, nor whether it can carry its bid out.
        plan_build(table, leader, task.high_bid)
    begin_watching(watch, AT_FIRST_WORD, task.seed, 0)
    go_on_from(watch, task.place, task.high_bid, task.leading_word)
    play_watched_round(table, watch)
    watch.noticed.watching = 0


@kernel
def note_builds(branches, kind):
    """Note what the seat builds with each bid, if nobody says more."""
    table, watch = branches.table, branches.watch
    if watch.noticed.seen == 0:
        return
    watch.games[PLAYED] = watch.games[KEPT]
    lay_again(table, watch)
    for nth in range(list_options(branches, kind)):
        watch.games[PLAYED] = watch.games[KEPT]
        lay_again(table, watch)
        force_option(branches, kind, nth)
        if branches.options[nth].bid > 0:
            watch.noticed.place_now = table.rules.players
            play_watched_round(table, watch)
            branches.builds[nth] = table.build


@kernel
def watched_kind(kind):
    """Return which decisions are drawn for what is to be tried."""
    if kind == STARTS:
        return AT_START
    return AT_BUILD if kind == BUILDS else AT_WORD


@kernel
def open_watched_round(table, watch):
    """Rule 3.1: reveal the display; the watch may keep the table as it stands then."""
    open_round(table, watch.logs[PLAYED])
    notice_start(table, watch)
    go_on_from(watch, 0, 0, -1)


@rare_kernel
def play_watched_round(table, watch):
    """Play a round on to its end from where the watch says, and reveal the next display, unless the game is over."""
    log, now = watch.logs[PLAYED], watch.noticed
    winner = play_bidding(
        table, log, (now.place_now, now.high_bid_now, now.leading_word_now), watch, choose_rollout_bid
    )
    if winner >= 0:
        plan_rollout_build(table, winner, table.fork)
        notice_winner(table, winner, watch)
        settle_build(table, winner)
    close_round(table, log, winner)
    if not table.game.over:
        open_watched_round(table, watch)


@rare_kernel
def lay_again(table, watch):
    """Lay the table as it stood at the decision, once the game stands as it did."""
    ready_seats(table)
    bring_back(table, watch)


@kernel
def try_options(branches, task, record, row):
    """Try every option of the decision that the table has been laid for, in every future.

    Parameters
    ----------
    branches : Branches
        The table.
    task : record of TASK
        How many futures.
    record : BranchRecord
        Gets a row for each option.
    row : record of the layout ``decisions``
        Gets their number.
    """
    table, watch = branches.table, branches.watch
    row.options = list_options(branches, task.kind)
    first = record.used[0]
    record.used[0] = first + row.options
    for nth in range(row.options):
        note_option(branches.options[nth], branches.choices[nth], record.options[first + nth], row.game)
    for future in range(task.futures):
        draw_future(watch, task, row.game, future)
        for nth in range(row.options):
            option, line = branches.options[nth], record.options[first + nth]
            seat = option.starts if option.starts >= 0 else watch.noticed.seat
            watch.games[PLAYED] = watch.games[FUTURE_BEGUN]
            lay_again(table, watch)
            force_option(branches, task.kind, nth)
            play_watched_round(table, watch)
            note_first_round(table, watch, seat, line)
            while not table.game.over:
                play_watched_round(table, watch)
            note_result(table, seat, line)


@kernel
def draw_future(watch, task, number, future):
    """Copy the game at the decision, with everything redrawn that nobody can know: cards, and the seats' own chance."""
    watch.games[FUTURE_BEGUN] = watch.games[KEPT]
    if task.redrawn:
        game = watch.games[FUTURE_BEGUN]
        redraw_hidden(game, stream_key(task.seed, number, FUTURE + task.first_future + future))
        for seat in range(MAX_SEATS):
            game.noise_key[seat] = stream_key(game.seed, number, SEAT_NOISE + seat)


@kernel
def force_option(branches, kind, nth):
    """Do what an option says on the table laid for it, and note where the bidding stands then."""
    table, watch = branches.table, branches.watch
    noticed, option, log = watch.noticed, branches.options[nth], watch.logs[PLAYED]
    if kind == STARTS:
        table.game.start = option.starts
        log.start = option.starts
        go_on_from(watch, 0, 0, -1)
        return
    table.seats.choice[noticed.seat] = branches.choices[nth]
    if kind == BUILDS:
        go_on_from(watch, table.rules.players, noticed.high_bid, noticed.leading_word)
        return
    led = noticed.high_bid, noticed.leading_word
    place, high_bid, leading_word = go_on_after(table, log, noticed.seat, option.bid, led)
    go_on_from(watch, place, high_bid, leading_word)
