"""Disks that are full or read-only, clocks that jump: a clear line, nothing lost, and the same digest afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import numpy as np
import pytest

from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.batch.plan import Plan
from fivetowers_sim.bench.folder import begin_experiment
from fivetowers_sim.bench.journal import Journal
from fivetowers_sim.dataset.digest import digest_run
from fivetowers_sim.dataset.errors import RunError
from fivetowers_sim.dataset.store import open_run
from fivetowers_sim.dataset.verify import verify_run
from fivetowers_sim.dataset.write import write_run
from tests.batch.fake_game import FakeSetup
from tests.dataset.crashes import ASKED, plan_of
from tests.dataset.disks import can_limit_file_size, mount_small_disk
from tests.dataset.test_store import files_in


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    write_run(plan_of(), folder)
    return digest_run(folder)


@pytest.mark.parametrize(
    ("backend", "kilobytes"), [("threads", 16), ("threads", 32), ("threads", 44), ("processes", 32)]
)
def test_a_run_on_a_full_disk_keeps_what_is_finished_and_goes_on_when_there_is_room(
    backend, kilobytes, tmp_path, undisturbed
):
    with mount_small_disk(tmp_path / "disk", kilobytes) as disk:
        folder = disk.path / "run"
        with pytest.raises(RunError, match=r"can't write .*: No space left on device") as caught:
            write_run(plan_of(), folder, backend=backend)
        assert "\n" not in str(caught.value)
        assert not folder.exists() or not [name for name in files_in(folder) if name.endswith((".tmp", ".lock"))]
        disk.resize(1000)
        kept = len(open_run(folder).manifest.records) if folder.exists() else 0
        assert write_run(plan_of(), folder, resume=True).games_kept == 20 * kept
        assert digest_run(folder) == undisturbed
        assert verify_run(folder) == []


QUOTA = """
import sys
from fivetowers_sim.dataset.errors import RunError
from fivetowers_sim.dataset.write import write_run
from tests.dataset.crashes import plan_of
from tests.dataset.disks import limit_file_size
limit_file_size(int(sys.argv[2]))
try:
    write_run(plan_of(), sys.argv[1], resume=True)
except RunError as error:
    print(error)
"""


@pytest.mark.slow
@pytest.mark.skipif(not can_limit_file_size, reason="files' sizes can't be limited here")
@pytest.mark.parametrize("most_bytes", [500, 1500, 3000])
def test_a_run_beyond_a_quota_is_one_line_and_goes_on_without_it(most_bytes, tmp_path, undisturbed):
    folder = tmp_path / "run"
    told = subprocess.run(
        [sys.executable, "-c", QUOTA, folder, str(most_bytes)], capture_output=True, text=True, check=True
    )
    assert told.stdout.count("\n") == 1
    assert "can't write" in told.stdout
    write_run(plan_of(), folder, resume=True)
    assert digest_run(folder) == undisturbed


def test_an_experiment_on_a_full_disk_keeps_what_was_written_before(tmp_path):
    with mount_small_disk(tmp_path / "disk", 40) as disk:
        folder = disk.path / "experiment"
        with begin_experiment(folder, ASKED) as opened, opened.open_sums(2, ()) as kept:
            kept.add(0, Moments.of(np.array([[1, 2], [3, 4]])))
        disk.resize(8)
        with (
            pytest.raises(RunError, match=r"can't write .*sums\.npz: No space left"),
            begin_experiment(folder, ASKED, resume=True) as opened,
            opened.open_sums(2, ()) as kept,
        ):
            kept.add(1, Moments.of(np.array([[5, 6]])))
        disk.resize(1000)
        with begin_experiment(folder, ASKED, resume=True) as opened:
            assert opened.open_sums(2, ()).parts == {0}
        assert files_in(folder) == {"manifest.json", "sums.npz"}


def test_a_journal_on_a_full_disk_is_one_line_and_keeps_its_entries(tmp_path):
    with mount_small_disk(tmp_path / "disk", 8) as disk:
        journal = Journal(disk.path / "journal", {"seed": 1})
        journal.note("step 1", "short")
        with pytest.raises(RunError, match=r"can't write .*journal: No space left"):
            journal.note("step 2", "long" * 10_000)
        disk.resize(1000)
        journal.note("step 3", "after that")
        again = Journal(disk.path / "journal", {"seed": 1}, resume=True)
        found = [again.find(name) for name in ("step 1", "step 2", "step 3")]
        assert found == ["short", None, "after that"]


def test_a_folder_that_has_become_read_only_is_read_and_not_resumed(tmp_path, undisturbed):
    with mount_small_disk(tmp_path / "disk", 1000) as disk:
        folder = disk.path / "run"
        write_run(plan_of(), folder)
        (folder / "games" / "part-000001.parquet").unlink()
        begin_experiment(disk.path / "experiment", ASKED).__exit__(None, None, None)
        disk.make_read_only()
        assert [problem.kind for problem in verify_run(folder)] == ["missing"]
        with pytest.raises(RunError, match="Read-only file system"):
            write_run(plan_of(), folder, resume=True)
        with pytest.raises(RunError, match="Read-only file system"):
            write_run(plan_of(), disk.path / "new")
        with pytest.raises(RunError, match="Read-only file system"):
            begin_experiment(disk.path / "experiment", ASKED, resume=True)


@pytest.mark.parametrize("years", [-30, 30])
def test_files_of_another_year_are_as_good_as_any(years, tmp_path, undisturbed):
    folder = tmp_path / "run"
    write_run(plan_of(), folder)
    (folder / "games" / "part-000001.parquet").unlink()
    then = time.time() + years * 365 * 86_400
    for name in files_in(folder):
        os.utime(folder / name, (then, then))
    assert write_run(plan_of(), folder, resume=True).games_kept == 100
    assert digest_run(folder) == undisturbed


def test_a_clock_that_is_set_while_a_run_is_written_makes_no_difference(tmp_path, undisturbed, monkeypatch):
    offsets = iter(range(10**9, 0, -(10**6)))
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + next(offsets))
    seen = []
    write_run(plan_of(), tmp_path / "run", progress=seen.append)
    assert digest_run(tmp_path / "run") == undisturbed
    seconds = [progress.seconds for progress in seen]
    assert seconds == sorted(seconds)
    assert seconds[0] >= 0
    assert seconds[-1] < 3600
    assert all(progress.seconds_left is None or progress.seconds_left >= 0 for progress in seen)


def test_a_run_of_a_strange_plan_in_a_full_folder_is_refused_before_anything_is_written(tmp_path):
    other = Plan(FakeSetup(seed=5), 10)
    write_run(other, tmp_path / "run")
    before = {name: (tmp_path / "run" / name).read_bytes() for name in files_in(tmp_path / "run")}
    with pytest.raises(RunError, match="begun with another plan"):
        write_run(plan_of(), tmp_path / "run", resume=True)
    assert before == {name: (tmp_path / "run" / name).read_bytes() for name in files_in(tmp_path / "run")}
