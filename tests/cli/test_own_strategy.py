"""A user's own strategy on the command line: run folders, workers, replays, and every fault in one line."""

from __future__ import annotations

import json
import os

import pytest

from fivetowers_sim.cli.main import run
from tests.cli.conftest import environment
from tests.cli.test_bad_input import check_one_line
from tests.own_strategies import write_strategies

OWN = "restless.py:Restless:boldness=0.9"
GAMES = f"simulate --games 24 --part-games 6 --strategies {OWN},greedy,greedy --detail bids --quiet".split()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with strategy files, to stand in."""
    monkeypatch.chdir(write_strategies(tmp_path))
    return tmp_path


@pytest.fixture
def typed(folder, capsys):
    """The command in this process: its exit code, output and errors."""

    def call(*arguments):
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return call


def edit(file):
    file.write_text(file.read_text("utf-8") + "# edited\n", "utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("how", ["--workers 2", "--workers 2 --backend processes"])
def test_the_digest_is_the_same_however_the_games_are_played(how, folder, fivetowers):
    for name, options in (("one", "--workers 1"), ("other", how)):
        done = fivetowers(*GAMES, *options.split(), "--out", name, cwd=folder)
        assert done.returncode == 0, done.stderr
    assert fivetowers("digest", "one", cwd=folder).stdout == fivetowers("digest", "other", cwd=folder).stdout


def test_a_run_is_vouched_for_replayed_and_resumed_only_with_the_same_file(folder, typed):
    assert typed(*GAMES, "--out", "run")[0] == 0
    manifest = json.loads((folder / "run" / "manifest.json").read_bytes())
    sha256 = manifest["plan"]["setup"]["strategy_files"]["restless.py"]["sha256"]
    assert len(sha256) == 64
    assert typed("replay", "run", 3)[0] == 0
    assert typed(*GAMES, "--out", "run", "--resume")[0] == 0
    digest = typed("digest", "run")

    edit(folder / "restless.py")
    code, *said = typed("replay", "run", 3)
    assert code == 1
    check_one_line(*said, ["restless.py has changed since these games were begun", sha256])
    code, *said = typed(*GAMES, "--out", "run", "--resume")
    assert code == 1
    check_one_line(*said, ["begun with another plan: setup.strategy_files.restless.py.sha256 is", sha256])

    (folder / "restless.py").unlink()
    code, *said = typed("replay", "run", 3)
    assert code == 1
    check_one_line(*said, ["run", "strategy file restless.py can't be read: No such file"])
    code, *said = typed(*GAMES, "--out", "run", "--resume")
    assert code == 2
    check_one_line(*said, ["--strategies", "strategy file restless.py can't be read"])
    # What is written needs no strategy to be read.
    assert typed("verify", "run")[:2] == (0, "ok: 4 parts, 24 games\n")
    assert OWN in typed("summary", "run")[1]
    assert typed("digest", "run") == digest


@pytest.mark.slow
def test_a_fault_keeps_finished_parts_and_the_run_can_be_resumed_when_it_is_mended(folder, typed):
    games = "simulate --games 40 --part-games 4 --strategies troubled.py:Troubled,greedy,greedy --workers 1 --quiet"
    (folder / "trouble").touch()
    code, *said = typed(*games.split(), "--out", "run")
    assert code == 1
    words = ["games ", " failed: ", "troubled.py:Troubled in game", "round 1, seat", "there is trouble", "--resume"]
    check_one_line(*said, words)
    kept = len(json.loads((folder / "run" / "manifest.json").read_bytes())["parts"])
    assert 0 < kept < 10
    assert f"{4 * kept} of 40 games are written and kept" in said[1]
    assert typed(*games.split(), "--out", "run", "--resume")[0] == 1
    (folder / "trouble").unlink()
    assert typed(*games.split(), "--out", "run", "--resume")[0] == 0
    assert typed(*games.split(), "--out", "undisturbed")[0] == 0
    assert typed("digest", "run")[1] == typed("digest", "undisturbed")[1]


@pytest.mark.slow
def test_a_fault_in_another_process_is_told_in_one_line_too(folder, fivetowers):
    games = "simulate --games 8 --part-games 4 --strategies faulty.py:Faulty,greedy --players 2 --backend processes"
    done = fivetowers(*games.split(), "--workers", 2, "--quiet", "--out", "run", cwd=folder)
    assert done.returncode == 1
    check_one_line(done.stdout, done.stderr, ["faulty.py:Faulty in game", "seat", "no idea at all", "faulty.py:14"])


def test_a_fault_ends_a_trace_in_one_line(folder, typed):
    code, output, errors = typed("trace", "--strategies", "faulty.py:Faulty,greedy", "--players", 2)
    assert code == 1
    check_one_line(output, errors, ["faulty.py:Faulty in game 0, round", "no idea at all"])


def test_a_class_is_shown_with_what_can_be_given_to_it(typed):
    code, output, _ = typed("strategies", OWN)
    assert code == 0
    assert f"{OWN}: Builds anything, by its own chance." in output
    rows = [line.split() for line in output.splitlines()]
    assert ["boldness", "0.9", "0.8", "a", "number"] in rows
    assert ["most", "99", "99", "a", "whole", "number"] in rows
    assert ["name", "nobody", "nobody", "a", "text"] in rows
    assert ["quiet", "1", "1", "0", "or", "1"] in rows


BAD_FILES = {
    "broken.py": "class Careful\n",
    "raises.py": "import no_such_thing\n",
    "leaves.py": "raise SystemExit\n",
    "classes.py": """
class Mute:
    pass

class Hasty:
    def speak(self):
        return None

class Needs:
    def __init__(self, least: int, /, most: int, table: dict = None):
        pass

class Asks:
    def __init__(self, least: float):
        if least < 0:
            raise ValueError("least is below 0")
    def speak(self, view):
        return None

class Takes(Asks):
    def __init__(self, max_bid: int = 3):
        pass
""",
}

# What is given as --strategies, and words that the line must hold.
REFUSED = {
    "absent.py:Careful": ["absent.py can't be read", "No such file"],
    "classes.py": ["names no class", "FILE.py:Class"],
    "classes.py:": ["names no class"],
    "classes.py:1": ["names no class"],
    "broken.py:Careful": ["broken.py can't be run", "SyntaxError", "line 1"],
    "raises.py:Careful": ["raises.py can't be run", "ModuleNotFoundError", "no_such_thing", "raises.py:1"],
    "leaves.py:Careful": ["leaves.py can't be run", "SystemExit"],
    "classes.py:Careful": ["has no class 'Careful'", "Mute, Hasty, Needs, Asks, Takes"],
    "classes.py:Mute": ["no method speak(self, view)"],
    "classes.py:Hasty": ["no method speak(self, view)"],
    "classes.py:Needs": ["parameter 'least' has no default and can't be given"],
    "classes.py:Asks": ["needs least", "classes.py:Asks:least=…"],
    "classes.py:Asks:least=low": ["least is 'low'; accepted is a number"],
    "classes.py:Asks:least=nan": ["least is 'nan'; accepted is a number"],
    "classes.py:Asks:least=-1": ["can't be made", "ValueError: least is below 0"],
    "classes.py:Asks:least": ["'least' is not parameter=value"],
    "classes.py:Asks:least=1:least=2": ["least is given twice"],
    "classes.py:Asks:least=1:most=2": ["no parameter 'most'", "least, misjudge"],
    "classes.py:Asks:least=1:max_bid=x": ["max_bid is 'x'"],
    "classes.py:Takes": ["max_bid", "every strategy has"],
}


@pytest.mark.parametrize("given", REFUSED)
def test_a_strategy_that_will_not_do_is_refused_in_one_line(given, folder, typed):
    for name, text in BAD_FILES.items():
        (folder / name).write_text(text, "utf-8")
    code, *said = typed("simulate", "--games", 5, "--strategies", given, "--out", "new")
    assert code == 2
    check_one_line(*said, ["--strategies", *REFUSED[given]])
    assert not (folder / "new").exists()


MOVING = '''
import os

os.chdir(os.path.dirname(__file__))


class Moving:
    """Moves about when it is loaded, made and asked."""

    def __init__(self):
        os.chdir("/")

    def speak(self, view):
        os.chdir(os.path.dirname(__file__))
        return view.builds[0] if view.builds else None
'''


@pytest.mark.slow
@pytest.mark.parametrize("how", ["--workers 2", "--workers 2 --backend processes"])
def test_paths_are_those_of_the_shells_folder_whatever_a_strategy_does(how, folder, fivetowers):
    (folder / "deep").mkdir()
    (folder / "deep" / "moving.py").write_text(MOVING, "utf-8")
    (folder / "six.toml").write_text("display_size = 6\n", "utf-8")
    strategies = "deep/moving.py:Moving,restless.py:Restless,deep/moving.py:Moving"
    games = f"simulate --games 12 --part-games 3 --rules six.toml --strategies {strategies} --quiet {how} --out"
    env = environment(FIVETOWERS_CACHE_DIR=os.path.relpath(os.environ["FIVETOWERS_CACHE_DIR"], folder))
    for options in (("kept/run",), ("kept/run", "--resume")):
        done = fivetowers(*games.split(), *options, cwd=folder, env=env)
        assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.rstrip().endswith(" in kept/run")
    assert fivetowers("verify", "kept/run", cwd=folder).stdout == "ok: 4 parts, 12 games\n"
    assert {file.name for file in (folder / "deep").iterdir()} == {"moving.py"}


@pytest.mark.slow
def test_a_helper_beside_is_vouched_for_like_the_file_itself(folder, fivetowers, typed):
    (folder / "deep").mkdir()
    (folder / "deep" / "mine.py").write_text("from bold import Bold as Own\n", "utf-8")
    (folder / "deep" / "bold.py").write_text(MOVING.replace("Moving", "Bold"), "utf-8")
    games = "simulate --games 8 --part-games 4 --strategies deep/mine.py:Own,greedy,greedy --quiet --out run".split()
    done = fivetowers(*games, "--backend", "processes", "--workers", 2, cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert typed("replay", "run", 3)[0] == 0
    edit(folder / "deep" / "bold.py")
    for command in (["replay", "run", 3], [*games, "--resume"]):
        code, *said = typed(*command)
        assert code == 1
        check_one_line(*said, ["deep/bold.py"])
    assert "SHA-256 of deep/bold.py: " in typed("strategies", "deep/mine.py:Own")[1]
