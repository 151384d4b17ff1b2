"""Weighted sums of ratios over games."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from fivetowers_sim.analysis.estimates import Tally, estimate_ratio
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.analysis.ratios import estimate_ratios


def test_a_ratio_over_every_game_is_a_mean_with_the_t_interval():
    values = np.array([3, 7, 1, 4, 9, 2])
    found = estimate_ratios(Moments.of(np.stack([values, np.ones(6, int)], 1)), [(1, [0], 1)])
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    assert found.games == 6


def test_games_without_a_unit_change_nothing():
    values = np.array([3, 7, 1, 4, 9, 2])
    rows = np.zeros((40, 2), int)
    rows[:6] = np.stack([values, np.ones(6, int)], 1)
    few = estimate_ratios(Moments.of(rows[:6]), [(1, [0], 1)])
    many = estimate_ratios(Moments.of(rows), [(1, [0], 1)])
    assert (many.value, many.low, many.high) == pytest.approx((few.value, few.low, few.high))


def test_one_ratio_is_close_to_the_linearised_one_of_a_tally():
    # Three games in which a strategy holds one, two and one seats that score 20, 50 and 24 VP together.
    tally = estimate_ratio(Tally(3, 4, 6, 94, 3476, 144))
    found = estimate_ratios(Moments.of(np.array([[20, 1], [50, 2], [24, 1]])), [(1, [0], 1)])
    assert found.value == tally.value == 23.5
    # With four units there is one degree of freedom more, and a smaller correction.
    student = stats.t.ppf(0.975, 3) / stats.t.ppf(0.975, 2)
    assert found.margin == pytest.approx(tally.margin * student * math.sqrt((4 / 3) / (3 / 2)))


def test_ratios_over_the_same_games_keep_account_of_each_other():
    rng = np.random.default_rng(1)
    luck = rng.integers(-50, 50, 200)
    rows = np.stack([luck + 3, luck, np.ones(200, int)], 1)
    found = estimate_ratios(Moments.of(rows), [(1, [0], 2), (-1, [1], 2)])
    assert (found.value, found.margin) == pytest.approx((3, 0), abs=1e-9)


def test_intervals_of_a_difference_of_ratios_over_different_games_hold():
    rng, covered = np.random.default_rng(2), 0
    for _ in range(600):
        first = rng.random(120) < 0.4
        values = rng.normal(np.where(first, 2000, 500), 900).round().astype(int)
        rows = np.stack([values * first, first, values * ~first, ~first], 1)
        found = estimate_ratios(Moments.of(rows), [(1, [0], 1), (-1, [2], 3)])
        covered += found.low <= 1500 <= found.high
    # 95% ± 3 standard errors of 0.9%.
    assert 0.923 < covered / 600 < 0.977


def test_without_units_there_is_no_figure_and_with_one_no_interval():
    rows = Moments.of(np.array([[0, 0], [5, 1], [0, 0]]))
    found = estimate_ratios(rows, [(1, [0], 1)])
    assert (found.value, found.games) == (5, 1)
    assert math.isnan(found.low)
    none = estimate_ratios(Moments.of(np.zeros((3, 2), int)), [(1, [0], 1)])
    assert math.isnan(none.value)
    assert none.games == 0
