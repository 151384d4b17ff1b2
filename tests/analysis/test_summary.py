"""The summary of a run against figures worked out plainly from its rows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from fivetowers_sim.analysis.estimates import Tally, estimate_ratio
from fivetowers_sim.analysis.summary import MEASURES, estimate_summary
from fivetowers_sim.batch.plan import Plan
from fivetowers_sim.dataset.errors import RunError
from fivetowers_sim.dataset.write import write_run
from fivetowers_sim.engine.record import GAMES, SEATS


@dataclass(frozen=True)
class DrawnSetup:
    """Games whose figures are drawn at random; the strategies ``twin`` hold two seats of three."""

    players: int = 3
    strategies: tuple[str, ...] = ("twin", "twin", "lone")

    def to_dict(self) -> dict[str, Any]:
        return {"seed": 1, "players": self.players, "strategies": list(self.strategies), "seating": "rotate"}

    def layouts(self, detail: str):
        return (GAMES, SEATS)

    def labels(self):
        return {"strategies": tuple(dict.fromkeys(self.strategies))}

    def notes(self):
        return {}

    def play(self, first_game: int, games: int, detail: str):
        tables = [self._play_one(number) for number in range(first_game, first_game + games)]
        return {name: np.concatenate([table[name] for table in tables]) for name in ("games", "seats")}

    def _play_one(self, number: int):
        random = np.random.default_rng(number)
        game, seats = np.zeros(1, GAMES.dtype), np.zeros(self.players, SEATS.dtype)
        seats["game"] = game["game"] = number
        seats["seat"] = np.arange(self.players)
        names = self.labels()["strategies"]
        seats["strategy"] = [
            names.index(self.strategies[(seat - number) % self.players]) for seat in range(self.players)
        ]
        luck = random.integers(-5, 6)
        for name in MEASURES:
            seats[name] = random.integers(8, 30, self.players) + luck * (name == "total")
        best = seats["total"] == seats["total"].max()
        seats["win_share"] = best / best.sum()
        game["rounds"], game["winners"] = random.integers(15, 25), best.sum()
        return {"games": game, "seats": seats}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "drawn"
    write_run(Plan(DrawnSetup(), 200, part_games=30), folder)
    return folder


@pytest.fixture(scope="module")
def seats(run: Path) -> pl.DataFrame:
    return pl.read_parquet(run / "seats" / "*.parquet")


def naive(rows: pl.DataFrame, column: str):
    """Work the ratio estimate out from rows, game by game."""
    tally = Tally()
    for game in rows.partition_by("game"):
        units, total = game.height, game[column].cast(pl.Int64).sum()
        tally += Tally(1, units, units**2, total, total**2, units * total)
    return estimate_ratio(tally)


def check_row(row, own: pl.DataFrame):
    assert row.games == own["game"].n_unique()
    for name in MEASURES:
        expected = naive(own, name)
        assert row.measures[name].value == pytest.approx(own[name].mean())
        assert row.measures[name].to_dict() == pytest.approx(expected.to_dict())
    # A share of a third is kept with seven digits.
    assert row.win_share.value == pytest.approx(own["win_share"].mean(), abs=1e-6)


def test_rows_by_seat(run, seats):
    rows = estimate_summary(run).by_seat
    assert [(row.seat, row.strategy) for row in rows] == [(0, None), (1, None), (2, None)]
    for row in rows:
        check_row(row, seats.filter(pl.col("seat") == row.seat))


def test_a_strategy_with_two_seats_in_a_game_counts_once_for_that_game(run, seats):
    rows = estimate_summary(run).by_strategy
    assert [(row.seat, row.strategy, row.games) for row in rows] == [(None, "twin", 200), (None, "lone", 200)]
    for row in rows:
        check_row(row, seats.filter(pl.col("strategy") == row.strategy))


def test_rows_by_strategy_and_seat_in_the_order_of_the_plan(run, seats):
    rows = estimate_summary(run).by_strategy_and_seat
    assert [(row.strategy, row.seat) for row in rows] == [
        (name, seat) for name in ("twin", "lone") for seat in range(3)
    ]
    for row in rows:
        check_row(row, seats.filter(pl.col("strategy") == row.strategy, pl.col("seat") == row.seat))


def test_shares_of_the_victory_add_up(run):
    summary = estimate_summary(run)
    assert sum(row.win_share.value for row in summary.by_seat) == pytest.approx(1)
    twin, lone = (row.win_share.value for row in summary.by_strategy)
    assert 2 * twin + lone == pytest.approx(1)


def test_rounds_and_shared_victories(run):
    games = pl.read_parquet(run / "games" / "*.parquet")
    summary = estimate_summary(run)
    assert summary.rounds.value == pytest.approx(games["rounds"].mean())
    assert summary.shared_victories.value == pytest.approx((games["winners"] > 1).mean())
    assert summary.rounds.games == 200


@pytest.mark.slow
@pytest.mark.parametrize("part_games", [1, 7, 200])
def test_the_size_of_the_parts_changes_no_figure(part_games, run, tmp_path):
    write_run(Plan(DrawnSetup(), 200, part_games=part_games), tmp_path / "run")
    assert estimate_summary(tmp_path / "run").to_dict() == estimate_summary(run).to_dict()


def test_progress_is_told_from_the_start_to_the_end(run):
    told = []
    estimate_summary(run, lambda done, games: told.append((done, games)))
    assert told[0] == (0, 200)
    assert told[-1] == (200, 200)
    assert len(told) == 8


def test_an_unfinished_run_is_refused(tmp_path, run):
    with pytest.raises(RunError, match="does not exist"):
        estimate_summary(tmp_path / "none")

    def interrupt(progress):
        if progress.games_done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_run(Plan(DrawnSetup(), 60, part_games=10), tmp_path / "run", progress=interrupt)
    with pytest.raises(RunError, match=r"unfinished: [0-9]+ of 60 games"):
        estimate_summary(tmp_path / "run")
