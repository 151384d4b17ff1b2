"""The columns of runs: fit to be calculated with, and to be read together with those of other runs."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from fivetowers_sim.engine.record import TABLES

pytestmark = pytest.mark.slow

NAMES = [layout.name for layout in TABLES]


@pytest.fixture(scope="module")
def other_run(fivetowers, tmp_path_factory):
    """A run with another number of players, other strategies and Great Powers than ``finished_run``."""
    run = tmp_path_factory.mktemp("runs") / "other"
    asked = "--games 60 --players 2 --strategies greedy,greedy:max_bid=3 --powers tree,sand --detail bids"
    done = fivetowers("simulate", *asked.split(), "--out", run)
    assert done.returncode == 0, done.stderr
    return run


def scan(table: str, *runs: Path) -> pl.LazyFrame:
    return pl.scan_parquet([run / table / "*.parquet" for run in runs])


@pytest.mark.parametrize("table", NAMES)
def test_all_runs_have_the_same_columns_of_the_same_types(table, finished_run, other_run):
    assert scan(table, finished_run).collect_schema() == scan(table, other_run).collect_schema()


@pytest.mark.parametrize("table", NAMES)
def test_runs_can_be_read_together(table, finished_run, other_run):
    together = scan(table, finished_run, other_run).collect()
    assert together.equals(pl.concat([scan(table, run).collect() for run in (finished_run, other_run)]))


def test_strategies_and_powers_keep_their_names_when_runs_are_read_together(finished_run, other_run):
    seats = scan("seats", finished_run, other_run).group_by("strategy", "powers").len().collect()
    assert dict(zip(seats.select("strategy", "powers").iter_rows(), seats["len"], strict=True)) == {
        ("greedy", "none"): 330,
        ("random", "none"): 330,
        ("greedy:misjudge=0.1", "none"): 330,
        ("greedy", "tree+sand"): 60,
        ("greedy:max_bid=3", "tree+sand"): 60,
    }


@pytest.mark.parametrize("table", NAMES)
def test_differences_and_products_of_all_numbers_are_what_they_are(table, finished_run):
    rows = scan(table, finished_run).collect()
    numbers = rows.select(pl.selectors.numeric())
    assert not set(numbers.dtypes) & {pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64}
    for name, values in numbers.to_dict(as_series=False).items():
        least, most = (pick(value for value in values if value is not None) for pick in (min, max))
        own = numbers.select(less=pl.col(name).min() - pl.col(name).max(), times=pl.col(name).max() * 1000)
        assert own.row(0) == (least - most, most * 1000), name


def test_a_bid_can_be_taken_from_what_the_seat_could_have_bid(finished_run):
    bids = scan("bids", finished_run).filter(pl.col("bid").is_not_null()).collect()
    left = bids.select(pl.col("bid") - pl.col("highest_feasible_bid")).to_series()
    assert left.to_list() == [row["bid"] - row["highest_feasible_bid"] for row in bids.iter_rows(named=True)]
    assert left.min() < 0
