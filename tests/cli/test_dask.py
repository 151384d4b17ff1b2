"""Commands on a Dask cluster: the same games and figures, and one line when there is no cluster."""

from __future__ import annotations

import os
import signal
import subprocess

import pytest

from tests.batch.dask_places import running_cluster
from tests.cli.conftest import PROGRAM, environment
from tests.waiting import PATIENCE_SECONDS, wait_until

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    """Address of a scheduler with two workers that were started by themselves."""
    with running_cluster(tmp_path_factory.mktemp("cluster"), workers=2) as place:
        yield place.address


def test_a_run_on_a_cluster_has_the_digest_of_one_with_threads(fivetowers, scheduler, tmp_path):
    games = "simulate --games 600 --part-games 100 --strategies random,greedy --players 2 --quiet --out".split()
    for name, how in (("threads", ["--workers", "2"]), ("dask", ["--backend", "dask", "--scheduler", scheduler])):
        done = fivetowers(*games, name, *how, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("600 games in")
    digests = [fivetowers("digest", name, cwd=tmp_path).stdout for name in ("threads", "dask")]
    assert digests[0] == digests[1] != ""
    assert fivetowers("verify", "dask", cwd=tmp_path).stdout == "ok: 6 parts, 600 games\n"


def test_an_experiment_on_a_cluster_gives_the_same_figures(fivetowers, scheduler):
    asked = "tournament --players 2 --strategies random,greedy --games 400 --json --quiet".split()
    found = fivetowers(*asked, "--backend", "dask", "--scheduler", scheduler)
    assert found.returncode == 0, found.stderr
    assert found.stdout == fivetowers(*asked).stdout


@pytest.mark.skipif(os.name == "nt", reason="signals to a child differ")
def test_ctrl_c_stops_a_run_on_a_cluster_that_would_take_an_hour(fivetowers, scheduler, tmp_path):
    games = "simulate --games 20000000 --part-games 2000 --strategies random --players 2 --backend dask".split()
    command = [*PROGRAM, *games, "--scheduler", scheduler, "--out", str(tmp_path / "run")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment()) as process:
        try:
            wait_until(lambda: list(tmp_path.glob("run/games/*.parquet")))
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=PATIENCE_SECONDS)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "games are written and kept; go on with:" in errors
    assert errors.rstrip().endswith("--resume")
    assert "Traceback" not in errors
    assert not list(tmp_path.rglob("*.tmp"))


@pytest.mark.skipif(os.name == "nt", reason="signals to a child differ")
def test_two_runs_on_clusters_of_their_own_say_nothing_of_each_other(tmp_path):
    games = "simulate --games 4000000 --part-games 500 --strategies random --players 2 --backend dask --workers 1"
    begun = [
        subprocess.Popen(
            [*PROGRAM, *games.split(), "--quiet", "--out", str(tmp_path / name)],
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
        )
        for name in ("one", "other")
    ]
    try:
        for name in ("one", "other"):
            wait_until(lambda name=name: list(tmp_path.glob(f"{name}/games/*.parquet")))
        for process in begun:
            process.send_signal(signal.SIGINT)
        told = [process.communicate(timeout=PATIENCE_SECONDS)[1].splitlines() for process in begun]
    finally:
        for process in begun:
            process.kill()
    assert [process.returncode for process in begun] == [130, 130]
    for lines in told:
        assert len(lines) == 2
        assert lines[0].endswith("games are written and kept; go on with:")


def test_a_scheduler_that_does_not_answer_is_named_and_nothing_is_begun(fivetowers, tmp_path):
    games = "simulate --games 10 --out run --backend dask --scheduler tcp://127.0.0.1:1".split()
    done = fivetowers(*games, cwd=tmp_path)
    assert done.returncode == 1
    line = done.stderr.splitlines()[-1]
    assert line.startswith("error: --backend dask: no Dask scheduler answers at tcp://127.0.0.1:1: ")
    assert not (tmp_path / "run").exists()


def test_without_dask_installed_one_line_says_what_to_install(fivetowers, tmp_path):
    (tmp_path / "distributed.py").write_text("raise ModuleNotFoundError('no module', name='distributed')\n")
    env = environment(PYTHONPATH=os.pathsep.join([str(tmp_path), environment()["PYTHONPATH"]]))
    done = fivetowers(*"simulate --games 10 --out run --backend dask".split(), cwd=tmp_path, env=env)
    assert done.returncode == 2
    assert done.stderr == ("error: --backend dask: needs the package distributed; pip install 'fivetowers-sim[dask]'\n")
