"""Commands on a run at an address; a folder stands in for an object store."""

from __future__ import annotations

import os

import pytest

from tests.batch.dask_places import running_cluster
from tests.cli.conftest import environment
from tests.dataset.object_store import FOLDER_VARIABLE

pytestmark = pytest.mark.slow

GAMES = "simulate --games 600 --part-games 100 --strategies random --players 2 --quiet --out".split()
RUN = "shelf://bucket/run"


@pytest.fixture(scope="module")
def env(tmp_path_factory):
    """An environment in which every process knows the stand-in."""
    folder = tmp_path_factory.mktemp("store")
    (folder / "objects").mkdir()
    # Python imports a module of this name whenever it starts.
    (folder / "sitecustomize.py").write_text("import tests.dataset.object_store\n")
    path = os.pathsep.join([str(folder), environment()["PYTHONPATH"]])
    return environment(PYTHONPATH=path, **{FOLDER_VARIABLE: str(folder / "objects")})


@pytest.fixture(scope="module")
def run(fivetowers, env):
    """A run at an address, by workers that are threads."""
    done = fivetowers(*GAMES, RUN, env=env)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(f"in {RUN}\n")
    return RUN


def test_verify_digest_summary_and_replay_read_an_address_as_a_folder(fivetowers, env, run, tmp_path):
    done = fivetowers(*GAMES, "folder", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for command, *more in (["verify"], ["digest"], ["summary", "--json"], ["replay", "17"]):
        there = fivetowers(command, run, *more, env=env)
        here = fivetowers(command, "folder", *more, cwd=tmp_path)
        assert there.returncode == 0, there.stderr
        assert there.stdout == here.stdout != ""


def test_dask_workers_write_to_an_address_by_themselves(fivetowers, env, run, tmp_path):
    with running_cluster(tmp_path, workers=2, env=env) as place:
        how = ["--backend", "dask", "--scheduler", place.address]
        done = fivetowers(*GAMES, "shelf://bucket/dask", *how, env=env)
    assert done.returncode == 0, done.stderr
    digests = [fivetowers("digest", address, env=env).stdout for address in (run, "shelf://bucket/dask")]
    assert digests[0] == digests[1] != ""


def test_a_run_at_an_address_is_not_begun_twice_but_gone_on_with(fivetowers, env, run):
    done = fivetowers(*GAMES, run, env=env)
    assert (done.returncode, done.stderr) == (
        1,
        f"error: {run} exists already; choose another address, or resume the run if it is one\n",
    )
    again = fivetowers(*GAMES, run, "--resume", env=env)
    assert again.returncode == 0
    assert again.stdout.startswith("600 games, all written before")
