"""Parts on a Dask cluster of this machine's own: everything once, lost workers, failures, and interruptions."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from fivetowers_sim.batch import versions
from fivetowers_sim.batch.dask_cluster import ClusterError, start_cluster
from fivetowers_sim.batch.plan import Plan
from fivetowers_sim.batch.run import BatchError, run_parts
from fivetowers_sim.batch.versions import current_versions
from tests.batch.dask_places import DieOnce
from tests.batch.fake_game import FakeSetup
from tests.batch.scripts import WorkUntilStopped, begin  # noqa: F401 - scripts take it from here
from tests.batch.test_run import count_rounds, play_until_stopped
from tests.waiting import PATIENCE_SECONDS, wait_until


@pytest.fixture(scope="module")
def cluster():
    with start_cluster(2) as started:
        yield started


def test_every_part_gives_one_receipt(cluster):
    plan = Plan(FakeSetup(), games=1000, part_games=90)
    receipts = list(run_parts(plan, plan.parts(), count_rounds, cluster.workers, cluster.hire))
    assert cluster.workers == 2
    assert sorted(receipt.part for receipt in receipts) == list(plan.parts())
    assert sum(receipt.result for receipt in receipts) == plan.setup.play(0, 1000, "games")["games"]["rounds"].sum()


def test_a_slow_caller_holds_the_workers_back(cluster):
    plan = Plan(FakeSetup(), games=100, part_games=1)
    taken = []

    def note_taken():
        for part in plan.parts():
            taken.append(part)
            yield part

    receipts = run_parts(plan, note_taken(), count_rounds, 2, cluster.hire)
    for count in range(1, 6):
        next(receipts)
        time.sleep(0.02)
        assert len(taken) <= count + 3
    receipts.close()


def test_a_part_that_always_fails_is_named_and_the_others_in_hand_are_kept(cluster):
    plan = Plan(FakeSetup(failing_game=405, seconds_per_game=0.0002), games=100_000, part_games=100)
    kept = []
    with pytest.raises(BatchError) as caught:
        kept.extend(receipt.part.index for receipt in run_parts(plan, plan.parts(), count_rounds, 2, cluster.hire))
    assert str(caught.value) == "games 400 to 499 failed: FakeGameError: game 405 can't be played"
    assert {0, 1, 2, 3} <= set(kept)
    assert 4 not in kept
    # Those that were handed out before the failure was heard of, and no more.
    assert max(kept) < 500


def test_the_part_of_a_worker_that_is_killed_is_carried_out_by_another(cluster, tmp_path):
    plan = Plan(FakeSetup(), games=80, part_games=10)
    receipts = list(run_parts(plan, plan.parts(), DieOnce(str(tmp_path), 3), 2, cluster.hire))
    assert (tmp_path / "died").exists()
    assert sorted(receipt.part for receipt in receipts) == list(plan.parts())


@pytest.mark.slow
def test_a_part_that_kills_every_worker_is_named_and_the_others_are_kept(cluster):
    plan = Plan(FakeSetup(deadly_game=55), games=200, part_games=10)
    kept = []
    with pytest.raises(BatchError) as caught:
        kept.extend(receipt.part.index for receipt in run_parts(plan, plan.parts(), count_rounds, 2, cluster.hire))
    assert str(caught.value) == "games 50 to 59 failed: a worker died while it was at work on them, 2 times in a row"
    assert {0, 1, 2, 3, 4} <= set(kept)
    assert 5 not in kept


def test_closing_early_stops_the_workers(cluster, tmp_path):
    plan = Plan(FakeSetup(), games=30, part_games=10)
    receipts = run_parts(plan, plan.parts(), OneThenWait(str(tmp_path / "begun")), 2, cluster.hire)
    assert next(receipts).result == 0
    receipts.close()
    # They are free again.
    assert len(list(run_parts(plan, plan.parts(), count_rounds, 2, cluster.hire))) == 3


@dataclass(frozen=True)
class OneThenWait:
    """Return from whichever part is begun first: Dask's order is its own. The others never finish by themselves."""

    mark: str

    def __call__(self, plan, part, stop):
        try:
            Path(self.mark).touch(exist_ok=False)
        except FileExistsError:
            return play_until_stopped(plan, part, stop)
        return 0


@pytest.mark.skipif(os.name == "nt", reason="signals to a child differ")
def test_ctrl_c_stops_what_would_never_end_and_leaves_no_process(tmp_path):
    mark = tmp_path / "at work"
    script = (
        "from tests.batch.test_dask import *\n"
        "if __name__ == '__main__':\n"
        "    plan = Plan(FakeSetup(), games=30, part_games=10)\n"
        "    with start_cluster(2) as cluster:\n"
        "        print('begun', flush=True)\n"
        f"        list(run_parts(plan, plan.parts(), WorkUntilStopped({str(mark)!r}), 2, cluster.hire))\n"
    )
    process = begin(script, start_new_session=True)
    wait_until(mark.exists)
    # To all of them, as a terminal does.
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert errors.count("Traceback") == 1
    assert errors.rstrip().endswith("KeyboardInterrupt")
    wait_until(lambda: _has_ended(process.pid))


def _has_ended(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_worker_with_another_version_is_refused(cluster, monkeypatch):
    monkeypatch.setattr(versions, "current_versions", lambda: {**current_versions(), "fivetowers_sim": "99"})
    with pytest.raises(ClusterError, match=r"worker tcp://\S+ has fivetowers_sim \S+ and this machine 99; accepted"):
        cluster.check_programs()
