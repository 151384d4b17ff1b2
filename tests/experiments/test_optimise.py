"""The search finds an optimum that was planted, under noise too, and leaves nothing to chance but its seed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fivetowers_sim.experiments.axes import Axis
from fivetowers_sim.experiments.optimise import Effort, Measurement, _rank, draw_point, maximise, settle, usual_points

AXES = (
    Axis("threshold", 0, 10),
    Axis("denial", 0, 1.5),
    Axis("counting", 0, 1, whole=True),
    Axis("bid", 2, 6, whole=True),
    Axis("closing", -5, 5),
)
MIDDLE = {"threshold": 5, "denial": 0.7, "counting": 0, "bid": 4, "closing": 0}
INSIDE = {"threshold": 2, "denial": 1.1, "counting": 1, "bid": 5, "closing": -3}
AT_BOUNDS = {"threshold": 0, "denial": 1.5, "counting": 1, "bid": 2, "closing": 5}
EFFORT = Effort(40, usual_points(len(AXES)))


def distance(point, optimum, axes=AXES):
    """How far two points are apart, each axis counted from 0 to 1."""
    return float(np.linalg.norm([axis.to_unit(point[axis.name]) - axis.to_unit(optimum[axis.name]) for axis in axes]))


def plant(optimum, noise=0.0, axes=AXES, seed=1):
    """A quadratic function with its greatest value at a point, and normal noise that generations don't share."""
    random = np.random.default_rng(seed)

    def objective(points, generation):
        values = [-(distance(point, optimum, axes) ** 2) for point in points]
        return [Measurement(value + noise * random.standard_normal(), noise) for value in values]

    return objective


def search(objective, axes=AXES, start=MIDDLE, effort=EFFORT, seed=1):
    return settle(axes, list(maximise(objective, axes, start, effort, seed)))


@pytest.mark.parametrize("optimum", [INSIDE, AT_BOUNDS], ids=["inside", "at bounds"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_planted_optimum_is_found(optimum, seed):
    found = search(plant(optimum), seed=seed)
    assert distance(found, optimum) < 0.02
    assert (found["counting"], found["bid"]) == (optimum["counting"], optimum["bid"])


# Over 40 seeds the median distance is 0.06 inside and 0.04 at the bounds; one search of the 80 ends 0.5 away, with the
# wrong switch. The noise is a sixth of what the switch is worth.
@pytest.mark.parametrize("optimum", [INSIDE, AT_BOUNDS], ids=["inside", "at bounds"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_planted_optimum_is_found_under_noise(optimum, seed):
    found = search(plant(optimum, 0.04, seed=seed), seed=seed)
    assert distance(found, optimum) < 0.25
    assert found["counting"] == optimum["counting"]


@pytest.mark.parametrize("optimum", [0.0, 0.37, 1.0])
def test_a_single_number_is_searched_too(optimum):
    axes = (Axis("misjudge", 0, 1),)
    found = search(plant({"misjudge": optimum}, axes=axes), axes, {"misjudge": 0.3}, Effort(20, usual_points(1)))
    assert found["misjudge"] == pytest.approx(optimum, abs=0.01)


def test_switches_alone_are_searched_too():
    axes = (Axis("counting", 0, 1, whole=True), Axis("closing", 0, 1, whole=True))
    optimum = {"counting": 1, "closing": 0}
    found = search(plant(optimum, axes=axes), axes, {"counting": 0, "closing": 1}, Effort(15, 8))
    assert found == optimum


def test_every_point_is_within_bounds_and_whole_where_it_must_be():
    for generation in maximise(plant(AT_BOUNDS, 0.05), AXES, MIDDLE, Effort(15, 12), 4):
        assert (len(generation.points), len(generation.measurements)) == (12, 12)
        for point in generation.points:
            assert all(axis.low <= point[axis.name] <= axis.high for axis in AXES)
            assert point["bid"] == int(point["bid"])
            assert point["counting"] in (0, 1)


def test_equal_seeds_and_values_give_equal_steps_whatever_else_draws_numbers():
    np.random.seed(1)  # noqa: NPY002 - the generator that must not matter
    one = list(maximise(plant(INSIDE, 0.05), AXES, MIDDLE, Effort(12, 8), 5))
    np.random.seed(2)  # noqa: NPY002
    two = list(maximise(plant(INSIDE, 0.05), AXES, MIDDLE, Effort(12, 8), 5))
    other = list(maximise(plant(INSIDE, 0.05), AXES, MIDDLE, Effort(12, 8), 6))
    assert one == two
    assert one != other


def test_equal_values_are_ranked_in_the_order_of_their_points():
    # NumPy sorts with the instructions that it finds, and equal values then come out in another order.
    same = [Measurement(0.5, 0.1), Measurement(0.9, 0.1), *[Measurement(0.5, 0.1)] * 30]
    assert _rank(same)[:2] == [1, 0]
    assert _rank(same)[2:] == list(range(2, 32))


def test_generations_are_numbered_and_the_best_point_is_named():
    generations = list(maximise(plant(INSIDE), AXES, MIDDLE, Effort(5, 8), 1))
    assert [generation.number for generation in generations] == [0, 1, 2, 3, 4]
    for generation in generations:
        values = [measurement.value for measurement in generation.measurements]
        assert values[generation.best] == max(values)


def test_a_flat_function_and_one_of_nothing_but_noise_end_somewhere_within_bounds():
    for noise in (0.0, 1.0):
        random = np.random.default_rng(3)
        found = search(
            lambda points, generation, noise=noise, random=random: [
                Measurement(noise * random.standard_normal(), noise) for _ in points
            ]
        )
        assert all(axis.low <= found[axis.name] <= axis.high for axis in AXES)


# Axes


@given(st.sampled_from(AXES), st.floats(0, 1))
def test_every_coordinate_has_a_value_and_every_value_its_coordinate(axis, coordinate):
    value = axis.from_unit(coordinate)
    assert axis.low <= value <= axis.high
    assert axis.from_unit(axis.to_unit(value)) == pytest.approx(value, abs=1e-9)
    assert abs(axis.to_unit(value) - coordinate) <= (0.5 / axis.values + 1e-9 if axis.whole else 0.0005)


def test_whole_numbers_have_equal_shares():
    bid = AXES[3]
    values = [bid.from_unit(coordinate) for coordinate in np.linspace(0, 0.9999, 5000)]
    assert [values.count(number) for number in (2, 3, 4, 5, 6)] == [1000] * 5
    assert bid.from_unit(1.0) == 6


@pytest.mark.parametrize(("low", "high", "written"), [(0, 1, "0.3333"), (0, 10, "3.333"), (-5, 5, "-1.667")])
def test_values_have_no_more_digits_than_matter(low, high, written):
    assert f"{Axis('x', low, high).from_unit(1 / 3):.10g}" == written


def test_a_drawn_point_is_within_bounds_and_follows_from_its_seed():
    assert draw_point(AXES, 7) == draw_point(AXES, 7) != draw_point(AXES, 8)
    for seed in range(50):
        assert all(axis.low <= draw_point(AXES, seed)[axis.name] <= axis.high for axis in AXES)
