"""One hash of a run's content, however the run was played and cut into files."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from fivetowers_sim.batch.plan import canonical_json
from fivetowers_sim.dataset.address import Place
from fivetowers_sim.dataset.errors import RunError, describe_os_error
from fivetowers_sim.dataset.manifest import watch_parts
from fivetowers_sim.dataset.part_record import PartFile
from fivetowers_sim.dataset.schema import plain_type
from fivetowers_sim.dataset.store import Run, open_run
from fivetowers_sim.layout import Column, Layout

if TYPE_CHECKING:
    import polars as pl


def digest_run(run: str | Place | Run, watch: Callable[[int, int], None] | None = None) -> str:
    """Hash what a run's tables hold.

    Two runs have the same digest if and only if they have the same tables with the same columns, types of records,
    names of codes, and values in the same order. Files, types and compression of Parquet columns, parts, workers and
    library versions don't enter.

    Parameters
    ----------
    run : str, Place or Run
        The run. Every part is checked against the manifest as it is read; memory holds one at a time.
    watch : callable, optional
        Called at the start and after every part with the games read and the games in all.

    Returns
    -------
    str
        64 hexadecimal digits.

    Raises
    ------
    RunError
        If the run is unfinished, or a part isn't as it was written.

    Notes
    -----
    Each column has a SHA-256 over its values in row order, as little-endian bytes of the records' own width, nulls
    as zeros and labels as their codes; a column that may be null has a second one over a byte a row, 1 where there
    is a value. The digest is the SHA-256 of the canonical JSON that lists these with names, types and rows.
    """
    run = run if isinstance(run, Run) else open_run(run)
    if not run.manifest.complete:
        done = sum(record.part.games for record in run.manifest.records.values())
        raise RunError(f"{run.path} is unfinished: {done} of {run.manifest.games} games; resume it first")
    tables = [_TableHasher(layout) for layout in run.manifest.layouts]
    for record in watch_parts(run.manifest, watch):
        for table in tables:
            table.update(_read_checked(run.path, record.files[table.name]))
    return hashlib.sha256(canonical_json([table.to_dict() for table in tables]).encode()).hexdigest()


def _read_checked(folder: Place, expected: PartFile) -> bytes:
    path = folder / expected.file
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RunError(describe_os_error("read", path, error)) from error
    if hashlib.sha256(data).hexdigest() != expected.sha256:
        raise RunError(f"{path} is not as it was written; verify the run, and resume it to play those games again")
    return data


class _TableHasher:
    """The running hashes of one table's columns."""

    def __init__(self, layout: Layout) -> None:
        self.name = layout.name
        self._rows = 0
        self._columns = [_ColumnHasher(column) for column in layout.columns]

    def update(self, part: bytes) -> None:
        """Take the next rows in, a column at a time: all together are several times as large."""
        import polars as pl

        for hasher in self._columns:
            values = pl.read_parquet(io.BytesIO(part), columns=[hasher.column.name]).to_series()
            hasher.update(values)
        self._rows += len(values)

    def to_dict(self) -> dict[str, Any]:
        """Return the table's name, number of rows and columns."""
        return {"table": self.name, "rows": self._rows, "columns": [hasher.to_dict() for hasher in self._columns]}


class _ColumnHasher:
    """The running hash of one column."""

    def __init__(self, column: Column) -> None:
        self.column = column
        self._type = plain_type(column)
        self._values = hashlib.sha256()
        self._present = None if column.missing is None else hashlib.sha256()

    def update(self, values: pl.Series) -> None:
        """Take the next rows in."""
        import polars as pl

        if self.column.labels is not None:
            values = values.cast(pl.Enum(self.column.labels)).to_physical()
        if self._present is not None:
            self._present.update(values.is_not_null().to_numpy().astype("u1").tobytes())
            values = values.fill_null(False if self._type == "b1" else 0)
        numbers = values.to_numpy()
        self._values.update(np.ascontiguousarray(numbers, dtype=np.dtype(self._type).newbyteorder("<")).data)

    def to_dict(self) -> dict[str, Any]:
        """Return the column's name, type and hashes."""
        return {
            "name": self.column.name,
            "type": self._type,
            "labels": self.column.labels and list(self.column.labels),
            "values": self._values.hexdigest(),
            "present": self._present and self._present.hexdigest(),
        }
