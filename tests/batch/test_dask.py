"""Parts on a Dask cluster of this machine's own: lost workers, and interruptions."""

from __future__ import annotations

import os

import pytest

from fivetowers_sim.batch import versions
from fivetowers_sim.batch.dask_cluster import ClusterError
from fivetowers_sim.batch.plan import Plan
from fivetowers_sim.batch.run import BatchError, run_parts
from fivetowers_sim.batch.versions import current_versions
from tests.batch.dask_places import DieOnce
from tests.batch.fake_game import FakeSetup
from tests.batch.scripts import begin, has_ended, press_ctrl_c
from tests.batch.tasks import count_rounds
from tests.waiting import wait_until

pytestmark = pytest.mark.slow


def test_the_part_of_a_worker_that_is_killed_is_carried_out_by_another(cluster, tmp_path):
    plan = Plan(FakeSetup(), games=80, part_games=10)
    assert cluster.workers == 2
    receipts = list(run_parts(plan, plan.parts(), DieOnce(str(tmp_path), 3), 2, cluster.hire))
    assert (tmp_path / "died").exists()
    assert sorted(receipt.part for receipt in receipts) == list(plan.parts())


def test_a_part_that_kills_every_worker_is_named_and_the_others_are_kept(cluster):
    plan = Plan(FakeSetup(deadly_game=55), games=200, part_games=10)
    kept = []
    with pytest.raises(BatchError) as caught:
        kept.extend(receipt.part.index for receipt in run_parts(plan, plan.parts(), count_rounds, 2, cluster.hire))
    assert str(caught.value) == "games 50 to 59 failed: a worker died while it was at work on them, 2 times in a row"
    assert {0, 1, 2, 3, 4} <= set(kept)
    assert 5 not in kept


@pytest.mark.skipif(os.name == "nt", reason="signals to a child differ")
def test_ctrl_c_stops_what_would_never_end_and_leaves_no_process(tmp_path):
    mark = tmp_path / "at work"
    script = (
        "from fivetowers_sim.batch.dask_cluster import start_cluster\n"
        "if __name__ == '__main__':\n"
        "    with start_cluster(2) as cluster:\n"
        "        print('begun', flush=True)\n"
        f"        list(run_parts(plan, plan.parts(), WorkUntilStopped({str(mark)!r}), 2, cluster.hire))\n"
    )
    process = begin(script, start_new_session=True)
    wait_until(mark.exists)
    press_ctrl_c(process)
    wait_until(lambda: has_ended(process.pid))


def test_a_worker_with_another_version_is_refused(cluster, monkeypatch):
    monkeypatch.setattr(versions, "current_versions", lambda: {**current_versions(), "fivetowers_sim": "99"})
    with pytest.raises(ClusterError, match=r"worker tcp://\S+ has fivetowers_sim \S+ and this machine 99; accepted"):
        cluster.check_programs()
