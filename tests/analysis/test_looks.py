"""Stopping early keeps its promise: published constants, and what happens in thousands of repetitions."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from fivetowers_sim.analysis.looks import chance_to_stay_within, look_confidence, plan_looks


# C. Jennison and B. W. Turnbull, Group Sequential Methods with Applications to Clinical Trials, 2000, table 2.1:
# constants of Pocock's tests for equal steps and an error of 0.05.
@pytest.mark.parametrize(
    ("looks", "constant"), [(1, 1.960), (2, 2.178), (3, 2.289), (5, 2.413), (10, 2.555), (20, 2.672)]
)
def test_the_constants_are_those_of_pocock(looks, constant):
    each = look_confidence([100 * (look + 1) for look in range(looks)])
    assert stats.norm.ppf((1 + each) / 2) == pytest.approx(constant, abs=0.0006)


def test_one_more_look_costs_confidence_and_never_more_than_bonferroni():
    looks = plan_looks(60, 5000, 3)
    widths = [look_confidence(looks[:count]) for count in (1, 2, 5, len(looks))]
    assert widths == sorted(widths)
    assert widths[-1] < 1 - 0.05 / len(looks)


def test_looks_rise_to_the_end_in_multiples():
    looks = plan_looks(60, 1000, 4)
    assert looks[0] == 60
    assert looks[-1] == 1000
    assert all(look % 4 == 0 for look in looks)
    assert all(1 < later / earlier <= 1.55 for earlier, later in pairwise(looks))
    assert plan_looks(60, 10, 4) == (12,)
    assert plan_looks(1, 3) == (1, 2, 3)


def test_looks_that_are_too_close_are_refused():
    with pytest.raises(ValueError, match=r"1\.1"):
        plan_looks(60, 1000, growth=1.01)


REPETITIONS = 4000


def walk(random, looks):
    """Means at the looks, standardised, of repetitions of a null effect."""
    steps = np.diff([0, *looks])
    sums = np.cumsum(random.normal(0, np.sqrt(steps), (REPETITIONS, len(looks))), axis=1)
    return sums / np.sqrt(looks)


def test_stopping_when_it_looks_good_keeps_its_error_rate_on_a_null_effect():
    looks = plan_looks(60, 6000)
    reached = walk(np.random.default_rng(8), looks)
    reach = stats.norm.ppf((1 + look_confidence(looks)) / 2)
    tolerance = 4 * np.sqrt(0.05 * 0.95 / REPETITIONS)
    # Somebody who stops as soon as an interval leaves out zero.
    fooled = (np.abs(reached) > reach).any(1).mean()
    assert fooled == pytest.approx(0.05, abs=tolerance)
    # Without the correction it would be several times as often.
    assert (np.abs(reached) > 1.96).any(1).mean() > 0.2


def test_the_chance_to_stay_within_is_what_happens():
    looks = (60, 75, 200, 210, 900)
    reached = walk(np.random.default_rng(9), looks)
    for reach in (1.0, 2.0):
        expected = (np.abs(reached) <= reach).all(1).mean()
        assert chance_to_stay_within(looks, reach) == pytest.approx(expected, abs=4 * 0.5 / np.sqrt(REPETITIONS))


def test_an_interval_at_which_one_stops_for_its_width_covers_the_truth():
    random = np.random.default_rng(10)
    looks = plan_looks(30, 400)
    each, wanted, covered = look_confidence(looks), 0.06, []
    for _ in range(1000):
        shares = random.random(looks[-1]) < 0.2
        for look in looks:
            mean, deviation = shares[:look].mean(), shares[:look].std(ddof=1)
            margin = stats.t.ppf((1 + each) / 2, look - 1) * deviation / np.sqrt(look)
            if margin <= wanted:
                break
        covered.append(abs(mean - 0.2) <= margin)
    assert np.mean(covered) >= 0.95
