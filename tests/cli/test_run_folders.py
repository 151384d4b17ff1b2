"""``summary``, ``verify`` and ``digest``: what is in a run, and whether it is as it was written."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

from tests.cli.conftest import MIXED, environment


@pytest.fixture
def copied_run(finished_run: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished_run, tmp_path / "copy"))


def test_a_whole_run_verifies(fivetowers, finished_run):
    done = fivetowers("verify", finished_run)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok: 4 parts, 330 games\n", "")


def change_a_byte(part: Path) -> None:
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(data)


def cut_short(part: Path) -> None:
    part.write_bytes(part.read_bytes()[:-100])


@pytest.mark.slow
@pytest.mark.parametrize("damage", [change_a_byte, cut_short, Path.unlink])
def test_a_damaged_part_is_named_with_its_games_and_mended_by_resuming(damage, fivetowers, copied_run):
    damage(copied_run / "seats" / "part-000002.parquet")
    done = fivetowers("verify", copied_run)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "seats/part-000002.parquet" in done.stderr
    assert "games 200 to 299" in done.stderr
    typed = f"simulate --games 330 --strategies {MIXED} --detail bids --resume --out".split()
    assert fivetowers(*typed, copied_run).returncode == 0
    assert fivetowers("verify", copied_run).returncode == 0


@pytest.mark.slow
def test_several_damaged_parts_are_all_named(fivetowers, copied_run):
    change_a_byte(copied_run / "games" / "part-000000.parquet")
    cut_short(copied_run / "bids" / "part-000003.parquet")
    done = fivetowers("verify", copied_run)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == [
        "games/part-000000.parquet",
        "bids/part-000003.parquet",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("command", ["summary", "digest"])
@pytest.mark.parametrize("damage", [cut_short, Path.unlink])
def test_no_figure_is_made_of_a_damaged_run(command, damage, fivetowers, copied_run):
    damage(copied_run / "seats" / "part-000002.parquet")
    done = fivetowers(command, copied_run)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert "part-000002.parquet" in done.stderr


def test_a_summary_fits_100_columns_and_is_plain_when_it_goes_to_a_file(fivetowers, finished_run):
    done = fivetowers("summary", finished_run)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100
    assert "330 games" in done.stdout
    for words in ("win share", "VP", "rounds a game", "shared victory", "rules base", "no Great Powers", "seed 1"):
        assert words in done.stdout


def test_a_summary_has_rows_by_seat_by_strategy_and_by_both(fivetowers, finished_run):
    done = fivetowers("summary", finished_run)
    labels = [line.split("  ")[0].strip() for line in done.stdout.splitlines()]
    both = [f"{strategy}, {seat}" for strategy in "ABC" for seat in range(3)]
    assert [label for label in labels if label in {*"012ABC", *both}] == [*"012", *"ABC", *both]


def test_the_json_summary_agrees_with_the_tables_of_the_run(fivetowers, finished_run):
    found = json.loads(fivetowers("summary", finished_run, "--json").stdout)
    seats = pl.read_parquet(finished_run / "seats" / "*.parquet")
    assert found["format"] == "fivetowers-summary/1"
    assert found["games"] == 330
    assert found["plan"]["setup"]["strategies"] == MIXED.split(",")
    for row in found["by_seat"]:
        own = seats.filter(pl.col("seat") == row["seat"])
        assert row["games"] == 330
        assert row["total"]["value"] == pytest.approx(own["total"].mean())
        assert row["win_share"]["value"] == pytest.approx(own["win_share"].mean())
        assert row["total"]["low"] < row["total"]["value"] < row["total"]["high"]
    assert [row["games"] for row in found["by_strategy_and_seat"]] == [110] * 9
    assert sum(row["win_share"]["value"] for row in found["by_strategy"]) == pytest.approx(1)


@pytest.mark.slow
def test_a_terminal_gets_colours_unless_it_is_asked_not_to(fivetowers, finished_run):
    coloured = fivetowers("summary", finished_run, env=environment(FORCE_COLOR="1"))
    plain = fivetowers("summary", finished_run, env=environment(FORCE_COLOR="1", NO_COLOR="1"))
    assert "\x1b[36m" in coloured.stdout
    assert "\x1b[36m" not in plain.stdout


@pytest.mark.slow
def test_one_game_has_a_summary_without_intervals(fivetowers, tmp_path):
    assert fivetowers("simulate", "--games", 1, "--out", tmp_path / "run").returncode == 0
    done = fivetowers("summary", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    assert "± ?" in done.stdout
    found = json.loads(fivetowers("summary", tmp_path / "run", "--json").stdout)
    assert found["by_seat"][0]["total"]["low"] is None
