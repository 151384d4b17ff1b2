"""Kernels as Python runs them, for whoever switches Numba off to debug them or to measure what tests cover.

They see what compiled code sees: records with attributes, that are not copied when they get another name, and whole
numbers that don't wrap around at the width at which they are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

_ALL_BITS = (1 << 64) - 1


class _Record:
    """A record whose fields are attributes."""

    __slots__ = ("_held",)

    def __init__(self, held: np.void) -> None:
        object.__setattr__(self, "_held", held)

    def __getattr__(self, name: str) -> Any:
        return _show(self._held[name])

    def __setattr__(self, name: str, value: Any) -> None:
        self._held[name] = value


class _Rows(np.ndarray):
    """An array whose elements are records with attributes, or Python's numbers."""

    def __getitem__(self, place: Any) -> Any:
        return _show(super().__getitem__(place))

    def __setitem__(self, place: Any, value: Any) -> None:
        super().__setitem__(place, value._held if isinstance(value, _Record) else value)


def _show(value: Any) -> Any:
    """Return what kernels are to see of a value."""
    if isinstance(value, np.ndarray):
        return value.view(_Rows)
    if isinstance(value, np.void):
        return _Record(value)
    # Hashes are meant to wrap around at 64 bits, and judging to round at 32.
    if isinstance(value, np.generic) and not isinstance(value, (np.uint64, np.float32)):
        return value.item()
    if isinstance(value, tuple):
        return _rebuild(value, _show)
    return value


def _hand_back(value: Any) -> Any:
    """Return what compiled code would hand back to Python."""
    if isinstance(value, np.generic):
        return value.item()
    return _rebuild(value, _hand_back) if isinstance(value, tuple) else value


def _rebuild(values: tuple[Any, ...], change: Callable[[Any], Any]) -> tuple[Any, ...]:
    changed = map(change, values)
    return type(values)(*changed) if hasattr(values, "_fields") else tuple(changed)


def interpret(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a kernel callable from Python without compiling it.

    Parameters
    ----------
    function : callable
        The kernel; all that it calls is interpreted too.

    Returns
    -------
    callable
        Takes and returns what the compiled kernel would, only slower.
    """

    @wraps(function)
    def call(*arguments: Any) -> Any:
        # Compiled code says nothing when a hash wraps around.
        with np.errstate(all="ignore"):
            return _hand_back(function(*map(_show, arguments)))

    return call


def count_bits(bits: int) -> int:
    """Return how many bits of an integer are set, of a negative one as a machine keeps it."""
    return (int(bits) & _ALL_BITS).bit_count()


def add_row(into: Any, row: Any, times: Any) -> None:
    """Add a row of float32, so many times, to another of as many."""
    total = np.asarray(into)
    total += np.float32(times) * np.asarray(row)
