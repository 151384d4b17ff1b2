"""Whatever a file holds that a person may hand over: the command does it, or says in one line why not."""

from __future__ import annotations

import json
import os
import random
import shutil
from importlib import resources

import pytest

from fivetowers_sim.cli.main import run
from fivetowers_sim.rules.ruleset import RuleSet
from tests.own_strategies import write_strategies

TABLES = resources.files("fivetowers_sim.strategies") / "tables"

# As JSON and TOML have them; what a parser makes of some is no value that a program can use.
ODD_VALUES = (
    *("true", "-1", "0", "2.5", "1e400", "-1e300", "9" * 5000, "1" + "0" * 40, '""', '"x"', '"\\u0000"', '"\\u202e"'),
    *("[]", "[1]", '[""]', "[[[]]]", "[" * 2000 + "]" * 2000, "[" * 100_000),
)
DEEP_JSON = '{"x":' * 900 + "1" + "}" * 900
ODD_JSON = (*ODD_VALUES, "null", "NaN", "-Infinity", "{}", '{"a": 1, "a": 2}', '"\\ud800"', DEEP_JSON)
ODD_TOML = (*ODD_VALUES, "nan", "-inf", "1979-05-27", "07:32:00", "0x" + "f" * 5000, "{}", "{ a.b.c = 1 }")
WHOLE_FILES = (b"", b"\n", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"caf\xe9", b"[]", b"1", b'"x"', b"{}", b"[" * 100_000)

PRESET = """
name = "mine"
family = "greedy"
intent = "Bids what it can't build."
[parameters]
misjudge = 0.62
max_bid = 4
ignore_power = "tree+sand"
[provenance]
made = "tuned"
command = "fivetowers tune greedy"
seed = 1
field = ["greedy"]
games = 12
version = "0.1.0"
[provenance.result]
games = 12
win_share = { value = 0.52, low = 0.5, high = 0.55 }
"""

POSITION = {
    "format": "fivetowers-position/1",
    "players": 2,
    "rules": "base",
    "display": ["candy-3", "tree-4", "sand-8"],
    "discard": ["scrap-1"],
    "seats": [{"towers": {"candy": [5, 4]}, "teardown": ["sand-1"]}, {"towers": {"tree": [9]}, "teardown": []}],
    "turn": {"seat": 1, "high_bid": 1},
    "start": 0,
    "deck_pass": 1,
    "powers_by_seat": [["tree"], []],
}


def damage_json(text, chance):
    """Replace, repeat or drop a value somewhere in a JSON text."""
    values = json.loads(text)
    within = values
    while True:
        key = chance.choice(list(within) if isinstance(within, dict) else range(len(within)))
        if not (isinstance(within[key], (dict, list)) and within[key] and chance.random() < 0.8):
            break
        within = within[key]
    if chance.random() < 0.15:
        del within[key]
        return json.dumps(values)
    if isinstance(within, dict) and chance.random() < 0.1:
        within["another"] = within[key]
        return json.dumps(values)
    within[key] = "<odd>"
    return json.dumps(values).replace('"<odd>"', chance.choice(ODD_JSON))


def damage_toml(text, chance):
    """Replace, repeat or drop a line of a TOML text."""
    lines = text.strip().splitlines()
    at = chance.randrange(len(lines))
    key, equals, _ = lines[at].partition(" = ")
    kind = chance.random()
    if equals and kind < 0.7:
        lines[at] = f"{key} = {chance.choice(ODD_TOML)}"
    elif kind < 0.85:
        lines.insert(chance.randrange(len(lines)), lines[at])
    else:
        del lines[at]
    return "\n".join(lines)


def damage_bytes(data, chance):
    """Cut a file short, change a byte of it, or put something else in its place."""
    kind = chance.random()
    if kind < 0.3:
        return chance.choice(WHOLE_FILES)
    at = chance.randrange(len(data))
    return data[:at] if kind < 0.6 else data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]


def check_end(arguments, codes, capsys):
    """Run a command in this process: it ends as it should, with one line of errors if it fails."""
    capsys.readouterr()
    code = run([str(argument) for argument in arguments])
    said = capsys.readouterr().err
    notice = "Preparing the game engine"
    errors = "".join(line for line in said.splitlines(keepends=True) if not line.startswith(notice))
    assert code in codes, errors
    assert len(errors.splitlines()) == (code != 0), errors
    assert errors.isascii() or errors.strip().isprintable()
    return code


@pytest.fixture
def damaged(tmp_path, monkeypatch, capsys):
    """Write one damaged file after the other, and give each to a command."""
    monkeypatch.chdir(tmp_path)

    def check(name, text, damage, command, times):
        ends = set()
        for seed in range(times):
            chance = random.Random(seed)
            odd = damage_bytes(text.encode(), chance) if seed % 4 == 0 else damage(text, chance).encode()
            (tmp_path / name).write_bytes(odd)
            ends.add(check_end([*command, name], (0, 2), capsys))
        assert 2 in ends

    return check


@pytest.mark.slow
def test_a_damaged_rule_set_is_refused_in_one_line(damaged):
    damaged("mine.toml", RuleSet().to_toml(), damage_toml, ["rules"], 200)


@pytest.mark.slow
def test_a_damaged_preset_is_refused_in_one_line(damaged):
    damaged("mine.toml", PRESET, damage_toml, ["strategies"], 160)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["3-players.json", "3-players-powers.json"])
def test_a_damaged_value_table_is_refused_in_one_line(name, damaged):
    damaged("mine.json", (TABLES / name).read_text("utf-8"), damage_json, ["strategies"], 40)


@pytest.mark.slow
def test_a_damaged_position_is_refused_in_one_line(damaged):
    damaged("position.json", json.dumps(POSITION), damage_json, ["legal"], 200)


KINDS = {
    "mine.toml": (RuleSet().to_toml(), ["rules", "simulate --games 9 --out new --rules", "compare base"]),
    "preset.toml": (PRESET, ["strategies", "simulate --games 9 --out new --strategies"]),
    "tables.json": ((TABLES / "3-players.json").read_text("utf-8"), ["strategies"]),
    "position.json": (json.dumps(POSITION), ["legal"]),
}


@pytest.mark.parametrize("name", KINDS)
def test_a_file_of_a_windows_editor_is_read_and_one_that_can_not_be_is_refused(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text, (show, *others) = KINDS[name]
    file = tmp_path / name
    file.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert check_end([*show.split(), name], (0,), capsys) == 0
    for command in (show, *others):
        file.write_text(text, "utf-16")
        check_end([*command.split(), name], (2,), capsys)
        file.unlink()
        check_end([*command.split(), name], (2,), capsys)
        file.mkdir()
        check_end([*command.split(), name], (2,), capsys)
        file.rmdir()
        if os.name != "nt":
            os.mkfifo(file)
            check_end([*command.split(), name], (2,), capsys)
            file.unlink()


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A run and an experiment, both whole, and a run with a journal."""
    folder = write_strategies(tmp_path_factory.mktemp("written"))
    assert run(["simulate", "--games", "40", "--part-games", "10", "--quiet", "--out", str(folder / "run")]) == 0
    shutil.copytree(folder / "run", folder / "killed")
    manifest = json.loads((folder / "run" / "manifest.json").read_bytes())
    lines = [json.dumps(part) for part in manifest["parts"]]
    (folder / "killed" / "parts.jsonl").write_text("\n".join(lines))
    experiment = "tournament --strategies greedy,random --games 300 --quiet --out"
    assert run([*experiment.split(), str(folder / "experiment")]) == 0
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "file", "commands"),
    [
        ("run", "manifest.json", ["summary", "verify", "digest"]),
        ("killed", "parts.jsonl", ["verify", "summary", "simulate --games 40 --part-games 10 --quiet --resume --out"]),
        ("experiment", "manifest.json", ["verify", "report --out pages"]),
        ("experiment", "results.json", ["verify", "report --out pages"]),
        ("experiment", "sums.npz", ["verify"]),
    ],
)
def test_a_damaged_run_or_experiment_is_refused_in_one_line(
    what, file, commands, written, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    whole = (written / what / file).read_bytes()
    for seed in range(36):
        chance = random.Random(seed)
        shutil.copytree(written / what, "copy")
        odd = damage_bytes(whole, chance)
        if file.endswith(".json") and seed % 3:
            odd = damage_json(whole.decode(), chance).encode()
        elif file.endswith(".jsonl") and seed % 3:
            first, *others = whole.decode().splitlines()
            odd = "\n".join([damage_json(first, chance), *others]).encode()
        (tmp_path / "copy" / file).write_bytes(odd)
        for command in commands:
            check_end([*command.split(), "copy"], (0, 1), capsys)
        shutil.rmtree("copy")


@pytest.mark.skipif(os.name == "nt", reason="there are no such files")
@pytest.mark.parametrize("what", ["run", "experiment"])
def test_a_manifest_that_is_no_file_is_not_waited_for(what, written, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(written / what, "copy")
    (tmp_path / "copy" / "manifest.json").unlink()
    os.mkfifo("copy/manifest.json")
    for command in ("summary", "verify", "report --out pages"):
        check_end([*command.split(), "copy"], (1,), capsys)
