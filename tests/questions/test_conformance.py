"""What every question does alike, those that come with the program and the tutorial's, which comes from a file."""

from __future__ import annotations

import json
import shlex
from io import StringIO

import pytest
from rich.console import Console

import fivetowers_sim as ft
from fivetowers_sim.bench.arms import Crew
from fivetowers_sim.bench.finished import read_finished
from fivetowers_sim.bench.folder import begin_experiment
from fivetowers_sim.bench.params import REQUIRED, RefusedError
from fivetowers_sim.bench.pictures import read_section
from fivetowers_sim.bench.question import find_out
from fivetowers_sim.cli.command import load_command
from fivetowers_sim.cli.found import show_found
from fivetowers_sim.cli.main import run
from fivetowers_sim.questions import QUESTIONS, find_question
from fivetowers_sim.report.outline import write_sections
from tests.questions.own_question import tutorial_code

OWN = "closeness.py:Closeness"
SMALL = {
    "bid-values": {"players": 2, "games": 60, "futures": 2},
    "game-shape": {"players": "2,3", "games": 120},
    "powers": {"players": 2, "games": 46 * 8},
    "compare": {"rules_a": "base", "rules_b": "base", "set_b": ["display_size=6"], "players": 2, "games": 80},
    "sweep": {"set": ["display_size=4,6"], "players": 2, "games": 80},
    "tournament": {"strategies": "greedy,greedy:max_bid=2", "players": 2, "games": 80},
    OWN: {"players": 2, "games": 60},
}
"""What makes each question small."""
PLAYED = {"strategies": "greedy", "check": "greedy:max_bid=2", "check_games": 50}
NAMES = (*QUESTIONS, OWN)
UNCHECKED = ("compare", "sweep", "tournament")
CHECKED = tuple(name for name in NAMES if name not in UNCHECKED)
"""Those that ask a stronger player the same."""


@pytest.fixture(autouse=True)
def own_file(tmp_path, monkeypatch):
    (tmp_path / "closeness.py").write_text(tutorial_code(), "utf-8")
    monkeypatch.chdir(tmp_path)


def ask(name, **given):
    played = {key: PLAYED[key] for key in PLAYED if name in CHECKED or key == "strategies"}
    return find_question(name)({**played, **SMALL[name], **given}, "fivetowers …")


def words(name, **given):
    """Return what is typed to ask a question, made small."""
    typed = [name] if name in QUESTIONS else ["ask", name]
    values = {"strategies": "greedy", **SMALL[name], **given}
    for param in find_question(name).params:
        for value in (values[param.name] if param.many else [values[param.name]]) if param.name in values else []:
            typed += [str(value)] if param.is_argument else [param.option, str(value)]
    return typed


def keep(asked, place, crew=None, resume=False):
    """Find out in a folder, and return its files apart from what says when."""
    with begin_experiment(place, asked.asked(), resume) as folder:
        find_out(asked, crew or Crew(2), folder)
    return {file.name: file.read_bytes() for file in sorted(place.iterdir()) if file.suffix != ".npz"}


@pytest.mark.parametrize("name", NAMES)
def test_everything_that_it_can_be_told_is_explained(name):
    question = find_question(name)
    typed = [name] if name in QUESTIONS else ["ask", name]
    command = load_command(typed[0])
    if typed[1:]:
        command = command.get_command(None, name)
    options = {one.name: one for one in command.params}
    assert question.__doc__
    assert question.title
    assert question.asks.endswith("?")
    for param in question.params:
        assert param.help.endswith((".", "]"))
        assert options[param.name].help == param.help
        assert options[param.name].metavar == param.metavar or not param.is_argument


@pytest.mark.parametrize("name", NAMES)
def test_defaults_are_accepted_and_stand_in_the_command(name):
    question = find_question(name)
    if any(param.default is REQUIRED for param in question.params):
        return
    asked = question({"check": "none"}, "")
    assert asked.budget.precision == question.main.precision
    assert asked.check is None


@pytest.mark.parametrize("name", NAMES)
def test_neither_workers_nor_an_interruption_change_a_byte(name, tmp_path):
    asked = ask(name)
    whole = keep(asked, tmp_path / "whole", Crew(1))
    assert keep(asked, tmp_path / "several", Crew(3)) == whole

    def stop(state):
        if 0 < state.games_done < state.games:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        keep(asked, tmp_path / "stopped", Crew(1, watch=stop))
    assert keep(asked, tmp_path / "stopped", resume=True) == whole


@pytest.mark.parametrize("name", CHECKED)
def test_a_checks_figures_are_those_of_asking_that_player_alone(name):
    outcome = find_out(ask(name), Crew())
    alone = ask(name, strategies=PLAYED["check"], games=PLAYED["check_games"], check="none", check_games=None)
    assert outcome.check.findings == find_out(alone, Crew()).findings
    assert outcome.all_findings.findings == outcome.findings.findings + outcome.check.findings.findings


@pytest.mark.parametrize("name", NAMES)
def test_what_is_said_is_kept_and_read_back_by_report_and_terminal(name, tmp_path):
    asked = ask(name)
    keep(asked, tmp_path / "new")
    finished = read_finished(tmp_path / "new")
    section = read_section(finished)
    assert [one.to_dict() for one in section.verdicts] == finished.results["verdicts"]
    assert section.verdicts
    assert finished.pictures
    assert finished.results == json.loads((tmp_path / "new" / "results.json").read_bytes())
    assert finished.results == asked_again(asked).results
    report = {one.anchor: one for one in write_sections([finished])}
    assert report[asked.name].verdicts == section.verdicts
    paper = StringIO()
    Console(file=paper, width=100).print(show_found(section, finished, None))
    lines = paper.getvalue().splitlines()
    assert max(map(len, lines)) <= 100
    assert "…" not in paper.getvalue().replace(asked.command, "")
    assert " ".join(lines[0].split()) in " ".join(section.verdicts[0].claim.split())


def asked_again(asked):
    """Return what is found without a folder."""
    return find_out(asked, Crew()).finish()


def bad_values():
    """List for every question what it refuses, and how the refusal begins."""
    for name in QUESTIONS:
        yield name, {"games": 0}, "games is 0; accepted is 1 to 1000000000"
        unit = find_question(name).main.unit
        yield (
            name,
            {"games": None, "precision": 99.0},
            f"precision is 99; accepted is {unit.finest:g} to ",
        )
        yield name, {"precision": 1.0}, "games is "
        yield name, {"strategies": "nobody"}, "strategies: there is no strategy 'nobody'"
        for param in (one.name for one in find_question(name).params):
            if param.startswith("rules"):
                yield name, {param: "nowhere"}, f"{param}: there is no rule set 'nowhere'"
            if param.startswith("set"):
                yield name, {param: ["display_size=99"]}, f"--{param.replace('_', '-')}: display_size is 99"
        yield name, {"nothing": 1}, "nothing is no parameter here; accepted are "
        for param in find_question(name).params:
            for bad in (param.low and param.low - 1, param.high and param.high + 1):
                if bad is not None:
                    yield name, {param.name: param.kind(bad)}, f"{param.name} is {bad:g}; accepted is "
        if name in CHECKED:
            yield name, {"strategies": "greedy,greedy"}, "strategies names greedy, greedy; accepted is 1 to 4 different"
            yield name, {"check": "greedy"}, "check is greedy; accepted is a strategy that isn't among strategies"
            yield name, {"check": "nobody"}, "check: there is no strategy 'nobody'"
            yield name, {"check_games": 0}, "check_games is 0; accepted is 1 to 1000000000"
            yield name, {"check": "none"}, "check_games is 50 and nobody checks; accepted is a strategy for --check too"


@pytest.mark.parametrize(("name", "given", "said"), [*bad_values()])
def test_what_is_not_accepted_is_named_with_what_is(name, given, said):
    with pytest.raises(ValueError, match=r"accepted is|accepted are|the strategies are") as refused:
        ask(name, **given)
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize("name", NAMES)
def test_its_command_refuses_in_one_line(name, capsys):
    assert run(words(name, games=0)) == 2
    assert capsys.readouterr().err == "error: --games is 0; accepted is 1 to 1000000000\n"


@pytest.mark.parametrize("name", NAMES)
def test_its_command_gives_the_same_figures_again(name, capsys):
    run([*words(name), "--quiet", "--json"])
    first = json.loads(capsys.readouterr().out)
    run([*shlex.split(first["command"])[1:], "--quiet", "--json"])
    assert json.loads(capsys.readouterr().out) == first


def test_a_file_that_changed_is_not_gone_on_with(tmp_path, capsys):
    typed = ["ask", OWN, "--players", "2", "--strategies", "greedy", "--games", "60", "--quiet", "--out", "new"]
    assert run(typed) == 0
    (tmp_path / "closeness.py").write_text(tutorial_code() + "\nELSE = 1\n", "utf-8")
    capsys.readouterr()
    assert run([*typed, "--resume"]) == 1
    assert "new was begun with another plan: question_files.closeness.py.sha256 is" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("class Mine:\n    pass\n", "closeness.py:Mine is <class"),
        (
            "from fivetowers_sim.game import TowersQuestion\n\nclass Mine(TowersQuestion):\n    name = 'x'\n",
            "no 'main'",
        ),
        ("1 / 0\n", "question file closeness.py can't be run: ZeroDivisionError"),
        ("", "closeness.py has no question 'Mine'; it has none"),
    ],
)
def test_a_file_without_a_question_gets_one_line(tmp_path, capsys, code, said):
    (tmp_path / "closeness.py").write_text(code, "utf-8")
    assert run(["ask", "closeness.py:Mine"]) == 2
    errors = capsys.readouterr().err
    assert said in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        ("self.rules.display_size, larger", "self.rules.nothing, larger", 1),
        ('{"strategy": strategy,', '{"strategy": nobody,', 1),
        ('["margin"]', '["nothing"]', 1),
        ('tables["games"]["margin"]', "[0.5]", 1),
    ],
)
def test_a_mistake_in_the_file_gets_one_line(tmp_path, capsys, before, after, code):
    (tmp_path / "closeness.py").write_text(tutorial_code().replace(before, after), "utf-8")
    assert run(["ask", OWN, "--strategies", "greedy", "--players", "2", "--games", "20", "--quiet"]) == code
    errors = capsys.readouterr().err
    assert errors.startswith("error: ")
    assert errors.count("\n") == 1


def test_bounds_are_those_that_are_declared():
    with pytest.raises(RefusedError, match=r"^more is 5; accepted is 1 to 4$"):
        ask(OWN, more=5)


def test_an_installed_package_can_bring_a_question(monkeypatch):
    from fivetowers_sim.bench import registry

    class Entry:
        name = "theirs"

        def load(self):
            return find_question(OWN)

    monkeypatch.setattr(registry, "entry_points", lambda group: [Entry()] if group == "fivetowers.questions" else [])
    assert find_question("theirs").name == "closeness"
    with pytest.raises(
        RefusedError, match=r"^question is 'nobodys'; accepted are .*powers.*, theirs, or FILE.py:Class$"
    ):
        find_question("nobodys")


def test_python_asks_it_by_name_or_hands_the_class_over(tmp_path):
    typed = ft.ask(OWN, strategies="greedy", players=2, games=60, out=tmp_path / "new")
    handed = ft.ask(find_question(OWN), strategies=["greedy"], players=2, games=60)
    assert handed.to_dict() == typed.to_dict()
    assert list(typed.pictures) == ["closeness"]
    assert typed.frame().height == 2
    assert "None of 2 figures is shown to differ from 0" in handed._repr_html_()
    assert ft.open_result(tmp_path / "new").verdicts == handed.verdicts
    with pytest.raises(ValueError, match=r"^more is 9; accepted is 1 to 4$"):
        ft.ask(OWN, more=9)
    with pytest.raises(ValueError, match=r"^less is 1; closeness has no such parameter; it has players, "):
        ft.ask(OWN, less=1)


def test_a_mistake_in_the_callers_own_class_is_raised_where_it_is(tmp_path):
    (tmp_path / "closeness.py").write_text(
        tutorial_code().replace('{"strategy": strategy,', '{"strategy": nobody,'), "utf-8"
    )
    with pytest.raises(NameError, match="nobody"):
        ft.ask(OWN, strategies="greedy", players=2, games=20)
