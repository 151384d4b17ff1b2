"""Runs in the first format, which version 0.1 wrote: read as ever, and together with today's."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

from fivetowers_sim.dataset.scan import scan_table
from tests.dataset.test_store import files_in

RUN = Path(__file__).parent / "runs" / "first-format"
DIGEST = "f2e710c3fda548a471545adcf555103a1c484273c53dc8feed43119bf0d40748"
"""What version 0.1 gave as the run's digest."""

TYPED = (
    "simulate --games 6 --seed 7 --strategies greedy,random,greedy:misjudge=0.1 --powers tree,scrap "
    "--seat-powers 1=none --detail bids --out"
).split()
TABLES = ("games", "seats", "rounds", "bids")


@pytest.fixture(scope="module")
def today(fivetowers, tmp_path_factory):
    """The same games, written now."""
    run = tmp_path_factory.mktemp("runs") / "today"
    assert fivetowers(*TYPED, run).returncode == 0
    return run


def test_the_run_is_whole(fivetowers):
    assert json.loads((RUN / "manifest.json").read_bytes())["format"] == "fivetowers-run/1"
    done = fivetowers("verify", RUN)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok: 1 parts, 6 games\n", "")


@pytest.mark.slow
def test_its_digest_is_what_it_was_and_that_of_the_same_games_written_now(fivetowers, today):
    assert fivetowers("digest", RUN).stdout == fivetowers("digest", today).stdout == f"{DIGEST}\n"


@pytest.mark.slow
def test_its_summary_is_that_of_the_same_games_written_now(fivetowers, today):
    then, now = fivetowers("summary", RUN, "--json"), fivetowers("summary", today, "--json")
    assert (then.returncode, then.stderr) == (0, "")
    assert then.stdout == now.stdout


@pytest.mark.slow
@pytest.mark.parametrize("game", range(6))
def test_its_games_are_replayed_and_agree_with_what_is_recorded(game, fivetowers):
    done = fivetowers("replay", RUN, game)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"Game {game} · seed 7 ")


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["nothing", "seats/part-000000.parquet"])
def test_it_is_not_resumed_and_not_touched(damage, fivetowers, tmp_path):
    run = shutil.copytree(RUN, tmp_path / "run")
    (run / damage).unlink(missing_ok=True)
    before = {name: (run / name).read_bytes() for name in files_in(run)}
    done = fivetowers(*TYPED, run, "--resume")
    assert (done.returncode, done.stdout) == (1, "")
    # The engine may say that it is being prepared.
    said = done.stderr.splitlines()[-1]
    assert said.startswith(f"error: {run} ")
    assert "resume it with the version that began it" in said
    assert before == {name: (run / name).read_bytes() for name in files_in(run)}


@pytest.mark.parametrize("table", TABLES)
def test_its_tables_can_be_put_together_with_those_written_now(table, today):
    then, now = scan_table(RUN, table), scan_table(today, table)
    assert then.collect().equals(now.collect())
    together = pl.concat([then, now]).collect()
    assert together.equals(pl.concat([now, now]).collect())


@pytest.mark.parametrize("table", TABLES)
def test_its_files_can_be_read_together_with_todays_by_a_cast(table, today):
    now = pl.scan_parquet(today / table / "*.parquet")
    then = pl.scan_parquet(RUN / table / "*.parquet").cast(dict(now.collect_schema()))
    assert pl.concat([then, now]).collect().equals(pl.concat([now, now]).collect())
