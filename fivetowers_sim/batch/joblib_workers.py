"""Workers of any backend that is registered with joblib: Ray's, Spark's, or one of the user's own.

What such workers are and where, only the backend knows. It gets parts one by one, as calls without arguments, and can't
tell its workers to stop.
"""

from __future__ import annotations

import pickle
import socket
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from fivetowers_sim.batch.plan import Part, Plan
from fivetowers_sim.batch.starting import deaf_to_interrupts
from fivetowers_sim.batch.threads import limit_threads
from fivetowers_sim.batch.versions import compare_programs, describe_program
from fivetowers_sim.batch.work import Work, stop_work
from fivetowers_sim.batch.workers import StoppableWorkers, Task, ThreadWorkers, WorkersLostError, try_for

if TYPE_CHECKING:
    from joblib.parallel import ParallelBackendBase

# The first forks, which a process that uses Polars must not; the other has nobody to give parts to.
_UNFIT: Final = ("multiprocessing", "sequential")
_SECONDS_TO_END: Final = 0.4


def registered_backends() -> list[str]:
    """Return the names of the backends that are registered with joblib and can be used here."""
    from joblib.parallel import BACKENDS

    return sorted(set(BACKENDS) - set(_UNFIT))


def count_registered(backend: str, workers: int) -> int:
    """Return how many workers a registered backend makes of a number such as -1.

    Parameters
    ----------
    backend : str
        Its name.
    workers : int
        As ``n_jobs`` is for joblib.

    Returns
    -------
    int
        At least 1.

    Raises
    ------
    WorkersLostError
        If the backend can't say, because its workers can't be reached.
    """
    from joblib.parallel import FallbackToBackend

    try:
        with deaf_to_interrupts():
            begun, count = _begin(backend, workers)
            begun.terminate()
    except FallbackToBackend:
        return 1
    except Exception as error:
        raise _unusable(backend, error) from error
    return max(1, count)


def _begin(name: str, workers: int) -> tuple[ParallelBackendBase, int]:
    """Start a backend as joblib does, which only then knows for certain how many workers it has."""
    from joblib import Parallel, parallel_config
    from joblib.parallel import get_active_backend

    with parallel_config(name):
        backend, _ = get_active_backend()
    return backend, backend.configure(n_jobs=workers, parallel=Parallel(n_jobs=workers, backend=backend))


def _unusable(backend: str, error: Exception) -> WorkersLostError:
    return WorkersLostError(f"joblib's backend {backend!r} can't be used: {_describe(error)}")


def hire_registered(backend: str, workers: int, plan: Plan, task: Task[Any]) -> JoblibWorkers | ThreadWorkers:
    """Make workers of a registered backend; with its name given, a :data:`~fivetowers_sim.batch.workers.Backend`.

    Parameters
    ----------
    backend : str
        The backend's name.
    workers : int
        How many parts are carried out at the same time.
    plan : Plan
        The plan.
    task : Task
        What is done to each part.

    Returns
    -------
    JoblibWorkers or ThreadWorkers
        The workers; a thread of this process if there is one worker and the backend says, as many do, that for a single
        one it isn't needed.

    Raises
    ------
    WorkersLostError
        If the backend's workers can't be had.
    """
    from joblib.parallel import FallbackToBackend

    try:
        return JoblibWorkers(backend, workers, plan, task)
    except FallbackToBackend:
        return ThreadWorkers(workers, plan, task)
    except Exception as error:
        raise _unusable(backend, error) from error


class JoblibWorkers(StoppableWorkers):
    """The workers of a backend that is registered with joblib.

    The backend is used without ``joblib.Parallel``, which gives all parts up when one fails, and hands results on one
    by one neither without filling memory nor, with many backends, at all.

    Parts at work when the workers should stop are given up: those in this process stop, others are the backend's to
    cancel, or run to their end unheard.
    """

    def __init__(self, name: str, workers: int, plan: Plan, task: Task[Any]) -> None:
        from joblib.parallel import ParallelBackendBase

        self._name = name
        self._work = Work.pack(plan, task)
        self._program = describe_program()
        super().__init__(partial(stop_work, self._work.key))
        with deaf_to_interrupts():
            self._backend, _ = _begin(name, workers)
            self._backend.start_call()
        older = type(self._backend).submit is ParallelBackendBase.submit
        self._hand_over = self._backend.apply_async if older else self._backend.submit

    def submit(self, part: Part) -> Future[Any]:
        """Hand out a part."""
        from joblib.parallel import BatchedCalls

        receipt: Future[Any] = self._note(Future())
        # It can't be taken back by itself.
        receipt.set_running_or_notify_cancel()
        # What joblib gives its backends.
        items = [(_carry_out, (self._work, self._program, part), {})]
        call = BatchedCalls(items, self._backend.get_nested_backend())
        try:
            with deaf_to_interrupts():
                if self._backend.supports_retrieve_callback:
                    retrieve = self._backend.retrieve_result_callback
                    self._hand_over(call, callback=partial(self._settle, receipt, retrieve))
                else:
                    job = self._hand_over(call, callback=_hear_nothing)
                    settle = partial(self._settle, receipt, self._backend.retrieve_result, job)
                    threading.Thread(target=settle, daemon=True).start()
        except Exception as error:
            receipt.set_exception(self._lost(error))
        return receipt

    def _settle(self, receipt: Future[Any], retrieve: Callable[[Any], Any], out: Any) -> None:
        try:
            ((result, error),) = retrieve(out)
        except BaseException as raised:
            result, error = None, self._lost(raised)
        if error is None:
            receipt.set_result(result)
        else:
            receipt.set_exception(error)

    def _lost(self, error: BaseException) -> WorkersLostError:
        lost = WorkersLostError(f"joblib's backend {self._name!r} lost them: {_describe(error)}")
        lost.__cause__ = error
        return lost

    def close(self) -> None:
        """Stop, wait a moment for what is at work, and let the backend abort the rest."""
        in_time = self._stops_in_time()
        try_for(_SECONDS_TO_END, partial(self._end, in_time))

    def _end(self, in_time: bool) -> None:
        if not in_time:
            self._backend.abort_everything(ensure_ready=False)
        self._backend.stop_call()
        self._backend.terminate()


def _hear_nothing(*_: object) -> None:
    """Take word that a part is done, where somebody waits for that anyway."""


def _carry_out(work: Work, program: Mapping[str, str], part: Part) -> tuple[Any, BaseException | None]:
    """Carry a part out in a worker, and return the result, or the error, which backends would change or try again."""
    limit_threads(1)
    if different := compare_programs(describe_program(), program):
        return None, WorkersLostError(f"the worker {socket.gethostname()} {different}")
    try:
        return work.carry_out(part), None
    except Exception as error:
        return None, _fit_to_travel(error)


def _fit_to_travel(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(_describe(error))
    return error


def _describe(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}".rstrip(": ")
