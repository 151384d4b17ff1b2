"""What is done to parts in tests, by workers of any kind."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

from fivetowers_sim.batch.workers import StopRequested
from tests.waiting import PATIENCE_SECONDS


def count_rounds(plan, part, stop):
    """Play a part and add its rounds up."""
    return int(plan.setup.play(part.first_game, part.games, plan.detail)["games"]["rounds"].sum())


def play_until_stopped(plan, part, stop):
    """Never finish by oneself."""
    while not stop.is_set():
        time.sleep(0.01)
    raise StopRequested


@dataclass(frozen=True)
class WorkUntilStopped:
    """Never finish by oneself; whoever is at work makes this file."""

    mark: str

    def __call__(self, plan, part, stop):
        Path(self.mark).touch()
        return play_until_stopped(plan, part, stop)


@dataclass(frozen=True)
class OneThenWait:
    """Return from whichever part is begun first; the others never finish by themselves.

    Files in the folder say how far they are: ``first``, ``begun`` and ``stopped``.
    """

    folder: str

    def __call__(self, plan, part, stop):
        folder = Path(self.folder)
        try:
            (folder / "first").touch(exist_ok=False)
        except FileExistsError:
            (folder / "begun").touch()
            try:
                return play_until_stopped(plan, part, stop)
            finally:
                (folder / "stopped").touch()
        return 0


@dataclass(frozen=True)
class NameYourselfAndWork:
    """Leave a worker's number in a folder, and never finish or look at the signal."""

    folder: str

    def __call__(self, plan, part, stop):
        Path(self.folder, str(os.getpid())).touch()
        time.sleep(PATIENCE_SECONDS)
