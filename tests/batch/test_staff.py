"""How many workers there are: joblib's numbers, and the cores that a process may use."""

from __future__ import annotations

import io
import os

import pytest
from joblib.externals.loky.backend import context

from fivetowers_sim.batch.plan import PlanError
from fivetowers_sim.batch.staff import Staff, count_cores, count_workers

QUOTA = "/sys/fs/cgroup/cpu.max"


@pytest.fixture
def machine(monkeypatch):
    """Makes this machine one of eight cores, of which a container may use as many as its quota says."""

    def set_quota(quota: str, affinity: int = 8) -> None:
        monkeypatch.delenv("LOKY_MAX_CPU_COUNT", raising=False)
        monkeypatch.setattr(os, "cpu_count", lambda: 8)
        monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(affinity)), raising=False)
        monkeypatch.setattr(os.path, "exists", lambda path: path == QUOTA)
        monkeypatch.setattr(context, "open", lambda path: io.StringIO(quota), raising=False)

    return set_quota


@pytest.mark.parametrize(
    ("quota", "affinity", "cores"),
    [
        ("max 100000", 8, 8),
        ("300000 100000", 8, 3),
        ("250000 100000", 8, 3),
        ("300000 100000", 2, 2),
        ("5000 100000", 8, 1),
    ],
)
def test_the_cores_are_those_that_the_process_and_its_container_may_use(machine, quota, affinity, cores):
    machine(quota, affinity)
    assert count_cores() == cores


@pytest.mark.parametrize("backend", ["threads", "processes"])
@pytest.mark.parametrize(("given", "workers"), [(-1, 3), (-2, 2), (-3, 1), (-4, 1), (-99, 1), (1, 1), (7, 7)])
def test_workers_below_zero_are_counted_from_all_cores_as_by_joblib(machine, backend, given, workers):
    machine("300000 100000")
    assert Staff(given, backend).workers == workers


@pytest.mark.parametrize("workers", [0, 1.5, "2", None])
def test_what_is_no_number_of_workers_is_refused(workers):
    with pytest.raises(PlanError, match="accepted is a whole number from 1, or -1 for all cores, -2 for all but one"):
        count_workers(workers)


def test_workers_of_a_place_of_ones_own_cannot_be_counted():
    with pytest.raises(PlanError, match=r"workers is -1; accepted is a whole number from 1$"):
        count_workers(-1, lambda workers, plan, task: None)
