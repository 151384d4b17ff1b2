"""Run folders: what they hold, what is refused, and that nothing finished is ever lost."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import polars  # loaded before the clock of the tests below starts
import pytest

from fivetowers_sim.batch.plan import Plan
from fivetowers_sim.batch.run import BatchError
from fivetowers_sim.dataset import atomic, lock, manifest
from fivetowers_sim.dataset import folder as run_folders
from fivetowers_sim.dataset.digest import digest_run
from fivetowers_sim.dataset.errors import RunError
from fivetowers_sim.dataset.journal import append_to_journal
from fivetowers_sim.dataset.lock import RunLock
from fivetowers_sim.dataset.scan import read_game, scan_table
from fivetowers_sim.dataset.store import create_run, open_run, resume_run
from fivetowers_sim.dataset.verify import verify_run
from fivetowers_sim.dataset.write import write_run
from tests.batch.fake_game import FakeSetup


def files_in(folder):
    """List the files of a folder by their path inside it."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_run_folder_holds_its_parts_and_a_manifest_that_describes_them(run_folder, plan):
    document = json.loads((run_folder / "manifest.json").read_text())
    assert document["format"] == "fivetowers-run/2"
    assert document["plan"] == plan.to_dict()
    assert document["plan_sha256"] == plan.sha256
    assert document["seed"] == 1
    assert document["complete"] is True
    assert {"python", "numpy", "numba", "polars", "fivetowers_sim"} == set(document["versions"])
    assert [part["first_game"] for part in document["parts"]] == [0, 100, 200]
    listed = {table["file"] for part in document["parts"] for table in part["tables"].values()}
    assert files_in(run_folder) == listed | {"manifest.json"}
    assert document["parts"][1]["tables"]["seats"]["rows"] == 300
    assert verify_run(run_folder) == []


def test_the_summary_and_the_progress_tell_what_was_written(tmp_path, plan):
    seen = []
    summary = write_run(plan, tmp_path / "run", workers=2, progress=seen.append)
    assert (summary.games, summary.games_kept) == (300, 0)
    assert summary.rows["games"] == 300
    assert summary.rows["seats"] == 900
    assert summary.bytes == sum(path.stat().st_size for path in (tmp_path / "run").rglob("*.parquet"))
    assert [progress.games_done for progress in seen] == [0, 100, 200, 300]
    assert seen[0].seconds_left is None
    assert seen[-1].seconds_left == 0
    assert seen[-1].games_per_second > 0


def test_one_game_can_be_read_alone(run_folder, tmp_path, plan):
    seats = read_game(run_folder, "seats", 123)
    assert [(row["game"], row["seat"]) for row in seats] == [(123, 0), (123, 1), (123, 2)]
    assert seats == scan_table(run_folder, "seats").filter(polars.col("game") == 123).collect().to_dicts()
    with create_run(tmp_path / "begun", plan):
        assert read_game(tmp_path / "begun", "seats", 123) == []
    (run_folder / "seats" / "part-000001.parquet").write_bytes(b"PAR1")
    with pytest.raises(RunError, match="can't be read as it was written"):
        read_game(run_folder, "seats", 123)


def test_tables_can_be_scanned_by_name_and_strangers_are_not_read(run_folder, plan):
    (run_folder / "seats" / "zzz.parquet").write_bytes(b"not parquet")
    played = plan.setup.play(0, 300, "rounds")
    seats = scan_table(run_folder, "seats").collect()
    assert seats["total"].to_list() == played["seats"]["total"].tolist()
    assert scan_table(run_folder, "games").collect()["game"].to_list() == list(range(300))
    with pytest.raises(RunError, match="no table 'bids'; it has games, seats, rounds"):
        scan_table(run_folder, "bids")


def test_an_unfinished_run_is_only_read_on_request(tmp_path, plan):
    with create_run(tmp_path / "run", plan):
        pass
    with pytest.raises(RunError, match="unfinished: 0 of 300 games"):
        scan_table(tmp_path / "run", "games")
    with pytest.raises(RunError, match="unfinished: 0 of 300 games"):
        digest_run(tmp_path / "run")
    assert scan_table(tmp_path / "run", "games", unfinished=True).collect().height == 0


def test_a_folder_that_exists_is_never_written_over(run_folder, plan, tmp_path):
    before = {name: (run_folder / name).read_bytes() for name in files_in(run_folder)}
    with pytest.raises(RunError, match="run exists already; choose another folder, or resume"):
        write_run(plan, run_folder)
    assert before == {name: (run_folder / name).read_bytes() for name in files_in(run_folder)}
    file = tmp_path / "file"
    file.write_text("mine")
    for resume in (False, True):
        with pytest.raises(RunError, match="is a file"):
            write_run(plan, file, resume=resume)
    with pytest.raises(RunError, match=r"can't make .*: Not a directory"):
        write_run(plan, file / "below")


def test_a_folder_of_something_else_is_not_a_run(tmp_path, plan):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(RunError, match=r"is not a run folder: it has no manifest\.json"):
        resume_run(tmp_path, plan)
    with pytest.raises(RunError, match="is not a run folder"):
        open_run(tmp_path)
    with pytest.raises(RunError, match="does not exist"):
        open_run(tmp_path / "nowhere")
    assert files_in(tmp_path) == {"notes.txt"}


def test_a_folder_that_cannot_be_written_is_refused(tmp_path, plan, run_folder, monkeypatch):
    def refuse(self, *options, **more):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(RunError, match=r"can't make .*: Permission denied"):
        create_run(tmp_path / "new", plan)
    monkeypatch.setattr(lock.FileLock, "acquire", lambda self: refuse(self.lock_file))
    with pytest.raises(RunError, match=r"can't write .*run\.lock: Permission denied"):
        resume_run(run_folder, plan)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (Plan(FakeSetup(), 301, "rounds"), "games is 300 there and 301 here"),
        (Plan(FakeSetup(seed=7), 300, "rounds"), "setup.seed is 1 there and 7 here"),
        (Plan(FakeSetup(), 300, "games"), 'detail is "rounds" there and "games" here'),
    ],
)
def test_resuming_with_another_plan_says_which_field_differs(run_folder, other, message):
    with pytest.raises(RunError, match=message):
        resume_run(run_folder, other)


def test_resuming_with_another_version_is_refused(run_folder, plan, monkeypatch):
    monkeypatch.setattr(run_folders, "current_versions", lambda: {"fivetowers_sim": "99"})
    with pytest.raises(RunError, match=r"was begun with fivetowers_sim .* and this is 99"):
        resume_run(run_folder, plan)


def test_two_writers_on_one_folder_are_one_too_many(tmp_path, plan):
    folder = tmp_path / "run"
    script = (
        "import sys; from tests.dataset.test_store import *\n"
        "try: resume_run(sys.argv[1], Plan(FakeSetup(), 300, 'rounds'))\n"
        "except RunError as error: print(error)\n"
    )
    with create_run(folder, plan):
        with pytest.raises(RunError, match="is being written by another process"):
            resume_run(folder, plan)
        answer = subprocess.run([sys.executable, "-c", script, folder], capture_output=True, text=True, check=True)
        assert answer.stdout == f"{folder} is being written by another process; wait for it or stop it\n"
    assert "run.lock" not in files_in(folder)
    RunLock(folder).release()


def test_resume_goes_on_with_the_runs_own_parts_and_plays_only_what_is_missing(run_folder, plan, tmp_path):
    whole = digest_run(run_folder)
    (run_folder / "seats" / "part-000001.parquet").unlink()
    (run_folder / "games" / "part-000002.parquet.1234.fivetowers.tmp").write_bytes(b"half")
    untouched = (run_folder / "games" / "part-000000.parquet").stat().st_mtime_ns
    summary = write_run(Plan(FakeSetup(), 300, "rounds", part_games=7), run_folder, resume=True)
    assert summary.games_kept == 200
    assert digest_run(run_folder) == whole
    assert verify_run(run_folder) == []
    assert (run_folder / "games" / "part-000000.parquet").stat().st_mtime_ns == untouched


def test_resume_begins_a_run_that_was_killed_before_it_wrote_anything(tmp_path, plan):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "manifest.json.1234.fivetowers.tmp").write_text("{")
    (tmp_path / "run" / "run.lock").touch()
    for folder in ("run", "nothing-yet"):
        write_run(plan, tmp_path / folder, resume=True)
        assert verify_run(tmp_path / folder) == []


def test_nothing_of_somebody_elses_is_removed_from_a_run(run_folder, plan):
    theirs = ["notes.tmp", "games/part-000000.parquet.20250101.tmp", "seats/old.tmp"]
    for name in theirs:
        (run_folder / name).write_text("mine", "utf-8")
    (run_folder / "folder.fivetowers.tmp").mkdir()
    (run_folder / "seats" / "part-000001.parquet").unlink()
    write_run(plan, run_folder, resume=True)
    assert [(run_folder / name).read_text("utf-8") for name in theirs] == ["mine"] * 3
    assert (run_folder / "folder.fivetowers.tmp").is_dir()


@pytest.mark.parametrize("names", [["run.lock"], ["run.lock", "thesis.txt"], ["run.lock", "manifest.json"]])
def test_a_folder_that_is_not_a_run_stays_as_it_is(names, tmp_path, plan):
    for name in names:
        (tmp_path / name).write_text('{"of": "mine"}', "utf-8")
    with pytest.raises(RunError):
        resume_run(tmp_path, plan)
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == dict.fromkeys(names, '{"of": "mine"}')


def test_a_half_written_line_in_the_journal_only_costs_its_part(tmp_path, plan, run_folder):
    killed = tmp_path / "killed"
    shutil.copytree(run_folder, killed)
    records = open_run(killed).manifest.ordered_records()
    begun = open_run(killed).manifest
    begun.records = {}
    manifest.write_manifest(killed, begun)
    for record in records:
        append_to_journal(killed, record)
    journal = killed / "parts.jsonl"
    journal.write_bytes(journal.read_bytes()[:-20])
    assert len(open_run(killed).manifest.records) == 2
    assert {problem.kind for problem in verify_run(killed)} == {"unfinished", "unlisted"}
    assert write_run(plan, killed, resume=True).games_kept == 200
    assert not journal.exists()
    assert digest_run(killed) == digest_run(run_folder)


def test_a_failing_game_is_named_and_the_rest_is_kept(tmp_path, plan, run_folder):
    folder = tmp_path / "failed"
    with pytest.raises(BatchError, match="games 100 to 199 failed: FakeGameError: game 150"):
        write_run(Plan(FakeSetup(failing_game=150), 300, "rounds", part_games=100), folder)
    assert 0 in open_run(folder).manifest.records
    assert "parts.jsonl" not in files_in(folder)
    write_run(plan, folder, resume=True)
    assert digest_run(folder) == digest_run(run_folder)


@pytest.mark.parametrize("writes_before_full", [0, 1, 3, 5, 6, 8])
def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path, plan, run_folder, monkeypatch, writes_before_full):
    folder = tmp_path / "full"
    left = [writes_before_full]

    def sync_or_fail(descriptor):
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(atomic.os, "fsync", sync_or_fail)
        patched.setattr(manifest, "sync_folder", lambda folder: None)
        with pytest.raises(RunError, match=r"can't write .*: No space left on device") as caught:
            write_run(plan, folder)
    assert "\n" not in str(caught.value)
    assert not folder.exists() or not [name for name in files_in(folder) if name.endswith((".tmp", ".lock"))]
    write_run(plan, folder, resume=True)
    assert digest_run(folder) == digest_run(run_folder)
    assert verify_run(folder) == []
