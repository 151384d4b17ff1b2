"""Record layouts: what the columns of a recorded table are, said once.

A layout knows nothing of the game. Simulators describe their tables with it, kernels fill arrays of
its :attr:`Layout.dtype`, and the dataset layer turns those arrays into documented Parquet columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a recorded table.

    Attributes
    ----------
    name : str
        Column name in Parquet and field name in the record array.
    dtype : str
        NumPy integer or float type of the record field, such as ``"u1"``; the Parquet column's is as wide or wider.
    unit : str
        Unit or kind of number: ``"VP"``, ``"cards"``, ``"seat"`` …
    meaning : str
        A sentence for the person who reads the data.
    missing : int, optional
        The number in the record that becomes null in Parquet.
    labels : tuple of str, optional
        Names of the codes 0, 1, 2 …; the Parquet column holds these names.
    labels_from_plan : str, optional
        Instead of ``labels``: the key under which the plan lists the names.
    """

    name: str
    dtype: str
    unit: str
    meaning: str
    missing: int | None = None
    labels: tuple[str, ...] | None = None
    labels_from_plan: str | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of one recorded table, in order.

    Attributes
    ----------
    name : str
        Table name and folder name in a run.
    meaning : str
        What one row is.
    columns : tuple of Column
        The columns; the first is always ``game``, by which rows are ordered.
    """

    name: str
    meaning: str
    columns: tuple[Column, ...]

    @property
    def dtype(self) -> np.dtype[Any]:
        """The structured NumPy type of one row."""
        return np.dtype([(column.name, column.dtype) for column in self.columns])


def empty_rows(layout: Layout, rows: int | Sequence[int]) -> np.ndarray:
    """Return an uninitialised record array for this many rows of the layout."""
    return np.empty(rows, layout.dtype)


def lone_record(dtype: np.dtype[Any]) -> np.void:
    """Return a record of zeros with unused memory around it.

    Small records that threads ask for at the same time may lie side by side. Whenever one thread writes into its own,
    the other would have to fetch the line of the cache that they share.
    """
    rows = np.zeros(3, dtype)
    return rows[1]
