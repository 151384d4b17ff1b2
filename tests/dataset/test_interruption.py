"""Runs that are stopped, in every way: nothing finished is lost, and the rest can be played later."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import polars  # noqa: F401 - loaded before the clock of the tests below starts
import pytest

from fivetowers_sim.dataset.digest import digest_run
from fivetowers_sim.dataset.verify import verify_run
from fivetowers_sim.dataset.write import write_run
from tests.dataset.test_store import files_in
from tests.waiting import PATIENCE_SECONDS, wait_until


def test_an_interruption_leaves_a_run_that_can_be_resumed(tmp_path, plan, run_folder):
    folder = tmp_path / "interrupted"

    def interrupt(progress):
        if progress.games_done == 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_run(plan, folder, progress=interrupt)
    left = files_in(folder)
    assert "manifest.json" in left
    assert not [name for name in left if name.endswith((".tmp", ".lock", ".jsonl"))]
    assert write_run(plan, folder, resume=True).games_kept == 100
    assert digest_run(folder) == digest_run(run_folder)


@pytest.mark.skipif(os.name == "nt", reason="a process can't send itself Ctrl-C")
def test_no_part_that_was_finished_when_the_user_interrupted_is_lost(tmp_path, plan, run_folder):
    folder = tmp_path / "interrupted"
    seen = []

    def interrupt(progress):
        if progress.games_done == 100:
            os.kill(os.getpid(), signal.SIGINT)
            # Meanwhile another part gets done.
            wait_until(lambda: len(list(folder.glob("seats/*.parquet"))) >= 2)
        seen.append(progress.games_done)

    with pytest.raises(KeyboardInterrupt):
        write_run(plan, folder, workers=1, progress=interrupt)
    assert seen[-1] >= 200
    assert {problem.kind for problem in verify_run(folder)} <= {"unfinished"}
    assert write_run(plan, folder, resume=True).games_kept == seen[-1]
    assert digest_run(folder) == digest_run(run_folder)


SLOW_RUN = """
import sys
from tests.dataset.test_interruption import *
if __name__ == "__main__":
    plan = Plan(FakeSetup(seconds_per_game=0.0008), 300, "rounds", part_games=15)
    print("begun", flush=True)
    write_run(plan, sys.argv[1], workers=2, backend=sys.argv[2], resume=True)
"""


def stop_slow_run(folder, backend, name, seconds):
    """Begin or resume a run in a process of its own and send it a signal after a while."""
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW_RUN, folder, backend], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    process.stdout.readline()
    time.sleep(seconds)
    process.send_signal(getattr(signal, name))
    process.communicate(timeout=PATIENCE_SECONDS)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals to a child differ")
@pytest.mark.parametrize(
    ("backend", "name", "delays"),
    [
        ("threads", "SIGKILL", (0.05, 0.12)),
        ("threads", "SIGINT", (0.05, 0.12)),
        ("processes", "SIGKILL", (1.0,)),
    ],
)
def test_a_run_stopped_at_any_instant_can_be_resumed_to_the_same_digest(
    tmp_path, run_folder, plan, backend, name, delays
):
    folder = tmp_path / "stopped"
    for delay in delays:
        stop_slow_run(folder, backend, name, delay)
        if name == "SIGINT":
            assert not [file for file in files_in(folder) if file.endswith((".tmp", ".lock", ".jsonl"))]
    write_run(plan, folder, resume=True)
    assert digest_run(folder) == digest_run(run_folder)
    assert verify_run(folder) == []
