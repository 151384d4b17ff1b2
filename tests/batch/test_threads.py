"""No more threads than there are workers, and no process that is a copy of one that uses Polars."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import fivetowers_sim
from fivetowers_sim.batch.plan import Plan
from fivetowers_sim.batch.run import run_parts
from fivetowers_sim.batch.staff import count_cores
from tests.batch.fake_game import FakeSetup

SETTINGS = ("POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def run_script(script, *arguments):
    """Run a script in a process where nobody has said yet how many threads a library may start."""
    environment = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


COMMAND = """
import sys
from fivetowers_sim.cli.staff import read_staff
read_staff(int(sys.argv[1]), sys.argv[2])
import numba, numpy, os, polars
print(polars.thread_pool_size(), numba.config.NUMBA_NUM_THREADS, os.environ["OPENBLAS_NUM_THREADS"])
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("workers", "backend", "polars"), [(1, "threads", 1), (3, "threads", 3), (3, "processes", 1), (3, "dask", 1)]
)
def test_libraries_start_no_more_threads_than_the_workers_leave_them(workers, backend, polars):
    assert run_script(COMMAND, workers, backend) == [f"{polars} 1 1"]


@pytest.mark.slow
def test_libraries_start_no_more_threads_where_the_cores_are_counted():
    assert run_script(COMMAND, -1, "threads") == [f"{count_cores()} 1 1"]
    assert run_script(COMMAND, -1, "loky") == ["1 1 1"]


WRITE = """
import os, sys
forks = []
os.register_at_fork(before=lambda: forks.append("polars" in sys.modules))
import polars
from tests.batch.test_threads import *
from fivetowers_sim.dataset.write import write_run
if __name__ == "__main__":
    polars.DataFrame({"number": [1, 2]}).sum()
    write_run(Plan(FakeSetup(), 40, "games", 20), sys.argv[1], 2, sys.argv[2])
    print(forks)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "register_at_fork"), reason="nothing can be forked here")
@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_writing_a_run_forks_nothing(backend, tmp_path):
    assert run_script(WRITE, tmp_path / "run", backend) == ["[]"]


def report_threads(plan, part, stop):
    """Say how many threads the libraries of a worker process may start."""
    import polars

    return polars.thread_pool_size(), *(os.environ.get(name) for name in SETTINGS)


@pytest.mark.slow
def test_worker_processes_keep_their_libraries_to_one_thread(monkeypatch):
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
    plan = Plan(FakeSetup(), 2, part_games=1)
    receipts = list(run_parts(plan, plan.parts(), report_threads, 2, "processes"))
    assert {receipt.result for receipt in receipts} == {(1, "1", "1", "1", "1", "1")}


def called_names(tree):
    """Yield the name of everything that is called, with the texts that it is called with."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            texts = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            yield ast.unparse(node.func), texts


def test_the_package_forks_nothing_and_starts_processes_afresh_only():
    forbidden = ("os.fork", "os.forkpty", "multiprocessing.Process", "multiprocessing.Pool", "set_start_method")
    for file in Path(fivetowers_sim.__file__).parent.rglob("*.py"):
        for name, texts in called_names(ast.parse(file.read_text("utf-8"))):
            assert not name.endswith(forbidden), file
            assert not (name.endswith("get_context") and texts != ["spawn"]), file
            # loky's, which never forks.
            assert name != "ProcessPoolExecutor" or file.name == "process_workers.py", file


def test_the_package_asks_a_clock_that_can_be_set_for_the_age_of_old_caches_only():
    asking = {
        file.name
        for file in Path(fivetowers_sim.__file__).parent.rglob("*.py")
        for name, _ in called_names(ast.parse(file.read_text("utf-8")))
        if name in ("time.time", "time.time_ns") or name.endswith(("datetime.now", "datetime.utcnow"))
    }
    assert asking <= {"kernel_cache.py"}
