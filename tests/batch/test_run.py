"""Carrying parts out: everything once, back-pressure, failures and interruptions."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from fivetowers_sim.batch.plan import Plan, PlanError
from fivetowers_sim.batch.run import BatchError, run_parts
from fivetowers_sim.batch.threads import limit_threads
from fivetowers_sim.batch.workers import StopRequested
from tests.batch.fake_game import FakeSetup
from tests.batch.scripts import WorkUntilStopped, begin  # noqa: F401 - scripts take it from here
from tests.waiting import PATIENCE_SECONDS, wait_until


def count_rounds(plan, part, stop):
    """Play a part and add its rounds up."""
    return int(plan.setup.play(part.first_game, part.games, plan.detail)["games"]["rounds"].sum())


def play_until_stopped(plan, part, stop):
    """Never finish by oneself."""
    while not stop.is_set():
        time.sleep(0.01)
    raise StopRequested


@pytest.mark.parametrize(("workers", "backend"), [(1, "threads"), (3, "threads"), (2, "processes")])
def test_every_part_gives_one_receipt_whatever_the_workers(workers, backend):
    plan = Plan(FakeSetup(), games=1000, part_games=90)
    receipts = list(run_parts(plan, plan.parts(), count_rounds, workers, backend))
    assert sorted(receipt.part for receipt in receipts) == list(plan.parts())
    assert sum(receipt.result for receipt in receipts) == plan.setup.play(0, 1000, "games")["games"]["rounds"].sum()


def test_a_slow_caller_holds_the_workers_back():
    plan = Plan(FakeSetup(), games=100, part_games=1)
    taken = []

    def note_taken():
        for part in plan.parts():
            taken.append(part)
            yield part

    receipts = run_parts(plan, note_taken(), count_rounds, workers=2)
    for count in range(1, 6):
        next(receipts)
        time.sleep(0.02)
        assert len(taken) <= count + 3
    receipts.close()


def test_a_failing_part_is_named_and_the_others_in_hand_are_kept():
    plan = Plan(FakeSetup(failing_game=405, seconds_per_game=0.0002), games=100_000, part_games=100)
    kept = []
    with pytest.raises(BatchError) as caught:
        kept.extend(receipt.part.index for receipt in run_parts(plan, plan.parts(), count_rounds, workers=3))
    assert str(caught.value) == "games 400 to 499 failed: FakeGameError: game 405 can't be played"
    assert {0, 1, 2, 3} <= set(kept)
    assert 4 not in kept
    # Those that were handed out before the failure was heard of, and no more.
    assert max(kept) < 500


def test_a_worker_process_that_dies_ends_the_run_and_names_its_games():
    plan = Plan(FakeSetup(deadly_game=55), games=200, part_games=10)
    with pytest.raises(BatchError, match=r"games 50 to 59 failed: a worker process died"):
        list(run_parts(plan, plan.parts(), count_rounds, workers=1, backend="processes"))


@dataclass(frozen=True)
class NameYourselfAndWork:
    """Leave a worker's number in a folder, and never finish or look at the signal."""

    folder: str

    def __call__(self, plan, part, stop):
        Path(self.folder, str(os.getpid())).touch()
        time.sleep(PATIENCE_SECONDS)


@pytest.mark.skipif(os.name == "nt", reason="signals to a child differ")
@pytest.mark.parametrize("name", ["SIGKILL", "SIGINT"])
def test_worker_processes_end_with_the_program_however_slow_they_are(name, tmp_path):
    script = (
        "from tests.batch.test_run import *\n"
        "plan = Plan(FakeSetup(), games=30, part_games=10)\n"
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


def test_closing_early_stops_the_workers():
    plan = Plan(FakeSetup(), games=30, part_games=10)
    begun, stopped = threading.Event(), threading.Event()

    def first_then_wait(plan, part, stop):
        if part.index == 0:
            return 0
        begun.set()
        try:
            return play_until_stopped(plan, part, stop)
        finally:
            stopped.set()

    receipts = run_parts(plan, plan.parts(), first_then_wait, workers=2)
    assert next(receipts).part.index == 0
    assert begun.wait(PATIENCE_SECONDS)
    assert not stopped.is_set()
    receipts.close()
    assert stopped.wait(PATIENCE_SECONDS)


@pytest.mark.skipif(os.name == "nt", reason="signals to a child differ")
@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_ctrl_c_stops_what_would_never_end(backend, tmp_path):
    mark = tmp_path / "at work"
    script = (
        "from tests.batch.test_run import *\n"
        "if __name__ == '__main__':\n"
        "    print('begun', flush=True)\n"
        "    plan = Plan(FakeSetup(), games=30, part_games=10)\n"
        f"    list(run_parts(plan, plan.parts(), WorkUntilStopped({str(mark)!r}), 2, {backend!r}))\n"
    )
    process = begin(script)
    wait_until(mark.exists)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert errors.rstrip().endswith("KeyboardInterrupt")


@pytest.mark.skipif(os.name == "nt", reason="signals to a child differ")
@pytest.mark.parametrize("delay", [0.0, 0.2])
def test_ctrl_c_does_not_hit_worker_processes_while_they_start(delay):
    script = (
        "from tests.batch.test_run import *\n"
        "if __name__ == '__main__':\n"
        "    plan = Plan(FakeSetup(), games=30, part_games=10)\n"
        "    print('begun', flush=True)\n"
        "    list(run_parts(plan, plan.parts(), play_until_stopped, 2, 'processes'))\n"
    )
    process = begin(script, start_new_session=True)
    time.sleep(delay)
    # To all of them, as a terminal does.
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert errors.count("Traceback") == 1
    assert errors.rstrip().endswith("KeyboardInterrupt")


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
