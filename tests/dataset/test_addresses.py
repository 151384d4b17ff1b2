"""Runs at an address: what a folder can do, an object store can do too."""

from __future__ import annotations

import threading
from pathlib import Path
from urllib.parse import quote

import polars as pl
import pytest

from fivetowers_sim.batch.plan import Plan
from fivetowers_sim.batch.run import BatchError
from fivetowers_sim.dataset import remote_lock
from fivetowers_sim.dataset.address import Address, as_place
from fivetowers_sim.dataset.digest import digest_run
from fivetowers_sim.dataset.errors import RunError
from fivetowers_sim.dataset.remote_lock import RemoteLock
from fivetowers_sim.dataset.scan import read_game, scan_table
from fivetowers_sim.dataset.store import create_run, open_run, resume_run
from fivetowers_sim.dataset.verify import verify_run
from fivetowers_sim.dataset.write import write_run
from tests.batch.fake_game import FakeSetup
from tests.dataset.object_store import FOLDER_VARIABLE
from tests.dataset.test_store import files_in
from tests.waiting import wait_until

RUN = "shelf://bucket/run"


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """The folder that holds the store's objects."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder))
    return folder


FIRST_FORMAT_RUN = Path(__file__).parents[1] / "cli" / "runs" / "first-format"


def names_in(address):
    place = as_place(address)
    return sorted(str(file.relative_to(place)) for file in place.rglob())


def interrupt_at(games):
    def interrupt(progress):
        if progress.games_done == games:
            raise KeyboardInterrupt

    return interrupt


@pytest.mark.parametrize("backend", ["threads", pytest.param("processes", marks=pytest.mark.slow)])
def test_a_run_at_an_address_has_the_digest_of_one_in_a_folder(shelf, plan, run_folder, backend, monkeypatch):
    if backend == "processes":
        write_with_processes(plan, monkeypatch)
    else:
        write_run(plan, RUN, workers=2)
    assert digest_run(RUN) == digest_run(run_folder)
    assert verify_run(RUN) == []
    files = [str(file.relative_to(run_folder).as_posix()) for file in run_folder.rglob("*") if file.is_file()]
    assert names_in(RUN) == sorted(files)


def write_with_processes(plan, monkeypatch):
    # A new process knows the stand-in when it has imported it, with the task.
    monkeypatch.setattr("fivetowers_sim.dataset.write.WritePart", WritePartOnShelf)
    write_run(plan, RUN, workers=2, backend="processes")


class WritePartOnShelf:
    def __init__(self, folder, layouts):
        from fivetowers_sim.dataset.parts import WritePart

        self.task = WritePart(folder, layouts)

    def __call__(self, plan, part, stop):
        return self.task(plan, part, stop)


def test_an_interrupted_run_at_an_address_is_resumed(shelf, plan, run_folder):
    with pytest.raises(KeyboardInterrupt):
        write_run(plan, RUN, progress=interrupt_at(100))
    left = names_in(RUN)
    assert {"games/part-000000.parquet", "manifest.json"} <= set(left)
    assert not [name for name in left if name.startswith("parts/") or name.endswith((".tmp", ".lock"))]
    assert {problem.kind for problem in verify_run(RUN)} <= {"unfinished", "unlisted"}
    assert write_run(plan, RUN, resume=True).games_kept == 100
    assert digest_run(RUN) == digest_run(run_folder)


def test_a_run_that_was_killed_is_resumed_by_the_notes_of_its_parts(shelf, plan, run_folder, monkeypatch):
    monkeypatch.setattr(remote_lock, "SILENT_SECONDS", 0.2)
    with pytest.raises(KeyboardInterrupt):
        write_run(plan, RUN, progress=interrupt_at(200))
    done = open_run(RUN)
    # As a killed process leaves it: the first manifest, a note of each part, and a lock.
    place = as_place(RUN)
    records = list(done.manifest.records.values())
    done.manifest.records.clear()
    (place / "manifest.json").put(done.manifest.to_text().encode())
    for record in records:
        note_part(place, record)
    (place / "run.lock").put(b'{"owner": "gone", "host": "elsewhere", "process": 1, "beat": 3}')
    assert len(open_run(RUN).manifest.records) == 2
    assert {problem.kind for problem in verify_run(RUN)} <= {"unfinished", "unlisted"}
    assert write_run(plan, RUN, resume=True).games_kept == 200
    assert digest_run(RUN) == digest_run(run_folder)
    assert not [name for name in names_in(RUN) if name.startswith("parts/") or name.endswith(".lock")]


def note_part(place, record):
    from fivetowers_sim.dataset.journal import append_to_journal

    append_to_journal(place, record)


def test_verify_names_damaged_missing_and_foreign_objects_and_resume_mends_them(shelf, plan, run_folder):
    write_run(plan, RUN)
    place = as_place(RUN)
    damaged, missing = place / "seats/part-000001.parquet", place / "games/part-000002.parquet"
    data = bytearray(damaged.read_bytes())
    data[len(data) // 2] ^= 1
    damaged.put(bytes(data))
    missing.unlink()
    (place / "notes.txt").put(b"mine")
    found = {(problem.kind, problem.file, problem.first_game) for problem in verify_run(RUN)}
    assert found == {
        ("changed", "seats/part-000001.parquet", 100),
        ("missing", "games/part-000002.parquet", 200),
        ("foreign", "notes.txt", 0),
    }
    with pytest.raises(RunError, match=r"shelf://bucket/run/\S+ is not as it was written|can't read"):
        digest_run(RUN)
    assert write_run(plan, RUN, resume=True).games_kept == 100
    assert digest_run(RUN) == digest_run(run_folder)


def test_an_address_that_holds_something_is_not_written_to(shelf, plan):
    write_run(plan, RUN)
    with pytest.raises(RunError, match="shelf://bucket/run exists already; choose another address, or resume"):
        create_run(RUN, plan)
    with pytest.raises(RunError, match="begun with another plan: games is 300 there and 400 here"):
        resume_run(RUN, Plan(FakeSetup(), 400, "rounds", part_games=100))
    with pytest.raises(RunError, match="shelf://bucket/other does not exist"):
        open_run("shelf://bucket/other")


def test_a_second_writer_at_an_address_is_refused_while_the_first_shows_that_it_lives(shelf, plan, monkeypatch):
    monkeypatch.setattr(remote_lock, "BEAT_SECONDS", 0.1)
    monkeypatch.setattr(remote_lock, "SILENT_SECONDS", 5)
    refused = r"shelf://bucket/run is being written by process \d+ on \S+; wait for it"
    with create_run(RUN, plan), pytest.raises(RunError, match=refused):
        resume_run(RUN, plan)
    assert write_run(plan, RUN, resume=True).games == 300


def test_whoever_was_silent_for_too_long_writes_no_more(shelf, plan, monkeypatch):
    monkeypatch.setattr(remote_lock, "BEAT_SECONDS", 0.05)
    writer = create_run(RUN, plan)
    (as_place(RUN) / "run.lock").put(b'{"owner": "another"}')
    wait_until(lambda: not [thread for thread in threading.enumerate() if thread.name == "fivetowers-lock"])
    before = (as_place(RUN) / "manifest.json").read_bytes()
    with pytest.raises(RunError, match="was taken over by another process"), writer:
        pass
    assert (as_place(RUN) / "manifest.json").read_bytes() == before
    assert (as_place(RUN) / "run.lock").read_bytes() == b'{"owner": "another"}'


def test_of_several_that_want_a_lock_at_once_one_gets_it(shelf, monkeypatch):
    monkeypatch.setattr(remote_lock, "BEAT_SECONDS", 0.1)
    ready = threading.Barrier(4)
    held, refused = [], []

    def want():
        ready.wait()
        try:
            held.append(RemoteLock(Address(RUN), "run.lock"))
        except RunError:
            refused.append(1)

    threads = [threading.Thread(target=want) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(held), len(refused)) == (1, 3)
    held[0].release()
    assert names_in(RUN) == []


def test_a_failing_part_at_an_address_is_named_and_the_rest_kept(shelf):
    plan = Plan(FakeSetup(failing_game=150), 300, "games", part_games=100)
    with pytest.raises(BatchError, match="games 100 to 199 failed: FakeGameError"):
        write_run(plan, RUN, workers=1)
    assert sorted(open_run(RUN).manifest.records) in ([0], [0, 2])


def test_tables_are_scanned_part_by_part_from_an_address(shelf, plan, run_folder):
    write_run(plan, RUN)
    assert scan_table(RUN, "seats").collect().equals(scan_table(run_folder, "seats").collect())
    asked = pl.col("total") > 30, pl.col("seat") == 1
    there, here = (scan_table(run, "seats").filter(*asked).select("game", "total") for run in (RUN, run_folder))
    assert there.collect().equals(here.collect())
    assert scan_table(RUN, "games").head(130).collect().height == 130
    streamed = scan_table(RUN, "seats").group_by("seat").agg(pl.col("total").sum()).sort("seat")
    assert (
        streamed.collect(engine="streaming")["total"].to_list()
        == (
            scan_table(run_folder, "seats").group_by("seat").agg(pl.col("total").sum()).sort("seat").collect()["total"]
        ).to_list()
    )
    assert read_game(RUN, "games", 250) == read_game(run_folder, "games", 250)


def test_fsspecs_memory_holds_a_run_for_threads_alone(plan, run_folder):
    address = "memory://fivetowers/run"
    write_run(plan, address, workers=2)
    assert digest_run(address) == digest_run(run_folder)
    with pytest.raises(RunError, match=r"memory://fivetowers/other is in this process's memory"):
        write_run(plan, "memory://fivetowers/other", backend="processes")


def test_a_file_address_is_a_folder(tmp_path, plan):
    write_run(plan, (tmp_path / "a run").as_uri())
    assert (tmp_path / "a run" / "manifest.json").is_file()


@pytest.mark.parametrize("address", ["nowhere://bucket/run", "s3://bucket/run"])
def test_an_address_that_nothing_installed_can_reach_is_refused_in_one_line(address):
    if address.startswith("s3"):
        try:
            import s3fs  # noqa: F401
        except ModuleNotFoundError:
            pass
        else:
            pytest.skip("s3fs is installed")
    with pytest.raises(RunError, match=rf"^{address}\S*: this address can't be used: .*(not known|nstall).*$"):
        open_run(address)


def test_a_run_that_version_0_1_wrote_is_read_at_an_address_too(shelf):
    for file in files_in(FIRST_FORMAT_RUN):
        (shelf / quote(f"bucket/run/{file}", safe="")).write_bytes((FIRST_FORMAT_RUN / file).read_bytes())
    assert verify_run(RUN) == []
    assert digest_run(RUN) == digest_run(FIRST_FORMAT_RUN)
    for table in ("games", "seats", "rounds", "bids"):
        there, here = (scan_table(run, table) for run in (RUN, FIRST_FORMAT_RUN))
        assert there.collect().equals(here.collect())
        assert there.collect_schema() == here.collect_schema()
    assert read_game(RUN, "seats", 4) == read_game(FIRST_FORMAT_RUN, "seats", 4)
