"""Run the command as a user does."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import fivetowers_sim
from fivetowers_sim.cli.main import run
from tests.waiting import PATIENCE_SECONDS

Command = Callable[..., subprocess.CompletedProcess[str]]

PROGRAM = (sys.executable, "-m", "fivetowers_sim")
MIXED = "greedy,random,greedy:misjudge=0.1"


def environment(**changes: str) -> dict[str, str]:
    """Return an environment in which the command is found, and writes neither colours nor to a terminal's width."""
    dropped = {"NO_COLOR", "FORCE_COLOR", "COLUMNS"}
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    root = str(Path(fivetowers_sim.__file__).parents[1])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**kept, "PYTHONPATH": os.pathsep.join(paths), "PYTHONIOENCODING": "utf-8", **changes}


def typed(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Run a command in this process, to save a start; returns its exit code, output and errors."""
    code = run([*map(str, arguments)])
    return code, *capsys.readouterr()


def refusal(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Return the one line with which a command refuses what is typed, after a look at its exit code."""
    code, output, errors = typed(capsys, *arguments)
    assert (code, output, errors.count("\n")) == (2, "", 1)
    return errors


@pytest.fixture(scope="session")
def fivetowers() -> Command:
    """The command, as a function of its arguments."""

    def call(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
        command = [*PROGRAM, *map(str, arguments)]
        settings = {"env": environment(), "timeout": PATIENCE_SECONDS, "encoding": "utf-8", **options}
        return subprocess.run(command, capture_output=True, check=False, **settings)

    return call


@pytest.fixture(scope="session")
def finished_run(fivetowers: Command, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of 330 games in four parts with every table. Not to be changed."""
    folder = tmp_path_factory.mktemp("runs") / "mixed"
    done = fivetowers(
        *f"simulate --games 330 --part-games 100 --strategies {MIXED} --detail bids --workers 1 --out".split(), folder
    )
    assert done.returncode == 0, done.stderr
    return folder
