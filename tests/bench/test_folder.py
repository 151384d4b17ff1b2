"""The folder of an experiment: new or gone on with, never overwritten, and complete only when everything is there."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.bench.folder import Asked, begin_experiment
from fivetowers_sim.dataset.errors import RunError

ASKED = Asked("tournament", {"format": "some/1", "seed": 1, "rules": {"display_size": 5}})


def finish(folder):
    with folder.open_sums(2, ()) as kept:
        kept.add(0, Moments.of(np.array([[1, 2], [3, 4]])))
    folder.complete({"figure": 0.5}, {"rows.parquet": b"rows"})


def files_of(path):
    return {file.name: file.read_bytes() for file in path.iterdir()}


def test_a_complete_folder_vouches_for_its_files(tmp_path):
    path = tmp_path / "new" / "folder"
    with begin_experiment(path, ASKED) as folder:
        begun = json.loads((path / "manifest.json").read_bytes())
        assert (begun["complete"], begun["plan"], begun["files"]) == (False, ASKED.plan, {})
        finish(folder)
    files = files_of(path)
    assert set(files) == {"manifest.json", "results.json", "rows.parquet", "sums.npz"}
    manifest = json.loads(files.pop("manifest.json"))
    assert manifest["complete"]
    assert manifest["format"] == "fivetowers-experiment/1"
    assert {name: entry["sha256"] for name, entry in manifest["files"].items()} == {
        name: hashlib.sha256(data).hexdigest() for name, data in files.items()
    }
    assert json.loads(files["results.json"]) == {"figure": 0.5}


def test_a_folder_that_exists_is_not_overwritten(tmp_path):
    with begin_experiment(tmp_path / "there", ASKED) as folder:
        finish(folder)
    before = files_of(tmp_path / "there")
    with pytest.raises(RunError, match="there exists already; choose another folder, or resume the experiment"):
        begin_experiment(tmp_path / "there", ASKED)
    assert files_of(tmp_path / "there") == before


def test_resuming_finds_the_sums_again(tmp_path):
    with begin_experiment(tmp_path / "there", ASKED) as folder, folder.open_sums(2, ()) as kept:
        kept.add(0, Moments.of(np.array([[1, 2], [3, 4]])))
    with begin_experiment(tmp_path / "there", ASKED, resume=True) as folder:
        assert folder.open_sums(2, ()).moments.sums.tolist() == [4, 6]


class Games:
    strategy_files = (("mine.py", "5a"), ("tables.json", "5b"))


def test_nothing_is_played_with_a_file_that_the_plan_does_not_vouch_for(tmp_path):
    arms = [{"strategy_files": {"mine.py": {"sha256": "5a"}}}]
    with begin_experiment(tmp_path / "new", Asked("sweep", {"arms": arms})) as folder:
        with pytest.raises(RunError, match=r"^strategy file tables\.json has changed since this was begun"):
            folder.open_sums(2, [Games()])
        folder.settle(Asked("sweep", {"arms": arms, "settled": {"tables": {"arm 0": {"sha256": "5b"}}}}))
        assert folder.open_sums(2, [Games()]).moments.games == 0


def test_resuming_what_is_not_there_begins(tmp_path):
    with begin_experiment(tmp_path / "new", ASKED, resume=True) as folder:
        assert folder.open_sums(2, ()).moments.games == 0
    (tmp_path / "empty").mkdir()
    with begin_experiment(tmp_path / "empty", ASKED, resume=True):
        assert (tmp_path / "empty" / "manifest.json").exists()


def test_another_plan_is_refused_by_its_first_difference(tmp_path):
    with begin_experiment(tmp_path / "there", ASKED) as folder:
        finish(folder)
    before = files_of(tmp_path / "there")
    other = Asked("tournament", {**ASKED.plan, "rules": {"display_size": 6}})
    with pytest.raises(RunError, match=r"begun with another plan: rules\.display_size is 5 there and 6 here"):
        begin_experiment(tmp_path / "there", other, resume=True)
    with pytest.raises(RunError, match="was begun by tournament; this is sweep"):
        begin_experiment(tmp_path / "there", Asked("sweep", ASKED.plan), resume=True)
    assert files_of(tmp_path / "there") == before


def test_somebody_elses_folder_is_left_alone(tmp_path):
    for name in ("notes.tmp", "run.lock"):
        (tmp_path / name).write_text("mine", "utf-8")
    with pytest.raises(RunError, match=r"not the folder of an experiment: it has no manifest\.json"):
        begin_experiment(tmp_path, ASKED, resume=True)
    assert files_of(tmp_path) == {"notes.tmp": b"mine", "run.lock": b"mine"}


@pytest.mark.parametrize("text", ["[]", "{", '{"format": "fivetowers-run/1"}', '{"format": "fivetowers-experiment/1"}'])
def test_a_manifest_that_is_none_is_refused(text, tmp_path):
    (tmp_path / "manifest.json").write_text(text, "utf-8")
    with pytest.raises(RunError, match=r"manifest\.json"):
        begin_experiment(tmp_path, ASKED, resume=True)


def test_two_processes_do_not_write_into_one_folder(tmp_path):
    with (
        begin_experiment(tmp_path / "there", ASKED),
        pytest.raises(RunError, match="is being written by another process"),
    ):
        begin_experiment(tmp_path / "there", ASKED, resume=True)
