"""What runs parts: the protocol of workers, what they have in common, and the threads of this process.

A further backend makes objects with the three methods of :class:`Workers`; see :data:`Backend`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Any, Final, Protocol, TypeVar

from fivetowers_sim.batch.plan import Part, Plan

Result_co = TypeVar("Result_co", covariant=True)

PATIENCE_SECONDS: Final = 0.7
"""How long workers that were told to stop may take: one game of a slow player can't be cut short."""


class StopRequested(Exception):  # noqa: N818 - asking to stop is not an error
    """Raised by a task that gave up because it was asked to stop."""


class WorkersLostError(RuntimeError):
    """A part was given up because of those who had it, or should have had it; the message says in words what is up."""


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


class StoppableWorkers:
    """What workers have in common that hand out futures: telling when to stop, and waiting no longer than patience.

    Attributes
    ----------
    unfinished : set of Future
        The parts that were handed out and aren't done.
    """

    def __init__(self, tell: Callable[[], object]) -> None:
        self.unfinished: set[Future[Any]] = set()
        self._tell = tell
        self._told_at = 0.0

    def _note(self, future: Future[Any]) -> Future[Any]:
        self.unfinished.add(future)
        future.add_done_callback(self.unfinished.discard)
        return future

    def stop(self) -> None:
        """Ask every worker to stop."""
        self._told_at = self._told_at or time.monotonic()
        self._tell()

    def _stops_in_time(self) -> bool:
        """Stop, and say whether every part has been given up before patience ends."""
        self.stop()
        begun = [future for future in list(self.unfinished) if not future.cancel()]
        left = self._told_at + PATIENCE_SECONDS - time.monotonic()
        return not wait(begun, max(0.0, left)).not_done


class ThreadWorkers(StoppableWorkers):
    """Threads of this process; they run side by side as far as the task releases the interpreter lock.

    A thread can't be ended from outside. One that isn't waited for any longer gives up when it next looks at the
    signal.

    Notes
    -----
    joblib's threads can't take their place: of a single worker it makes the caller, who would look at Ctrl-C after the
    part only, and it takes nothing back that was handed out.
    """

    def __init__(self, workers: int, plan: Plan, task: Task[Any]) -> None:
        self._stop = threading.Event()
        super().__init__(self._stop.set)
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="fivetowers-worker")
        self._plan = plan
        self._task = task

    def submit(self, part: Part) -> Future[Any]:
        """Hand out a part."""
        return self._note(self._pool.submit(self._task, self._plan, part, self._stop))

    def close(self) -> None:
        """Stop, and wait until every worker is gone, or a moment if some can't stop."""
        in_time = self._stops_in_time()
        self._pool.shutdown(wait=in_time, cancel_futures=True)


Backend = Callable[[int, Plan, Task[Any]], Workers]
"""What makes a crew of that many workers for a plan and a task."""


def try_for(seconds: float, call: Callable[[], object]) -> None:
    """Call something that may fail or never come back, such as a question to somebody who is gone.

    Parameters
    ----------
    seconds : float
        How long it is waited for. It isn't stopped then.
    call : callable
        What to call.
    """

    def attempt() -> None:
        with suppress(Exception):
            call()

    trying = threading.Thread(target=attempt, daemon=True)
    trying.start()
    trying.join(seconds)
