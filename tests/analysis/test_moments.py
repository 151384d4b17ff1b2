"""Sums over games: the same as adding one by one, exact, and with the intervals of the differences per game."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from fivetowers_sim.analysis.estimates import estimate_ratio
from fivetowers_sim.analysis.moments import Moments, estimate_contrast


@pytest.fixture
def measured():
    random = np.random.default_rng(5)
    deal = random.integers(0, 40, (200, 1))
    return deal + random.integers(-6, 7, (200, 4))


def test_the_order_and_the_size_of_the_parts_change_nothing(measured):
    whole = Moments.of(measured)
    parts = [Moments.of(part) for part in np.array_split(measured, 7)]
    for order in (parts, parts[::-1]):
        added = sum(order, Moments.zero(4))
        assert added.games == whole.games
        assert (added.sums == whole.sums).all()
        assert (added.products == whole.products).all()


def test_products_too_large_for_floating_point_are_still_exact():
    measured = np.array([[2**30 + 1, 1], [2**30 - 1, 3]])
    expected = [[(2**30 + 1) ** 2 + (2**30 - 1) ** 2, 2**30 + 1 + 3 * (2**30 - 1)], [0, 10]]
    expected[1][0] = expected[0][1]
    assert Moments.of(measured).products.tolist() == expected


def test_the_covariance_is_that_of_numpy_however_far_the_figures_are_from_zero(measured):
    expected = np.cov(measured, rowvar=False) / len(measured)
    for shift in (0, 10**7):
        assert Moments.of(measured + shift).covariance() == pytest.approx(expected, rel=1e-9)


def test_a_contrast_has_the_paired_t_interval(measured):
    estimate = estimate_contrast(Moments.of(measured), np.array([1.0, -1.0, 0, 0]))
    low, high = stats.ttest_rel(measured[:, 0], measured[:, 1]).confidence_interval(0.95)
    assert (estimate.low, estimate.high) == (pytest.approx(low), pytest.approx(high))


def test_the_same_deals_make_a_difference_precise(measured):
    moments = Moments.of(measured)
    paired = estimate_contrast(moments, np.array([1.0, -1.0, 0, 0])).margin
    apart = np.hypot(*(estimate_contrast(moments, np.eye(4)[column]).margin for column in (0, 1)))
    assert paired < apart / 2


def test_a_tally_of_columns_estimates_their_sum_per_unit(measured):
    estimate = estimate_ratio(Moments.of(measured).tally([1, 3], 2))
    halves = (measured[:, 1] + measured[:, 3]) / 2
    assert estimate.value == pytest.approx(halves.mean())
    assert estimate.margin == pytest.approx(stats.t.ppf(0.975, 199) * stats.sem(halves))


def test_no_game_and_one_game_have_no_interval():
    assert np.isnan(estimate_contrast(Moments.zero(2), np.ones(2)).value)
    one = estimate_contrast(Moments.of(np.array([[3, 4]])), np.ones(2))
    assert one.value == 7
    assert np.isnan(one.low)
