"""Ctrl-C while a game or the compiler takes long: the command ends soon all the same, and nothing is left behind."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fivetowers_sim.batch import workers
from fivetowers_sim.cli import interrupt
from tests.cli.conftest import PROGRAM, environment
from tests.waiting import PATIENCE_SECONDS, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="Ctrl-C can't be sent to some processes alone"),
]

PROMISED_SECONDS = 2
SLOW = """
import time
from pathlib import Path


class Slow:
    def speak(self, view):
        Path("thinking").touch()
        while True:
            time.sleep(1)
"""
RUN = "simulate --games 20 --part-games 5 --strategies slow.py:Slow --out kept"


@pytest.fixture
def folder(tmp_path):
    """A folder with a strategy that thinks for ever, to stand in."""
    (tmp_path / "slow.py").write_text(SLOW, "utf-8")
    return tmp_path


@contextmanager
def begun(typed: str, folder: Path, **changes: str) -> Iterator[subprocess.Popen[str]]:
    """Start a command in a process group of its own, as a terminal does, and see to it that nothing of it is left."""
    process = subprocess.Popen(
        [*PROGRAM, *typed.split()],
        cwd=folder,
        env=environment(**changes),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def wait_for(file: Path, process: subprocess.Popen[str]) -> None:
    wait_until(lambda: file.exists() or process.poll() is not None)
    assert file.exists(), process.stderr.read()


def press_ctrl_c(process: subprocess.Popen[str]) -> list[str]:
    """Send it to all of them, and return the lines on standard error."""
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 130
    assert "Traceback" not in errors
    return errors.splitlines()


def check_left(folder: Path, said: list[str], typed: str) -> None:
    """Check what is left of a command that had finished nothing."""
    assert said[-2].startswith("interrupted: 0 ")
    assert shlex.split(said[-1]) == [sys.executable, "-m", "fivetowers_sim", *typed.split(), "--resume"]
    assert {path.name for path in (folder / "kept").rglob("*") if path.is_file()} == {"manifest.json"}


def test_what_is_waited_for_leaves_time_to_end_when_it_is_promised():
    # How long that is on a busy machine says nothing; that no more than this is waited for does.
    assert workers.PATIENCE_SECONDS < interrupt._PATIENCE_SECONDS < PROMISED_SECONDS


@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_a_run_ends_soon_while_a_player_thinks_for_ever(backend, folder, fivetowers):
    typed = f"{RUN} --workers 2 --backend {backend}"
    with begun(typed, folder) as process:
        wait_for(folder / "thinking", process)
        if backend == "threads":
            second = fivetowers(*typed.split(), "--resume", cwd=folder)
            told = "error: kept is being written by another process; wait for it or stop it\n"
            assert (second.returncode, second.stdout, second.stderr) == (1, "", told)
        said = press_ctrl_c(process)
    check_left(folder, said, typed)
    assert "unfinished" in fivetowers("verify", "kept", cwd=folder).stderr


def test_an_experiment_ends_soon_while_a_player_thinks_for_ever(folder, fivetowers):
    typed = "game-shape --players 2 --strategies slow.py:Slow --games 20 --out kept"
    with begun(typed, folder) as process:
        wait_for(folder / "thinking", process)
        second = fivetowers(*typed.split(), "--resume", cwd=folder)
        assert (second.returncode, second.stderr.count("\n")) == (1, 1)
        assert "kept is being written by another process" in second.stderr
        said = press_ctrl_c(process)
    check_left(folder, said, typed)
    assert "unfinished" in fivetowers("verify", "kept", cwd=folder).stderr


def test_a_run_ends_soon_while_kernels_are_compiled(tmp_path):
    typed = "simulate --games 20 --out kept"
    with begun(typed, tmp_path, FIVETOWERS_CACHE_DIR=str(tmp_path / "cache")) as process:
        assert "compiled" in process.stderr.readline()
        said = press_ctrl_c(process)
    check_left(tmp_path, said, typed)
    # It wasn't waited for.
    assert not list((tmp_path / "cache").rglob("*.nbc"))
