"""Progress in a notebook: one line that is written anew; results are shown richly."""

from __future__ import annotations

import os

import nbformat
import pytest
from nbclient import NotebookClient

from tests.test_notebooks import ROOT
from tests.waiting import PATIENCE_SECONDS


@pytest.fixture
def shown(monkeypatch, tmp_path):
    def run(*cells: str) -> list[list[dict[str, object]]]:
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        settings = {"timeout": PATIENCE_SECONDS, "startup_timeout": PATIENCE_SECONDS, "kernel_name": "python3"}
        NotebookClient(notebook, resources={"metadata": {"path": str(tmp_path)}}, **settings).execute()
        return [cell.outputs for cell in notebook.cells]

    return run


def test_progress_is_one_line_below_the_cell_and_quiet_has_none(shown):
    play = "ft.simulate(games=60_000, workers=1{});"
    first, told, silent = shown("import fivetowers_sim as ft", play.format(""), play.format(", quiet=True"))
    assert first == silent == []
    (line,) = told
    assert line.output_type == "display_data"
    assert line.data["text/plain"].startswith("100%  60,000 of 60,000 games written")


def test_a_result_is_shown_with_its_verdict_and_pictures(shown):
    ask = "import fivetowers_sim as ft\nfound = ft.powers(strategies='greedy', games=61, quiet=True)"
    _, result, picture, run = shown(ask, "found", "found.pictures['powers']", "ft.simulate(games=30, quiet=True)")
    assert "What powers are worth" in result[0].data["text/html"]
    assert picture[0].data["image/svg+xml"].startswith("<?xml")
    assert "30 games" in run[0].data["text/html"]
