"""The figures of a tournament as tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.dataset.schema import encode_parquet
from fivetowers_sim.experiments.standings import Standings

if TYPE_CHECKING:
    import polars as pl

_FIGURES: Final = ("win_share", "total", "strength", "against_average", "mix", "reply")


def make_tables(standings: Standings) -> dict[str, pl.DataFrame]:
    """Return the figures as frames.

    Parameters
    ----------
    standings : Standings
        The figures.

    Returns
    -------
    dict of str to polars.DataFrame
        ``ratings``: a row for each strategy, strongest first. ``pairs``: a row for every two, both ways round.
        ``matchups``: a row for each line-up and strategy in it. A figure ``x`` has its interval in ``x_low`` and
        ``x_high``; what isn't known is null.
    """
    import polars as pl

    ratings = [
        {"strategy": row.strategy, "seats": row.seats, **_spread((name, getattr(row, name)) for name in _FIGURES)}
        for row in standings.strategies
    ]
    pairs = [
        {
            "strategy": row.strategy,
            "against": row.against,
            "meetings": row.meetings,
            **_spread([("ahead", row.ahead)]),
            "expected": row.expected,
        }
        for row in standings.pairs
    ]
    matchups = [
        {
            "lineup": " + ".join(row.lineup),
            "strategy": row.strategy,
            "seats": row.seats,
            **_spread([("win_share", row.win_share)]),
        }
        for row in standings.matchups
    ]
    tables = {"ratings": ratings, "pairs": pairs, "matchups": matchups}
    return {name: _make_frame(pl, rows) for name, rows in tables.items()}


def encode_tables(standings: Standings) -> dict[str, bytes]:
    """Return the tables as Parquet files, by file name."""
    return {f"{name}.parquet": encode_parquet(frame, {}) for name, frame in make_tables(standings).items()}


def _make_frame(pl: Any, rows: list[dict[str, Any]]) -> pl.DataFrame:
    kinds = {str: pl.String, int: pl.Int64}
    names = rows[0]
    return pl.DataFrame(rows, schema={name: kinds.get(type(names[name]), pl.Float64) for name in names})


def _spread(figures: Iterable[tuple[str, Estimate | None]]) -> dict[str, float | None]:
    """Return figures with their intervals, each in a column of its own."""
    spread: dict[str, float | None] = {}
    for name, figure in figures:
        values = figure.to_dict() if figure else {"value": None, "low": None, "high": None}
        spread |= {name: values["value"], f"{name}_low": values["low"], f"{name}_high": values["high"]}
    return spread
