"""Workers that are processes of this machine: loky's, which joblib brings."""

from __future__ import annotations

import os
import signal
import threading
import warnings
from concurrent.futures import Future
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Final

from fivetowers_sim.batch.interrupt import hold_interrupts
from fivetowers_sim.batch.plan import Part, Plan
from fivetowers_sim.batch.starting import deaf_to_interrupts
from fivetowers_sim.batch.threads import one_thread_each
from fivetowers_sim.batch.work import Work, stop_work
from fivetowers_sim.batch.workers import StoppableWorkers, Task, try_for
from fivetowers_sim.user_files import make_absolute

_SECONDS_TO_KILL: Final = 0.4

_works: list[Work] = []


class ProcessWorkers(StoppableWorkers):
    """Processes of their own, started afresh: a forked copy of a process that uses Polars can hang.

    A process that doesn't stop in time is ended, and all end with the one that started them.

    Notes
    -----
    It is loky's executor, not ``joblib.Parallel``: that hands receipts out without waiting for whoever takes them, and
    gives all parts up when one fails.
    """

    def __init__(self, workers: int, plan: Plan, task: Task[Any]) -> None:
        # A library that is interrupted while it loads may say anything.
        with hold_interrupts():
            from joblib.externals.loky import ProcessPoolExecutor

        # Whoever reads learns that the other end was closed, by this process or by its death. Nothing is locked that a
        # killed process could take with it.
        self._stop_heard, stop = Pipe(duplex=False)
        self._end_heard, self._end = Pipe(duplex=False)
        super().__init__(stop.close)
        # loky says so where there is no `pgrep` to find what workers have started, which is nothing; and when it
        # replaces one that holds far more memory than after its first part.
        warnings.filterwarnings("ignore", "Failed to kill subprocesses|A worker stopped while some jobs")
        begin = (Work.pack(plan, task), self._stop_heard, self._end_heard, make_absolute(Path()))
        self._pool = ProcessPoolExecutor(
            workers, initializer=_begin_worker_process, initargs=begin, env=one_thread_each()
        )

    def submit(self, part: Part) -> Future[Any]:
        """Hand out a part."""
        with deaf_to_interrupts():
            return self._note(self._pool.submit(_run_in_worker_process, part))

    def close(self) -> None:
        """Stop, and wait until every worker is gone; one that can't stop is ended after a moment."""
        if self._stops_in_time():
            self._pool.shutdown()
            self._end.close()
        else:
            # All at once by themselves; loky ends one after the other, which takes long if they are many.
            self._end.close()
            try_for(_SECONDS_TO_KILL, lambda: self._pool.shutdown(kill_workers=True))
        self._stop_heard.close()
        self._end_heard.close()


def _begin_worker_process(work: Work, stop_heard: Connection, end_heard: Connection, folder: Path) -> None:
    # A process starts in its parent's folder of the moment, where a user's own strategy may just have gone.
    os.chdir(folder)
    # Ctrl-C reaches the whole process group; only the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_listen, args=(work.key, stop_heard, end_heard), daemon=True).start()
    _works.append(work)


def _listen(key: str, stop_heard: Connection, end_heard: Connection) -> None:
    wait([stop_heard, end_heard])
    stop_work(key)
    # A worker whose parent was killed would wait for work for ever.
    wait([end_heard])
    os._exit(1)


def _run_in_worker_process(part: Part) -> Any:
    return _works[0].carry_out(part)
