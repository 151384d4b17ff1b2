"""Estimates and intervals: published values, hand-worked values, and how often the intervals are right."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from fivetowers_sim.analysis.estimates import Estimate, Tally, estimate_ratio, estimate_share


def tally_of(totals, units=None):
    """Sum games one by one: what each got, and the units it was spread over."""
    units = [1] * len(totals) if units is None else units
    pairs = [(int(unit), int(total)) for unit, total in zip(units, totals, strict=True)]
    return sum((Tally(1, unit, unit**2, total, total**2, unit * total) for unit, total in pairs), Tally())


def test_the_interval_of_a_mean_is_that_of_the_nist_handbook():
    # NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.5.2: 195 measurements (ZARR13.DAT) with mean
    # 9.261460 and standard deviation 0.022789 have the 95% limits 9.258242 and 9.264679.
    games, mean, deviation = 195, 9.261460, 0.022789
    scale = 10**6
    total = round(games * mean * scale)
    squares = round((deviation * scale) ** 2 * (games - 1) + total**2 / games)
    estimate = estimate_ratio(Tally(games, games, games, total, squares, total), scale)
    assert estimate.value == pytest.approx(9.261460, abs=5e-7)
    assert estimate.low == pytest.approx(9.258242, abs=1.5e-6)
    assert estimate.high == pytest.approx(9.264679, abs=1.5e-6)


def test_the_interval_of_a_mean_is_the_t_interval():
    totals = [26, 31, 19, 40, 22, 28]
    estimate = estimate_ratio(tally_of(totals))
    low, high = stats.t.interval(0.95, len(totals) - 1, np.mean(totals), stats.sem(totals))
    assert (estimate.low, estimate.high) == (pytest.approx(low), pytest.approx(high))


def test_a_ratio_worked_out_by_hand():
    # Seats 1, 2, 1 and totals 20, 50, 24: R = 94/4 = 23.5; what is left over is -3.5, 3 and 0.5, squared 21.5 in
    # sum; the standard error is sqrt(3/2 * 21.5) / 4 = 1.419727, and t for 2 degrees of freedom 4.302653.
    estimate = estimate_ratio(tally_of([20, 50, 24], [1, 2, 1]))
    assert estimate.value == 23.5
    assert estimate.margin == pytest.approx(4.302653 * 1.419727, rel=1e-6)


def test_the_standard_error_of_a_ratio_is_near_that_of_the_jackknife():
    random = np.random.default_rng(4)
    units = random.integers(1, 4, 400)
    totals = units * random.integers(10, 40, 400) + random.integers(-5, 6, 400)
    estimate = estimate_ratio(tally_of(totals, units))
    left_out = (totals.sum() - totals) / (units.sum() - units)
    jackknife = math.sqrt(399 / 400 * ((left_out - left_out.mean()) ** 2).sum())
    assert estimate.margin / stats.t.ppf(0.975, 399) == pytest.approx(jackknife, rel=0.01)


def test_large_sums_lose_no_digits():
    # Ten million games of 1,000,000 or 1,000,001: a spread that floating point sums would lose.
    half = 5_000_000
    low, high = 10**6, 10**6 + 1
    tally = Tally(2 * half, 2 * half, 2 * half, half * (low + high), half * (low**2 + high**2), half * (low + high))
    assert estimate_ratio(tally).margin == pytest.approx(1.959964 * 0.5 / math.sqrt(2 * half), rel=1e-5)


def test_the_order_of_adding_changes_nothing():
    first, second, third = tally_of([3, 5]), tally_of([8, 1], [2, 1]), tally_of([13])
    assert (first + second) + third == third + (second + first)


def test_nothing_to_measure_has_no_value():
    estimate = estimate_ratio(Tally())
    assert estimate.games == 0
    assert estimate.to_dict() == {"value": None, "low": None, "high": None}


def test_one_game_has_a_value_and_no_interval():
    estimate = estimate_ratio(tally_of([30]))
    assert estimate.value == 30
    assert estimate.to_dict() == {"value": 30, "low": None, "high": None}
    assert math.isnan(estimate.margin)
    assert math.isnan(estimate_share(tally_of([3]), 6).low)


def test_a_share_stays_between_0_and_1():
    rare = estimate_share(tally_of([0] * 30 + [1]))
    assert rare.low == 0
    common = estimate_share(tally_of([6] * 30 + [5]), 6)
    assert common.high == 1


@pytest.mark.parametrize("games", [1, 2, 30, 1000])
@pytest.mark.parametrize("won", [False, True])
def test_a_share_without_exception_has_the_exact_interval_of_clopper_and_pearson(games, won):
    estimate = estimate_share(tally_of([6 * won] * games), 6)
    exact = stats.binomtest(games * won, games).proportion_ci(0.95, "exact")
    assert (estimate.low, estimate.high) == (pytest.approx(exact.low), pytest.approx(exact.high))


def test_the_margin_is_that_of_the_further_end():
    assert Estimate(0.0, 0.0, 0.25, 10).margin == 0.25
    assert Estimate(1.0, 0.75, 1.0, 10).margin == 0.25


REPETITIONS = 2000
# Four standard errors of a share of 0.95 in that many repetitions.
TOLERANCE = 4 * math.sqrt(0.95 * 0.05 / REPETITIONS)


def share_of_intervals_that_cover(truth, samples):
    estimates = [estimate_ratio(tally_of(totals, units)) for totals, units in samples]
    return np.mean([estimate.low <= truth <= estimate.high for estimate in estimates])


def test_the_interval_of_a_mean_covers_the_truth_as_often_as_it_says():
    random = np.random.default_rng(11)
    # Whole numbers with a long tail, as numbers of rounds have.
    samples = ((random.poisson(20, 60) + random.geometric(0.3, 60), None) for _ in range(REPETITIONS))
    covered = share_of_intervals_that_cover(20 + 1 / 0.3, samples)
    assert covered == pytest.approx(0.95, abs=TOLERANCE)


def draw_games(random, games):
    """Draw games in which a strategy has one to three seats, whose VP rise and fall together."""
    units = random.integers(1, 4, games)
    common = random.normal(0, 6, games)
    seats = np.rint(26 + common[:, None] + random.normal(0, 3, (games, 3))).astype(int)
    held = np.arange(3) < units[:, None]
    return units, seats, held


def test_the_interval_of_a_ratio_covers_the_truth_as_often_as_it_says():
    random = np.random.default_rng(12)

    def draw():
        units, seats, held = draw_games(random, 80)
        return (seats * held).sum(1), units

    covered = share_of_intervals_that_cover(26, (draw() for _ in range(REPETITIONS)))
    assert covered == pytest.approx(0.95, abs=TOLERANCE)


@pytest.mark.slow
def test_counting_seats_as_if_they_were_games_would_promise_too_much():
    random = np.random.default_rng(13)

    def draw():
        _, seats, held = draw_games(random, 80)
        return seats[held], None

    covered = share_of_intervals_that_cover(26, (draw() for _ in range(REPETITIONS)))
    assert covered < 0.9
