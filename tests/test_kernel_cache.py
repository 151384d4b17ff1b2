"""Where compiled code is kept: in any surroundings somewhere, and nothing is removed that wasn't made for it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

import pytest

from fivetowers_sim import kernel_cache
from fivetowers_sim.kernel_cache import CACHE_VARIABLE, choose_cache_folder, describe_unused_place
from tests.cli.conftest import environment
from tests.dataset.disks import mount_small_disk

KEY = "0123456789abcdef"
OTHER_KEY = "fedcba9876543210"
DAY = 86_400


def choose(base, monkeypatch, key=KEY):
    monkeypatch.setenv(CACHE_VARIABLE, str(base))
    return choose_cache_folder(key)


def age(folder, days=60):
    os.utime(folder, (time.time() - days * DAY,) * 2)


def files_in(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_a_folder_of_old_code_is_removed_and_one_in_use_stays(tmp_path, monkeypatch):
    old = choose(tmp_path, monkeypatch, OTHER_KEY)
    (old / "engine_1").mkdir()
    (old / "engine_1" / "block.play_block.0a.nbc").write_bytes(b"code")
    (old / "engine_1" / "block.play_block.0a.nbc.12345678.tmp").write_bytes(b"co")
    age(old, 29)
    assert choose(tmp_path, monkeypatch) == tmp_path / KEY
    assert old.exists()
    age(old, 31)
    choose(tmp_path, monkeypatch)
    assert [path.name for path in tmp_path.iterdir()] == [KEY]


@pytest.mark.parametrize("name", ["my-thesis-data-1", OTHER_KEY])
@pytest.mark.parametrize("tag", [None, "", "Signature: 8a477f597d28d172789f06886806bc55\n# Somebody else's cache.\n"])
def test_a_folder_that_was_not_made_here_stays_whatever_its_name_and_age(name, tag, tmp_path, monkeypatch):
    theirs = tmp_path / name
    (theirs / "engine_1").mkdir(parents=True)
    (theirs / "engine_1" / "notes.nbc").write_text("a year of work", "utf-8")
    if tag is not None:
        (theirs / "CACHEDIR.TAG").write_text(tag, "utf-8")
    age(theirs)
    before = files_in(theirs)
    choose(tmp_path, monkeypatch)
    assert files_in(theirs) == before


def test_a_folder_that_was_there_is_used_and_never_removed(tmp_path, monkeypatch):
    (tmp_path / OTHER_KEY).mkdir()
    age(choose(tmp_path, monkeypatch, OTHER_KEY))
    choose(tmp_path, monkeypatch)
    assert (tmp_path / OTHER_KEY).exists()


def test_what_somebody_has_put_among_old_code_stays(tmp_path, monkeypatch):
    old = choose(tmp_path / "cache", monkeypatch, OTHER_KEY)
    (old / "engine_1").mkdir()
    (old / "engine_1" / "block.nbc").write_bytes(b"code")
    (old / "engine_1" / "notes.txt").write_text("mine", "utf-8")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "theirs.nbc").write_text("theirs", "utf-8")
    if os.name != "nt":
        (old / "link").symlink_to(tmp_path / "elsewhere")
    age(old)
    choose(tmp_path / "cache", monkeypatch)
    assert files_in(old) - {"link"} == {"engine_1", "engine_1/notes.txt"}
    assert files_in(tmp_path / "elsewhere") == {"theirs.nbc"}


@pytest.mark.parametrize("days", [-400, 0, 400])
def test_code_in_use_stays_however_the_clock_is_set(days, tmp_path, monkeypatch):
    other = choose(tmp_path, monkeypatch, OTHER_KEY)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + days * DAY)
    own = choose(tmp_path, monkeypatch)
    assert own.exists()
    # It only goes by how long nobody used it; by a clock that was set a year ahead, that is long.
    assert other.exists() == (days <= 0)


def test_without_any_place_to_write_to_nothing_is_kept(tmp_path, monkeypatch):
    with mount_small_disk(tmp_path / "disk", 100) as disk:
        monkeypatch.setenv(CACHE_VARIABLE, str(disk.path / "cache"))
        disk.make_read_only()
        elsewhere = choose_cache_folder(KEY)
        assert elsewhere is not None
        assert not elsewhere.is_relative_to(disk.path)
        monkeypatch.setattr(tempfile, "tempdir", str(disk.path))
        assert choose_cache_folder(KEY) is None


def test_without_a_home_folder_code_is_kept_among_temporary_files(tmp_path, monkeypatch):
    def find_no_home(*_, **__):
        raise RuntimeError("could not determine the home directory")

    monkeypatch.delenv(CACHE_VARIABLE)
    monkeypatch.setattr(kernel_cache.platformdirs, "user_cache_dir", find_no_home)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = choose_cache_folder(KEY)
    assert folder is not None
    assert folder.parents[1] == tmp_path
    if os.name != "nt":
        assert folder.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.name == "nt", reason="users have temporary folders of their own")
def test_a_temporary_place_is_only_used_by_whoever_made_it_for_nobody_else_to_write(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (place,) = kernel_cache._temporary_places()
    place.chmod(0o777)
    assert kernel_cache._temporary_places() == []
    place.rmdir()
    (tmp_path / "elsewhere").mkdir()
    place.symlink_to(tmp_path / "elsewhere")
    assert kernel_cache._temporary_places() == []
    place.unlink()
    place.mkdir(mode=0o700)
    real = os.getuid()
    place.rename(tmp_path / f"fivetowers_sim-{real + 1}")
    monkeypatch.setattr(os, "getuid", lambda: real + 1)
    assert kernel_cache._temporary_places() == []


def test_a_place_that_cannot_be_used_is_named(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("mine", "utf-8")
    folder = choose(tmp_path / "file", monkeypatch)
    assert folder is not None
    assert describe_unused_place(folder) == (
        f"{CACHE_VARIABLE} is {str(tmp_path / 'file')!r}, where no compiled code can be kept; it is kept in {folder}"
    )
    assert describe_unused_place(choose(tmp_path / "there", monkeypatch)) == ""
    assert (tmp_path / "file").read_text("utf-8") == "mine"


CHOOSE_AS_NOBODY = """
import os
from fivetowers_sim.kernel_cache import choose_cache_folder
os.setgroups([])
os.setgid(54321)
os.setuid(54321)
print(choose_cache_folder("key"))
"""


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can be somebody else")
@pytest.mark.parametrize("home", [None, "/nonexistent", "/proc"])
def test_a_user_of_a_bare_number_has_a_place_too(home):
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o777)
        env = {**environment(TMPDIR=place), **({"HOME": home} if home else {})}
        for name in (CACHE_VARIABLE, *([] if home else ["HOME"])):
            env.pop(name, None)
        command = [sys.executable, "-c", CHOOSE_AS_NOBODY]
        done = subprocess.run(command, env=env, cwd=place, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == f"{place}/fivetowers_sim-54321/key\n"
        # Nothing is made in a folder that is called ~, for one.
        assert os.listdir(place) == ["fivetowers_sim-54321"]
