"""What the pages say can be typed and clicked: links, commands, snippets and examples of files."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

import fivetowers_sim as ft
from fivetowers_sim.batch.plan import Plan
from fivetowers_sim.cli import choice
from fivetowers_sim.cli.ask_question import put_question
from fivetowers_sim.cli.catalogue import COMMANDS
from fivetowers_sim.cli.command import load_command
from fivetowers_sim.cli.play_report import read_questions
from fivetowers_sim.cli.play_run import read_plan
from fivetowers_sim.cli.play_teardown_costs import read_teardown_question
from fivetowers_sim.dataset.write import write_run
from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.engine.trace import trace_games
from fivetowers_sim.questions import QUESTIONS, find_question
from fivetowers_sim.rules.position import POSITION_FORMAT, position_from_dict
from fivetowers_sim.rules.ruleset import POWERS, RuleSet
from fivetowers_sim.rules.ruleset_files import rules_from_mapping
from fivetowers_sim.strategies.custom import BuildPlan, Placement, Seat, View
from fivetowers_sim.strategies.families import FAMILIES, preset_strategy, read_strategy
from fivetowers_sim.strategies.parameters import COMMON_PARAMETERS
from fivetowers_sim.strategies.presets import parse_preset
from tests.questions.own_question import tutorial_code
from tests.reference.audit import audit_trace

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "data" / "README.md"])

_BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_COMMAND = re.compile(r"^(?:\.venv/bin/)?fivetowers( .*)?$")


def blocks(page: Path, language: str) -> list[str]:
    """The code blocks of a page in one language."""
    return [code for _, found, code in _BLOCK.findall(page.read_text("utf-8")) if found == language]


def commands() -> list[list[str]]:
    """The arguments of every fivetowers command in the shell blocks of all pages and the examples of help."""
    lines = [line.strip() for page in PAGES for block in blocks(page, "sh") for line in block.splitlines()]
    lines += [f"fivetowers {example}" for command in COMMANDS.values() for example in command.examples]
    return [shlex.split(found[1] or "", comments=True) for line in lines if (found := _COMMAND.match(line))]


def anchors(page: Path) -> set[str]:
    """What links to the headings of a page look like on GitHub."""
    headings = re.findall(r"^#+ (.*)$", _BLOCK.sub("", page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page):
    for link in _LINK.findall(_BLOCK.sub("", page.read_text("utf-8"))):
        if not link.startswith("https:"):
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), f"{page.name} links to {link}"
            assert not anchor or anchor in anchors(target), f"{page.name} links to {link}"


def strategy_files() -> dict[str, str]:
    """The files of the page on a user's own strategy, by the name that each one's docstring begins with."""
    found = {}
    for code in blocks(ROOT / "docs" / "your-own-strategy.md", "python"):
        found[re.match(r'"""(\w+\.py): ', code)[1]] = code
    return found


QUESTION_FILES = {"closeness.py": tutorial_code()}
"""The file of the page on a question of one's own."""


@pytest.fixture
def with_strategy_files(tmp_path, monkeypatch):
    """A folder with those files, to stand in."""
    for name, code in (strategy_files() | QUESTION_FILES).items():
        (tmp_path / name).write_text(code, "utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("with_strategy_files")
@pytest.mark.parametrize("arguments", commands(), ids=" ".join)
def test_every_command_in_the_pages_is_accepted(arguments):
    name, *rest = arguments
    if name.startswith("-"):
        assert name == "--help"
        return
    command = load_command(name)
    if name == "ask":
        name, *rest = rest
        command = command.get_command(None, name)
        if rest == ["--help"]:
            return
    typed = command.make_context(name, rest).params
    if name in QUESTIONS or ".py:" in name:
        question = find_question(name)
        put_question(question, {param.name: typed[param.name] for param in question.params})
    elif name == "report":
        read_questions(typed["questions"])
    elif name == "teardown-costs":
        given = {**typed, "rules": choice.read_rules(typed["rules"], typed["dials"]), "command": ""}
        read_teardown_question(given, (typed["games"], typed["precision"]))
    elif "strategies" in typed:
        renamed = {"set_dials": typed.get("dials")}
        options = {option: typed[option] for option in typed if option in choice.read_setup.__annotations__}
        setup = choice.read_setup(**options, **renamed)
        if name == "simulate":
            read_plan(setup, typed["games"], typed["detail"], typed["part_games"])


def test_the_readme_shows_every_command():
    shown = {arguments[0] for arguments in commands()}
    text = (ROOT / "README.md").read_text("utf-8")
    assert {name for name in COMMANDS if f"`{name}`" not in text} == set()
    assert {"simulate", "summary", "replay", "trace", "legal", "digest", "rules"} <= shown


@pytest.mark.slow
def test_the_python_in_the_readme_runs(tmp_path, monkeypatch, capsys):
    for name, powers in (("demo", ()), ("powers", POWERS)):
        setup = make_setup(RuleSet(), 3, ["greedy"], 1, [powers] * 3)
        write_run(Plan(setup, 30, "rounds"), tmp_path / "data" / name)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for code in blocks(ROOT / "README.md", "python") + blocks(ROOT / "data" / "README.md", "python"):
        exec(code, names)
    assert "win_share" in capsys.readouterr().out


@pytest.mark.slow
def test_every_example_of_the_page_on_python_runs(tmp_path, monkeypatch, capsys):
    examples = [json.loads(code) for code in blocks(ROOT / "docs" / "files.md", "json")]
    position = next(example for example in examples if example.get("format") == POSITION_FORMAT)
    (tmp_path / "position.json").write_text(json.dumps(position), "utf-8")
    (tmp_path / "closeness.py").write_text(QUESTION_FILES["closeness.py"], "utf-8")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for code in blocks(ROOT / "docs" / "python.md", "python"):
        exec(code, names)
    assert capsys.readouterr().err == ""
    assert {"powers.svg", "six.json", "mine.toml"} <= {path.name for path in tmp_path.iterdir()}


def test_the_page_on_python_has_an_example_of_every_function():
    page = ROOT / "docs" / "python.md"
    called = set(re.findall(r"\bft\.(\w+)\(", "".join(blocks(page, "python"))))
    headings = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^### .*$", page.read_text("utf-8"), re.MULTILINE))))
    functions = {name for name in ft.__all__ if name.islower() and name != "__version__"}
    assert called == headings == functions


def test_the_json_in_the_pages_is_valid_and_its_position_accepted():
    examples = [json.loads(code) for code in blocks(ROOT / "docs" / "files.md", "json")]
    positions = [example for example in examples if example.get("format") == POSITION_FORMAT]
    assert [position_from_dict(position).seat for position in positions] == [0]


def test_the_rule_set_in_the_pages_is_accepted():
    for code in blocks(ROOT / "docs" / "files.md", "toml"):
        assert rules_from_mapping(tomllib.loads(code), "docs/files.md").display_size == 6


def test_the_page_on_strategies_names_every_family_parameter_and_example():
    page = ROOT / "docs" / "strategies.md"
    text = page.read_text("utf-8")
    for family in FAMILIES.values():
        assert f"### `{family.name}`" in text
        for parameter in family.parameters + COMMON_PARAMETERS:
            assert f"| `{parameter.name}` | {parameter.write(parameter.default)} |" in text
    for line in blocks(page, "")[0].split():
        read_strategy(line)


def test_the_preset_in_the_pages_is_accepted():
    for code in blocks(ROOT / "docs" / "strategies.md", "toml"):
        preset = parse_preset(code, "docs/strategies.md", "mine")
        assert preset_strategy(preset).name == "greedy:max_bid=4:never_close=1"


@pytest.mark.slow
def test_the_python_that_tunes_in_the_pages_runs(capsys):
    snippets = [code for code in blocks(ROOT / "docs" / "strategies.md", "python") if "import tune" in code]
    assert len(snippets) == 1
    exec(snippets[0], {})
    assert capsys.readouterr().out.startswith("greedy:max_bid=")


@pytest.mark.slow
def test_the_python_on_tournaments_runs(capsys):
    for code in blocks(ROOT / "docs" / "tournament.md", "python"):
        exec(code, {})
    assert capsys.readouterr().out.startswith("greedy wins most: ")


@pytest.mark.slow
@pytest.mark.usefixtures("with_strategy_files")
@pytest.mark.parametrize("name", ["careful.py:Careful", "planner.py:Planner", "patient.py:Patient"])
def test_the_strategies_of_the_tutorial_play_by_the_rules(name):
    setup = make_setup(RuleSet(), 3, [name, "greedy", "greedy"], 4)
    assert [problem for trace in trace_games(setup, 0, 3) for problem in audit_trace(trace)] == []


@pytest.mark.slow
@pytest.mark.usefixtures("with_strategy_files")
def test_the_tutorials_strategy_is_short_and_wins_more_than_its_share():
    code = strategy_files()["careful.py"].splitlines()
    assert len([line for line in code if line]) <= 30
    seats = make_setup(RuleSet(), 3, ["careful.py:Careful", "greedy", "greedy"], 4).play(0, 120, "games")["seats"]
    # The page says 60%; with 120 games the standard error is 4.5%.
    assert seats["win_share"][seats["strategy"] == 0].mean() > 0.45


def test_the_page_on_ones_own_strategy_names_every_field_of_a_view():
    text = (ROOT / "docs" / "your-own-strategy.md").read_text("utf-8")
    for field in (*fields(View), *fields(BuildPlan), *fields(Placement), *fields(Seat)):
        assert f"`{field.name}`" in text, field.name


def test_the_pages_hold_no_path_of_somebodys_machine():
    for page in PAGES:
        assert not re.search(r"(?<![\w.])/(home|root|tmp|work|Users)/", page.read_text("utf-8")), page.name
