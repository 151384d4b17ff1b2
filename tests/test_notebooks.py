"""The notebooks run from top to bottom by the front door alone, hold no outputs and define no functions."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import fivetowers_sim as ft
from tests.waiting import PATIENCE_SECONDS

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
GAMES = 120


def code_of(notebook):
    """The code of a notebook as Python, its magic lines left out."""
    lines = [line for cell in notebook.cells if cell.cell_type == "code" for line in cell.source.splitlines()]
    return "\n".join(line for line in lines if not line.startswith("%"))


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request):
    return nbformat.read(request.param, as_version=4)


def test_there_is_a_notebook_for_each_question():
    assert [path.stem[:2] for path in NOTEBOOKS] == ["01", "02", "03", "04", "05"]


def test_it_holds_no_outputs_and_nothing_of_the_machine(notebook):
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
        assert "/home/" not in cell.source


def test_it_defines_no_functions_and_imports_the_package_as_a_whole(notebook):
    tree = ast.parse(code_of(notebook))
    assert not [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Lambda))]
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imported = [(one.name, one.asname) for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names]
    assert sorted(imported) == [("fivetowers_sim", "ft"), ("os", None), ("polars", "pl")]
    calls = {node.func.attr for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_ours(node.func)}
    assert calls <= set(ft.__all__)


def _is_ours(function):
    return isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "ft"


def test_it_begins_with_its_question_and_has_more_prose_than_headings(notebook):
    assert notebook.cells[0].source.startswith("# ")
    prose = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
    assert len(prose) >= 5


@pytest.mark.slow
def test_it_runs_from_top_to_bottom(notebook, monkeypatch, tmp_path):
    monkeypatch.setenv("NOTEBOOK_GAMES", str(GAMES))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    client = NotebookClient(
        notebook,
        timeout=PATIENCE_SECONDS,
        startup_timeout=PATIENCE_SECONDS,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
    )
    client.execute()
    shown = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in shown if output.output_type == "error" or output.get("name") == "stderr"]
