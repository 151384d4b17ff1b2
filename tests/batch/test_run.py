"""Carrying parts out in threads and processes: failures and interruptions."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from fivetowers_sim.batch.plan import Plan, PlanError
from fivetowers_sim.batch.run import BatchError, run_parts
from fivetowers_sim.batch.threads import limit_threads
from tests.batch.fake_game import FakeSetup
from tests.batch.scripts import begin, press_ctrl_c
from tests.batch.tasks import count_rounds
from tests.waiting import PATIENCE_SECONDS, wait_until


def test_a_worker_process_that_dies_ends_the_run_and_names_its_games():
    plan = Plan(FakeSetup(deadly_game=55), games=200, part_games=10)
    with pytest.raises(BatchError, match=r"games 50 to 59 failed: a worker process died"):
        list(run_parts(plan, plan.parts(), count_rounds, workers=1, backend="processes"))


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals to a child differ")
@pytest.mark.parametrize("name", ["SIGKILL", "SIGINT"])
def test_worker_processes_end_with_the_program_however_slow_they_are(name, tmp_path):
    script = (
        "print('begun', flush=True)\n"
        f"list(run_parts(plan, plan.parts(), NameYourselfAndWork({str(tmp_path)!r}), 2, 'processes'))\n"
    )
    process = begin(script)
    wait_until(lambda: len(list(tmp_path.iterdir())) == 2)
    workers = [int(file.name) for file in tmp_path.iterdir()]
    process.send_signal(getattr(signal, name))
    process.communicate(timeout=PATIENCE_SECONDS)
    wait_until(lambda: not any(map(is_alive, workers)))


def is_alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # Nobody may have asked yet how it ended.
    state = Path(f"/proc/{process}/stat")
    return not (state.exists() and state.read_text("utf-8").rpartition(")")[2].split()[0] == "Z")


def kill_yourself(plan, part, stop):
    """End the worker from outside, as a system short of memory does."""
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))


def test_a_part_that_kills_its_worker_is_named_with_those_in_hand_and_the_run_ends():
    plan = Plan(FakeSetup(), games=200, part_games=10)
    with pytest.raises(
        BatchError, match=r"games \d+ to \d+ failed: a worker process died .*; 2 other parts failed too"
    ):
        list(run_parts(plan, plan.parts(), kill_yourself, workers=2, backend="processes"))


@pytest.mark.skipif(os.name == "nt", reason="signals to a child differ")
@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_ctrl_c_stops_what_would_never_end(backend, tmp_path):
    mark = tmp_path / "at work"
    script = (
        "if __name__ == '__main__':\n"
        "    print('begun', flush=True)\n"
        f"    list(run_parts(plan, plan.parts(), WorkUntilStopped({str(mark)!r}), 2, {backend!r}))\n"
    )
    process = begin(script)
    wait_until(mark.exists)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert errors.rstrip().endswith("KeyboardInterrupt")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals to a child differ")
@pytest.mark.parametrize("delay", [0.0, 0.2])
def test_ctrl_c_does_not_hit_worker_processes_while_they_start(delay):
    script = (
        "if __name__ == '__main__':\n"
        "    print('begun', flush=True)\n"
        "    list(run_parts(plan, plan.parts(), play_until_stopped, 2, 'processes'))\n"
    )
    process = begin(script, start_new_session=True)
    time.sleep(delay)
    press_ctrl_c(process)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"workers": 0}, "workers is 0; accepted is a whole number from 1"),
        ({"backend": "magic"}, "backend is 'magic'; accepted are threads, processes"),
    ],
)
def test_unknown_ways_to_run_are_refused(options, message):
    plan = Plan(FakeSetup(), games=3)
    with pytest.raises(PlanError, match=message):
        next(run_parts(plan, plan.parts(), count_rounds, **options))


def test_threads_are_limited_before_the_libraries_load_and_the_users_choice_stays(monkeypatch):
    monkeypatch.setattr(sys, "modules", {})
    monkeypatch.setattr(os, "environ", {"OMP_NUM_THREADS": "7"})
    assert limit_threads(3)
    assert os.environ["POLARS_MAX_THREADS"] == "3"
    assert os.environ["OPENBLAS_NUM_THREADS"] == "1"
    assert os.environ["OMP_NUM_THREADS"] == "7"
