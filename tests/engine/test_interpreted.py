"""With Numba switched off Python runs the kernels: the same games, slower, and without a word."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fivetowers_sim.compiled import entry_point
from fivetowers_sim.interpreted import count_bits, interpret
from fivetowers_sim.rules.legal_build import count_bits as count_bits_compiled
from tests.cli.conftest import PROGRAM, environment
from tests.engine.few_games import play_few

ROOT = Path(__file__).parents[2]
SWITCHED_OFF = {"NUMBA_DISABLE_JIT": "1"}

INNER = np.dtype([("count", "u1"), ("marks", "u1", (3,))])
OUTER = np.dtype([("hash", "u8"), ("inner", INNER, (2,)), ("most", "i8"), ("share", "f8")])


@pytest.mark.slow
def test_python_plays_the_games_that_compiled_code_plays(tmp_path):
    command = [sys.executable, "-W", "error", "-m", "tests.engine.few_games"]
    done = subprocess.run(
        command, cwd=ROOT, env=environment(**SWITCHED_OFF), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == play_few(tmp_path)


@pytest.mark.slow
def test_commands_work_with_numba_switched_off(tmp_path):
    command = [*PROGRAM, "simulate", "--games", "2", "--strategies", "greedy", "--quiet", "--out", "run"]
    for how in (["--workers", "2"], ["--resume"]):
        done = subprocess.run(
            [*command, *how],
            cwd=tmp_path,
            env=environment(**SWITCHED_OFF, FIVETOWERS_CACHE_DIR=str(tmp_path / "cache")),
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
    # Nothing is compiled, so nothing is kept.
    assert not (tmp_path / "cache").exists()


def fill(table, number):
    """Do what kernels do with records: name them, write through the name, copy, hash, and count past 255."""
    first = table.inner[0]
    first.count = 200
    table.inner[1] = first
    first.count += 55
    first.marks[1:][0] = 7
    table.hash = table.hash * table.hash
    table.most = first.count + table.inner[1].count
    table.share = number / 4
    return table.inner[1].count, table.most > 300


def test_records_are_to_python_what_they_are_to_compiled_code():
    found = []
    for run in (interpret(fill), entry_point(fill)):
        rows = np.zeros(3, OUTER)
        rows["hash"] = 2**63 + 12345
        assert run(rows[1], 3) == (200, True)
        found.append(rows.tobytes())
    assert found[0] == found[1]
    assert rows[1]["most"] == 455


def bits_of(number):
    return count_bits_compiled(number)


@pytest.mark.parametrize("number", [0, 1, 0b1011, 2**62 + 1, -1, -8])
def test_bits_are_counted_as_a_machine_keeps_a_number(number):
    assert count_bits(number) == entry_point(bits_of)(number)
