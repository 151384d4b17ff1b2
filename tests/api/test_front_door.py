"""What ``import fivetowers_sim`` offers: a function for each command, typed, and nothing loaded before it is used."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpydoc.docscrape
import pytest

import fivetowers_sim as ft
from fivetowers_sim.api.arguments import list_parameters
from fivetowers_sim.api.typed_questions import STUB, write_stub
from fivetowers_sim.cli.catalogue import COMMANDS
from tests.cli.conftest import environment

MADE_WHERE_NOBODY_SAYS = {"simulate", "fit", "tune"}
"""Commands that want a place to write to; their functions find a temporary one."""

FUNCTIONS = sorted(name for name in ft.__all__ if name.islower() and name != "__version__")


def run_python(code: str, **changes: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, env=environment(**changes), capture_output=True, text=True, check=True, timeout=900
    ).stdout


def test_importing_it_loads_nothing_but_itself():
    code = "import sys; before = set(sys.modules); import fivetowers_sim; print(*sorted(set(sys.modules) - before))"
    loaded = run_python(code).split()
    assert [name for name in loaded if name.startswith("fivetowers_sim")] == ["fivetowers_sim"]
    assert not {"numpy", "polars", "numba", "typer", "rich", "jinja2", "matplotlib"} & set(loaded)


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "ask"])
def test_every_command_has_a_function_with_the_same_names_and_defaults(command):
    parameters = inspect.signature(getattr(ft, COMMANDS[command].function)).parameters
    told = {parameter.name: parameter.default for parameter in list_parameters(command)}
    if command in MADE_WHERE_NOBODY_SAYS:
        assert told.pop("out") is inspect.Parameter.empty
        told["out"] = None
    own = {name: parameter.default for name, parameter in parameters.items()}
    # A path, or a number that is written as a text since there may be several.
    same = {name: str(told[name]) if own.get(name) != told[name] else told[name] for name in told}
    assert {name: str(own[name]) if isinstance(same[name], str) else own[name] for name in own} == same


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "ask"])
def test_arguments_come_in_order_and_options_by_name(command):
    parameters = inspect.signature(getattr(ft, COMMANDS[command].function)).parameters.values()
    typed = {parameter.name: parameter.typed for parameter in list_parameters(command)}
    for parameter in parameters:
        assert (parameter.kind is inspect.Parameter.KEYWORD_ONLY) == bool(typed[parameter.name]), parameter.name


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_says_what_each_parameter_is_and_of_what_type(name):
    function = getattr(import_module(f"fivetowers_sim.{ft._HOME_OF[name]}"), name)
    said = numpydoc.docscrape.FunctionDoc(function)
    documented = [one.lstrip("*") for parameter in said["Parameters"] for one in parameter.name.split(", ")]
    assert documented == list(inspect.signature(function).parameters)
    assert set(function.__annotations__) == {*documented, "return"}
    assert said["Returns"]


@pytest.mark.slow
def test_functions_that_packages_are_called_like_are_functions_whatever_is_loaded_first():
    code = (
        "import fivetowers_sim as ft\n{before}\n"
        "print(ft.rules().frame()['name'][0], ft.strategies().frame()['name'][0], callable(ft.report))\n"
        "import fivetowers_sim.report.build as built, fivetowers_sim.rules as rules\n"
        "from fivetowers_sim.rules import RULE_FUNCTIONS\n"
        "print(rules.RULE_FUNCTIONS is RULE_FUNCTIONS, callable(ft.report), ft.rules().frame()['name'][0])\n"
    )
    for before in ("", "import fivetowers_sim.rules, fivetowers_sim.report.build", "from fivetowers_sim import rules"):
        assert run_python(code.format(before=before)).split() == ["base", "random", "True", "True", "True", "base"]


def test_it_is_marked_as_typed_and_type_checkers_see_every_name():
    source = Path(ft.__file__)
    assert (source.parent / "py.typed").is_file()
    shown = source.read_text("utf-8").partition("if TYPE_CHECKING:")[2].partition("\n_HOMES")[0]
    for name, home in ft._HOME_OF.items():
        assert f"from fivetowers_sim.{home} import {name} as {name}\n" in shown


def test_what_type_checkers_read_of_questions_is_what_their_commands_say():
    assert STUB.read_text("utf-8") == write_stub(), "python -m fivetowers_sim.api.typed_questions writes it anew"


def test_an_argument_that_is_unknown_or_missing_is_named():
    with pytest.raises(TypeError, match=r"powers\(\) got an unexpected keyword argument 'sets'"):
        ft.powers(sets=3)
    with pytest.raises(TypeError, match=r"compare\(\) missing a required argument: 'rules_b'"):
        ft.compare("base")


def test_it_lists_what_it_offers_and_nothing_else():
    assert dir(ft) == sorted(ft.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = ft.nonsense
    assert ft.__version__


@pytest.mark.slow
def test_a_script_without_a_terminal_prints_nothing_by_itself():
    calls = "ft.simulate(games=300); ft.rules('base'); ft.powers(strategies='greedy', games=61)"
    code = f"import fivetowers_sim as ft; {calls}"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True, timeout=900)
    assert (done.stdout, done.stderr) == ("", "")
