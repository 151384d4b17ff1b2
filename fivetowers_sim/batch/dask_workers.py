"""Workers on a Dask cluster: processes of this machine, or whatever hangs on to a scheduler elsewhere.

The plan goes out once, as bytes that any worker can ask another one for; with each part go its number and a key. What
comes back is a receipt. Everything else, such as files, a worker writes by itself.
"""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import CancelledError, Future, wait
from typing import TYPE_CHECKING, Any, Final

from fivetowers_sim.batch.plan import Part, Plan
from fivetowers_sim.batch.threads import limit_threads
from fivetowers_sim.batch.work import Work, stop_work
from fivetowers_sim.batch.workers import PATIENCE_SECONDS, StopRequested, Task, WorkersLostError, try_for

if TYPE_CHECKING:
    from distributed import Client
    from distributed import Future as DaskFuture

_SECONDS_TO_ANSWER: Final = 0.5


def carry_out(work: Work, part: Part) -> Any:
    """Carry a part out in a worker.

    Parameters
    ----------
    work : Work
        What to do.
    part : Part
        To which part.

    Returns
    -------
    object
        The task's result.
    """
    from distributed import get_worker

    limit_threads(get_worker().state.nthreads)
    return work.carry_out(part)


class DaskWorkers:
    """The workers of a Dask cluster.

    A part whose worker is lost is given to another one, as often as the scheduler's ``allowed-failures`` says. Dask
    blames all parts that a worker had when it died. So those are tried once more one by one, with nothing else at
    work: only the one that kills its worker then has failed.
    """

    def __init__(self, client: Client, plan: Plan, task: Task[Any]) -> None:
        self._client = client
        packed = Work.pack(plan, task)
        self._key = packed.key
        # What follows is changed by the caller's thread and by Dask's.
        self._lock = threading.RLock()
        self._at_work: dict[Future[Any], DaskFuture] = {}
        self._suspects: deque[tuple[Part, Future[Any]]] = deque()
        self._held_back: deque[tuple[Part, Future[Any]]] = deque()
        self._on_trial: Future[Any] | None = None
        self._stopping = False
        # A result of a task, not scattered data: what is lost with a worker is then made again.
        self._work = client.submit(Work, packed.packed, packed.key, pure=False)

    def submit(self, part: Part) -> Future[Any]:
        """Hand out a part."""
        receipt: Future[Any] = Future()
        # It can't be taken back by itself: who stops, stops everything.
        receipt.set_running_or_notify_cancel()
        with self._lock:
            if self._suspects or self._on_trial:
                self._held_back.append((part, receipt))
            else:
                self._ask(part, receipt)
        return receipt

    def _ask(self, part: Part, receipt: Future[Any]) -> None:
        try:
            asked = self._client.submit(carry_out, self._work, part, pure=False)
        except Exception as error:
            self._on_trial = None
            receipt.set_exception(_explain(error))
            return
        self._at_work[receipt] = asked
        self._client.loop.add_callback(self._follow, asked, part, receipt)

    async def _follow(self, asked: DaskFuture, part: Part, receipt: Future[Any]) -> None:
        """Wait for what Dask says of a part; in Dask's thread."""
        from distributed import KilledWorker

        try:
            result, error = await self._client.gather(asked, asynchronous=True), None
        except BaseException as raised:
            result, error = None, raised
        with self._lock:
            self._at_work.pop(receipt, None)
            blamed = isinstance(error, KilledWorker) and receipt is not self._on_trial
            if receipt is self._on_trial:
                self._on_trial = None
            if blamed and not self._stopping:
                self._suspects.append((part, receipt))
            elif error is None:
                receipt.set_result(result)
            else:
                receipt.set_exception(_explain(error))
            self._go_on()

    def _go_on(self) -> None:
        """Try the next suspect when nothing else is at work, and hand out what was held back when there is none."""
        if self._suspects and not self._at_work and not self._stopping:
            part, self._on_trial = self._suspects.popleft()
            self._ask(part, self._on_trial)
        while self._held_back and not (self._suspects or self._on_trial):
            self._ask(*self._held_back.popleft())

    def stop(self) -> None:
        """Ask every worker to stop, and cancel what doesn't answer in time."""
        with self._lock:
            self._stopping = True
            for waiting in (self._suspects, self._held_back):
                while waiting:
                    waiting.popleft()[1].set_exception(StopRequested())
            left = dict(self._at_work)
        if not left:
            return
        try_for(_SECONDS_TO_ANSWER, lambda: self._client.run(stop_work, self._key, on_error="ignore"))
        if wait(left, PATIENCE_SECONDS).not_done:
            asked = [asked for receipt, asked in left.items() if not receipt.done()]
            try_for(_SECONDS_TO_ANSWER, lambda: self._client.cancel(asked, force=True))

    def close(self) -> None:
        """Stop, and wait until every worker has let go."""
        self.stop()
        self._work.release()


def _explain(error: BaseException) -> BaseException:
    """Say in words what Dask has for those who know it."""
    from distributed import KilledWorker
    from distributed.comm import CommClosedError

    if isinstance(error, KilledWorker):
        died = error.allowed_failures + 1
        return WorkersLostError(f"a worker died while it was at work on them, {died} times in a row")
    # Which of them depends on what Dask was at when the scheduler went.
    if isinstance(error, CancelledError | CommClosedError):
        return WorkersLostError("the connection to the Dask scheduler was lost")
    return error
