"""Scripts that have processes play: joblib's need no guard; for Dask's the error says that it is missing."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.cli.conftest import environment

pytestmark = pytest.mark.slow

PLAN = """
from fivetowers_sim.batch.dask_cluster import start_cluster
from fivetowers_sim.batch.plan import Plan
from fivetowers_sim.batch.run import run_parts
from fivetowers_sim.batch.staff import Staff
from fivetowers_sim.dataset.write import write_run
from tests.batch.fake_game import FakeSetup
from tests.batch.tasks import count_rounds

plan = Plan(FakeSetup(), games=40, part_games=10)

def count_games(plan, part, stop):
    return part.games
"""

WAYS = {
    "a run": 'write_run(plan, "run", 2, "processes")',
    "parts": 'list(run_parts(plan, plan.parts(), count_rounds, 2, "processes"))',
    "a task of its own": 'list(run_parts(plan, plan.parts(), count_games, 2, "processes"))',
    "an experiment": 'Staff(2, "processes"); list(run_parts(plan, plan.parts(), count_rounds, 2, "processes"))',
    "a backend of joblib's": 'list(run_parts(plan, plan.parts(), count_games, 2, "loky"))',
}
CLUSTER = "start_cluster(1).close()"


def run_script(folder, code, piped=False):
    (folder / "script.py").write_text(f"{PLAN}\n{code}\n", "utf-8")
    how = {"cwd": folder, "env": environment(), "capture_output": True, "text": True, "check": False}
    if piped:
        return subprocess.run([sys.executable], input=(folder / "script.py").read_text("utf-8"), **how)
    return subprocess.run([sys.executable, "script.py"], **how)


@pytest.mark.parametrize("way", WAYS)
def test_a_script_without_a_guard_plays_once(way, tmp_path):
    done = run_script(tmp_path, f'{WAYS[way]}\nprint("played")')
    assert (done.stderr, done.stdout) == ("", "played\n")


def test_a_script_that_comes_by_a_pipe_plays(tmp_path):
    done = run_script(tmp_path, f'{WAYS["a run"]}\nprint("played")', piped=True)
    assert (done.stderr, done.stdout) == ("", "played\n")


def test_a_script_with_a_guard_plays_on_a_cluster(tmp_path):
    done = run_script(tmp_path, f'if __name__ == "__main__":\n    {CLUSTER}\n    print("played")')
    assert (done.stderr, done.stdout) == ("", "played\n")


def test_a_script_without_the_guard_that_a_cluster_needs_is_told_about_it_once(tmp_path):
    done = run_script(tmp_path, f'{CLUSTER}\nprint("played")')
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert 'needs `if __name__ == "__main__":`' in last
    assert done.stderr.count(last) == 1
    # The workers, which do what the script does, say nothing.
    assert "_inheriting" not in done.stderr
    assert "spawn_main" not in done.stderr
    assert done.stdout == ""


LEAVE = """
import multiprocessing, os
from joblib.externals.loky.backend import get_context
from fivetowers_sim.batch.starting import start_helpers
start_helpers()
locks = [multiprocessing.get_context("spawn").Lock(), get_context("loky").Lock()]
os._exit(0)
"""


@pytest.mark.skipif(os.name == "nt", reason="processes share other things there")
def test_what_is_left_behind_by_a_program_that_ends_at_once_is_freed_without_a_word():
    done = subprocess.run([sys.executable, "-c", LEAVE], env=environment(), capture_output=True, text=True, check=True)
    assert done.stderr == ""
