"""The places where parts can be run: threads of this process, or processes of their own.

A further backend makes objects with the three methods of :class:`Workers`; see :data:`Backend`.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import wait as wait_for_any
from multiprocessing.resource_tracker import ensure_running
from typing import Any, Final, Protocol, TypeVar

from fivetowers_sim.batch.plan import Part, Plan
from fivetowers_sim.batch.threads import limit_threads

Result_co = TypeVar("Result_co", covariant=True)


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
        """Stop, and wait until every worker is gone."""


class ThreadWorkers:
    """Threads of this process; they run side by side as far as the task releases the interpreter lock."""

    def __init__(self, workers: int, plan: Plan, task: Task[Any]) -> None:
        self._plan = plan
        self._task = task
        self._stop = threading.Event()
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="fivetowers-worker")

    def submit(self, part: Part) -> Future[Any]:
        """Hand out a part."""
        return self._pool.submit(self._task, self._plan, part, self._stop)

    def stop(self) -> None:
        """Ask every worker to stop."""
        self._stop.set()

    def close(self) -> None:
        """Stop, and wait until every worker is gone."""
        self._stop.set()
        self._pool.shutdown(wait=True, cancel_futures=True)


class ProcessWorkers:
    """Processes of their own, started afresh: a forked copy of a process that uses Polars can hang."""

    def __init__(self, workers: int, plan: Plan, task: Task[Any]) -> None:
        context = multiprocessing.get_context("spawn")
        self._stop = context.Event()
        self._pool = ProcessPoolExecutor(
            workers, mp_context=context, initializer=_begin_worker_process, initargs=(plan, task, self._stop)
        )

    def submit(self, part: Part) -> Future[Any]:
        """Hand out a part."""
        with deaf_to_interrupts():
            return self._pool.submit(_run_in_worker_process, part)

    def stop(self) -> None:
        """Ask every worker to stop."""
        self._stop.set()

    def close(self) -> None:
        """Stop, and wait until every worker is gone."""
        self._stop.set()
        self._pool.shutdown(wait=True, cancel_futures=True)


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
    ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker_process(plan: Plan, task: Task[Any], stop: StopSignal) -> None:
    limit_threads(1)
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
