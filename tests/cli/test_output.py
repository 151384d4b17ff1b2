"""Output that can't be written, and progress that nobody asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import PROGRAM, environment

FULL = Path("/dev/full")


@pytest.mark.slow
@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("typed", ["trace", "rules", "strategies greedy", "--help"])
def test_output_that_can_not_be_written_is_one_line(typed):
    with FULL.open("w") as full:
        done = subprocess.run(
            [*PROGRAM, *typed.split()], env=environment(), stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    # The engine may say that it is being prepared.
    assert done.stderr.splitlines()[-1] == "error: can't write the output: No space left on device"
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell that can close a stream")
@pytest.mark.parametrize("closed", ["1>&-", "2>&-"])
def test_a_closed_stream_does_no_harm(closed):
    script = f'"$@" {closed}'
    done = subprocess.run(
        ["sh", "-c", script, "sh", *PROGRAM, "rules"], env=environment(), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["summary", "verify", "digest"])
def test_no_progress_goes_into_a_pipe(command, fivetowers, finished_run):
    done = fivetowers(command, finished_run)
    assert (done.returncode, done.stderr) == (0, "")
