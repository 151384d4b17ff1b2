"""How each seat and each strategy of a run fared."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from fivetowers_sim.analysis.estimates import CONFIDENCE, Estimate, Tally, estimate_ratio, estimate_share
from fivetowers_sim.dataset.address import Place
from fivetowers_sim.dataset.errors import RunError
from fivetowers_sim.dataset.manifest import watch_parts
from fivetowers_sim.dataset.part_record import PartRecord
from fivetowers_sim.dataset.scan import scan_part
from fivetowers_sim.dataset.store import Run, open_run

if TYPE_CHECKING:
    import polars as pl

SUMMARY_FORMAT: Final = "fivetowers-summary/1"

MEASURES: Final = ("total", "cards", "tops", "main", "pairs", "teardown", "torn_cards", "bids_won", "cards_taken")
"""The columns of ``seats`` that a summary averages, besides ``win_share``."""

GROUPINGS: Final = (("seat",), ("strategy",), ("strategy", "seat"))

Group = tuple[str | int, ...]
Tallies = dict[Group, dict[str, Tally]]


@dataclass(frozen=True, slots=True)
class Row:
    """What a group of seats got, per seat and game.

    Attributes
    ----------
    seat : int or None
        The seat; None for all seats together.
    strategy : str or None
        The strategy; None for all together.
    games : int
        Games in which the group had a seat.
    win_share : Estimate
        Share of the victory, 0 to 1; shared victories count in part.
    measures : dict of str to Estimate
        Means of the columns :data:`MEASURES`, in their units.
    """

    seat: int | None
    strategy: str | None
    games: int
    win_share: Estimate
    measures: dict[str, Estimate]

    def to_dict(self) -> dict[str, Any]:
        """Return the row as plain JSON values."""
        figures = {name: estimate.to_dict() for name, estimate in self.measures.items()}
        who = {"seat": self.seat, "strategy": self.strategy, "games": self.games}
        return {**who, "win_share": self.win_share.to_dict(), **figures}


@dataclass(frozen=True, slots=True)
class RunSummary:
    """The figures of a run.

    Attributes
    ----------
    plan : dict
        The run's plan as plain JSON values: the population that every figure is about.
    games : int
        Games in the run.
    rounds : Estimate
        Rounds in a game.
    shared_victories : Estimate
        Share of the games with more than one winner.
    by_seat, by_strategy, by_strategy_and_seat : list of Row
        One row for each that occurs, in order.
    short_names : dict of str to str
        What to call strategies that were given by the name of a preset.
    """

    plan: dict[str, Any]
    games: int
    rounds: Estimate
    shared_victories: Estimate
    by_seat: list[Row]
    by_strategy: list[Row]
    by_strategy_and_seat: list[Row]
    short_names: dict[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as plain JSON values."""
        return {
            "format": SUMMARY_FORMAT,
            "plan": self.plan,
            "short_names": self.short_names,
            "games": self.games,
            "confidence": CONFIDENCE,
            "rounds": self.rounds.to_dict(),
            "shared_victories": self.shared_victories.to_dict(),
            "by_seat": [row.to_dict() for row in self.by_seat],
            "by_strategy": [row.to_dict() for row in self.by_strategy],
            "by_strategy_and_seat": [row.to_dict() for row in self.by_strategy_and_seat],
        }


def estimate_summary(run: str | Place | Run, watch: Callable[[int, int], None] | None = None) -> RunSummary:
    """Estimate win share, VP and more by seat, by strategy and by both.

    Parameters
    ----------
    run : str, Place or Run
        The run folder, or its address. Its parts are read once, one after the other; memory holds one at a time.
    watch : callable, optional
        Called at the start and after every part with the games read and the games in all.

    Returns
    -------
    RunSummary
        Each interval is over games; a strategy that holds several seats of a game counts once for that game.

    Raises
    ------
    RunError
        If it isn't a finished run folder, or a part can't be read.
    """
    run = run if isinstance(run, Run) else open_run(run)
    manifest = run.manifest
    if not manifest.complete:
        done = sum(record.part.games for record in manifest.records.values())
        raise RunError(f"{run.path} is unfinished: {done} of {manifest.games} games; resume it first")
    games: dict[str, Tally] = {}
    tallies: list[Tallies] = [{} for _ in GROUPINGS]
    scale = _share_scale(run)
    for record in watch_parts(manifest, watch):
        _add(games, _tally_games(_read_part(run, record, "games")))
        seats = _read_part(run, record, "seats")
        for grouping, known in zip(GROUPINGS, tallies, strict=True):
            for group, found in _tally_seats(seats, grouping, scale):
                _add(known.setdefault(group, {}), found)
    strategies = tuple(dict.fromkeys(manifest.plan["setup"]["strategies"]))
    by_seat, by_strategy, by_both = (
        _estimate_rows(found, grouping, scale, strategies) for found, grouping in zip(tallies, GROUPINGS, strict=True)
    )
    rounds, shared = estimate_ratio(games["rounds"]), estimate_share(games["shared_victories"])
    short_names = manifest.notes.get("short_names", {})
    return RunSummary(manifest.plan, manifest.games, rounds, shared, by_seat, by_strategy, by_both, short_names)


def _share_scale(run: Run) -> int:
    """Return the least number that makes a whole number of every share of a victory."""
    return math.lcm(*range(1, int(run.manifest.plan["setup"]["players"]) + 1))


def _add(known: dict[str, Tally], found: dict[str, Tally]) -> None:
    for name, tally in found.items():
        known[name] = known.get(name, Tally()) + tally


def _read_part(run: Run, record: PartRecord, table: str) -> pl.DataFrame:
    import polars as pl

    columns = {
        "games": ("rounds", "winners"),
        "seats": ("game", "seat", "strategy", "win_share", *MEASURES),
    }[table]
    try:
        return scan_part(run, record, table).select(columns).collect()
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException):
        path = run.path / record.files[table].file
        raise RunError(f"{path} can't be read as it was written; verify the run, then resume it") from None


def _tally_games(games: pl.DataFrame) -> dict[str, Tally]:
    import polars as pl

    measured = games.select(
        pl.lit(1).cast(pl.Int64).alias("units"),
        pl.col("rounds").cast(pl.Int64),
        (pl.col("winners") > 1).cast(pl.Int64).alias("shared_victories"),
    )
    sums = measured.select(_cluster_sums(("rounds", "shared_victories")))
    return _read_tallies(sums.row(0, named=True), ("rounds", "shared_victories"))


def _tally_seats(seats: pl.DataFrame, grouping: Sequence[str], scale: int) -> Iterator[tuple[Group, dict[str, Tally]]]:
    """Sum a part's seats, first within each game and then over games."""
    import polars as pl

    names = ("win_share", *MEASURES)
    share = (pl.col("win_share") * scale).round().cast(pl.Int64)
    measured = seats.lazy().with_columns(share, pl.col(MEASURES).cast(pl.Int64))
    if "seat" in grouping:
        # Nobody else in the game has this seat.
        clusters = measured.with_columns(pl.lit(1).cast(pl.Int64).alias("units"))
    else:
        clusters = measured.group_by("game", *grouping).agg(pl.len().cast(pl.Int64).alias("units"), pl.col(names).sum())
    sums = clusters.group_by(grouping).agg(_cluster_sums(names)).collect()
    for row in sums.iter_rows(named=True):
        yield tuple(row[name] for name in grouping), _read_tallies(row, names)


def _cluster_sums(names: Sequence[str]) -> list[pl.Expr]:
    import polars as pl

    units = pl.col("units")
    sums = [pl.len().alias("games"), units.sum().alias("sum_units"), (units * units).sum().alias("sum_units_squared")]
    for name in names:
        value = pl.col(name)
        sums.append(value.sum().alias(f"{name}_total"))
        sums.append((value * value).sum().alias(f"{name}_squared"))
        sums.append((value * units).sum().alias(f"{name}_product"))
    return sums


def _read_tallies(row: dict[str, Any], names: Sequence[str]) -> dict[str, Tally]:
    units = row["games"], row["sum_units"], row["sum_units_squared"]
    return {name: Tally(*units, *(row[f"{name}_{part}"] for part in ("total", "squared", "product"))) for name in names}


def _estimate_rows(tallies: Tallies, grouping: Sequence[str], scale: int, strategies: Sequence[str]) -> list[Row]:
    rows = []
    for group, found in tallies.items():
        who = dict(zip(grouping, group, strict=True))
        share = estimate_share(found["win_share"], scale)
        measures = {name: estimate_ratio(found[name]) for name in MEASURES}
        rows.append(Row(who.get("seat"), who.get("strategy"), share.games, share, measures))
    # Strategies in the order in which the plan names them.
    return sorted(rows, key=lambda row: (row.strategy and strategies.index(row.strategy), row.seat))
