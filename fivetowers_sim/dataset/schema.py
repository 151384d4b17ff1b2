"""From record layouts to Parquet: column types, frames, file bytes, and the columns in words."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from fivetowers_sim.layout import Column, Layout

if TYPE_CHECKING:
    import polars as pl

# Measured on bids (7 narrow columns, 1.2 million rows): level 1 packs as small as 3 to within 1% and is the
# fastest; statistics cost a third more time, and the manifest's game ranges already say which part to open.
_PARQUET_OPTIONS: Final[dict[str, Any]] = {"compression": "zstd", "compression_level": 1, "statistics": False}

# Records are as narrow as can be; columns are made to calculate with. Differences of unsigned numbers wrap around, and
# Parquet stores no integer in less than 32 bits, so that narrower ones would save nothing in the file.
_COLUMN_TYPES: Final = {
    "u1": "i4",
    "u2": "i4",
    "u4": "i8",
    "i1": "i4",
    "i2": "i4",
    "i4": "i4",
    "i8": "i8",
    "f4": "f4",
    "f8": "f8",
    "b1": "?",
}
_POLARS_TYPES: Final = {"i4": "Int32", "i8": "Int64", "f4": "Float32", "f8": "Float64", "?": "Boolean"}


def resolve_labels(layouts: Iterable[Layout], labels: Mapping[str, tuple[str, ...]]) -> tuple[Layout, ...]:
    """Write the plan's names into the columns that refer to them.

    Parameters
    ----------
    layouts : iterable of Layout
        The layouts of a plan's tables.
    labels : mapping of str to tuple of str
        Names by key, as a setup gives them.

    Returns
    -------
    tuple of Layout
        The same layouts, with ``labels`` filled in and no ``labels_from_plan`` left.

    Raises
    ------
    KeyError
        If a column refers to a key that isn't there.
    """
    return tuple(
        replace(layout, columns=tuple(_resolve_column(column, labels) for column in layout.columns))
        for layout in layouts
    )


def _resolve_column(column: Column, labels: Mapping[str, tuple[str, ...]]) -> Column:
    if column.labels_from_plan is None:
        return column
    return replace(column, labels=tuple(labels[column.labels_from_plan]), labels_from_plan=None)


def plain_type(column: Column) -> str:
    """Return the type of a column's records without byte order, such as ``"u2"``.

    Raises
    ------
    TypeError
        If no type of Parquet parts holds all its numbers.
    """
    dtype = np.dtype(column.dtype)
    name = f"{dtype.kind}{dtype.itemsize}"
    if name not in _COLUMN_TYPES:
        raise TypeError(f"column {column.name} is of type {column.dtype}; accepted are {', '.join(_COLUMN_TYPES)}")
    return name


def polars_schema(layout: Layout) -> pl.Schema:
    """Return the column types of a table's Parquet parts.

    Parameters
    ----------
    layout : Layout
        A layout with its labels resolved.

    Returns
    -------
    polars.Schema
        Name to type, in order; the same for every run.
    """
    import polars as pl

    return pl.Schema({column.name: getattr(pl, _type_name(column)) for column in layout.columns})


def _type_name(column: Column) -> str:
    # Texts and no enums: an enum is another type wherever its names are others, and two runs couldn't be read together.
    labelled = column.labels is not None or column.labels_from_plan is not None
    return "String" if labelled else _POLARS_TYPES[_COLUMN_TYPES[plain_type(column)]]


def build_frame(layout: Layout, blocks: Sequence[np.ndarray]) -> pl.DataFrame:
    """Turn record arrays into one frame with the layout's types and nulls.

    Parameters
    ----------
    layout : Layout
        A layout with its labels resolved.
    blocks : sequence of numpy.ndarray
        Record arrays of the layout's dtype, one after the other; at least one.

    Returns
    -------
    polars.DataFrame
        All rows, in order, with the types of :func:`polars_schema`.

    Raises
    ------
    ValueError
        If a block isn't of the layout's dtype, or holds a code without a label.
    """
    import polars as pl

    for block in blocks:
        if block.dtype != layout.dtype:
            raise ValueError(f"table {layout.name}: records are of type {block.dtype}, expected {layout.dtype}")
    return pl.DataFrame([_build_column(layout.name, column, blocks) for column in layout.columns])


def _build_column(table: str, column: Column, blocks: Sequence[np.ndarray]) -> pl.Series:
    import polars as pl

    width = None if column.labels else _COLUMN_TYPES[plain_type(column)]
    values = pl.Series(column.name, np.concatenate([block[column.name] for block in blocks], dtype=width))
    if column.missing is not None:
        values = values.set(values == column.missing, None)
    if column.labels is None:
        return values
    highest = values.max()
    if highest is not None and not 0 <= values.min() <= highest < len(column.labels):
        raise ValueError(f"table {table}: {column.name} holds code {highest} of {len(column.labels)} labels")
    return pl.Series(column.name, column.labels, dtype=pl.String).gather(values)


def encode_parquet(frame: pl.DataFrame, metadata: Mapping[str, str]) -> bytes:
    """Return a frame as the bytes of a Parquet file.

    Parameters
    ----------
    frame : polars.DataFrame
        The rows.
    metadata : mapping of str to str
        Notes to keep in the file.

    Returns
    -------
    bytes
        The file.
    """
    # Encoding to memory first keeps a full disk or a kill from ever meeting a half-written Parquet writer.
    buffer = io.BytesIO()
    frame.write_parquet(buffer, metadata=dict(metadata), **_PARQUET_OPTIONS)
    return buffer.getvalue()


def check_parquet(data: bytes, layout: Layout, rows: int) -> None:
    """Read a Parquet file's description and compare it with what it should be.

    Raises
    ------
    ValueError
        If rows, column names or types differ.
    """
    import polars as pl

    schema = pl.read_parquet_schema(io.BytesIO(data))
    if schema != polars_schema(layout):
        raise ValueError(f"table {layout.name}: a part came out with the columns {dict(schema)}")
    found = pl.scan_parquet(io.BytesIO(data)).select(pl.len()).collect().item()
    if found != rows:
        raise ValueError(f"table {layout.name}: a part came out with {found} of {rows} rows")


def layout_to_dict(layout: Layout) -> dict[str, Any]:
    """Return a layout with its labels resolved as plain JSON values."""
    columns = []
    for column in layout.columns:
        entry: dict[str, Any] = {"name": column.name, "type": plain_type(column)}
        entry |= {"unit": column.unit, "meaning": column.meaning}
        if column.missing is not None:
            entry["missing"] = column.missing
        if column.labels is not None:
            entry["labels"] = list(column.labels)
        columns.append(entry)
    return {"name": layout.name, "meaning": layout.meaning, "columns": columns}


def layout_from_dict(entry: Mapping[str, Any]) -> Layout:
    """Return the layout that :func:`layout_to_dict` described."""
    columns = tuple(
        Column(
            column["name"],
            column["type"],
            column["unit"],
            column["meaning"],
            column.get("missing"),
            tuple(column["labels"]) if "labels" in column else None,
        )
        for column in entry["columns"]
    )
    return Layout(entry["name"], entry["meaning"], columns)


def columns_as_markdown(layouts: Iterable[Layout]) -> str:
    """Describe every column of every table: type, unit and meaning.

    Parameters
    ----------
    layouts : iterable of Layout
        The tables. Labels that come from the plan are named as such.

    Returns
    -------
    str
        One heading and one Markdown table for each layout.
    """
    sections = []
    for layout in layouts:
        lines = [f"## `{layout.name}`: {layout.meaning}", ""]
        lines += ["| column | type | unit | meaning |", "|---|---|---|---|"]
        for column in layout.columns:
            kind = _type_name(column) + (", may be null" if column.missing is not None else "")
            meaning = column.meaning
            if column.labels:
                meaning += f" One of: {', '.join(f'`{label}`' for label in column.labels)}."
            elif column.labels_from_plan:
                meaning += f" The names are the plan's `{column.labels_from_plan}`."
            lines.append(f"| `{column.name}` | {kind} | {column.unit} | {meaning.replace('|', chr(92) + '|')} |")
        sections.append("\n".join(lines))
    return "\n\n".join(sections) + "\n"
