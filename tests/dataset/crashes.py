"""Processes that write a run or an experiment and are killed meanwhile: at a file operation, or after some time.

Starting Python takes longer than a small run. So one process forks the others, which is safe because it never loads
Polars: run as a program, it reads a JSON object a line that says what to write and when to die, and answers each with
how that ended.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fivetowers_sim.batch.plan import Plan
from fivetowers_sim.bench.arms import ArmsPlan, Crew, play_arms
from fivetowers_sim.bench.folder import Asked, begin_experiment
from fivetowers_sim.dataset.write import write_run
from tests.batch.fake_game import FakeSetup
from tests.waiting import PATIENCE_SECONDS

GAMES = 120
PART_GAMES = 20
LOOKS = (40, 120)
ASKED = Asked("crashes", {"format": "crashes/1", "seed": 1})
# What an audit hook is told about the files of a folder; see Python's table of audit events.
_OPERATIONS = {"open", "os.rename", "os.remove", "os.mkdir"}


def plan_of(seconds_per_game: float = 0.0) -> Plan:
    """Six parts of two tables."""
    return Plan(FakeSetup(seconds_per_game=seconds_per_game), GAMES, "games", PART_GAMES)


@dataclass(frozen=True)
class Rounds:
    """What the experiment measures: the rounds of two setups."""

    columns: int = 2
    detail: str = "games"

    def add(self, arm, tables, into):
        into[:, arm] += tables["games"]["rounds"]


def write_games(folder: Path, seconds_per_game: float) -> None:
    """Write the run, or go on with it."""
    write_run(plan_of(seconds_per_game), folder, workers=2, resume=True)


def find_out(folder: Path, seconds_per_game: float) -> None:
    """Play the experiment, or go on with it."""
    arms = tuple(FakeSetup(seed=seed, seconds_per_game=seconds_per_game) for seed in (1, 2))
    with begin_experiment(folder, ASKED, resume=True) as opened:
        kept = opened.open_sums(2, ())
        # Otherwise the file is only written every few seconds, and hardly ever met.
        kept._written_at = -np.inf
        play_arms(ArmsPlan(arms, Rounds(), LOOKS), kept, lambda moments: False, Crew(2))
        opened.complete({"sums": kept.moments.sums.tolist(), "games": kept.moments.games}, {"table.bin": b"rows"})


WORK: dict[str, Callable[[Path, float], None]] = {"run": write_games, "experiment": find_out}


def die_at_operation(folder: Path, number: int) -> None:
    """Have this process killed just before a file operation in the folder, the first being number 1."""
    left = number

    def count(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        if event in _OPERATIONS and str(arguments[0]).startswith(str(folder)):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)


def serve() -> None:
    """Carry out what standard input says."""
    for line in sys.stdin:
        order = json.loads(line)
        child = os.fork()
        if child == 0:
            _work(order)
        if order["seconds"] is not None:
            time.sleep(order["seconds"])
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _work(order: dict) -> None:
    folder = Path(order["folder"])
    if order["operation"] is not None:
        die_at_operation(folder, order["operation"])
    code = 1
    try:
        WORK[order["work"]](folder, order["seconds_per_game"])
        code = 0
    finally:
        os._exit(code)


class Server:
    """The process that forks the others, seen from a test."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def write(
        self,
        work: str,
        folder: Path,
        operation: int | None = None,
        seconds: float | None = None,
        seconds_per_game: float = 0.0,
    ) -> int:
        """Have something written or gone on with, by a process that dies at an operation or after some seconds.

        Returns
        -------
        int
            Its exit code; less than 0 if it was killed.
        """
        order = {"work": work, "folder": str(folder), "operation": operation, "seconds": seconds}
        self._process.stdin.write(json.dumps({**order, "seconds_per_game": seconds_per_game}) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


@contextmanager
def start_server() -> Iterator[Server]:
    """Start the process, and end it at the end of the block."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.dataset.crashes"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield Server(process)
    finally:
        process.stdin.close()
        process.wait(PATIENCE_SECONDS)
        process.stdout.close()


if __name__ == "__main__":
    serve()
