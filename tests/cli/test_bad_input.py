"""Every fault gets one line that says what was wrong and what is accepted, and leaves nothing behind."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from fivetowers_sim.cli.main import run
from tests.cli.conftest import environment

SIMULATE = "simulate --games 10 --out new"
TOURNAMENT = "tournament --strategies"
TUNE = "tune greedy --against greedy --out new.toml"

# What is typed, and words that the line must hold: the option, what was given, what is accepted.
BAD_USAGE = {
    f"{SIMULATE} --strategies greed": ("--strategies", "'greed'", "random, greedy"),
    f"{SIMULATE} --strategies greedy:misjudg=0.1": ("--strategies", "'misjudg'", "misjudge"),
    f"{SIMULATE} --strategies greedy:misjudge=2": ("--strategies", "misjudge", "'2'", "from 0 to 1"),
    f"{SIMULATE} --strategies greedy:misjudge=nan": ("--strategies", "misjudge", "'nan'", "from 0 to 1"),
    f"{SIMULATE} --strategies greedy:misjudge": ("--strategies", "'misjudge'", "parameter=value"),
    f"{SIMULATE} --strategies greedy,random": ("--strategies", "names 2", "3 players"),
    f"{SIMULATE} --strategies greedy,random,greedy,random": ("--strategies", "names 4", "3 players"),
    f"{SIMULATE} --strategies greedy,,random": ("--strategies", "''", "greedy"),
    f"{SIMULATE} --players 1": ("--players", "1", "2 to 5"),
    f"{SIMULATE} --players 6": ("--players", "6", "2 to 5"),
    f"{SIMULATE} --players -3": ("--players", "-3", "2 to 5"),
    f"{SIMULATE} --players three": ("--players", "'three'", "a whole number"),
    f"{SIMULATE} --seed -1": ("--seed", "-1", "0 to 9223372036854775807"),
    f"{SIMULATE} --seed 9223372036854775808": ("--seed", "9223372036854775808", "0 to"),
    f"{SIMULATE} --seating random": ("--seating", "'random'", "rotate, fixed"),
    f"{SIMULATE} --powers moon": ("--powers", "'moon'", "none, all", "tree,scrap,sand,pairs"),
    f"{SIMULATE} --powers tree,none": ("--powers", "'none'", "tree,scrap,sand,pairs"),
    f"{SIMULATE} --seat-powers tree": ("--seat-powers", "tree", "seat=powers"),
    f"{SIMULATE} --seat-powers 3=tree": ("--seat-powers", "'3'", "0 to 2"),
    f"{SIMULATE} --seat-powers -1=tree": ("--seat-powers", "'-1'", "0 to 2"),
    f"{SIMULATE} --seat-powers 0=moon": ("--seat-powers", "'moon'", "tree,scrap,sand,pairs"),
    f"{SIMULATE} --seat-powers 0=tree --seat-powers 0=sand": ("--seat-powers", "seat 0", "twice"),
    f"{SIMULATE} --powers tree,tree": ("--powers", "tree is named twice"),
    f"{SIMULATE} --powers=": ("--powers", "''", "none, all", "tree,scrap,sand,pairs"),
    f"{SIMULATE} --seat-powers 0=": ("--seat-powers", "''", "none, all", "tree,scrap,sand,pairs"),
    f"{SIMULATE} --seat-powers 0=sand,sand": ("--seat-powers", "sand is named twice"),
    f"{SIMULATE} --rules=": ("--rules", "''", "base", ".toml"),
    f"{SIMULATE} --rules deep.toml": ("--rules", "deep.toml", "nested too deeply"),
    f"{SIMULATE} --rules digits.toml": ("--rules", "digits.toml", "TOML"),
    f"{SIMULATE} --rules huge.toml": ("--rules", "huge.toml", "copies is a number of thousands of digits", "1 to 4"),
    f"{SIMULATE} --rules basic": ("--rules", "'basic'", "base", ".toml"),
    f"{SIMULATE} --rules absent.toml": ("--rules", "absent.toml", "No such file"),
    f"{SIMULATE} --rules broken.toml": ("--rules", "broken.toml", "TOML"),
    f"{SIMULATE} --rules strange.toml": ("--rules", "strange.toml", "'displaysize'", "display_size"),
    f"{SIMULATE} --set display_size": ("--set", "display_size", "dial=value"),
    f"{SIMULATE} --set name=x": ("--set name=x", "no dial 'name'", "display_size"),
    f"{SIMULATE} --set about=x": ("--set about=x", "no dial 'about'", "display_size"),
    f"{SIMULATE} --set =5": ("--set =5", "no dial ''", "display_size"),
    f"{SIMULATE} --set=": ("--set", "dial=value"),
    f"{SIMULATE} --set display_size=": ("--set", "display_size is ''", "a whole number from 3 to 7"),
    f"{SIMULATE} --set anything_goes_on=8,,9": ("--set", "anything_goes_on is [8, '', 9]", "a list of values"),
    f"{SIMULATE} --set anything_goes_on=[8": ("--set", "anything_goes_on is ['[8']", "a list of values"),
    f"{SIMULATE} --set copies={'9' * 5000}": ("--set", "copies is '999", "…", "1 to 4"),
    f"{SIMULATE} --set {'d' * 5000}=1": ("--set", "no dial 'ddd", "…", "display_size"),
    f"{SIMULATE} --set displaysize=6": ("--set", "'displaysize'", "display_size"),
    f"{SIMULATE} --set display_size=8": ("--set", "display_size is 8", "3 to 7"),
    f"{SIMULATE} --set display_size=six": ("--set", "display_size is 'six'", "3 to 7"),
    f"{SIMULATE} --set display_size=6 --set display_size=7": ("--set", "display_size", "twice"),
    f"{SIMULATE} --set copies=4 --set highest_value=30": ("--set", "copies", "250"),
    f"{SIMULATE} --detail everything": ("--detail", "'everything'", "games, rounds, bids"),
    f"{SIMULATE} --backend cloud": ("--backend", "'cloud'", "threads, processes, dask, ray, spark, loky, threading"),
    f"{TOURNAMENT} greedy,random --out s3://bucket/t": ("--out", "'s3://bucket/t'", "a folder of this machine's"),
    f"{SIMULATE} --scheduler tcp://host:8786": ("--scheduler", "--backend threads", "--backend dask"),
    f"{SIMULATE} --backend dask --scheduler host:8786": ("--scheduler", "'host:8786'", "tcp://10.0.0.1:8786"),
    f"{SIMULATE} --backend dask --scheduler tcp://h:1 --workers 10001": ("--workers", "10001", "1 to 10000"),
    f"{TOURNAMENT} greedy,random --backend dusk": ("--backend", "'dusk'", "threads, processes, dask"),
    f"{SIMULATE} --workers 0": ("--workers", "0", "1 to 256"),
    f"{SIMULATE} --workers 257": ("--workers", "257", "1 to 256", "-1 for all"),
    f"{SIMULATE} --backend loky --workers 10001": ("--workers", "10001", "1 to 10000"),
    f"{SIMULATE} --backend multiprocessing": ("--backend", "'multiprocessing'", "threads, processes"),
    f"{SIMULATE} --part-games -1": ("--part-games", "-1", "from 0"),
    "simulate --out new --games=": ("--games", "''", "a whole number"),
    f"{SIMULATE} --games 20": ("--games is given 2 times", "accepted is once"),
    f"{SIMULATE} --seed 1 --players 3 --seed 2": ("--seed is given 2 times", "accepted is once"),
    f"{SIMULATE} --detail=": ("--detail", "''", "games, rounds, bids"),
    f"{SIMULATE} --backend=": ("--backend", "''", "threads, processes, dask"),
    f"{SIMULATE} --seating=": ("--seating", "''", "rotate, fixed"),
    f"{SIMULATE} --strategies=": ("--strategies", "''", "greedy"),
    f"{SIMULATE} --strategies greedy:ignore_power=tree+tree": ("--strategies", "'tree+tree'", "each once"),
    f"{SIMULATE} --part-games 4294967296": ("--part-games", "4294967296", "from 0 to 4294967295"),
    f"{SIMULATE} --resume=yes": ("--resume", "value"),
    f"{SIMULATE} --player 3": ("--player", "--players"),
    f"{SIMULATE} extra": ("extra",),
    "simulate --games 0 --out new": ("--games", "0", "from 1 to 4294967295"),
    "simulate --games -5 --out new": ("--games", "-5", "from 1 to 4294967295"),
    "simulate --games 4294967296 --out new": ("--games", "4294967296", "from 1 to 4294967295"),
    "simulate --games 1e-6 --out new": ("--games", "'1e-6'", "a whole number"),
    "simulate --games 10": ("--out",),
    "simulate --out new": ("--games",),
    "tournament": ("--strategies",),
    f"{TOURNAMENT} greedy": ("--strategies", "names greedy;", "2 to 26"),
    f"{TOURNAMENT} greedy,greedy": ("--strategies", "names greedy, greedy;", "2 to 26 different ones"),
    f"{TOURNAMENT} greedy,greed": ("--strategies", "'greed'", "random, greedy"),
    f"{TOURNAMENT} greedy,random --players 6": ("--players", "6", "2 to 5"),
    f"{TOURNAMENT} greedy,random --games 0": ("--games", "0", "1 to 1000000000"),
    f"{TOURNAMENT} greedy,random --precision 1": ("--precision", "1", "0.0005 to 0.25"),
    f"{TOURNAMENT} greedy,random --precision little": ("--precision", "'little'", "a number"),
    f"{TOURNAMENT} greedy,random --games 9 --precision 0.1": ("--games", "--precision", "one of them"),
    f"{TOURNAMENT} greedy,random --set display_size=9": ("--set", "display_size is 9", "3 to 7"),
    f"{TOURNAMENT} greedy,random --workers 0": ("--workers", "0", "1 to 256"),
    f"{TOURNAMENT} greedy,random --resume": ("--resume", "--out"),
    "simulat": ("simulat", "simulate"),
    "--versio": ("--versio", "--version"),
    "summary": ("RUN",),
    "rules basic": ("'basic'", "base", ".toml"),
    "rules strange.toml": ("strange.toml", "'displaysize'", "display_size"),
    "strategies greed": ("'greed'", "greedy"),
    f"{SIMULATE} --strategies absent.toml": ("--strategies", "absent.toml", "No such file"),
    f"{SIMULATE} --strategies broken.toml": ("--strategies", "broken.toml", "not TOML"),
    f"{SIMULATE} --strategies strange.toml": ("--strategies", "strange.toml", "displaysize", "family, intent"),
    f"{SIMULATE} --strategies preset.toml": ("--strategies", "preset.toml", "max_bid is '100'", "from 0 to 99"),
    "strategies preset.toml": ("preset.toml", "max_bid is '100'", "from 0 to 99"),
    f"{TUNE} --parameters misjudg": ("--parameters", "'misjudg'", "misjudge"),
    f"{TUNE} --parameters ignore_power": ("--parameters", "'ignore_power'", "misjudge"),
    f"{TUNE} --parameters misjudge=0..3": ("--parameters", "misjudge=0..3", "low..high", "from 0 to 1"),
    TUNE: ("--parameters", "none of its own", "misjudge"),
    f"{TUNE} --parameters misjudge --aim fun": ("--aim", "'fun'", "win_share, margin"),
    f"{TUNE} --parameters misjudge --players 6": ("--players", "6", "2 to 5"),
    f"{TUNE} --parameters misjudge --generations 0": ("--generations", "0", "1 to"),
    f"{TUNE} --parameters misjudge --evaluations 0": ("--evaluations", "0", "1 to"),
    f"{TUNE} --parameters misjudge --evaluations 9 --generations 9": ("--evaluations", "--generations", "one of"),
    f"{TUNE} --parameters misjudge --games 0": ("--games", "0", "1 to"),
    f"{TUNE} --parameters misjudge --fresh-games 1": ("--fresh-games", "1", "2 to"),
    f"{TUNE} --parameters misjudge --restarts 0": ("--restarts", "0", "1 to"),
    f"{TUNE} --parameters misjudge --seed -1": ("--seed", "-1", "0 to"),
    f"{TUNE} --parameters misjudge --powers moon": ("--powers", "'moon'", "none, all"),
    "tune gredy --against same --out new.toml": ("STRATEGY", "'gredy'", "greedy"),
    "tune greedy --against gredy --out new.toml": ("--against", "'gredy'", "greedy"),
    "tune greedy --against , --out new.toml": ("--against", "''", "greedy"),
    "tune greedy --against same,same --players 4 --out new.toml": ("--against", "greedy, greedy", "3 or more"),
    "tune greedy --against same --out new": ("--out", "new", ".toml"),
    "tune greedy --against same --out broken.toml": ("--out", "broken.toml", "exists"),
    "tune greedy --against same --out absent/new.toml": ("--out", "absent", "folder"),
    "tune greedy --against same --out greedy.toml": ("--out", "'greedy'", "no family's name"),
    "tune greedy --out new.toml": ("--against",),
    "tune --against same --out new.toml": ("STRATEGY",),
}

FAILURES = {
    "simulate --games 10 --out nowhere://a/b": ("nowhere://a/b", "can't be used", "not known"),
    "summary memory://a/b": ("memory://a/b", "does not exist"),
    "simulate --games 10 --out there": ("there", "exists"),
    "simulate --games 10 --out broken.toml": ("broken.toml", "file"),
    "simulate --games 10 --out broken.toml/new": ("broken.toml/new", "Not a directory"),
    "simulate --games 10 --out there --resume": ("there", "not a run folder"),
    f"{TOURNAMENT} greedy,random --games 10 --out there": ("there", "exists"),
    f"{TOURNAMENT} greedy,random --games 10 --out there --resume": ("there", "not the folder of an experiment"),
    "summary nowhere": ("nowhere", "does not exist"),
    "summary there": ("there", "not a run folder"),
    "summary broken.toml": ("broken.toml", "not a run folder"),
    "verify nowhere": ("nowhere", "does not exist"),
    "verify there": ("there", "not a run folder"),
    "digest nowhere": ("nowhere", "does not exist"),
    "digest there": ("there", "not a run folder"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder to stand in, with files that are faulty in some way."""
    (tmp_path / "broken.toml").write_text("display_size = = 5\n", "utf-8")
    (tmp_path / "strange.toml").write_text("displaysize = 5\n", "utf-8")
    (tmp_path / "preset.toml").write_text(
        'family = "greedy"\nintent = "Too much."\n[parameters]\nmax_bid = 100\n', "utf-8"
    )
    (tmp_path / "deep.toml").write_text("copies = " + "[" * 100_000, "utf-8")
    (tmp_path / "digits.toml").write_text("copies = " + "9" * 5_000, "utf-8")
    (tmp_path / "huge.toml").write_text("copies = 0x" + "f" * 5_000, "utf-8")
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "notes.txt").write_text("mine\n", "utf-8")
    return tmp_path


def snapshot(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def check_one_line(output, errors, words):
    assert output == ""
    lines = errors.splitlines()
    assert len(lines) == 1, errors
    assert "Traceback" not in lines[0]
    for word in words:
        assert word in lines[0]


@pytest.mark.parametrize("typed", BAD_USAGE, ids=lambda typed: typed[:60])
def test_bad_usage_is_refused_in_one_line(typed, folder, capsys, monkeypatch):
    # In this process, to save fifty starts; the next test starts some of them as a user does.
    monkeypatch.chdir(folder)
    before = snapshot(folder)
    assert run(typed.split()) == 2
    check_one_line(*capsys.readouterr(), BAD_USAGE[typed])
    assert snapshot(folder) == before
    assert not (folder / "new").exists()


@pytest.mark.slow
@pytest.mark.parametrize("typed", list(BAD_USAGE)[::9])
def test_bad_usage_ends_with_code_2(typed, folder, fivetowers):
    done = fivetowers(*typed.split(), cwd=folder)
    assert done.returncode == 2
    check_one_line(done.stdout, done.stderr, BAD_USAGE[typed])
    assert not (folder / "new").exists()


@pytest.mark.slow
@pytest.mark.parametrize("typed", FAILURES)
def test_a_folder_that_will_not_do_is_refused_in_one_line(typed, folder, fivetowers):
    before = snapshot(folder)
    done = fivetowers(*typed.split(), cwd=folder)
    assert done.returncode == 1
    check_one_line(done.stdout, done.stderr, [word.replace("/", os.sep) for word in FAILURES[typed]])
    assert snapshot(folder) == before


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="nothing is forbidden to this user")
def test_a_folder_that_may_not_be_written_is_refused(folder, fivetowers):
    (folder / "there").chmod(0o500)
    done = fivetowers("simulate", "--games", 10, "--out", folder / "there" / "new")
    (folder / "there").chmod(0o700)
    assert done.returncode == 1
    check_one_line(done.stdout, done.stderr, ["there", "Permission denied"])


def test_a_folder_is_refused_before_anything_is_compiled(folder, fivetowers):
    env = {**os.environ, "FIVETOWERS_CACHE_DIR": str(folder / "kernels")}
    done = fivetowers("simulate", "--games", 10, "--out", folder / "there", env=env)
    assert "engine" not in done.stderr


@pytest.mark.slow
def test_a_place_for_compiled_code_that_cannot_be_used_is_named_and_the_games_are_played(folder, fivetowers):
    (folder / "file").write_text("mine", "utf-8")
    env = environment(FIVETOWERS_CACHE_DIR=str(folder / "file"), TMPDIR=str(folder))
    done = fivetowers("trace", "--games", 1, env=env)
    assert done.returncode == 0
    assert done.stdout.startswith("{")
    lines = [line for line in done.stderr.splitlines() if not line.startswith("Preparing the game engine")]
    assert len(lines) == 1
    assert lines[0].startswith(
        f"FIVETOWERS_CACHE_DIR is '{folder / 'file'}', where no compiled code can be kept; it is"
    )
    assert (folder / "file").read_text("utf-8") == "mine"
