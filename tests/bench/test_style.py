"""Pictures look alike wherever they are drawn, and leave alone what the user has set for others."""

from __future__ import annotations

import json
import subprocess
import sys

import matplotlib
import pytest

from fivetowers_sim.bench.style import encode_figure, house_style, new_figure
from tests.cli.conftest import environment

DRAW = """
import hashlib, json
from fivetowers_sim.bench.style import encode_figure, house_style, new_figure
with house_style():
    figure = new_figure(5, 4)
    axes = figure.subplots()
    axes.plot([1, 2, 3], [4, 5, 1], label="a line")
    axes.set_title("A picture")
    axes.legend()
files = encode_figure(figure, "picture", "A line.")
print(json.dumps({name: hashlib.sha256(data).hexdigest() for name, data in files.items()}))
"""

SETTINGS = """
text.usetex: True
axes.grid: True
savefig.bbox: tight
svg.fonttype: path
backend: nonsense
lines.linewidth: 9
no such line
"""


def draw(folder, **variables):
    """Draw a picture in a folder by a process of its own; returns its files' hashes."""
    env = {**environment(), **{name: str(value) for name, value in variables.items()}}
    command = [sys.executable, "-W", "error", "-c", DRAW]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    """What is drawn where nothing is set."""
    return draw(tmp_path_factory.mktemp("usual"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "backend", ["module://ipympl.backend_nbagg", "module://nowhere", "nonsense", "TkAgg", "inline"]
)
def test_pictures_are_drawn_alike_whatever_windows_are_made_with(backend, tmp_path, usual):
    assert draw(tmp_path, MPLBACKEND=backend) == usual


@pytest.mark.slow
@pytest.mark.parametrize("content", [SETTINGS.encode(), b"\xff\xfe in no known letters"])
def test_pictures_are_drawn_alike_whatever_the_user_has_set(content, tmp_path, usual):
    own, work = tmp_path / "own", tmp_path / "work"
    for folder in (own / "stylelib", work):
        folder.mkdir(parents=True)
    (own / "matplotlibrc").write_bytes(content)
    (own / "stylelib" / "mine.mplstyle").write_bytes(content)
    assert draw(own) == usual
    assert draw(work, MPLCONFIGDIR=own) == usual
    assert draw(work, MATPLOTLIBRC=own / "matplotlibrc", MPLBACKEND="nonsense") == usual


@pytest.mark.slow
def test_without_a_place_for_its_settings_pictures_are_drawn_without_a_word(tmp_path, usual):
    (tmp_path / "file").write_text("not a folder", "utf-8")
    assert draw(tmp_path, MPLCONFIGDIR=tmp_path / "file") == usual


def test_drawing_leaves_the_users_own_settings_as_they_are():
    own = {"lines.linewidth": 7.0, "axes.grid": True, "backend": "svg", "interactive": True}
    before = dict(matplotlib.rcParams)
    try:
        matplotlib.rcParams.update(own)
        during = dict(matplotlib.rcParams)
        with house_style():
            figure = new_figure(2, 2)
            figure.subplots().plot([1, 2])
            assert matplotlib.rcParams["lines.linewidth"] != 7
        encode_figure(figure, "picture", "A line.")
        assert dict(matplotlib.rcParams) == during
    finally:
        matplotlib.rcParams.update(before)
