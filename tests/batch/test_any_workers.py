"""Carrying parts out by workers of any kind: everything once, back-pressure, failures, and the end."""

from __future__ import annotations

import time

import pytest

from fivetowers_sim.batch.plan import Plan
from fivetowers_sim.batch.run import BatchError, run_parts
from tests.batch.fake_game import FakeSetup
from tests.batch.tasks import OneThenWait, count_rounds
from tests.waiting import wait_until

pytestmark = pytest.mark.usefixtures("registered")


@pytest.fixture
def backend(request):
    """The name of a backend, or a Dask cluster's way to hire."""
    return request.getfixturevalue("cluster").hire if request.param == "dask" else request.param


ON_DASK = pytest.param(2, "dask", marks=pytest.mark.slow)


def by_workers(*kinds):
    """Run a test with each of these numbers of workers and backends."""
    return pytest.mark.parametrize(("workers", "backend"), kinds, indirect=["backend"])


@by_workers(
    (1, "threads"),
    (3, "threads"),
    (2, "processes"),
    (3, "elsewhere"),
    (3, "older"),
    (3, "threading"),
    (1, "threading"),
    ON_DASK,
)
def test_every_part_gives_one_receipt(workers, backend):
    plan = Plan(FakeSetup(), games=1000, part_games=90)
    receipts = list(run_parts(plan, plan.parts(), count_rounds, workers, backend))
    assert sorted(receipt.part for receipt in receipts) == list(plan.parts())
    assert sum(receipt.result for receipt in receipts) == plan.setup.play(0, 1000, "games")["games"]["rounds"].sum()


@by_workers((2, "threads"), (2, "elsewhere"), ON_DASK)
def test_a_slow_caller_holds_the_workers_back(workers, backend):
    plan = Plan(FakeSetup(), games=100, part_games=1)
    taken = []

    def note_taken():
        for part in plan.parts():
            taken.append(part)
            yield part

    receipts = run_parts(plan, note_taken(), count_rounds, workers, backend)
    for count in range(1, 6):
        next(receipts)
        time.sleep(0.02)
        assert len(taken) <= count + 3
    receipts.close()


@by_workers((3, "threads"), (3, "elsewhere"), (3, "older"), (3, "loky"), ON_DASK)
def test_a_part_that_always_fails_is_named_and_the_others_in_hand_are_kept(workers, backend):
    plan = Plan(FakeSetup(failing_game=405, seconds_per_game=0.0002), games=100_000, part_games=100)
    kept = []
    with pytest.raises(BatchError) as caught:
        kept.extend(receipt.part.index for receipt in run_parts(plan, plan.parts(), count_rounds, workers, backend))
    assert str(caught.value) == "games 400 to 499 failed: FakeGameError: game 405 can't be played"
    assert {0, 1, 2, 3} <= set(kept)
    assert 4 not in kept
    # Those that were handed out before the failure was heard of, and no more.
    assert max(kept) < 500


@by_workers((2, "threads"), (2, "elsewhere"), ON_DASK)
def test_closing_early_stops_the_workers(workers, backend, tmp_path):
    plan = Plan(FakeSetup(), games=30, part_games=10)
    receipts = run_parts(plan, plan.parts(), OneThenWait(str(tmp_path)), workers, backend)
    assert next(receipts).result == 0
    wait_until((tmp_path / "begun").exists)
    assert not (tmp_path / "stopped").exists()
    receipts.close()
    wait_until((tmp_path / "stopped").exists)
    # They are free again.
    assert len(list(run_parts(plan, plan.parts(), count_rounds, workers, backend))) == 3
