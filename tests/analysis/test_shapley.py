"""Shapley values and interactions, by hand-worked cases and by what must hold for all."""

from __future__ import annotations

import numpy as np
import pytest

from fivetowers_sim.analysis.shapley import interaction_weights, shapley_weights


def test_the_glove_game_is_shared_as_the_textbook_says():
    # One left glove and two right ones; a pair is worth 1. Shapley values 2/3, 1/6, 1/6 (Osborne & Rubinstein, 1994).
    worth = np.array([float(members & 1 and members > 1) for members in range(8)])
    values = [shapley_weights(3, own) @ worth for own in range(3)]
    assert values == pytest.approx([2 / 3, 1 / 6, 1 / 6])


def test_interactions_of_the_glove_game_are_those_worked_out_by_hand():
    worth = np.array([float(members & 1 and members > 1) for members in range(8)])
    # Left and a right: without the other right 1 - 0 - 0 + 0, with it 1 - 1 - 0 + 0; each counts half.
    assert interaction_weights(3, 0, 1) @ worth == pytest.approx(1 / 2)
    # The two rights: nothing without the left, and with it 1 - 1 - 1 + 0.
    assert interaction_weights(3, 1, 2) @ worth == pytest.approx(-1 / 2)


def test_shapley_values_add_up_to_what_all_are_worth():
    worth = np.random.default_rng(1).normal(size=16)
    assert sum(shapley_weights(4, own) @ worth for own in range(4)) == pytest.approx(worth[15] - worth[0])


def test_things_that_only_add_up_get_their_own_worth_and_do_not_interact():
    own = [3.0, 1.0, 0.0, -2.0]
    worth = np.array([sum(own[thing] for thing in range(4) if members >> thing & 1) for members in range(16)])
    assert [shapley_weights(4, thing) @ worth for thing in range(4)] == pytest.approx(own)
    pairs = [(one, other) for one in range(4) for other in range(one)]
    assert [interaction_weights(4, *pair) @ worth for pair in pairs] == pytest.approx([0] * 6)


def test_a_bonus_for_two_is_shared_by_them_and_is_their_interaction():
    worth = np.array([6.0 if members & 0b101 == 0b101 else 0.0 for members in range(16)])
    assert [shapley_weights(4, thing) @ worth for thing in range(4)] == pytest.approx([3, 0, 3, 0])
    assert interaction_weights(4, 0, 2) @ worth == pytest.approx(6)
    assert interaction_weights(4, 2, 0) @ worth == pytest.approx(6)
    assert interaction_weights(4, 0, 1) @ worth == pytest.approx(0)
