"""Read a run's tables without loading them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fivetowers_sim.dataset.address import Address, Place, as_source
from fivetowers_sim.dataset.errors import RunError
from fivetowers_sim.dataset.first_format import FIRST_FORMAT, first_schema
from fivetowers_sim.dataset.manifest import Manifest
from fivetowers_sim.dataset.part_record import PartRecord
from fivetowers_sim.dataset.schema import polars_schema
from fivetowers_sim.dataset.store import Run, open_run

if TYPE_CHECKING:
    import polars as pl


def scan_table(run: str | Place | Run, table: str, unfinished: bool = False) -> pl.LazyFrame:
    """Return a table of a run as a lazy frame, rows in game order.

    Only the parts that the manifest lists are read, and only when the frame is collected; a stranger's file in the
    folder makes no difference.

    Parameters
    ----------
    run : str, Place or Run
        The run folder or address.
    table : str
        Name of the table, such as ``games``.
    unfinished : bool
        Whether a run that lacks some of its games will do.

    Returns
    -------
    polars.LazyFrame
        With the types of :func:`fivetowers_sim.dataset.schema.polars_schema`, whatever version wrote the run.

    Raises
    ------
    RunError
        If it isn't a run folder, there is no such table, or the run is unfinished.
    """
    import polars as pl

    run = run if isinstance(run, Run) else open_run(run)
    manifest = run.manifest
    schema = polars_schema(manifest.layout(table))
    if not (manifest.complete or unfinished):
        done = sum(record.part.games for record in manifest.records.values())
        raise RunError(f"{run.path} is unfinished: {done} of {manifest.games} games; resume it first")
    files = [run.path / record.files[table].file for record in manifest.ordered_records()]
    if not files:
        return pl.LazyFrame(schema=schema)
    if isinstance(run.path, Address):
        return _scan_addresses(files, manifest, table)
    return _scan_files(files, manifest, table)


def scan_part(run: Run, record: PartRecord, table: str) -> pl.LazyFrame:
    """Return a table's rows in one part as a lazy frame.

    Parameters
    ----------
    run : Run
        The run.
    record : PartRecord
        The part.
    table : str
        Name of the table; the run has it.

    Returns
    -------
    polars.LazyFrame
        As :func:`scan_table` returns them.

    Raises
    ------
    OSError
        If the run is at an address and the part can't be read; elsewhere Polars says so when it collects.
    """
    return _scan_files(as_source(run.path / record.files[table].file), run.manifest, table)


def _scan_files(source: Any, manifest: Manifest, table: str) -> pl.LazyFrame:
    import polars as pl

    layout = manifest.layout(table)
    if manifest.format == FIRST_FORMAT:
        return pl.scan_parquet(source, schema=first_schema(layout), glob=False).cast(dict(polars_schema(layout)))
    return pl.scan_parquet(source, schema=polars_schema(layout), glob=False)


def _scan_addresses(files: list[Address], manifest: Manifest, table: str) -> pl.LazyFrame:
    """Scan files by way of fsspec, which reaches more than Polars does, one after the other."""
    from polars.io.plugins import register_io_source

    def read(
        with_columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, batch_size: int | None
    ) -> Iterator[pl.DataFrame]:
        left = n_rows
        for file in files:
            part = _scan_files(as_source(file), manifest, table)
            if left is not None:
                part = part.head(left)
            if with_columns is not None:
                part = part.select(with_columns)
            frame = part.collect()
            if left is not None:
                left -= frame.height
            yield frame if predicate is None else frame.filter(predicate)
            if left == 0:
                return

    return register_io_source(read, schema=polars_schema(manifest.layout(table)))


def read_game(run: str | Place | Run, table: str, game: int) -> list[dict[str, Any]]:
    """Return what a run's table holds on one game; only the part that has the game is read.

    Parameters
    ----------
    run : str, Place or Run
        The run folder or address; it may be unfinished.
    table : str
        Name of the table, such as ``seats``.
    game : int
        Number of the game.

    Returns
    -------
    list of dict
        Its rows in the table's order, by column; empty if the game isn't written yet.

    Raises
    ------
    RunError
        If it isn't a run folder, there is no such table, or the part can't be read.
    """
    import polars as pl

    run = run if isinstance(run, Run) else open_run(run)
    run.manifest.layout(table)  # Raises if there is no such table.
    record = run.manifest.records.get(game // run.manifest.part_games)
    if record is None:
        return []
    try:
        return scan_part(run, record, table).filter(pl.col("game") == game).collect().to_dicts()
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException):
        path = run.path / record.files[table].file
        raise RunError(f"{path} can't be read as it was written; verify the run, then resume it") from None
