"""Regress final scores on positions: what each part of a position is worth, stage by stage.

Ridge regression on the normal equations, with a weak smoothing penalty (neighbouring top cards, heights and pile
sizes are worth about the same), so that what was seldom or never seen takes its neighbours' worth. See Hastie,
Tibshirani and Friedman, *The Elements of Statistical Learning*, 2009, sections 3.4 and 5.4.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from fivetowers_sim.engine.normal_equations import solve_normal_equations
from fivetowers_sim.engine.study import MAIN_SLOTS, PILE_SLOTS, Study
from fivetowers_sim.rules.cards import EMPTY, TOWER_TOP
from fivetowers_sim.rules.state import TYPES
from fivetowers_sim.strategies.mind import MORE_ZEROS, ZEROS_UNCOUNTED
from fivetowers_sim.strategies.value_tables import ValueTables

LEVELS: Final = MORE_ZEROS + 1

# Strength of the smoothing penalties, in positions.
_NEIGHBOURS: Final = 40.0
_RIDGE: Final = 0.01


def number_features(highest_value: int, by_type: bool) -> np.ndarray:
    """Give the features of towers their numbers.

    Parameters
    ----------
    highest_value : int
        Highest value of a card.
    by_type : bool
        Whether towers of different types are told apart; without Great Powers nothing tells them apart.

    Returns
    -------
    ndarray of int64, shape (types, levels, 32)
        See :class:`fivetowers_sim.engine.study.Study`.
    """
    tops = [*range(highest_value + 1), EMPTY]
    slots = np.zeros((TYPES, LEVELS, 32), np.int64)
    number = 0
    for kind in range(TYPES):
        if kind > 0 and not by_type:
            slots[kind] = slots[0]
            continue
        for level in range(LEVELS):
            for top in tops:
                slots[kind, level, top] = number
                number += 3
    return slots


def solve_tables(study: Study, tables: ValueTables, highest_value: int) -> ValueTables:
    """Regress final scores on the positions of a study.

    Least squares with a weak smoothing penalty, stage by stage: what was seldom seen takes the worth of its
    neighbours (next top card, next height).

    Parameters
    ----------
    study : Study
        The sums.
    tables : ValueTables
        Tables of the same stages; what the study never saw keeps their values.
    highest_value : int
        Highest value of a card.

    Returns
    -------
    ValueTables
        The new tables.
    """
    top, card, fit = tables.top.copy(), tables.card.copy(), tables.fit.copy()
    main, teardown = tables.main.copy(), tables.teardown.copy()
    for stage in range(1, len(tables.stage_starts) + 1):
        cross = study.cross[stage].astype(float)
        cross = cross + np.triu(cross, 1).T
        product = study.product[stage].astype(float)
        row = stage - 1
        coefficients = _solve(cross, product, study.slots, highest_value)
        _read_towers(coefficients, study.slots, highest_value, top[row], card[row], fit[row])
        _solve_uncounted(cross, product, study.slots, highest_value, top[row], card[row])
        first = len(product) - MAIN_SLOTS - PILE_SLOTS
        main[row] = np.maximum.accumulate(coefficients[first : first + MAIN_SLOTS] - coefficients[first])
        pile = coefficients[first + MAIN_SLOTS :]
        teardown[row] = np.minimum.accumulate(pile - pile[0])
    return replace(tables, top=top, card=card, fit=fit, main=main, teardown=teardown)


def _solve(cross: np.ndarray, product: np.ndarray, slots: np.ndarray, highest_value: int) -> np.ndarray:
    penalty = np.eye(len(product)) * _RIDGE
    for pair in _neighbours(slots, highest_value):
        _add_penalty(penalty, pair, (1.0, -1.0))
    first = len(product) - MAIN_SLOTS - PILE_SLOTS
    for start, length in ((first, MAIN_SLOTS), (first + MAIN_SLOTS, PILE_SLOTS)):
        for slot in range(start, start + length - 2):
            _add_penalty(penalty, (slot, slot + 1, slot + 2), (1.0, -2.0, 1.0))
    return solve_normal_equations(cross + penalty, product)


def _neighbours(slots: np.ndarray, highest_value: int) -> list[tuple[int, int]]:
    """List pairs of features that are worth about the same: next values, and 0s to come."""
    pairs = set()
    for kind in range(slots.shape[0]):
        for level in range(slots.shape[1]):
            for value in range(1, highest_value):
                pairs.add((slots[kind, level, value], slots[kind, level, value + 1]))
            if level > 0:
                for value in [*range(highest_value + 1), EMPTY]:
                    pairs.add((slots[kind, level - 1, value], slots[kind, level, value]))
    return [(int(a) + side, int(b) + side) for a, b in pairs for side in (0, 1, 2)]


def _add_penalty(penalty: np.ndarray, slots: tuple[int, ...], weights: tuple[float, ...]) -> None:
    penalty[np.ix_(slots, slots)] += _NEIGHBOURS * np.outer(weights, weights)


def _read_towers(
    coefficients: np.ndarray, slots: np.ndarray, highest_value: int, top: np.ndarray, card: np.ndarray, fit: np.ndarray
) -> None:
    """Write the towers' coefficients into tables of one stage, counted from an empty place."""
    for kind in range(TYPES):
        for level in range(slots.shape[1]):
            empty = coefficients[slots[kind, level, EMPTY]]
            for value in [*range(highest_value + 1), EMPTY]:
                slot = slots[kind, level, value]
                top[kind, level, value] = coefficients[slot] - empty
                card[kind, level, value] = max(0.0, coefficients[slot + 1])
                fit[kind, level, value] = coefficients[slot + 2]
            card[kind, level, EMPTY] = 0.0
            fit[kind, level, TOWER_TOP] = 0.0


def _solve_uncounted(
    cross: np.ndarray,
    product: np.ndarray,
    slots: np.ndarray,
    highest_value: int,
    top: np.ndarray,
    card: np.ndarray,
) -> None:
    """Regress again without telling 0s to come apart."""
    pooled = np.repeat(slots[:, :1], LEVELS, axis=1)
    onto = np.arange(len(product))
    for side in (0, 1, 2):
        onto[slots.ravel() + side] = pooled.ravel() + side
    counted = np.ones(len(product), bool)
    # Cards to come don't count either.
    counted[slots.ravel() + 2] = False
    merged, merged_product = np.zeros_like(cross), np.zeros_like(product)
    np.add.at(merged, np.ix_(onto[counted], onto[counted]), cross[np.ix_(counted, counted)])
    np.add.at(merged_product, onto[counted], product[counted])
    coefficients = _solve(merged, merged_product, slots[:, :1], highest_value)
    counted_top, counted_card, _unused = np.zeros((3, TYPES, 1, 32))
    _read_towers(coefficients, slots[:, :1], highest_value, counted_top, counted_card, _unused)
    top[:, ZEROS_UNCOUNTED], card[:, ZEROS_UNCOUNTED] = counted_top[:, 0], counted_card[:, 0]
