"""Learn to judge: fit a network's weights to lessons, step by step, in a fixed order.

Everything is computed in one thread, in one order, with operations that are exact to the last bit everywhere, so that
equal lessons give equal weights on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from fivetowers_sim.chance import LEARNING, number_at, stream_key
from fivetowers_sim.compiled import add_row, entry_point, kernel
from fivetowers_sim.engine.lessons import Lessons, draw
from fivetowers_sim.rules.state import TYPES
from fivetowers_sim.rules.tables import MAX_SEATS
from fivetowers_sim.strategies.judge import (
    ALONE,
    add_seat,
    add_tower,
    add_type,
    begin_second,
    compare_with,
    count_zeros,
    game_number,
    keep_positive,
    seat_number,
    share_out,
    tower_number,
    type_number,
)
from fivetowers_sim.strategies.net import GAME_NUMBERS, HIDDEN, NET, SEAT_NUMBERS, TOWER_NUMBERS, TYPE_NUMBERS

BATCH: Final = 64
"""Lessons behind each step."""

# Adam (Kingma and Ba 2015), with its usual rates of forgetting.
_FIRST_KEPT, _SECOND_KEPT = 0.9, 0.999
# Batches between two looks at whether to stop.
_SLICE = 400
# How large the first weights of each kind are, at most: about one over the root of how many numbers come in.
_FIRST_SIZES: Final = {
    "top": 0.7,
    "tower": 0.35,
    "once": 0.35,
    "twice": 0.35,
    "kind_number": 0.35,
    "joined": 0.18,
    "seat": 0.25,
    "game": 0.25,
    "out": 0.05,
}

PUPIL = np.dtype(
    [
        # What :data:`~fivetowers_sim.strategies.judge.WORK` has.
        ("first", "f4", (TYPES, HIDDEN)),
        ("joined", "f4", (HIDDEN,)),
        ("second", "f4", (HIDDEN,)),
        ("by_place", "f4", (MAX_SEATS,)),
        # The first layer by type before what is below 0 is cut; and how much layers are to change.
        ("uncut", "f4", (TYPES, HIDDEN)),
        ("change_second", "f4", (HIDDEN,)),
        ("change_joined", "f4", (HIDDEN,)),
        ("change_first", "f4", (HIDDEN,)),
        # The weights between first and second layer, turned.
        ("turned", "f4", (HIDDEN, HIDDEN)),
        # How much of the averages is of their beginning.
        ("first_left", "f8"),
        ("second_left", "f8"),
    ],
    align=True,
)


class Pupil(NamedTuple):
    """A network that learns.

    Attributes
    ----------
    net, slope : record of NET
        Weights, and how the loss of a batch grows with each.
    flat : tuple of ndarray of float32
        These as vectors, and the running means of the slope and of its square.
    work : record of PUPIL
        Scratch.
    """

    net: Any
    slope: Any
    flat: Any
    work: Any


def new_net(seed: int) -> np.ndarray:
    """Return a network with weights at random, shape (1,)."""
    net = np.zeros(1, NET)
    for nth, (part, size) in enumerate(_FIRST_SIZES.items()):
        weights = np.zeros(net[part].size, np.float32)
        fill_at_random(weights, np.array([seed, nth]), size)
        net[part] = weights.reshape(net[part].shape)
    return net


def new_pupil(net: np.ndarray) -> Pupil:
    """Return a pupil that goes on from a network, which changes as it learns."""
    slope, average, spread = (np.zeros(1, NET) for _ in range(3))
    work = np.zeros(1, PUPIL)
    work["first_left"] = work["second_left"] = 1.0
    flat = tuple(record.view(np.float32) for record in (net, slope, average, spread))
    return Pupil(net[0], slope[0], flat, work[0])


def learn(
    net: np.ndarray,
    players: int,
    lessons: Lessons,
    times: int,
    rate: float,
    seed: int,
    watch: Callable[[int, int], None] = lambda done, lessons: None,
) -> float:
    """Go through lessons several times, in another order each time.

    Parameters
    ----------
    net : ndarray of NET, shape (1,)
        Changed.
    players : int
        Seats at a table.
    lessons : Lessons
        What to learn.
    times : int
        How often.
    rate : float
        How far weights move in the first step; in the last one it is a twentieth.
    seed : int
        Decides the orders.
    watch : callable, optional
        Called with how many lessons were gone through, and how many in all.

    Returns
    -------
    float
        The mean squared error of shares, summed over seats, the last time.
    """
    pupil, count = new_pupil(net), len(lessons.rows)
    batches = count // BATCH
    order, error = np.arange(count), 0.0
    for time in range(times):
        shuffle(order, np.array([seed, time]))
        error = 0.0
        for first in range(0, batches, _SLICE):
            last = min(first + _SLICE, batches)
            gone = (time * batches + first) / (times * batches)
            error += learn_batches(
                pupil, players, lessons, order[first * BATCH : last * BATCH], rate * (1 - 0.95 * gone)
            )
            watch((time * batches + last) * BATCH, times * batches * BATCH)
    return error / (batches * BATCH)


def look_forward(net: np.ndarray, players: int, lessons: Lessons, kept: float) -> None:
    """Make what a lesson teaches partly what the network says of the position a round later: TD(λ).

    Parameters
    ----------
    net : ndarray of NET, shape (1,)
        The network.
    players : int
        Seats at a table.
    lessons : Lessons
        Shares are overwritten.
    kept : float
        How much of what a lesson teaches is what the next one does: λ.
    """
    pass_on(new_pupil(net), players, lessons, np.float32(kept))


@entry_point
def fill_at_random(weights, which, size):
    """Fill an array with numbers from -size to size, those of (seed, number)."""
    key = stream_key(which[0], which[1], LEARNING)
    for nth in range(len(weights)):
        unit = np.float64(number_at(key, np.uint64(nth)) >> np.uint64(11)) / 9007199254740992.0
        weights[nth] = np.float32((2.0 * unit - 1.0) * size)


@entry_point
def shuffle(order, which):
    """Put numbers into another order (Fisher and Yates), that of (seed, number)."""
    key = stream_key(which[0], which[1], LEARNING + 1)
    for last in range(len(order) - 1, 0, -1):
        other = draw(key, last, last + 1)
        order[last], order[other] = order[other], order[last]


@entry_point
def pass_on(pupil, players, lessons, kept):
    """Carry :func:`look_forward` out, from the last lesson to the first."""
    rows = lessons.rows
    for nth in range(len(rows) - 2, -1, -1):
        if rows[nth].goes_on == 0:
            continue
        judge_lesson(pupil.net, pupil.work, players, lessons, nth + 1)
        for place in range(players):
            later = (rows[nth].start + place - rows[nth + 1].start) % players
            taught = kept * rows[nth + 1].share[later]
            rows[nth].share[place] = taught + (np.float32(1.0) - kept) * pupil.work.by_place[later]


@entry_point
def learn_batches(pupil, players, lessons, order, rate):
    """Take a step for each batch of lessons, all at one rate; return the sum of squared errors."""
    net, work = pupil.net, pupil.work
    error = 0.0
    for first in range(0, len(order), BATCH):
        turn(net, work)
        pupil.flat[1][:] = np.float32(0.0)
        for at in range(first, first + BATCH):
            all_seats = judge_lesson(net, work, players, lessons, order[at])
            error += note_slopes(net, pupil.slope, work, players, lessons, order[at], all_seats)
        take_step(pupil.flat, work, np.float32(rate))
    return error


@kernel
def turn(net, work):
    """Write the weights between first and second layer the other way round."""
    for i in range(HIDDEN):
        for j in range(HIDDEN):
            work.turned[i, j] = net.joined[j, i]


@kernel
def judge_lesson(net, work, players, lessons, nth):
    """Judge a position as minds do, keeping what learning needs; return what seats are compared with."""
    seen = lessons.rows[nth].seen
    for i in range(HIDDEN):
        work.joined[i] = np.float32(0.0)
    for kind in range(TYPES):
        add_type(net, seen, kind, work.uncut[kind])
        for place in range(players):
            view = lessons.views[nth * players + place]
            add_tower(net, view, count_zeros(seen, kind), (kind, place), work.uncut[kind])
        keep_positive(work.first[kind], work.uncut[kind])
        add_row(work.joined, work.first[kind], np.float32(1.0))
    begin_second(net, work, seen)
    known = ALONE
    for place in range(players):
        known = compare_with(known, lessons.views[nth * players + place])
    all_seats = known[0] / np.float32(players), known[1], known[2], known[3], known[4]
    for place in range(players):
        add_seat(net, work, seen, place, lessons.views[nth * players + place], all_seats)
    keep_positive(work.second, work.second)
    share_out(net, work, players)
    return all_seats


@kernel
def note_slopes(net, slope, work, players, lessons, nth, all_seats):
    """Add how the loss (cross entropy) of a position grows with each weight; return its squared error."""
    row = lessons.rows[nth]
    seen, error = row.seen, 0.0
    for i in range(HIDDEN):
        work.change_second[i] = np.float32(0.0)
        work.change_joined[i] = np.float32(0.0)
    for place in range(players):
        wrong = work.by_place[place] - row.share[place]
        error += wrong * wrong
        slope.out_bias[place] += wrong
        add_row(slope.out[place], work.second, wrong)
        add_row(work.change_second, net.out[place], wrong)
    change = work.change_second
    for i in range(HIDDEN):
        if work.second[i] <= np.float32(0.0):
            change[i] = np.float32(0.0)
    add_row(slope.bias, change, np.float32(1.0))
    for which in range(GAME_NUMBERS):
        add_row(slope.game[which], change, game_number(seen, which))
    for place in range(players):
        view = lessons.views[nth * players + place]
        for which in range(SEAT_NUMBERS):
            add_row(slope.seat[place, which], change, seat_number(view, seen, all_seats, which))
    for j in range(HIDDEN):
        add_row(slope.joined[j], change, work.joined[j])
        add_row(work.change_joined, work.turned[j], change[j])
    for kind in range(TYPES):
        note_first_slopes(slope, work, players, lessons, (nth, kind))
    return error


@kernel
def note_first_slopes(slope, work, players, lessons, where):
    """Add how the loss of a position grows with the weights of one type's first layer."""
    nth, kind = where
    seen = lessons.rows[nth].seen
    change = work.change_first
    for i in range(HIDDEN):
        change[i] = work.change_joined[i] if work.uncut[kind, i] > np.float32(0.0) else np.float32(0.0)
    add_row(slope.kind[kind], change, np.float32(1.0))
    for which in range(TYPE_NUMBERS):
        add_row(slope.kind_number[which], change, type_number(seen, kind, which))
    once, twice, value = int(seen.once[kind]), int(seen.twice[kind]), 0
    while once >> value != 0:
        if (once >> value) & 1 == 1:
            add_row(slope.once[value], change, np.float32(1.0))
        if (twice >> value) & 1 == 1:
            add_row(slope.twice[value], change, np.float32(1.0))
        value += 1
    for place in range(players):
        view = lessons.views[nth * players + place]
        add_row(slope.top[place, view.top[kind]], change, np.float32(1.0))
        for which in range(TOWER_NUMBERS):
            number = tower_number(view, count_zeros(seen, kind), kind, which)
            add_row(slope.tower[place, which], change, number)


@kernel
def take_step(flat, work, rate):
    """Move the weights (Adam)."""
    weights, slope, average, spread = flat
    work.first_left *= _FIRST_KEPT
    work.second_left *= _SECOND_KEPT
    first, second = np.float32(1.0 - work.first_left), np.float32(1.0 - work.second_left)
    for i in range(len(weights)):
        mean = slope[i] * np.float32(1.0 / BATCH)
        average[i] += np.float32(1.0 - _FIRST_KEPT) * (mean - average[i])
        spread[i] += np.float32(1.0 - _SECOND_KEPT) * (mean * mean - spread[i])
        weights[i] -= rate * (average[i] / first) / (np.sqrt(spread[i] / second) + np.float32(1e-7))
