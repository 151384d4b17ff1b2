"""An experiment's folder is compared with its manifest, and a fault costs what it has to and no more."""

from __future__ import annotations

import json

import numpy as np
import pytest

from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.bench.folder import Asked, begin_experiment, is_experiment
from fivetowers_sim.bench.journal import Journal
from fivetowers_sim.bench.kept import KeptInFile
from fivetowers_sim.bench.verify import verify_experiment
from fivetowers_sim.dataset.errors import RunError

ASKED = Asked("tournament", {"format": "some/1", "seed": 1})
MEASURED = np.array([[1, 2], [3, 4]])


@pytest.fixture
def folder(tmp_path):
    """A complete experiment."""
    path = tmp_path / "experiment"
    with begin_experiment(path, ASKED) as opened:
        with opened.open_sums(2, ()) as kept:
            kept.add(0, Moments.of(MEASURED))
        opened.complete({"figure": 0.5}, {"rows.parquet": b"rows of a table", "picture.svg": b"<svg/>"})
    return path


def found_in(folder):
    return [(problem.kind, problem.file) for problem in verify_experiment(folder)]


def flip_bit(path, place):
    data = bytearray(path.read_bytes())
    data[place] ^= 4
    path.write_bytes(data)


def exchange(first, second):
    data = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(data)


def test_a_whole_experiment_verifies(folder):
    assert is_experiment(folder)
    assert found_in(folder) == []


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        (lambda folder: (folder / "rows.parquet").unlink(), [("missing", "rows.parquet")]),
        (lambda folder: (folder / "rows.parquet").write_bytes(b"rows"), [("truncated", "rows.parquet")]),
        (lambda folder: flip_bit(folder / "results.json", 5), [("changed", "results.json")]),
        (lambda folder: flip_bit(folder / "sums.npz", 80), [("changed", "sums.npz")]),
        (lambda folder: (folder / "notes.txt").write_bytes(b"mine"), [("foreign", "notes.txt")]),
        (
            lambda folder: exchange(folder / "rows.parquet", folder / "picture.svg"),
            [("swapped", "rows.parquet"), ("swapped", "picture.svg")],
        ),
    ],
)
def test_each_fault_is_named(damage, expected, folder):
    damage(folder)
    assert found_in(folder) == expected


def test_a_bit_flipped_anywhere_in_the_manifest_is_noticed(folder):
    path = folder / "manifest.json"
    whole = path.read_bytes()
    for place in range(0, len(whole), 7):
        flip_bit(path, place)
        try:
            noticed = bool(verify_experiment(folder))
        except RunError:
            noticed = True
        # The name of the field with the hash is the one thing that the hash doesn't cover.
        assert noticed or b"manifest_sha256" not in path.read_bytes(), place
        path.write_bytes(whole)


def test_an_unfinished_experiment_is_told_from_a_damaged_one(tmp_path):
    with begin_experiment(tmp_path / "begun", ASKED) as opened, opened.open_sums(2, ()) as kept:
        kept.add(0, Moments.of(MEASURED))
    assert found_in(tmp_path / "begun") == [("unfinished", "manifest.json")]
    (tmp_path / "begun" / "sums.npz").write_bytes(b"no archive")
    assert found_in(tmp_path / "begun") == [("changed", "sums.npz"), ("unfinished", "manifest.json")]


def test_a_folder_of_something_else_is_no_experiment(tmp_path):
    assert not is_experiment(tmp_path)
    (tmp_path / "manifest.json").write_text(json.dumps({"format": "fivetowers-run/1"}), "utf-8")
    assert not is_experiment(tmp_path)


def test_a_bit_flipped_anywhere_in_the_sums_changes_nothing_or_is_one_line(tmp_path):
    path = tmp_path / "sums.npz"
    with KeptInFile(2, path, "plan") as kept:
        kept.add(0, Moments.of(MEASURED))
    whole, told = path.read_bytes(), []
    for place in range(0, len(whole), 3):
        flip_bit(path, place)
        try:
            found = KeptInFile(2, path, "plan")
        except RunError as error:
            told.append(str(error))
        else:
            assert (found.parts, found.moments.games) == ({0}, 2)
            assert found.moments.sums.tolist() == MEASURED.sum(0).tolist()
            assert found.moments.products.tolist() == (MEASURED.T @ MEASURED).tolist()
        path.write_bytes(whole)
    assert len(told) > len(whole) / 3 / 4
    assert not [line for line in told if "\n" in line or "remove it" not in line]


def test_an_entry_of_a_journal_that_was_changed_is_measured_again(tmp_path):
    path = tmp_path / "journal"
    journal = Journal(path, {"seed": 1})
    journal.note("step 1", {"total": 1234})
    journal.note("step 2", {"total": 5678})
    path.write_bytes(path.read_bytes().replace(b"1234", b"1235"))
    again = Journal(path, {"seed": 1}, resume=True)
    assert (again.find("step 1"), again.find("step 2")) == (None, {"total": 5678})
