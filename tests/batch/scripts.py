"""Scripts in processes of their own, to press Ctrl-C in."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from tests.waiting import PATIENCE_SECONDS

START = """
from fivetowers_sim.batch.plan import Plan
from fivetowers_sim.batch.run import run_parts
from tests.batch.fake_game import FakeSetup
from tests.batch.tasks import *
plan = Plan(FakeSetup(), games=30, part_games=10)
"""


def begin(script: str, **options: object) -> subprocess.Popen[str]:
    """Start a script that has a plan and tasks already, and wait for the first line that it prints."""
    process = subprocess.Popen(
        [sys.executable, "-c", START + script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )
    process.stdout.readline()
    return process


def press_ctrl_c(process: subprocess.Popen[str]) -> None:
    """Send it to all of a script's group, as a terminal does, and see it end as Python ends then."""
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert errors.count("Traceback") == 1
    assert errors.rstrip().endswith("KeyboardInterrupt")


def has_ended(group: int) -> bool:
    """Say whether no process is left of a group."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False
