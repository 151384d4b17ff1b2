"""How ``fivetowers simulate`` behaves as a user starts it: start-up time and peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

READING = ("summary", "digest", "verify")
"""The commands that read a whole run."""

CACHE_VARIABLE = "FIVETOWERS_CACHE_DIR"


@dataclass(frozen=True)
class Finished:
    """What one command took.

    Attributes
    ----------
    seconds : float
        From its start to its end, by the clock on the wall.
    peak_bytes : int or None
        The most memory it held at a time; None where the system doesn't say.
    messages : str
        What it wrote to standard error.
    """

    seconds: float
    peak_bytes: int | None
    messages: str


def simulate(games: int, workers: int | None = None, environment: Mapping[str, str] | None = None) -> Finished:
    """Simulate 3-player games of ``greedy`` into a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="fivetowers-benchmark-") as folder:
        return simulate_into(Path(folder), games, workers, environment)


def simulate_into(
    folder: Path, games: int, workers: int | None = None, environment: Mapping[str, str] | None = None
) -> Finished:
    """Simulate 3-player games of ``greedy`` into a folder ``run`` within this one."""
    command = ["simulate", "--games", str(games), "--players", "3", "--strategies", "greedy", "--seed", "1"]
    command += ["--out", str(folder / "run"), *(["--workers", str(workers)] if workers else [])]
    return run_command(command, folder, environment)


def run_command(arguments: list[str], folder: Path, environment: Mapping[str, str] | None = None) -> Finished:
    """Run ``fivetowers`` with these arguments; its messages go to a file in the folder."""
    command = [sys.executable, "-m", "fivetowers_sim", *arguments]
    return run(command, folder / "messages", {**os.environ, **(environment or {})})


def peaks(games: int) -> dict[str, int | None]:
    """Return the most bytes that each command holds which writes or reads a whole run of so many games."""
    with tempfile.TemporaryDirectory(prefix="fivetowers-benchmark-") as name:
        folder = Path(name)
        found = {"simulate": simulate_into(folder, games).peak_bytes}
        for command in READING:
            found[command] = run_command([command, str(folder / "run")], folder).peak_bytes
        return found


def run(command: list[str], messages: Path, environment: Mapping[str, str]) -> Finished:
    """Run a command to its end and measure it; RuntimeError if it failed."""
    with messages.open("wb") as stream:
        begun = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stream, env=environment)
        peak = None
        if hasattr(os, "wait4"):
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            # Linux counts kilobytes, macOS bytes.
            peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        process.wait()
        seconds = time.perf_counter() - begun
    text = messages.read_text(errors="replace")
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}: {text.strip()}")
    return Finished(seconds, peak, text)


def first_start() -> Finished:
    """Play one game as on a machine that has never played any: everything is compiled."""
    with tempfile.TemporaryDirectory(prefix="fivetowers-benchmark-") as cache:
        return simulate(1, environment={CACHE_VARIABLE: cache})


def warm_starts(count: int) -> list[Finished]:
    """Play one game several times, with everything compiled before."""
    simulate(1)
    return [simulate(1) for _ in range(count)]
