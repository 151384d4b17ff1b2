"""Commands with workers of backends that are registered with joblib, and as many workers as there are cores."""

from __future__ import annotations

import os

import pytest

from tests.cli.conftest import environment

GAMES = "simulate --games 330 --part-games 100 --strategies greedy,random,greedy:misjudge=0.1 --detail bids --out run"
OWN = "tests.batch.joblib_backends:register_elsewhere"
MODULE = """
import joblib
from tests.batch.joblib_backends import Elsewhere


def register():
    joblib.register_parallel_backend("mine", Elsewhere)


def forget():
    pass


def fail():
    raise OSError("no licence")
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "how", [f"--backend {OWN}", f"--backend {OWN} --workers -2", "--backend loky --workers 2", "--workers -1"]
)
def test_the_digest_is_the_same(how, fivetowers, finished_run, tmp_path):
    done = fivetowers(*GAMES.split(), *how.split(), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert fivetowers("digest", "run", cwd=tmp_path).stdout == fivetowers("digest", finished_run).stdout


@pytest.mark.slow
def test_an_experiment_gives_the_same_figures(fivetowers):
    asked = "tournament --players 2 --strategies random,greedy --games 400 --json --quiet".split()
    found = fivetowers(*asked, "--backend", OWN)
    assert found.returncode == 0, found.stderr
    assert found.stdout == fivetowers(*asked).stdout


@pytest.mark.slow
def test_what_registers_a_backend_may_lie_in_the_working_folder(fivetowers, tmp_path):
    (tmp_path / "cluster_of_ours.py").write_text(MODULE, "utf-8")
    done = fivetowers(*GAMES.split(), "--backend", "cluster_of_ours:register", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("backend", "told"),
    [
        ("absent_module:register", "--backend absent_module:register: needs the module absent_module"),
        ("mine:absent", "--backend mine:absent: mine has no function absent"),
        ("mine:fail", "--backend mine:fail failed to register: OSError: no licence"),
        ("mine:forget", "--backend mine:forget: has to register one backend with joblib and registered none"),
        ("ray", "--backend ray: needs the module ray; pip install ray"),
        ("spark", "--backend spark: needs the module joblibspark; pip install joblibspark pyspark"),
    ],
)
def test_what_registers_no_backend_is_told_in_one_line_before_anything_is_begun(backend, told, fivetowers, tmp_path):
    (tmp_path / "mine.py").write_text(MODULE, "utf-8")
    for name in ("ray", "joblibspark"):
        (tmp_path / f"{name}.py").write_text(f"raise ModuleNotFoundError('no module', name={name!r})\n", "utf-8")
    env = environment(PYTHONPATH=os.pathsep.join([str(tmp_path), environment()["PYTHONPATH"]]))
    done = fivetowers(*GAMES.split(), "--backend", backend, cwd=tmp_path, env=env)
    assert (done.returncode, done.stderr) == (2, f"error: {told}\n")
    assert not (tmp_path / "run").exists()
