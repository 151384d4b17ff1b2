"""Normal equations are solved as linear algebra solves them, and the same everywhere."""

from __future__ import annotations

import numpy as np
import pytest

from fivetowers_sim.engine.normal_equations import solve_normal_equations


@pytest.mark.parametrize("features", [1, 2, 17, 120])
def test_the_solution_is_that_of_least_squares(features):
    random = np.random.default_rng(features)
    positions = random.integers(0, 5, (4 * features, features)).astype(float)
    scores = random.normal(size=len(positions))
    matrix = positions.T @ positions + 0.01 * np.eye(features)
    expected = np.linalg.solve(matrix, positions.T @ scores)
    found = solve_normal_equations(matrix, positions.T @ scores)
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-9)


def test_what_it_is_given_stays_as_it_is():
    matrix, product = np.array([[4.0, 1.0], [1.0, 3.0]]), np.array([1.0, 2.0])
    assert solve_normal_equations(matrix, product) == pytest.approx([1 / 11, 7 / 11])
    assert matrix.tolist() == [[4, 1], [1, 3]]
    assert product.tolist() == [1, 2]


@pytest.mark.parametrize("matrix", [[[0.0]], [[1.0, 2.0], [2.0, 1.0]], [[float("nan")]]])
def test_a_matrix_without_a_single_solution_is_refused(matrix):
    with pytest.raises(ValueError, match="no single solution"):
        solve_normal_equations(np.array(matrix), np.ones(len(matrix)))
