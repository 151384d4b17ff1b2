"""Carry a plan's parts out with several workers, and hand back a receipt for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from fivetowers_sim.batch.plan import Part, Plan
from fivetowers_sim.batch.staff import count_workers, find_backend
from fivetowers_sim.batch.workers import PATIENCE_SECONDS, Backend, StopRequested, Task, Workers, WorkersLostError

Result = TypeVar("Result")

# Waiting without a limit can't be interrupted on Windows.
_POLL_SECONDS: Final = 0.2


@dataclass(frozen=True, slots=True)
class Receipt(Generic[Result]):
    """Word that a part is done.

    Attributes
    ----------
    part : Part
        The part.
    result : object
        What the task returned for it; small, since it may come from another process.
    """

    part: Part
    result: Result


class BatchError(RuntimeError):
    """Some parts failed; the message names their games. Every other part that was begun has been finished.

    Attributes
    ----------
    failures : tuple of (Part, Exception)
        The parts that failed, in game order, and why.
    """

    def __init__(self, failures: Iterable[tuple[Part, BaseException]]) -> None:
        self.failures = tuple(sorted(failures, key=lambda failure: failure[0]))
        super().__init__(self.failures)

    def __str__(self) -> str:
        """Return one line that names the first games that failed, and the reason."""
        part, error = self.failures[0]
        left = len(self.failures) - 1
        others = f"; {left} other part{'s' if left > 1 else ''} failed too" if left else ""
        return f"{part.game_range} failed: {_reason(error)}{others}"


def run_parts(
    plan: Plan,
    parts: Iterable[Part],
    task: Task[Result],
    workers: int = 1,
    backend: str | Backend = "threads",
    interrupted: Callable[[], bool] = lambda: False,
) -> Iterator[Receipt[Result]]:
    """Run a task on each part and yield receipts as parts get done, in whatever order that is.

    At most ``workers + 1`` parts are handed out at a time, and none while the caller is busy with a receipt,
    so a slow caller slows the workers down instead of filling memory. If the caller stops early, it should close
    the iterator; workers then stop after the block of games they are playing. Nobody waits for one that takes longer
    than :data:`~fivetowers_sim.batch.workers.PATIENCE_SECONDS` over that; what it returns is lost.

    Parameters
    ----------
    plan : Plan
        The plan, or whatever else the parts are parts of; every task gets it.
    parts : iterable of Part
        The parts to run, taken from the iterable as workers become free.
    task : callable
        ``task(plan, part, stop)``. It must look at ``stop.is_set()`` several times a second and then give up by
        raising :class:`~fivetowers_sim.batch.workers.StopRequested`. Unless with threads, it must be picklable.
    workers : int
        How many parts to run at the same time, from 1, or -1 for as many as there are cores; see
        :func:`~fivetowers_sim.batch.staff.count_workers`.
    backend : str or Backend
        ``threads``, ``processes``, the name of a backend that is registered with joblib, or what makes workers, such as
        :meth:`~fivetowers_sim.batch.dask_cluster.DaskCluster.hire`.
    interrupted : callable, optional
        Asked several times a second whether the user wants to stop, by a caller that holds Ctrl-C back.

    Yields
    ------
    Receipt
        One for each part that was done.

    Raises
    ------
    PlanError
        If ``workers`` or ``backend`` is not accepted.
    WorkersLostError
        If a backend that is registered with joblib has no workers to give.
    BatchError
        If parts failed, after the receipts of all others that had been handed out. No more were begun.
    KeyboardInterrupt
        If the user interrupted, after the receipts of the parts that were done by then.
    """
    workers = count_workers(workers, backend)
    crew = find_backend(backend)(workers, plan, task)
    waiting = iter(parts)
    handed_out: dict[Future[Result], Part] = {}
    failures: list[tuple[Part, BaseException]] = []
    try:
        while True:
            if interrupted():
                raise KeyboardInterrupt
            if not failures:
                _hand_out(crew, waiting, handed_out, failures, workers + 1)
            if not handed_out:
                break
            done, _ = wait(handed_out, timeout=_POLL_SECONDS, return_when=FIRST_COMPLETED)
            yield from _collect(done, handed_out, failures)
        if failures:
            raise BatchError(failures)
    except KeyboardInterrupt:
        crew.stop()
        begun = [future for future in handed_out if not future.cancel()]
        yield from _collect(wait(begun, PATIENCE_SECONDS).done, handed_out, failures)
        raise
    finally:
        crew.close()


def _hand_out(
    crew: Workers,
    waiting: Iterator[Part],
    handed_out: dict[Future[Any], Part],
    failures: list[tuple[Part, BaseException]],
    most: int,
) -> None:
    while len(handed_out) < most and (part := next(waiting, None)) is not None:
        try:
            handed_out[crew.submit(part)] = part
        except BrokenExecutor as error:
            failures.append((part, error))
            return


def _collect(
    done: Iterable[Future[Result]],
    handed_out: dict[Future[Result], Part],
    failures: list[tuple[Part, BaseException]],
) -> Iterator[Receipt[Result]]:
    for future in sorted(done, key=handed_out.__getitem__):
        part = handed_out.pop(future)
        error = future.exception()
        if error is None:
            yield Receipt(part, future.result())
        elif not isinstance(error, StopRequested):
            failures.append((part, error))


def _reason(error: BaseException) -> str:
    text = " ".join(str(error).split())
    if isinstance(error, BrokenExecutor):
        return "a worker process died while it was at work on them or on others"
    if isinstance(error, WorkersLostError):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
