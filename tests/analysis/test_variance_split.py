"""The parts of a variance: by hand, unbiased, and with intervals that cover."""

from __future__ import annotations

import numpy as np
import pytest

from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.analysis.variance_split import Crossing, split_variance

CROSSING = Crossing({"strategy": 2, "seat": 3})


def split(cells, crossing=CROSSING):
    return {
        part.name: part for part in split_variance(Moments.of(np.hstack([cells, crossing.measure(cells)])), crossing)
    }


def draw(generator, deals, scale=10):
    """Results with known parts: strategy +-2, seat -1 0 1, deal 3, deal by seat 4, rest 1, in standard deviations."""
    deal = generator.normal(0, 3, (deals, 1, 1))
    by_seat = generator.normal(0, 4, (deals, 1, 3))
    by_seat -= by_seat.mean(2, keepdims=True)
    rest = generator.normal(0, 1, (deals, 2, 3))
    fixed = np.array([[[2], [-2]]]) + np.array([[[-1, 0, 1]]])
    return np.rint(scale * (deal + by_seat + rest + fixed)).astype(int).reshape(deals, 6)


# Worked out from the above: 4 for the strategy, 2/3 for the seats; the rest's variance of 1 is spread over the parts
# by their degrees of freedom, 1, 1, 2 and 2 of 6; two thirds of 16 are left of what differs by seat.
TRUTH = {
    "strategy": 4,
    "seat": 2 / 3,
    "strategy x seat": 0,
    "deal": 9 + 1 / 6,
    "deal x strategy": 1 / 6,
    "deal x seat": 16 * 2 / 3 + 2 / 6,
    "deal x strategy x seat": 2 / 6,
}


def test_the_parts_of_a_small_table_are_those_of_a_pencil():
    # Two deals, two seats. Means by seat 5 and 9: 4 for the seat, less a quarter of the variance of the difference.
    # Deals' means 6 and 8: variance 2. Differences between seats 2 and 6: half of each is 1 and 3, variance 2.
    parts = split(np.array([[5, 7], [5, 11]]), Crossing({"seat": 2}))
    assert parts["deal"].variance.value == pytest.approx(2)
    assert parts["deal x seat"].variance.value == pytest.approx(2)
    assert parts["seat"].variance.value == pytest.approx(4 - 2 / 2)
    assert parts["total"].variance.value == pytest.approx(7)
    assert parts["seat"].share.value == pytest.approx(3 / 7)


def test_the_parts_add_up_to_the_whole_and_are_the_known_ones():
    parts = split(draw(np.random.default_rng(1), 20_000))
    total = parts.pop("total")
    assert total.variance.value == pytest.approx(sum(part.variance.value for part in parts.values()))
    assert (total.share.value, total.share.margin) == (pytest.approx(1), pytest.approx(0, abs=1e-9))
    for name, part in parts.items():
        assert part.variance.value / 100 == pytest.approx(TRUTH[name], rel=0.05, abs=0.02), name


@pytest.mark.slow
def test_with_few_deals_the_parts_are_right_on_average():
    generator = np.random.default_rng(2)
    found = [split(draw(generator, 6)) for _ in range(2500)]
    for name, truth in TRUTH.items():
        values = np.array([parts[name].variance.value for parts in found]) / 100
        assert abs(values.mean() - truth) < 4 * values.std() / np.sqrt(len(values)) + 0.003, name


@pytest.mark.slow
@pytest.mark.parametrize("name", ["strategy", "seat", "deal", "deal x seat"])
def test_intervals_cover_the_known_parts_95_times_in_100(name):
    generator = np.random.default_rng(3)
    covered, shares = 0, 0
    whole = sum(TRUTH.values())
    for _ in range(1000):
        part = split(draw(generator, 1000))[name]
        covered += part.variance.low <= 100 * TRUTH[name] <= part.variance.high
        shares += part.share.low <= TRUTH[name] / whole <= part.share.high
    assert 930 <= covered <= 970
    assert 930 <= shares <= 970


def test_a_factor_with_one_level_has_no_part():
    parts = split(np.array([[1, 2], [4, 3]]), Crossing({"strategy": 1, "seat": 2}))
    assert [*parts] == ["seat", "deal", "deal x seat", "total"]


def test_where_nothing_varies_no_part_has_a_share():
    parts = split(np.full((3, 2), 5), Crossing({"seat": 2}))
    assert parts["total"].variance.value == 0
    assert np.isnan(parts["seat"].share.value)
