"""Play games to learn from: sums for a regression of final scores on what positions looked like.

After every round but the last, each seat's position is written as a few *features*: for each tower its
height and top card, the height of the highest tower, and the size of the teardown pile. All sums are of
whole numbers, so that they can be added up in any order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fivetowers_sim.compiled import call_compiling, entry_point, kernel
from fivetowers_sim.engine.block import take_seats
from fivetowers_sim.engine.log import ROUND_LOG
from fivetowers_sim.engine.play import play_round, start_game
from fivetowers_sim.engine.setup import GameSetup
from fivetowers_sim.rules.legal import top_value
from fivetowers_sim.rules.scoring import score_pairs, score_total
from fivetowers_sim.rules.state import TYPES
from fivetowers_sim.strategies.mind import MAX_STAGES
from fivetowers_sim.strategies.stages import count_cards_to_come, fits_to_come, zeros_to_come

MAIN_SLOTS = 25
PILE_SLOTS = 16
_FEATURES = 3 * TYPES + 2
_MAX_SAMPLES = 2_000


class Study(NamedTuple):
    """Sums over positions, by stage.

    Attributes
    ----------
    slots : ndarray of int64, shape (types, 3, 32)
        By tower type, 0s to come and top card: number of the feature "there is such a tower"; the next number
        is the feature "its height", the one after it "cards to come that may go on it".
    cross : ndarray of int64, shape (stages, features, features)
        Sums of products of two features; only those whose first number is not the greater.
    product : ndarray of int64, shape (stages, features)
        Sums of products of a feature and the final score, less the VP of the pairs that the position has.
    positions : ndarray of int64, shape (stages,)
        How many positions.
    scratch : ndarray of int64, shape (samples, 3 + 2 * features of a position)
        Of a game's positions: stage, seat, the features' numbers and values, and VP from pairs.
    """

    slots: Any
    cross: Any
    product: Any
    positions: Any
    scratch: Any


def new_study(slots: np.ndarray) -> Study:
    """Return a study without positions, for these numbers of tower features.

    Parameters
    ----------
    slots : ndarray of int64, shape (types, 3, 32)
        See :class:`Study`; the numbers after the last are for main tower and teardown pile.
    """
    features = int(slots.max()) + 3 + MAIN_SLOTS + PILE_SLOTS
    return Study(
        slots=slots,
        cross=np.zeros((MAX_STAGES, features, features), np.int64),
        product=np.zeros((MAX_STAGES, features), np.int64),
        positions=np.zeros(MAX_STAGES, np.int64),
        scratch=np.zeros((_MAX_SAMPLES, 3 + 2 * _FEATURES), np.int64),
    )


def add_studies(study: Study, other: Study, weight: float = 1.0) -> Study:
    """Return a study of the positions of two, those of the first one counted with a weight.

    With a weight of 1 the sums stay whole numbers.
    """
    sums = (
        np.asarray(getattr(study, part) * (weight if weight != 1 else 1)) + getattr(other, part)
        for part in ("cross", "product", "positions")
    )
    return Study(study.slots, *sums, study.scratch)


def study_games(setup: GameSetup, stage_of: np.ndarray, first_game: int, games: int, study: Study) -> None:
    """Play games of a setup and add their positions to a study.

    Parameters
    ----------
    setup : GameSetup
        The games.
    stage_of : ndarray of int64, shape (ROUNDS_COUNTED,)
        Stage by rounds to come.
    first_game, games : int
        Number of the first game, and how many.
    study : Study
        Added to.
    """
    table, log = setup.lay_table(), np.zeros(1, ROUND_LOG)[0]
    block = np.array([setup.seed, first_game, games], np.int64)
    call_compiling(lambda: play_study(table, log, setup.mind_rows, block[:] * [1, 1, 0], stage_of, study))
    play_study(table, log, setup.mind_rows, block, stage_of, study)


@entry_point
def play_study(table, log, seating, block, stage_of, study):
    """Play games and add their positions up.

    Parameters
    ----------
    table : Table
        Rules, strategies and scratch paper.
    log : record of ROUND_LOG
        Scratch.
    seating : ndarray of int64, shape (seatings, players)
        Mind of each seat; game g is seated as in row g modulo the number of rows.
    block : ndarray of int64, shape (3,)
        Seed, number of the first game, how many games.
    stage_of : ndarray of int64, shape (ROUNDS_COUNTED,)
        Stage by rounds to come.
    study : Study
        Added to.
    """
    table.seats.staged = 1
    for number in range(block[1], block[1] + block[2]):
        take_seats(table, seating, number)
        start_game(table, log, block[0], number)
        samples = 0
        while not table.game.over:
            play_round(table, log)
            if not table.game.over:
                stage = stage_of[table.seats.rounds_to_come]
                count_cards_to_come(table.rules, table.game, table.seats)
                for seat in range(table.rules.players):
                    note_position(table, seat, stage, study, samples)
                    samples += 1
        for sample in range(samples):
            line = study.scratch[sample]
            add_position(study, line, score_total(table.rules, table.game, line[1]) - line[-1])


@kernel
def note_position(table, seat, stage, study, sample):
    """Write a seat's position as features."""
    game = table.game
    line = study.scratch[sample]
    line[0] = stage
    line[1] = seat
    # Pairs that are there are priced as what they score; the tables are about what comes on top.
    line[-1] = score_pairs(table.rules, game, seat)
    highest = 0
    for kind in range(TYPES):
        height = game.height[seat, kind]
        highest = max(highest, height)
        top = top_value(game, seat, kind)
        slot = study.slots[kind, zeros_to_come(table.seats, kind), top]
        note_feature(line, 3 * kind, slot, 1)
        note_feature(line, 3 * kind + 1, slot + 1, height)
        note_feature(line, 3 * kind + 2, slot + 2, fits_to_come(table.rules, table.seats, kind, top))
    pile_slot = study.product.shape[1] - PILE_SLOTS
    note_feature(line, 3 * TYPES, pile_slot - MAIN_SLOTS + min(highest, MAIN_SLOTS - 1), 1)
    note_feature(line, 3 * TYPES + 1, pile_slot + min(game.pile_size[seat], PILE_SLOTS - 1), 1)


@kernel
def note_feature(line, nth, slot, factor):
    """Write a feature's number and value."""
    line[2 + 2 * nth] = slot
    line[3 + 2 * nth] = factor


@kernel
def add_position(study, line, total):
    """Add a position and the VP it led to."""
    stage = line[0]
    study.positions[stage] += 1
    for first in range(_FEATURES):
        slot, factor = line[2 + 2 * first], line[3 + 2 * first]
        study.product[stage, slot] += factor * total
        for second in range(_FEATURES):
            other = line[2 + 2 * second]
            if slot <= other:
                study.cross[stage, slot, other] += factor * line[3 + 2 * second]
