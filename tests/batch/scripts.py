"""Scripts in processes of their own, to press Ctrl-C in."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from fivetowers_sim.batch.workers import StopRequested


@dataclass(frozen=True)
class WorkUntilStopped:
    """Never finish by oneself; whoever is at work makes this file."""

    mark: str

    def __call__(self, plan, part, stop):
        Path(self.mark).touch()
        while not stop.is_set():
            time.sleep(0.01)
        raise StopRequested


def begin(script: str, **options: object) -> subprocess.Popen[str]:
    """Start a script and wait for the first line that it prints."""
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )
    process.stdout.readline()
    return process
