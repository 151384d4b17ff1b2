"""Compiled code that is kept: used again if it is what was written, made anew otherwise, and never a reason to fail."""

from __future__ import annotations

import pytest

from fivetowers_sim import compiled
from tests.dataset.disks import mount_small_disk


def double(number):
    return 2 * number


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder where code is kept, without any in it."""
    monkeypatch.setattr(compiled, "CACHE_FOLDER", tmp_path / "cache")
    return tmp_path / "cache"


def call_anew(number=21):
    """Call the function as a new process would; returns the result, and how often kept code was used."""
    kernel = compiled.entry_point(double)
    return kernel(number), sum(kernel.stats.cache_hits.values())


def kept_files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_code_is_kept_and_used_again(folder):
    assert call_anew() == (42, 0)
    assert call_anew() == (42, 1)
    # Another kind of number is other code.
    assert call_anew(1.5) == (3.0, 0)
    assert [call_anew(), call_anew(1.5)] == [(42, 1), (3.0, 1)]
    assert {path.suffix for path in kept_files(folder)} == {".nbc"}


def flip_bit(data):
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: b"garbage" * 100,
        lambda data: data[:-50],
        lambda data: data + b"more",
        lambda data: bytes(len(data)),
        # After a power cut: the size is right, and some of it was never written.
        lambda data: data[:1000] + bytes(len(data) - 1000),
        flip_bit,
    ],
)
def test_a_damaged_file_is_compiled_anew_and_replaced(damage, folder):
    call_anew()
    (file,) = kept_files(folder)
    file.write_bytes(damage(file.read_bytes()))
    assert call_anew() == (42, 0)
    assert call_anew() == (42, 1)


def test_code_for_another_kind_of_number_under_this_ones_name_is_not_used(folder):
    call_anew()
    (whole,) = kept_files(folder)
    call_anew(1.5)
    (real,) = set(kept_files(folder)) - {whole}
    whole.write_bytes(real.read_bytes())
    assert call_anew() == (42, 0)


def test_what_cannot_be_kept_is_compiled_and_used(tmp_path, monkeypatch):
    with mount_small_disk(tmp_path / "disk", 8) as disk:
        monkeypatch.setattr(compiled, "CACHE_FOLDER", disk.path / "full")
        assert call_anew() == (42, 0)
        assert kept_files(disk.path) == []
        disk.resize(1000)
        kernel = compiled.entry_point(double)
        disk.make_read_only()
        assert kernel(21) == 42
        assert kept_files(disk.path) == []


def test_another_version_of_a_library_keeps_its_code_elsewhere(monkeypatch):
    here = compiled.source_key()
    monkeypatch.setattr(compiled.numba, "__version__", "99.0")
    assert compiled.source_key() != here
