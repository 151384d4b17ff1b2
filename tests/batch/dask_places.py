"""Dask schedulers and workers started from outside, as a cluster's are, and tasks to try them with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.waiting import PATIENCE_SECONDS, wait_until


@dataclass
class Place:
    """A scheduler and its workers, each a process."""

    address: str
    scheduler: subprocess.Popen
    workers: list[subprocess.Popen]


@contextmanager
def running_cluster(
    folder: Path, workers: int = 1, worker_code: str = "", env: Mapping[str, str] = os.environ
) -> Iterator[Place]:
    """Start a scheduler and workers; ``worker_code`` is run in each worker before anything else."""
    file = folder / "scheduler.json"
    quiet = {
        **env,
        "DASK_LOGGING__DISTRIBUTED": "critical",
        "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",
    }
    begun: list[subprocess.Popen] = []

    def start(code: str, *arguments: str) -> subprocess.Popen:
        command = [sys.executable, "-c", f"{code}\nmain()", "--scheduler-file", str(file), *arguments]
        with (folder / f"process-{len(begun)}.log").open("wb") as log:
            begun.append(subprocess.Popen(command, env=quiet, cwd=folder, stdout=log, stderr=log))
        return begun[-1]

    try:
        scheduler = start(
            "from distributed.cli.dask_scheduler import main", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"
        )
        code = f"{worker_code}\nfrom distributed.cli.dask_worker import main"
        for _ in range(workers):
            start(code, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
        yield Place(_wait_for_address(file), scheduler, begun[1:])
    finally:
        for process in reversed(begun):
            process.kill()
        for process in begun:
            process.wait(PATIENCE_SECONDS)


def _wait_for_address(file: Path) -> str:
    wait_until(lambda: file.exists() and file.read_text())
    return json.loads(file.read_text())["address"]


@dataclass(frozen=True)
class DieOnce:
    """Counts games; the worker that is first given this part is killed by it."""

    folder: str
    part: int

    def __call__(self, plan, part, stop):
        mark = Path(self.folder, "died")
        if part.index == self.part and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
        return part.games


def count_slowly(plan, part, stop):
    """Take a moment."""
    time.sleep(0.05)
    return part.games
