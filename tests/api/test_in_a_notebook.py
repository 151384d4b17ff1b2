"""Progress in a notebook: one line that is written anew; results are shown richly."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager

import nbformat
import pytest
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient

from tests.cli.test_ctrl_c import PROMISED_SECONDS
from tests.test_notebooks import ROOT
from tests.waiting import PATIENCE_SECONDS, wait_until

pytestmark = pytest.mark.slow


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


@pytest.mark.skipif(os.name == "nt", reason="kernels are interrupted in another way there")
def test_the_stop_button_ends_the_cell_soon_and_says_what_is_kept(tmp_path):
    with started_kernel(tmp_path) as (manager, client):
        client.execute_interactive("import fivetowers_sim as ft; ft.simulate(games=30, quiet=True)", timeout=900)
        client.execute("ft.simulate(games=4_000_000, part_games=2_000, out='kept', quiet=True)")
        wait_until(lambda: (tmp_path / "kept" / "seats" / "part-000003.parquet").exists())
        pressed = time.monotonic()
        manager.interrupt_kernel()
        reply = client.get_shell_msg(timeout=PATIENCE_SECONDS)["content"]
        assert time.monotonic() - pressed < PROMISED_SECONDS
        assert reply["ename"] == "KeyboardInterrupt"
        assert reply["evalue"].endswith("of 4,000,000 games are written and kept; call again with resume=True")


@contextmanager
def started_kernel(folder):
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    manager, client = start_new_kernel(
        startup_timeout=PATIENCE_SECONDS,
        kernel_name="python3",
        cwd=str(folder),
        env={**os.environ, "PYTHONPATH": paths},
    )
    try:
        yield manager, client
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
