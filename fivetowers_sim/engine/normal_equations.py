"""Solve the normal equations of a regression, in the same order of operations on every machine.

Libraries add up in an order that suits the processor, and learned tables would differ in a digit now and then, after
which games go differently. Here every number is the result of the same additions everywhere.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from fivetowers_sim.compiled import call_compiling, entry_point


def solve_normal_equations(matrix: np.ndarray, product: np.ndarray) -> np.ndarray:
    """Solve a system of equations whose matrix is symmetric and positive definite.

    Parameters
    ----------
    matrix : ndarray of float, shape (features, features)
        The matrix; only its upper triangle is read.
    product : ndarray of float, shape (features,)
        The right-hand side.

    Returns
    -------
    ndarray of float, shape (features,)
        The solution.

    Raises
    ------
    ValueError
        If the matrix isn't positive definite.
    """
    root, solution = np.array(matrix, np.float64, order="C"), np.array(product, np.float64)
    if not call_compiling(lambda: factor_and_solve(root, solution)):
        raise ValueError("the normal equations have no single solution")
    return solution


@entry_point
def factor_and_solve(root, solution):
    """Overwrite a matrix with its upper Cholesky factor, and a right-hand side with the solution.

    Parameters
    ----------
    root : ndarray of float, shape (n, n)
        Row by row; each finished row is taken off the rows below it, which needs no sums.
    solution : ndarray of float, shape (n,)
        The right-hand side.

    Returns
    -------
    bool
        False if the matrix isn't positive definite; both arrays then hold nothing of use.
    """
    size = len(solution)
    for row in range(size):
        if not root[row, row] > 0:
            return False
        pivot = sqrt(root[row, row])
        for column in range(row, size):
            root[row, column] /= pivot
        for below in range(row + 1, size):
            share = root[row, below]
            for column in range(below, size):
                root[below, column] -= share * root[row, column]
    for row in range(size):
        solution[row] /= root[row, row]
        for below in range(row + 1, size):
            solution[below] -= root[row, below] * solution[row]
    for row in range(size - 1, -1, -1):
        for column in range(row + 1, size):
            solution[row] -= root[row, column] * solution[column]
        solution[row] /= root[row, row]
    return True
