"""Parts on a Dask cluster that runs already, and clusters that won't do."""

from __future__ import annotations

import socket
from contextlib import suppress

import pytest

from fivetowers_sim.batch.dask_cluster import ClusterError, is_scheduler_address, join_cluster, start_cluster
from fivetowers_sim.batch.plan import Plan
from fivetowers_sim.batch.run import BatchError, run_parts
from tests.batch.dask_places import count_slowly, running_cluster
from tests.batch.fake_game import FakeSetup
from tests.batch.tasks import count_rounds
from tests.waiting import PATIENCE_SECONDS


@pytest.mark.slow
def test_a_cluster_that_runs_already_gives_the_same_receipts(tmp_path):
    plan = Plan(FakeSetup(), games=1000, part_games=90)
    with running_cluster(tmp_path, workers=2) as place, join_cluster(place.address) as cluster:
        found = {
            receipt.part: receipt.result for receipt in run_parts(plan, plan.parts(), count_rounds, 3, cluster.hire)
        }
    assert found == {receipt.part: receipt.result for receipt in run_parts(plan, plan.parts(), count_rounds)}


@pytest.mark.slow
def test_clusters_of_ones_own_take_no_port_from_each_other_or_from_others():
    with socket.socket() as taken:
        with suppress(OSError):
            # Where Dask's pages usually are; if it is taken already, so much the better.
            taken.bind(("127.0.0.1", 8787))
            taken.listen()
        with start_cluster(1) as one, start_cluster(1) as other:
            assert (one.workers, other.workers) == (1, 1)


@pytest.mark.slow
def test_a_scheduler_that_is_lost_ends_the_run_and_names_the_games_in_hand(tmp_path):
    plan = Plan(FakeSetup(), games=1000, part_games=10)
    with running_cluster(tmp_path) as place, join_cluster(place.address) as cluster:
        receipts = run_parts(plan, plan.parts(), count_slowly, 1, cluster.hire)
        next(receipts)
        place.scheduler.kill()
        with pytest.raises(BatchError, match=r"games \d+ to \d+ failed: the connection to the Dask scheduler was lost"):
            list(receipts)


@pytest.mark.slow
def test_a_worker_without_this_program_is_refused(tmp_path):
    lacking = "import sys\nsys.modules['fivetowers_sim'] = None"
    with running_cluster(tmp_path, worker_code=lacking) as place:
        _wait_for_a_worker(place.address)
        with pytest.raises(ClusterError, match=r"worker tcp://\S+ can't run this program .*fivetowers_sim"):
            join_cluster(place.address)


def _wait_for_a_worker(address):
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(1, timeout=PATIENCE_SECONDS)


@pytest.mark.slow
def test_a_scheduler_that_does_not_answer_is_named():
    with pytest.raises(ClusterError, match=r"no Dask scheduler answers at tcp://127.0.0.1:1: "):
        join_cluster("tcp://127.0.0.1:1")


@pytest.mark.parametrize("text", ["tcp://10.0.0.1:8786", "tls://scheduler.example:8786", "tcp://[::1]:8786"])
def test_a_schedulers_address_has_a_scheme_and_a_port(text):
    assert is_scheduler_address(text)


@pytest.mark.parametrize("text", ["", "10.0.0.1:8786", "tcp://", "tcp://host", "http://host:8786", "tcp://host:port"])
def test_other_texts_are_no_schedulers_address(text):
    assert not is_scheduler_address(text)
