"""A strategy file is run as Python runs a file, and what it imports from its folder is its own and vouched for."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

import pytest

from fivetowers_sim.strategies.custom_file import find_files, load_file
from fivetowers_sim.strategies.families import read_strategy
from fivetowers_sim.strategies.parameters import StrategyError

PLAYER = """
class Own:
    def speak(self, view):
        return None
"""


def write(folder, **files):
    """Write Python files, by their names without ending, and return the folder."""
    for name, text in files.items():
        file = folder / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return folder


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refusal(text):
    with pytest.raises(StrategyError) as caught:
        read_strategy(text)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_file_has_no_imports_from_the_future_but_its_own(here):
    write(here, plain="def f(x: int): ...\n", future="from __future__ import annotations\ndef f(x: int): ...\n")
    assert load_file("plain.py")[0].f.__annotations__ == {"x": int}
    assert load_file("future.py")[0].f.__annotations__ == {"x": "int"}


def test_a_file_can_be_looked_into_as_if_python_had_run_it(here):
    text = """
import dataclasses, inspect, pickle, typing
from pathlib import Path

@dataclasses.dataclass
class State:
    seen: "list[int]"

assert __name__ != "__main__"
assert Path(__file__).is_absolute() and (Path(__file__).parent / "beside.txt").read_text() == "here"
assert typing.get_type_hints(State) == {"seen": list[int]}
assert pickle.loads(pickle.dumps(State([1]))) == State([1])
assert "class State" in inspect.getsource(State)
"""
    write(here, mine=text)
    (here / "beside.txt").write_text("here")
    load_file("mine.py")


def test_a_file_with_a_byte_order_mark_is_run(here):
    (here / "marked.py").write_bytes(b"\xef\xbb\xbf" + PLAYER.encode())
    assert read_strategy("marked.py:Own").path == "marked.py"
    (here / "wide.py").write_text(PLAYER, "utf-16")
    assert "wide.py can't be read: not UTF-8 text but UTF-16" in refusal("wide.py:Own")


def test_modules_beside_are_imported_in_every_way_and_vouched_for(here):
    own = """
import helper
import inner.deep as deep
from inner import other, WORD
from . import near
from spaces.leaf import LEAF

assert (helper.WORD, deep.WORD, other.WORD, WORD, near.WORD, LEAF) == ("h", "d", "o", "i", "n", "l")

class Own:
    def speak(self, view):
        import late
        return late.WORD
"""
    files = {
        "mine": own,
        "helper": "import inner.deep\nWORD = 'h'\n",
        "inner/__init__": "WORD = 'i'\n",
        "inner/deep": "from . import other\nfrom .. import near\nWORD = 'd'\n",
        "inner/other": "WORD = 'o'\n",
        "near": "WORD = 'n'\n",
        "late": "WORD = 'late'\n",
        "spaces/leaf": "LEAF = 'l'\n",
        "stranger": "raise ValueError\n",
    }
    folder = write(here / "some", **files)
    before, path = set(sys.modules), list(sys.path)
    strategy = read_strategy("some/mine.py:Own")
    assert strategy.make().speak(None) == "late"
    files = find_files([strategy])
    expected = {file.relative_to(here).as_posix() for file in folder.rglob("*.py")} - {"some/stranger.py"}
    assert set(files) == expected
    assert all(sha256 == hashlib.sha256(Path(name).read_bytes()).hexdigest() for name, sha256 in files.items())
    assert all(name.startswith("fivetowers_strategy_") for name in set(sys.modules) - before)
    assert sys.path == path
    assert not list(here.rglob("*.pyc"))


def test_helpers_of_the_same_name_are_not_mixed_up(here):
    own = "import helper\nWORD = helper.WORD\n" + PLAYER
    for name in ("one", "two"):
        write(here / name, mine=own, helper=f"WORD = {name!r}\n")
    assert [load_file(f"{name}/mine.py")[0].WORD for name in ("one", "two", "one")] == ["one", "two", "one"]


def test_a_changed_helper_is_another_strategy(here):
    write(here, mine="import helper\nWORD = helper.WORD\n" + PLAYER, helper="WORD = 1\n")
    (module, files), again = load_file("mine.py"), load_file("mine.py")
    assert again[0] is module
    write(here, helper="WORD = 2\n")
    changed, changed_files = load_file("mine.py")
    assert (module.WORD, changed.WORD) == (1, 2)
    assert files["mine.py"] == changed_files["mine.py"]
    assert files["helper.py"] != changed_files["helper.py"]


def test_a_helper_comes_before_a_module_that_is_installed_but_this_program_does_not(here):
    text = "import queue, fivetowers_sim, random\nassert queue.WORD == 1\nassert random.random\n" + PLAYER
    write(here, random=text, queue="WORD = 1\n", fivetowers_sim="raise ValueError\n")
    assert set(find_files([read_strategy("random.py:Own")])) == {"random.py", "queue.py"}
    assert not hasattr(sys.modules.get("queue"), "WORD")


def test_a_module_that_no_import_statement_names_is_not_loaded(here):
    dynamic = "import importlib\nimportlib.import_module('.helper', __package__)\n"
    write(here, mine=dynamic + PLAYER, helper="WORD = 1\n")
    assert "only those modules are that import statements name" in refusal("mine.py:Own")


@pytest.mark.parametrize(
    ("helper", "words"),
    [
        ("1 / 0\n", ["ZeroDivisionError: division by zero", "some/mine.py:1 in <module>: import helper"]),
        ("1 / 0\n", ["some/helper.py:1 in <module>: 1 / 0"]),
        ("def\n", ["SyntaxError"]),
        ("import absent_thing\n", ["ModuleNotFoundError", "absent_thing", "some/helper.py:1"]),
        ("raise SystemExit\n", ["SystemExit"]),
    ],
)
def test_a_fault_in_a_helper_is_told_in_one_line(helper, words, here):
    write(here / "some", mine="import helper\n" + PLAYER, helper=helper)
    before = set(sys.modules)
    message = refusal("some/mine.py:Own")
    for word in ["strategy file some/mine.py can't be run", *words]:
        assert word in message
    assert set(sys.modules) == before


def test_a_helper_that_can_not_be_read_is_named(here):
    write(here, mine="import helper\n" + PLAYER)
    (here / "helper.py").write_text("WORD = 1\n", "utf-16")
    assert "not UTF-8 text but UTF-16" in refusal("mine.py:Own")


def test_a_file_that_moves_to_another_folder_changes_no_path(here):
    moving = "import os, helper\nos.chdir(os.path.dirname(__file__))\n" + PLAYER
    write(here / "some", mine=moving, helper="")
    write(here, second=PLAYER)
    assert read_strategy("some/mine.py:Own") == read_strategy("some/mine.py:Own")
    assert read_strategy("second.py:Own").path == "second.py"
    assert os.getcwd() == str(here)


@pytest.mark.skipif(os.name == "nt", reason="homes are told otherwise there")
def test_a_path_may_begin_with_the_home_folder_and_stays_as_written(here, monkeypatch):
    monkeypatch.setenv("HOME", str(write(here / "home", mine="import helper\n" + PLAYER, helper="")))
    strategy = read_strategy("~/mine.py:Own")
    assert strategy.name == "~/mine.py:Own"
    assert set(find_files([strategy])) == {"~/mine.py", "~/helper.py"}


@pytest.mark.parametrize("text", ["greedy\x1b[31m", "a\nb.py:Own", "mine.py:Own:word=\u202e", "\udcff.toml"])
def test_a_strategy_that_can_not_be_shown_is_refused(text, here):
    assert "holds characters that can't be shown" in refusal(text)
