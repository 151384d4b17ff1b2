"""One digest for one content, however it was played."""

from __future__ import annotations

import hashlib

import pytest

from fivetowers_sim.batch.plan import Plan, canonical_json
from fivetowers_sim.dataset import parts
from fivetowers_sim.dataset.digest import digest_run
from fivetowers_sim.dataset.write import write_run
from tests.batch.fake_game import FakeSetup


@pytest.mark.parametrize("part_games", [17, 100, 300])
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_workers_and_part_sizes_do_not_matter(run_folder, tmp_path, workers, part_games):
    write_run(Plan(FakeSetup(), 300, "rounds", part_games), tmp_path / "again", workers)
    assert digest_run(tmp_path / "again") == digest_run(run_folder)


@pytest.mark.slow
def test_processes_give_the_same_digest_as_threads(run_folder, tmp_path, plan):
    write_run(plan, tmp_path / "again", workers=2, backend="processes")
    assert digest_run(tmp_path / "again") == digest_run(run_folder)


@pytest.mark.parametrize("largest", [1, 7, 10_000])
def test_block_sizes_do_not_matter(run_folder, tmp_path, plan, monkeypatch, largest):
    monkeypatch.setattr(parts, "_LARGEST_BLOCK", largest)
    write_run(plan, tmp_path / "again")
    assert digest_run(tmp_path / "again") == digest_run(run_folder)


@pytest.mark.parametrize(
    "other",
    [
        Plan(FakeSetup(seed=2), 300, "rounds"),
        Plan(FakeSetup(), 299, "rounds"),
        Plan(FakeSetup(), 300, "games"),
        Plan(FakeSetup(strategies=("greedy", "other")), 300, "rounds"),
    ],
)
def test_other_content_has_another_digest(run_folder, tmp_path, other):
    write_run(other, tmp_path / "other")
    assert digest_run(tmp_path / "other") != digest_run(run_folder)


def test_the_digest_is_what_its_description_says(tmp_path):
    setup = FakeSetup()
    write_run(Plan(setup, 50, "rounds"), tmp_path / "run")
    played = setup.play(0, 50, "rounds")
    described = []
    for layout in setup.layouts("rounds"):
        rows, columns = played[layout.name], []
        for column in layout.columns:
            values, present = rows[column.name].copy(), None
            labels = list(setup.strategies) if column.labels_from_plan else column.labels and list(column.labels)
            if column.missing is not None:
                there = values != column.missing
                present = hashlib.sha256(bytes(there.tolist())).hexdigest()
                values[~there] = 0
            columns.append(
                {
                    "name": column.name,
                    "type": {"?": "b1"}.get(column.dtype, column.dtype),
                    "labels": labels,
                    "values": hashlib.sha256(values.tobytes()).hexdigest(),
                    "present": present,
                }
            )
        described.append({"table": layout.name, "rows": len(rows), "columns": columns})
    assert digest_run(tmp_path / "run") == hashlib.sha256(canonical_json(described).encode()).hexdigest()
