"""Runs and experiments that are killed at any instant: what was finished stays, and the rest is played once."""

from __future__ import annotations

import os
import random
import shutil

import pytest

from fivetowers_sim.batch.run import BatchError
from fivetowers_sim.bench.folder import begin_experiment
from fivetowers_sim.bench.verify import verify_experiment
from fivetowers_sim.dataset.digest import digest_run
from fivetowers_sim.dataset.lock import RunLock
from fivetowers_sim.dataset.store import open_run
from fivetowers_sim.dataset.verify import verify_run
from fivetowers_sim.dataset.write import write_run
from tests.dataset.crashes import ASKED, plan_of, start_server
from tests.dataset.test_store import files_in

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes can't be forked here")

# A run of six parts takes some sixty file operations from beginning to end, an experiment about twenty.
KILLS_AT_OPERATIONS = {"run": (20, 60), "experiment": (12, 25)}
KILLS_AT_TIMES = 6
LONGEST_SECONDS = 0.8


@pytest.fixture(scope="module")
def server():
    with start_server() as started:
        yield started


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    write_run(plan_of(), folder)
    return digest_run(folder)


def finished_parts(folder):
    """Return for each finished part of a run the files, and what would change if they were written again."""
    if not (folder / "manifest.json").exists():
        return {}
    files = {
        index: [folder / file.file for file in record.files.values()]
        for index, record in open_run(folder).manifest.records.items()
    }
    return {
        index: [(path, path.stat().st_ino, path.stat().st_mtime_ns) for path in paths] for index, paths in files.items()
    }


def check_killed_run(folder, before):
    """Check that a killed run still has the parts that it had before, and lacks nothing that it lists."""
    after = finished_parts(folder)
    assert before.items() <= after.items()
    if after:
        assert {problem.kind for problem in verify_run(folder)} <= {"unfinished", "unlisted", "foreign"}
    return after


def kill_until_finished(server, folder, ways):
    """Go on with a run, killed in each of these ways, and begin another one whenever it is finished."""
    before, kills = {}, 0
    for way in ways:
        code = server.write("run", folder, **way)
        before = check_killed_run(folder, before)
        if code == 0:
            shutil.rmtree(folder)
            before = {}
        kills += code < 0
    return kills


@pytest.mark.slow
def test_a_run_killed_at_any_file_operation_goes_on_to_the_same_digest(server, tmp_path, undisturbed):
    kills, operations = KILLS_AT_OPERATIONS["run"]
    drawn = random.Random(1)
    # Early ones too: resuming takes some operations before it plays.
    ways = [{"operation": drawn.randint(1, operations)} for _ in range(kills)]
    assert kill_until_finished(server, tmp_path / "run", ways) >= kills / 2
    assert server.write("run", tmp_path / "run") == 0
    assert digest_run(tmp_path / "run") == undisturbed
    assert verify_run(tmp_path / "run") == []


@pytest.mark.slow
def test_a_run_killed_after_any_time_goes_on_to_the_same_digest(server, tmp_path, undisturbed):
    drawn = random.Random(2)
    ways = [{"seconds": drawn.uniform(0.1, LONGEST_SECONDS), "seconds_per_game": 0.004} for _ in range(KILLS_AT_TIMES)]
    assert kill_until_finished(server, tmp_path / "run", ways) >= 1
    assert server.write("run", tmp_path / "run") == 0
    assert digest_run(tmp_path / "run") == undisturbed
    assert verify_run(tmp_path / "run") == []


def test_an_experiment_killed_at_any_file_operation_goes_on_to_the_same_results(server, tmp_path):
    assert server.write("experiment", tmp_path / "undisturbed") == 0
    expected = (tmp_path / "undisturbed" / "results.json").read_bytes()
    kills, operations = KILLS_AT_OPERATIONS["experiment"]
    drawn, folder, killed = random.Random(3), tmp_path / "experiment", 0
    for _ in range(kills):
        code = server.write("experiment", folder, operation=drawn.randint(1, operations))
        killed += code < 0
        if code == 0:
            assert (folder / "results.json").read_bytes() == expected
            shutil.rmtree(folder)
    assert killed >= kills / 2
    assert server.write("experiment", folder) == 0
    assert (folder / "results.json").read_bytes() == expected
    assert verify_experiment(folder) == []
    assert files_in(folder) == files_in(tmp_path / "undisturbed")


@pytest.mark.slow
def test_a_killed_process_locks_nobody_out(server, tmp_path):
    for work in ("run", "experiment"):
        folder = tmp_path / work
        assert server.write(work, folder, operation=8) < 0
        assert "run.lock" in files_in(folder)
        RunLock(folder).release()
    with begin_experiment(tmp_path / "experiment", ASKED, resume=True):
        pass


@pytest.mark.slow
def test_a_worker_process_that_dies_costs_the_parts_in_hand_and_nothing_else(tmp_path, undisturbed):
    plan, folder = plan_of(), tmp_path / "run"
    dying = type(plan)(type(plan.setup)(deadly_game=70), plan.games, plan.detail, plan.part_games)
    with pytest.raises(BatchError, match="a worker process died"):
        write_run(dying, folder, workers=1, backend="processes")
    assert not [name for name in files_in(folder) if name.endswith((".tmp", ".lock", ".jsonl"))]
    kept = finished_parts(folder)
    assert 0 in kept
    assert 3 not in kept
    assert write_run(plan, folder, resume=True).games_kept == 20 * len(kept)
    assert kept.items() <= finished_parts(folder).items()
    assert digest_run(folder) == undisturbed
