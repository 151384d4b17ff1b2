"""Arithmetic that comes out alike on every machine is right, and exact where it says so."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fivetowers_sim.analysis.moments import Moments, estimate_contrast
from fivetowers_sim.analysis.steady import factor, invert, multiply, sure, sure_all


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300))
def test_a_cut_number_has_ten_digits_and_is_near(value):
    cut = sure(value)
    assert cut == pytest.approx(value, rel=5.1e-10, abs=1e-300)
    assert sure(cut) == cut


def test_what_is_no_number_stays_none():
    assert math.isnan(sure(math.nan))
    assert sure(math.inf) == math.inf
    assert np.isnan(sure_all(np.array([[math.nan, 1.0]]))).tolist() == [[True, False]]


def test_two_values_that_processors_round_differently_are_cut_alike():
    value = 1.9599639845400545
    assert sure(value) == sure(math.nextafter(value, 2)) == sure(math.nextafter(value, 0))


@pytest.mark.parametrize("size", [1, 3, 8])
def test_products_roots_and_inverses_are_those_of_linear_algebra(size):
    random = np.random.default_rng(size)
    half = random.normal(size=(size, size))
    matrix = half @ half.T + 0.1 * np.eye(size)
    assert multiply(half, half.T) == pytest.approx(half @ half.T)
    assert factor(matrix) == pytest.approx(np.linalg.cholesky(matrix))
    assert invert(matrix) == pytest.approx(np.linalg.inv(matrix), rel=1e-6)


def test_columns_that_depend_on_each_other_have_a_root_too():
    rows = np.array([[1, 2, -3], [4, -1, -3], [0, 2, -2], [5, 5, -10]])
    covariance = Moments.of(rows).covariance()
    root = factor(covariance)
    assert root @ root.T == pytest.approx(covariance)
    assert not root[:, 2].any()


def test_a_weighted_sum_and_its_variance_are_exact():
    rows = np.array([[1, 5], [2, 7], [4, 4]])
    mean, variance = Moments.of(rows).weigh([Fraction(1, 3), -2])
    worth = [Fraction(1, 3) * int(one) - 2 * int(other) for one, other in rows]
    assert mean == sum(worth) / 3
    assert variance == sum((one - mean) ** 2 for one in worth) / 2 / 3


@pytest.mark.parametrize("weight", [1, 1 / 3, Fraction(1, 3), 0.1, np.float64(0.7), np.int64(2)])
def test_equal_columns_with_opposite_weights_leave_nothing(weight):
    column = np.random.default_rng(1).integers(0, 10**6, 300)
    estimate = estimate_contrast(Moments.of(np.stack([column, column], 1)), [weight, -weight])
    assert (estimate.value, estimate.low, estimate.high) == (0, 0, 0)
