"""Arithmetic that comes out alike on every machine.

Linear algebra libraries choose instructions and an order of additions by the processor they find, and so do the
exponentials of NumPy and of C libraries: the last digits differ from machine to machine, and a difference of two equal
figures may come out as something else than 0. So whole numbers are added up as whole numbers, floating point numbers
one after the other, and what goes through a library of that kind is cut to digits that are sure.
"""

from __future__ import annotations

import math
from operator import mul
from typing import Final

import numpy as np

SURE_DIGITS: Final = 10
"""Digits that quantiles, exponentials and small systems of equations have in common on all machines, and more."""

# A pivot below this share of its diagonal element is what rounding left of 0.
_NO_PIVOT: Final = 1e-12


def sure(value: float, digits: int = SURE_DIGITS) -> float:
    """Cut a number to digits that are the same on every machine.

    Parameters
    ----------
    value : float
        What a library worked out.
    digits : int
        Significant digits to keep.

    Returns
    -------
    float
        The nearest number with so many digits.

    Examples
    --------
    >>> sure(0.1 + 0.2), sure(2 / 3, 3)
    (0.3, 0.667)
    """
    return float(f"{value:.{digits - 1}e}") if math.isfinite(value) else float(value)


def sure_all(values: np.ndarray, digits: int = SURE_DIGITS) -> np.ndarray:
    """Cut every number of an array, as :func:`sure` does."""
    return np.array([sure(value, digits) for value in values.ravel().tolist()]).reshape(values.shape)


def multiply(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Multiply two small matrices, each sum rounded once.

    Parameters
    ----------
    left : ndarray of float, shape (rows, inner)
        The first.
    right : ndarray of float, shape (inner, columns)
        The second.

    Returns
    -------
    ndarray of float, shape (rows, columns)
        Their product.
    """
    rows, columns = left.tolist(), right.T.tolist()
    return np.array([[math.fsum(map(mul, row, column)) for column in columns] for row in rows])


def factor(matrix: np.ndarray) -> np.ndarray:
    """Return a triangular root of a covariance matrix.

    Parameters
    ----------
    matrix : ndarray of float, shape (n, n)
        Symmetric, with no negative eigenvalue. It may be singular: columns may depend on each other.

    Returns
    -------
    ndarray of float, shape (n, n)
        Lower triangular; times its transpose it is the matrix (Cholesky; a pivot of 0 leaves its column empty).
    """
    size = len(matrix)
    rows = matrix.tolist()
    root = [[0.0] * size for _ in range(size)]
    for column in range(size):
        own = root[column]
        pivot = rows[column][column] - math.fsum(entry * entry for entry in own[:column])
        if pivot <= _NO_PIVOT * abs(rows[column][column]):
            continue
        own[column] = math.sqrt(pivot)
        for row in range(column + 1, size):
            known = math.fsum(map(mul, root[row][:column], own[:column]))
            root[row][column] = (rows[row][column] - known) / own[column]
    return np.array(root)


def invert(matrix: np.ndarray) -> np.ndarray:
    """Return the inverse of a small symmetric matrix with positive eigenvalues.

    Parameters
    ----------
    matrix : ndarray of float, shape (n, n)
        The matrix.

    Returns
    -------
    ndarray of float, shape (n, n)
        Its inverse.
    """
    size = len(matrix)
    root = factor(matrix).tolist()
    # The inverse of the root, row by row; its transpose times itself is the inverse of the matrix.
    inverse = np.zeros((size, size))
    for row in range(size):
        for column in range(row + 1):
            known = math.fsum(root[row][inner] * inverse[inner, column] for inner in range(column, row))
            inverse[row, column] = (float(row == column) - known) / root[row][row]
    return multiply(inverse.T, inverse)
