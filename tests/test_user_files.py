"""Files that a user names: read whatever an editor made of them, refused where they can't be, found where they are."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from fivetowers_sim import user_files
from fivetowers_sim.user_files import UserFileError, expand_home, keep_working_folder, locate, read_user_text

POSIX = pytest.mark.skipif(os.name == "nt", reason="there are no such files")


def refusal(path):
    with pytest.raises(UserFileError) as caught:
        read_user_text(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_byte_order_mark_is_no_part_of_a_text(mark, tmp_path):
    (tmp_path / "file").write_bytes(mark + "é\r\nb".encode())
    assert read_user_text(tmp_path / "file") == "é\r\nb"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_another_encoding_is_refused_by_its_name(encoding, tmp_path):
    (tmp_path / "file").write_text("a = 1", encoding)
    assert refusal(tmp_path / "file").startswith(f"not UTF-8 text but {encoding.upper()}; accepted is UTF-8")


def test_bytes_that_are_no_text_are_refused(tmp_path):
    (tmp_path / "file").write_bytes(b"caf\xe9")
    assert refusal(tmp_path / "file") == "not UTF-8 text"


def test_what_is_no_file_is_refused(tmp_path):
    assert refusal(tmp_path / "absent") == "No such file or directory"
    assert refusal(tmp_path) == "it is a folder"
    assert "null" in refusal("a\0b")


@POSIX
def test_what_never_ends_is_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for endless in (tmp_path / "pipe", "/dev/zero"):
        assert refusal(endless) == "it is a device or a pipe, not a file"


@POSIX
def test_what_a_shell_makes_of_a_command_is_read_to_its_end():
    reading, writing = os.pipe()
    os.write(writing, b"told")
    os.close(writing)
    try:
        assert read_user_text(f"/dev/fd/{reading}") == "told"
    finally:
        os.close(reading)


def test_a_file_too_large_for_a_person_to_have_written_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(user_files, "MOST_BYTES", 1 << 20)
    (tmp_path / "file").write_bytes(b" " * (1 << 20))
    assert len(read_user_text(tmp_path / "file")) == 1 << 20
    (tmp_path / "file").write_bytes(b" " * ((1 << 20) + 1))
    assert refusal(tmp_path / "file") == "it is larger than 1 MB"


@POSIX
def test_a_path_may_begin_with_a_home_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert expand_home("~/run") == str(tmp_path / "run")
    assert expand_home("~") == str(tmp_path)
    assert [expand_home(text) for text in ("run~", "./~/run", "s3://a/~b", "")] == ["run~", "./~/run", "s3://a/~b", ""]
    assert locate("~/a.toml") == tmp_path / "a.toml"
    assert locate(Path("~/a.toml")) == Path.cwd() / "~" / "a.toml"


@POSIX
@pytest.mark.parametrize(("text", "home"), [("~/run", ""), ("~/run", "here"), ("~nobody-of-this-name/run", "/home/me")])
def test_a_home_folder_that_is_not_known_is_refused(text, home, monkeypatch):
    monkeypatch.setenv("HOME", home)
    with pytest.raises(UserFileError, match=r"no home folder of ~\S* is known; accepted is the path in full"):
        expand_home(text)


def test_paths_are_those_of_the_folder_before_users_code_moved_away(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inside").mkdir()
    with keep_working_folder():
        os.chdir("inside")
        with keep_working_folder():
            os.chdir("/")
        assert locate("a") == tmp_path / "a"
    assert Path.cwd() == tmp_path
    os.chdir("inside")
    assert locate("a") == tmp_path / "inside" / "a"


def test_the_folder_is_the_same_again_after_users_code_in_several_threads(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inside").mkdir()
    first_moved, second_moved = threading.Event(), threading.Event()

    def move_first():
        with keep_working_folder():
            os.chdir(tmp_path / "inside")
            first_moved.set()
            second_moved.wait(60)

    def move_second():
        first_moved.wait(60)
        with keep_working_folder():
            os.chdir("/")
            second_moved.set()

    threads = [threading.Thread(target=move) for move in (move_first, move_second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Path.cwd() == tmp_path
