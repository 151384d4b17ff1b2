"""The first format of runs: the column types that version 0.1 wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fivetowers_sim.dataset.schema import plain_type
from fivetowers_sim.layout import Layout

if TYPE_CHECKING:
    import polars as pl

FIRST_FORMAT: Final = "fivetowers-run/1"

_TYPES: Final = {
    "u1": "UInt8",
    "u2": "UInt16",
    "u4": "UInt32",
    "i1": "Int8",
    "i2": "Int16",
    "i4": "Int32",
    "i8": "Int64",
    "f4": "Float32",
    "f8": "Float64",
    "b1": "Boolean",
}


def first_schema(layout: Layout) -> pl.Schema:
    """Return the column types of a table's Parquet parts in the first format.

    Parameters
    ----------
    layout : Layout
        A layout with its labels resolved.

    Returns
    -------
    polars.Schema
        Name to type, in order: widths are those of the records, and labelled columns are enums of the run's own.
    """
    import polars as pl

    return pl.Schema(
        {
            column.name: getattr(pl, _TYPES[plain_type(column)]) if column.labels is None else pl.Enum(column.labels)
            for column in layout.columns
        }
    )
