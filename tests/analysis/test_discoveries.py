"""Findings among many figures: p-values that match their intervals, and few false ones."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fivetowers_sim.analysis.discoveries import adjust_p_values, p_value
from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.analysis.looks import look_confidence
from fivetowers_sim.analysis.moments import Moments, estimate_contrast


def test_the_p_value_is_that_of_the_t_test():
    # scipy.stats.ttest_1samp([2, 2, 1, 3], 0).pvalue
    estimate = estimate_contrast(Moments.of(np.array([[2], [2], [1], [3]])), np.array([1.0]))
    assert p_value(estimate, 0.95, (4,)) == pytest.approx(0.016277, abs=1e-6)


def test_an_interval_that_ends_at_zero_has_the_p_value_left_by_its_confidence():
    looks = (100, 200, 300, 400, 500)
    each = look_confidence(looks)
    for confidence, planned in ((0.95, (500,)), (each, looks)):
        assert p_value(Estimate(1.0, 0.0, 2.0, 10**6), confidence, planned) == pytest.approx(0.05, abs=1e-4)


def test_far_from_zero_looks_cost_no_more_than_their_number():
    far = Estimate(10.0, 9.0, 11.0, 10**6)
    assert p_value(far, 0.95, (1, 2, 3)) == pytest.approx(3 * p_value(far, 0.95, (3,)))
    near = Estimate(2.9, 1.9, 3.9, 10**6)
    assert p_value(near, 0.95, (1, 2, 3)) < 3 * p_value(near, 0.95, (3,))


def test_what_never_varies_is_certain_and_what_is_unknown_is_not():
    assert p_value(Estimate(0.0, 0.0, 0.0, 100), 0.95, (100,)) == 1
    assert p_value(Estimate(2.0, 2.0, 2.0, 100), 0.95, (100,)) == 0
    assert p_value(Estimate(2.0, math.nan, math.nan, 1), 0.95, (1,)) == 1
    assert p_value(Estimate(0.5, 0.0, 0.975, 1), 0.95, (1,)) == 1


def test_families_are_adjusted_by_hand_worked_values():
    # Benjamini and Yekutieli: p times 3 times (1 + 1/2 + 1/3), over its rank.
    assert adjust_p_values([0.01, 0.001, 0.5]) == pytest.approx([0.0275, 0.0055, 11 / 12])
    assert adjust_p_values([]) == []
