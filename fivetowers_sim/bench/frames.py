"""Figures as frames: a column for each figure, and two for the ends of its interval."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

_ENDS = ("low", "high")


def make_frame(rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Make a frame of rows as results have them.

    Parameters
    ----------
    rows : iterable of mapping
        A figure is an object with ``value``, ``low`` and ``high``; other objects inside have names of their own.

    Returns
    -------
    polars.DataFrame
        A figure ``x`` has its interval in ``x_low`` and ``x_high``; what is inside ``y`` is in ``y_x``.
    """
    import polars as pl

    # A column in which nothing is known is one of figures.
    return pl.DataFrame([_flatten(row) for row in rows], infer_schema_length=None).with_columns(
        pl.col(pl.Null).cast(pl.Float64)
    )


def _flatten(row: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if not isinstance(value, Mapping):
            flat[name] = value
        elif "value" in value:
            flat |= {name: value["value"], **{f"{name}_{end}": value[end] for end in _ENDS}}
        else:
            flat |= {f"{name}_{inner}": found for inner, found in _flatten(value).items()}
    return flat
