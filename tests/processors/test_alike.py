"""Every figure is the same to the last digit that is written, whatever the processor and the number of threads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import environment
from tests.processors.environments import list_environments, oldest_processor

ENVIRONMENTS = list_environments()
ROOT = Path(__file__).parents[2]


def ask_everything(folder: Path, changes) -> dict[str, bytes]:
    """Ask everything in a folder; return every file with figures in it, by its path there."""
    folder.mkdir()
    script = [sys.executable, "-W", "error", "-m", "tests.processors.ask_everything"]
    asked = subprocess.run(
        script, cwd=folder, env={**environment(), **changes}, capture_output=True, text=True, check=False
    )
    assert asked.returncode == 0, asked.stdout + asked.stderr
    kept = (file for file in sorted(folder.rglob("*")) if file.suffix in (".json", ".toml", ".txt", ".parquet"))
    # A manifest has times and versions.
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in kept if file.name != "manifest.json"}


@pytest.fixture(scope="module")
def by_itself(tmp_path_factory):
    """What is found where libraries choose for themselves."""
    return ask_everything(tmp_path_factory.mktemp("processors") / "by itself", {})


def assert_alike(found, expected):
    assert found.keys() == expected.keys()
    assert len(expected) > 12
    for file, data in expected.items():
        assert found[file] == data, file


@pytest.mark.slow
def test_the_figures_are_those_of_an_old_processor(by_itself, tmp_path):
    assert_alike(ask_everything(tmp_path / "old", oldest_processor()), by_itself)


@pytest.mark.processors
@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_the_figures_are_the_same(by_itself, tmp_path, name):
    assert_alike(ask_everything(tmp_path / "other", ENVIRONMENTS[name]), by_itself)
