"""Parts by backends that are registered with joblib: the same runs, what is lost, and the end."""

from __future__ import annotations

import os
import threading

import joblib
import pytest

from fivetowers_sim.batch import joblib_workers
from fivetowers_sim.batch.plan import Plan, PlanError
from fivetowers_sim.batch.run import BatchError, run_parts
from fivetowers_sim.batch.staff import Staff
from fivetowers_sim.batch.workers import WorkersLostError
from fivetowers_sim.dataset.digest import digest_run
from fivetowers_sim.dataset.verify import verify_run
from fivetowers_sim.dataset.write import write_run
from tests.batch.fake_game import FakeSetup
from tests.batch.joblib_backends import Elsewhere
from tests.batch.scripts import begin, has_ended, press_ctrl_c
from tests.batch.tasks import OneThenWait, count_rounds
from tests.waiting import wait_until

pytestmark = pytest.mark.usefixtures("registered")


@pytest.mark.parametrize("backend", ["elsewhere", "older", "loky"])
def test_a_run_has_the_digest_of_one_with_threads(backend, tmp_path):
    plan = Plan(FakeSetup(), 300, "rounds", part_games=40)
    for name in (backend, "threads"):
        write_run(plan, tmp_path / name, workers=2, backend=name)
    assert digest_run(tmp_path / backend) == digest_run(tmp_path / "threads")
    assert verify_run(tmp_path / backend) == []


def fail_without_return(plan, part, stop):
    error = ValueError("salt", "water")
    error.lock = threading.Lock()
    raise error


def test_an_error_that_cannot_travel_is_told_in_words():
    plan = Plan(FakeSetup(), games=1)
    with pytest.raises(BatchError, match=r"game 0 failed: RuntimeError: ValueError: .'salt', 'water'."):
        list(run_parts(plan, plan.parts(), fail_without_return, 2, "elsewhere"))


@pytest.mark.parametrize("backend", ["elsewhere", "older"])
def test_what_the_backend_loses_is_named_with_what_it_says(backend):
    plan = Plan(FakeSetup(deadly_game=55), games=200, part_games=10)
    Elsewhere.loses = True
    try:
        with pytest.raises(BatchError, match=rf"failed: joblib's backend '{backend}' lost them: OSError: nobody there"):
            list(run_parts(plan, plan.parts(), count_rounds, 2, backend))
    finally:
        Elsewhere.loses = False


def test_a_worker_process_that_dies_ends_the_run_and_names_its_games():
    plan = Plan(FakeSetup(deadly_game=55), games=200, part_games=10)
    with pytest.raises(BatchError, match="joblib's backend 'loky' lost them: TerminatedWorkerError"):
        list(run_parts(plan, plan.parts(), count_rounds, 2, "loky"))


def test_a_worker_with_another_program_is_refused(monkeypatch):
    plan = Plan(FakeSetup(), games=3)
    there = joblib_workers.describe_program()
    monkeypatch.setattr(joblib_workers, "describe_program", lambda: {**there, "numpy": f"1.{threading.get_ident()}"})
    with pytest.raises(BatchError, match=r"failed: the worker \S+ has numpy 1\.\d+ and this machine 1\.\d+; accepted"):
        list(run_parts(plan, plan.parts(), count_rounds, 2, "elsewhere"))


def test_closing_early_ends_the_backend(tmp_path):
    plan = Plan(FakeSetup(), games=30, part_games=10)
    receipts = run_parts(plan, plan.parts(), OneThenWait(str(tmp_path)), 2, "elsewhere")
    next(receipts)
    assert not Elsewhere.ended
    receipts.close()
    assert Elsewhere.ended


def test_a_backend_that_has_no_workers_to_give_is_named():
    class Unreachable(Elsewhere):
        def configure(self, n_jobs=1, parallel=None, **options):
            raise ConnectionError("no answer")

        effective_n_jobs = configure

    joblib.register_parallel_backend("unreachable", Unreachable)
    plan = Plan(FakeSetup(), games=3)
    told = "joblib's backend 'unreachable' can't be used: ConnectionError: no answer"
    with pytest.raises(WorkersLostError, match=told):
        list(run_parts(plan, plan.parts(), count_rounds, 2, "unreachable"))
    with pytest.raises(WorkersLostError, match=told):
        Staff(-1, "unreachable")


def test_all_workers_are_as_many_as_the_backend_has():
    assert [Staff(workers, "elsewhere").workers for workers in (-1, -2, 3)] == [5, 4, 3]


@pytest.mark.parametrize("backend", ["multiprocessing", "sequential", "nowhere"])
def test_what_forks_and_what_has_no_workers_is_as_unknown_as_what_is_not_registered(backend):
    plan = Plan(FakeSetup(), games=3)
    registered = r"registered with joblib \(elsewhere, loky, older, threading\)"
    with pytest.raises(PlanError, match=f"backend is '{backend}'; accepted are threads, processes, and .*{registered}"):
        next(run_parts(plan, plan.parts(), count_rounds, 2, backend))


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals to a child differ")
@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_ctrl_c_stops_what_would_never_end_and_leaves_no_process(backend, tmp_path):
    mark = tmp_path / "at work"
    script = (
        "print('begun', flush=True)\n"
        f"list(run_parts(plan, plan.parts(), WorkUntilStopped({str(mark)!r}), 2, {backend!r}))\n"
    )
    process = begin(script, start_new_session=True)
    wait_until(mark.exists)
    press_ctrl_c(process)
    wait_until(lambda: has_ended(process.pid))
