"""The places where parts can be run: threads of this process, or processes of their own.

A further backend makes objects with the three methods of :class:`Workers`; see :data:`Backend`.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing.connection import wait as wait_for_any
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.resource_tracker import ensure_running
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from fivetowers_sim.batch.plan import Part, Plan
from fivetowers_sim.batch.threads import limit_threads, limit_threads_of_children
from fivetowers_sim.user_files import make_absolute

Result_co = TypeVar("Result_co", covariant=True)

GUARD_NEEDED: Final = (
    'each worker loads the script that starts it, which needs `if __name__ == "__main__":` before what it does'
)
"""What to do about workers that end before they begin."""

PATIENCE_SECONDS: Final = 0.7
"""How long workers that were told to stop may take: one game of a slow player can't be cut short."""


_WORKER_NAME: Final = "fivetowers-worker"
_WORKER_NAMES: Final = (_WORKER_NAME, "Dask Worker")


class StopRequested(Exception):  # noqa: N818 - asking to stop is not an error
    """Raised by a task that gave up because it was asked to stop."""


class WorkersLostError(RuntimeError):
    """A part was given up because those who had it are gone; the message says so in words."""


class StopSignal(Protocol):
    """What a task looks at to learn that it should stop."""

    def is_set(self) -> bool:
        """Say whether the task should stop."""


class Task(Protocol[Result_co]):
    """The work on one part."""

    def __call__(self, plan: Plan, part: Part, stop: StopSignal) -> Result_co:
        """Do the work and return a small result, or raise :class:`StopRequested` when told to stop."""


class Workers(Protocol):
    """A crew that runs one task on parts."""

    def submit(self, part: Part) -> Future[Any]:
        """Hand out a part."""

    def stop(self) -> None:
        """Ask every worker to stop."""

    def close(self) -> None:
        """Stop, and wait until every worker is gone, or :data:`PATIENCE_SECONDS` if some are at work on a slow game."""


class _PoolWorkers:
    """What both kinds of workers have in common: a pool of Python's, and tasks that may have to be given up.

    Attributes
    ----------
    unfinished : set of Future
        The tasks that were handed out and aren't done.
    """

    def __init__(self, pool: Executor, stop: Any) -> None:
        self.unfinished: set[Future[Any]] = set()
        self._pool = pool
        self._stop = stop
        self._told_at = 0.0

    def _note(self, future: Future[Any]) -> Future[Any]:
        self.unfinished.add(future)
        future.add_done_callback(self.unfinished.discard)
        return future

    def stop(self) -> None:
        """Ask every worker to stop."""
        self._told_at = self._told_at or time.monotonic()
        self._stop.set()

    def _stops_in_time(self) -> bool:
        """Stop, and say whether every task has given up before patience ends."""
        self.stop()
        begun = [future for future in list(self.unfinished) if not future.cancel()]
        left = self._told_at + PATIENCE_SECONDS - time.monotonic()
        return not wait(begun, max(0.0, left)).not_done


class ThreadWorkers(_PoolWorkers):
    """Threads of this process; they run side by side as far as the task releases the interpreter lock.

    A thread can't be ended from outside. One that isn't waited for any longer gives up when it next looks at the
    signal.
    """

    def __init__(self, workers: int, plan: Plan, task: Task[Any]) -> None:
        super().__init__(ThreadPoolExecutor(workers, thread_name_prefix="fivetowers-worker"), threading.Event())
        self._plan = plan
        self._task = task

    def submit(self, part: Part) -> Future[Any]:
        """Hand out a part."""
        return self._note(self._pool.submit(self._task, self._plan, part, self._stop))

    def close(self) -> None:
        """Stop, and wait until every worker is gone, or a moment if some can't stop."""
        in_time = self._stops_in_time()
        self._pool.shutdown(wait=in_time, cancel_futures=True)


class ProcessWorkers(_PoolWorkers):
    """Processes of their own, started afresh: a forked copy of a process that uses Polars can hang.

    A process that doesn't stop in time is ended.
    """

    def __init__(self, workers: int, plan: Plan, task: Task[Any]) -> None:
        end_copy_of_script()
        limit_threads_of_children()
        start_helper()
        self._context = _NotingContext()
        stop, self._begun = _SharedFlag(self._context), _SharedFlag(self._context)
        begin = (plan, task, stop, self._begun, make_absolute(Path()))
        pool = ProcessPoolExecutor(workers, mp_context=self._context, initializer=_begin_worker_process, initargs=begin)
        super().__init__(pool, stop)

    def submit(self, part: Part) -> Future[Any]:
        """Hand out a part."""
        with deaf_to_interrupts():
            return self._note(self._pool.submit(_run_in_worker_process, part))

    def explain(self, error: BaseException) -> BaseException:
        """Say in words why no worker has even begun, if that is what an error comes from."""
        if isinstance(error, BrokenExecutor) and not self._begun.is_set():
            return WorkersLostError(f"no worker process could begin; {GUARD_NEEDED}")
        return error

    def close(self) -> None:
        """Stop, and wait until every worker is gone; one that can't stop is ended after a moment."""
        if not self._stops_in_time():
            for process in self._context.started:
                # Others may be waiting for it already, who would get in the way of asking whether it lives.
                if not wait_for_any([process.sentinel], 0):
                    process.kill()
        self._pool.shutdown(wait=True, cancel_futures=True)


class _NotingContext(SpawnContext):
    """Starts processes afresh, and knows them."""

    def __init__(self) -> None:
        super().__init__()
        self.started: list[SpawnProcess] = []

    def Process(self, *args: Any, **options: Any) -> SpawnProcess:  # noqa: N802 - the name that the pool calls
        """Return a process that isn't started yet."""
        name = f"{_WORKER_NAME}-{len(self.started) + 1}"
        self.started.append(SpawnProcess(*args, **{**options, "name": name}))
        return self.started[-1]


class _SharedFlag:
    """A stop signal that processes share. It has no lock, which a process that is killed could take with it."""

    def __init__(self, context: SpawnContext) -> None:
        self._value = context.RawValue("b", 0)

    def is_set(self) -> bool:
        return bool(self._value.value)

    def set(self) -> None:
        self._value.value = 1


Backend = Callable[[int, Plan, Task[Any]], Workers]
"""What makes a crew of that many workers for a plan and a task."""

BACKENDS: Final[Mapping[str, Backend]] = {"threads": ThreadWorkers, "processes": ProcessWorkers}
"""The backends that need nothing but this machine, by name."""

_worker_process: dict[str, Any] = {}


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Let processes that are started inside the block start deaf to Ctrl-C, which reaches them too.

    A process that dies while it starts can leave its parent waiting for ever. The parent hears of a Ctrl-C
    inside the block right after it.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Python lets Ctrl-C through again when it starts this helper, which every new process needs.
    start_helper()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def start_helper() -> None:
    """Start the process in which Python frees what killed ones leave behind, and let it do so without a word."""
    before = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = ",".join(filter(None, (before, "ignore:resource_tracker")))
    try:
        ensure_running()
    finally:
        if before is None:
            del os.environ["PYTHONWARNINGS"]
        else:
            os.environ["PYTHONWARNINGS"] = before


def end_copy_of_script() -> None:
    """End a process that should become a worker and does all that the script does instead.

    Each worker process loads the script that has started it. Without a guard that asks for workers once more, which
    can't be had there. The first process tells the user.
    """
    process = multiprocessing.current_process()
    if getattr(process, "_inheriting", False) and process.name.startswith(_WORKER_NAMES):
        raise SystemExit(1)


def _begin_worker_process(plan: Plan, task: Task[Any], stop: StopSignal, begun: _SharedFlag, folder: Path) -> None:
    begun.set()
    limit_threads(1)
    # Python starts a process where its parent was first, not where that is now.
    os.chdir(folder)
    # Ctrl-C reaches the whole process group; only the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _worker_process.update(plan=plan, task=task, stop=stop)


def _end_with_parent() -> None:
    # A worker whose parent was killed would wait for work for ever.
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for_any([parent.sentinel])
        os._exit(1)


def _run_in_worker_process(part: Part) -> Any:
    return _worker_process["task"](_worker_process["plan"], part, _worker_process["stop"])
