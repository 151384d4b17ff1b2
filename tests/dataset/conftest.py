"""Runs of the fake game."""

from __future__ import annotations

import pytest

from fivetowers_sim.batch.plan import Plan
from fivetowers_sim.dataset.write import write_run
from tests.batch.fake_game import FakeSetup


@pytest.fixture
def plan():
    """300 games in three parts of 100, with rounds."""
    return Plan(FakeSetup(), games=300, detail="rounds", part_games=100)


@pytest.fixture
def run_folder(tmp_path, plan):
    """A finished run of that plan."""
    folder = tmp_path / "run"
    write_run(plan, folder)
    return folder
