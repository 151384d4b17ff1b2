"""What a long experiment has measured is kept, and only taken up again for the same question."""

from __future__ import annotations

import pytest

from fivetowers_sim.bench.journal import Journal
from fivetowers_sim.dataset.errors import RunError

PLAN = {"tuning": {"seed": 1, "games": 100}, "versions": {"cma": "4"}}


def test_what_was_noted_is_found_again(tmp_path):
    journal = Journal(tmp_path / "j", PLAN)
    journal.note("step 1", {"totals": [1, 2]})
    journal.note("step 2", [3])
    again = Journal(tmp_path / "j", PLAN, resume=True)
    assert (again.find("step 1"), again.find("step 2"), again.find("step 3")) == ({"totals": [1, 2]}, [3], None)


def test_a_line_that_a_kill_left_unfinished_is_lost_alone(tmp_path):
    path = tmp_path / "j"
    journal = Journal(path, PLAN)
    journal.note("step 1", 1)
    journal.note("step 2", 2)
    path.write_bytes(path.read_bytes()[:-4])
    again = Journal(path, PLAN, resume=True)
    assert (again.find("step 1"), again.find("step 2")) == (1, None)
    again.note("step 3", 3)
    last = Journal(path, PLAN, resume=True)
    assert (last.find("step 1"), last.find("step 2"), last.find("step 3")) == (1, None, 3)


def test_another_plans_journal_is_refused_with_the_difference(tmp_path):
    Journal(tmp_path / "j", PLAN)
    with pytest.raises(RunError, match=r"another plan: tuning\.games is 100 there and 200 here"):
        Journal(tmp_path / "j", {**PLAN, "tuning": {"seed": 1, "games": 200}}, resume=True)
    with pytest.raises(RunError, match='cma is "4" there and "5" here'):
        Journal(tmp_path / "j", {**PLAN, "versions": {"cma": "5"}}, resume=True)


def test_a_journal_that_is_there_is_not_overwritten(tmp_path):
    journal = Journal(tmp_path / "j", PLAN)
    journal.note("step 1", 1)
    before = (tmp_path / "j").read_bytes()
    with pytest.raises(RunError, match="from an interrupted command; resume that, or remove"):
        Journal(tmp_path / "j", PLAN)
    assert (tmp_path / "j").read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"notes of mine\n", b"[1]\n", b'{"format": "other"}\n', b"\xff"])
def test_a_file_that_is_no_journal_is_refused(tmp_path, content):
    (tmp_path / "j").write_bytes(content)
    with pytest.raises(RunError, match="is not the journal"):
        Journal(tmp_path / "j", PLAN, resume=True)
    assert (tmp_path / "j").read_bytes() == content


def test_resuming_what_was_never_begun_begins_it(tmp_path):
    Journal(tmp_path / "j", PLAN, resume=True).note("step 1", 1)
    assert Journal(tmp_path / "j", PLAN, resume=True).find("step 1") == 1


def test_a_folder_that_is_not_there_is_refused_in_a_line(tmp_path):
    with pytest.raises(RunError, match=r"can't use .*absent"):
        Journal(tmp_path / "absent" / "j", PLAN)


def test_a_journal_in_memory_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    journal = Journal(None, PLAN)
    journal.note("step 1", 1)
    assert journal.find("step 1") == 1
    journal.remove()
    assert list(tmp_path.iterdir()) == []
