"""Watch a game for its decisions, draw one of them, and keep the whole table as it stands there.

Each decision of a game is drawn with the same chance, in one pass: the n-th one replaces the one kept so far with
chance 1/n (reservoir sampling; J. S. Vitter, ACM TOMS 11, 1985). The numbers for it come from a stream of their own, so
that the game is the one that nobody watches.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from fivetowers_sim.chance import DECISION, below, stream_key
from fivetowers_sim.compiled import kernel, rare_kernel
from fivetowers_sim.engine.log import ROUND_LOG
from fivetowers_sim.rules.bidding import NO_LIMIT, PASS
from fivetowers_sim.rules.state import new_games
from fivetowers_sim.rules.tables import MAX_SEATS
from fivetowers_sim.strategies.mind import EXPERT
from fivetowers_sim.strategies.random_play import highest_feasible_bid
from fivetowers_sim.strategies.table import CHOICE, Table
from fivetowers_sim.strategies.value import FRONTS

AT_WORD, AT_BUILD, AT_START, AT_FIRST_WORD = range(4)
"""What counts as a decision: a word of a seat that could bid; the winner's build; a round's beginning; the next word of
all, if its seat could bid."""

NOTICED: Final = np.dtype(
    [
        # Whether decisions are drawn now, which kind, and how many there were so far.
        ("watching", "i8"),
        ("kind", "i8"),
        ("seen", "i8"),
        # The stream that draws.
        ("noise_key", "u8", (1,)),
        ("noise_count", "u8", (1,)),
        # The decision that is kept: whose it is, what the seat itself said (or carries out), what was said before, the
        # number of the leading word, the bid to stay below, and the highest bid that it could carry out by the rules.
        ("seat", "i8"),
        ("said", "i8"),
        ("high_bid", "i8"),
        ("leading_word", "i8"),
        ("limit", "i8"),
        ("highest", "i8"),
        # Where the bidding of the table's game is to go on from, as play_bidding takes it.
        ("place_now", "i8"),
        ("high_bid_now", "i8"),
        ("leading_word_now", "i8"),
        # The seats at the decision.
        ("leader", "i8"),
        ("choice", CHOICE, (MAX_SEATS,)),
    ],
    align=True,
)
"""The decision that is kept."""

PLAYED, KEPT, FUTURE_BEGUN = range(3)
"""The games of a watch."""


class Watch(NamedTuple):
    """A table that is watched, and what is kept of it.

    Attributes
    ----------
    noticed : record of NOTICED
        The decision that is kept.
    games : ndarray of GAME, shape (3,)
        The table's own game; as it stood at the decision; and that with its hidden cards redrawn.
    logs : ndarray of ROUND_LOG, shape (2,)
        The table's own log; as it stood at the decision.
    fronts : record of FRONTS, or None
        What minds had worked out by then; None if there are none.
    """

    noticed: Any
    games: Any
    logs: Any
    fronts: Any


def watch_table(table: Table) -> tuple[Table, Watch]:
    """Return a table that can be watched, and the watch; its log is the first of the watch's.

    Parameters
    ----------
    table : Table
        A table without a game.

    Returns
    -------
    tuple of (Table, Watch)
        The same table with its game where the watch finds it.
    """
    games = new_games(3)
    fronts = None if table.fronts is None else np.zeros(1, FRONTS)[0]
    watch = Watch(np.zeros(1, NOTICED)[0], games, np.zeros(2, ROUND_LOG), fronts)
    return table._replace(game=games[PLAYED]), watch


@kernel
def go_on_from(watch, place, high_bid, leading_word):
    """Note where the bidding is to go on from.

    It is handed over in a record since constants as arguments would have whatever they are given to compiled anew.
    """
    watch.noticed.place_now = place
    watch.noticed.high_bid_now = high_bid
    watch.noticed.leading_word_now = leading_word


@kernel
def begin_watching(watch, kind, seed, number):
    """Begin to draw a decision of this kind out of a game."""
    noticed = watch.noticed
    noticed.watching = 1
    noticed.kind = kind
    noticed.seen = 0
    noticed.noise_key[0] = stream_key(seed, number, DECISION)
    noticed.noise_count[0] = 0


@rare_kernel
def notice_word(table, said, watch):
    """Keep the table before a word is logged, if the word is drawn; words of seats that can only pass don't count.

    Parameters
    ----------
    table : Table
        The game, with the speaker's choice made.
    said : tuple of five int
        Seat and word, the high bid before, the bid to stay below, and the number of the leading word.
    watch : Watch, or None
        None if nobody watches; then this is compiled to nothing.
    """
    if watch is None:
        return
    noticed = watch.noticed
    seat, bid, high_bid, limit, leading_word = said
    if noticed.watching == 0 or (noticed.kind != AT_WORD and noticed.kind != AT_FIRST_WORD):
        return
    if noticed.kind == AT_FIRST_WORD:
        noticed.watching = 0
    highest = min(highest_feasible_bid(table, seat, table.ways), limit - 1)
    if highest > high_bid and is_drawn(noticed):
        keep_decision(table, watch)
        noticed.seat = seat
        noticed.said = bid
        noticed.high_bid = high_bid
        noticed.limit = limit
        noticed.leading_word = leading_word
        noticed.highest = highest


@kernel
def notice_winner(table, winner, watch):
    """Keep the table before the winner builds, if its build is drawn."""
    noticed = watch.noticed
    if winner < 0 or noticed.watching == 0 or noticed.kind != AT_BUILD or not is_drawn(noticed):
        return
    keep_decision(table, watch)
    log = watch.logs[PLAYED]
    leading_word = log.words - 1
    while log.word_void[leading_word] != 0 or log.word_seat[leading_word] != winner:
        leading_word -= 1
    noticed.seat = winner
    noticed.said = log.word_bid[leading_word]
    noticed.high_bid = noticed.said
    noticed.limit = NO_LIMIT
    noticed.leading_word = leading_word
    noticed.highest = noticed.said


@kernel
def notice_start(table, watch):
    """Keep the table before anybody speaks in a round, if the round is drawn."""
    noticed = watch.noticed
    if noticed.watching == 0 or noticed.kind != AT_START or not is_drawn(noticed):
        return
    keep_decision(table, watch)
    noticed.seat = table.game.start
    noticed.said = PASS
    noticed.high_bid = 0
    noticed.limit = NO_LIMIT
    noticed.leading_word = -1
    noticed.highest = 0


@kernel
def is_drawn(noticed):
    """Count a decision, and say whether it is to replace the one kept."""
    noticed.seen += 1
    return below(noticed, 0, noticed.seen) == 0


@rare_kernel
def keep_decision(table, watch):
    """Copy all of the table that playing on depends on, but for what follows from the game's state."""
    watch.games[KEPT] = watch.games[PLAYED]
    watch.logs[1] = watch.logs[PLAYED]
    watch.noticed.leader = table.seats.leader
    for seat in range(table.rules.players):
        watch.noticed.choice[seat] = table.seats.choice[seat]
    copy_fronts(table, table.fronts, watch.fronts)


@kernel
def bring_back(table, watch):
    """Lay the table as :func:`keep_decision` found it, but for the game, and for what its display brings with it."""
    watch.logs[PLAYED] = watch.logs[1]
    table.seats.leader = watch.noticed.leader
    for seat in range(table.rules.players):
        table.seats.choice[seat] = watch.noticed.choice[seat]
    copy_fronts(table, watch.fronts, table.fronts)
    forget_judged(table, table.fronts)


@rare_kernel
def copy_fronts(table, source, target):
    """Copy what the minds at the table have worked out about the round; nothing if there are no such minds."""
    if source is None:
        return
    for number in range(table.seats.minds):
        target.known[number] = source.known[number]
        target.after[number] = source.after[number]
        target.up_to[number] = source.up_to[number]
        if source.known[number] != 0:
            target.highest[number] = source.highest[number]
            target.gain[number] = source.gain[number]
            target.to_winner[number] = source.to_winner[number]
            target.to_others[number] = source.to_others[number]
            target.winner[number] = source.winner[number]
            target.winning_bid[number] = source.winning_bid[number]


@kernel
def forget_judged(table, fronts):
    """Have minds that judge positions look at all of the round again: what they thought of it isn't kept."""
    if fronts is None:
        return
    for number in range(table.seats.minds):
        if table.seats.mind[number].family == EXPERT:
            fronts.known[number] = 0
            fronts.after[number] = MAX_SEATS
