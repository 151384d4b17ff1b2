"""A path that begins with a home folder, in every option and argument that takes one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from fivetowers_sim.cli.catalogue import COMMANDS
from fivetowers_sim.cli.command import ASK, load_function
from fivetowers_sim.cli.main import run
from tests.cli.test_bad_input import check_one_line
from tests.own_strategies import write_strategies

pytestmark = pytest.mark.skipif(os.name == "nt", reason="homes are told otherwise there")

# What is typed before the path, its ending, and after it.
NO_HOME = {
    "simulate --games 9 --out": "",
    "simulate --games 9 --out new --rules": ".toml",
    "simulate --games 9 --out new --strategies": ".py:Own",
    "simulate --games 9 --out new --strategies greedy,greedy,": ".toml",
    "trace --strategies": ".json",
    "trace --out": ".jsonl",
    "summary": "",
    "verify": "",
    "digest": "",
    "replay {} 0": "",
    "legal": ".json",
    "evaluate": ".json",
    "rules": ".toml",
    "strategies": ".toml",
    "compare base": ".toml",
    "fit --out": ".json",
    "tune greedy --parameters misjudge --against same --out": ".toml",
    "tune greedy --parameters misjudge --out new.toml --against": ".toml",
    "tune {} --against same --out new.toml": ".toml",
    "tournament --strategies greedy,random --out": "",
    "powers --check": ".toml",
    "report": "",
    "report --out": "",
    "report --experiments": "",
}


@pytest.mark.parametrize("typed", NO_HOME)
def test_a_home_folder_that_is_not_known_is_refused_wherever_a_path_is_given(typed, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    path = f"~nobody-of-this-name/x{NO_HOME[typed]}"
    given = typed.format(path) if "{}" in typed else typed + ("" if typed.endswith(",") else " ") + path
    assert run(given.split()) == 2
    check_one_line(*capsys.readouterr(), ["no home folder of ~nobody-of-this-name is known", "the path in full"])
    assert not list(tmp_path.iterdir())


def test_a_home_folder_is_written_out_and_nothing_is_called_a_tilde(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    home = write_strategies(tmp_path)
    monkeypatch.setenv("HOME", str(home))
    (home / "six.toml").write_text("display_size = 6\n", "utf-8")
    games = (
        "simulate --games 6 --quiet --rules ~/six.toml --strategies greedy,greedy,~/restless.py:Restless --out=~/run"
    )
    assert run(games.split()) == 0
    assert (home / "run" / "manifest.json").is_file()
    for command in ("summary ~/run", "verify ~/run", "digest ~/run", "replay ~/run 2"):
        assert run(command.split()) == 0
    assert run(["trace", "--out", "~/trace.jsonl", "--quiet"]) == 0
    assert (home / "trace.jsonl").is_file()
    assert not (home / "~").exists()
    capsys.readouterr()


def test_every_path_is_read_by_our_own_parsers():
    """A parameter declared as a plain path would know no home folder."""
    seen = 0
    for command in COMMANDS.values():
        if command.name == ASK:
            continue
        carries_out = load_function(command.name)
        for name, hint in get_type_hints(carries_out, include_extras=True).items():
            kind, *notes = get_args(hint) or (hint,)
            if Path in (kind, *get_args(kind)) or list[Path] in get_args(kind):
                assert notes[0].parser is not None, (command.name, name)
                seen += 1
    assert seen > 10


def test_an_address_stays_as_it_is(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["summary", "memory://a/~b"]) == 1
    check_one_line(*capsys.readouterr(), ["memory://a/~b does not exist"])
