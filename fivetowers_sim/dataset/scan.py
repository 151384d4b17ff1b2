"""Read a run's tables without loading them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from fivetowers_sim.dataset.errors import RunError
from fivetowers_sim.dataset.schema import polars_schema
from fivetowers_sim.dataset.store import Run, open_run

if TYPE_CHECKING:
    import polars as pl


def scan_table(run: str | Path | Run, table: str, unfinished: bool = False) -> pl.LazyFrame:
    """Return a table of a run as a lazy frame, rows in game order.

    Only the parts that the manifest lists are read, and only when the frame is collected; a stranger's file in the
    folder makes no difference.

    Parameters
    ----------
    run : str, Path or Run
        The run folder.
    table : str
        Name of the table, such as ``games``.
    unfinished : bool
        Whether a run that lacks some of its games will do.

    Returns
    -------
    polars.LazyFrame
        With the types of :func:`fivetowers_sim.dataset.schema.polars_schema`.

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
    return pl.scan_parquet(files, schema=schema, glob=False)


def read_game(run: str | Path | Run, table: str, game: int) -> list[dict[str, Any]]:
    """Return what a run's table holds on one game; only the part that has the game is read.

    Parameters
    ----------
    run : str, Path or Run
        The run folder; it may be unfinished.
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
    schema = polars_schema(run.manifest.layout(table))
    record = run.manifest.records.get(game // run.manifest.part_games)
    if record is None:
        return []
    path = run.path / record.files[table].file
    try:
        part = pl.scan_parquet(path, schema=schema, glob=False)
        return part.filter(pl.col("game") == game).collect().to_dicts()
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException):
        raise RunError(f"{path} can't be read as it was written; verify the run, then resume it") from None
