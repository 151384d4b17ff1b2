"""Help, version, and the lists of rule sets and strategies."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import typer

from fivetowers_sim.cli.catalogue import COMMANDS, GROUPS
from fivetowers_sim.cli.data_readme import describe_data
from fivetowers_sim.cli.whole_number import read_whole_number
from fivetowers_sim.rules.ruleset import RuleSet, explain_dials
from fivetowers_sim.rules.ruleset_files import load_rules, named_rules
from fivetowers_sim.strategies.families import FAMILIES
from fivetowers_sim.strategies.parameters import COMMON_PARAMETERS
from tests.cli.conftest import PROGRAM, environment


@pytest.mark.parametrize("typed", [[], ["--help"], ["-h"]])
def test_help_names_every_command(typed, fivetowers):
    done = fivetowers(*typed)
    assert (done.returncode, done.stderr) == (0, "")
    for name, command in COMMANDS.items():
        assert sum(line.split() == f"{name} {command.does}".split() for line in done.stdout.splitlines()) == 1
    assert max(map(len, done.stdout.splitlines())) <= 80
    titles = [line[:-1] for line in done.stdout.splitlines() if line.endswith(":") and line[0] != " "]
    assert titles == ["Options", *GROUPS]


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command, fivetowers):
    done = fivetowers(command, "--help")
    assert done.returncode == 0
    assert f"Usage: fivetowers {command}" in done.stdout
    examples = done.stdout.partition("\nExamples:\n")[2].splitlines()
    assert examples == [f"  fivetowers {example}" for example in COMMANDS[command].examples]
    assert all(example.split()[0] == command for example in COMMANDS[command].examples)


def test_a_command_with_a_slip_is_named(fivetowers):
    done = fivetowers("powrs")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: No such command 'powrs'. Did you mean 'powers'?; see fivetowers --help\n"


def test_completion_can_be_installed(fivetowers):
    assert "--install-completion" in fivetowers("--help").stdout
    # What a shell asks when somebody has typed so far and presses tab.
    typed = {"_FIVETOWERS_COMPLETE": "complete_bash", "COMP_WORDS": "fivetowers ga", "COMP_CWORD": "1"}
    assert fivetowers(env=environment(**typed)).stdout.split() == ["game-shape"]


@pytest.mark.parametrize("typed", ["1000000", "1_000_000", "1,000,000", "1e6", "1M", "1000k", "1.0e6", "0.001G"])
def test_a_count_is_read_as_people_write_it(typed):
    assert read_whole_number(typed) == 1_000_000


@pytest.mark.parametrize("typed", ["", "M", "1.5", "1e-3", "1,00", "12,34", "0x10", "1e999", "nan", "1 000", "1m"])
def test_what_is_no_count_is_refused(typed):
    with pytest.raises(typer.BadParameter, match="accepted is a whole number, such as 20000, 1e6 or 1M"):
        read_whole_number(typed)


def test_help_loads_none_of_the_heavy_libraries():
    heavy = "numba", "polars", "scipy", "numpy", "joblib"
    code = (
        "import sys; from fivetowers_sim.cli.main import run; run(['--help']); run(['simulate', '--help']);"
        f"print('loaded', [name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True)
    assert done.stdout.endswith("loaded []\n")


def test_the_version_is_one_line(fivetowers):
    done = fivetowers("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("fivetowers ")
    assert done.stdout.count("\n") == 1


def test_every_rule_set_is_listed_with_its_meaning(fivetowers):
    done = fivetowers("rules")
    for name, meaning in named_rules().items():
        assert any(line.split()[0] == name and meaning in line for line in done.stdout.splitlines() if line)


@pytest.mark.parametrize("name", named_rules())
def test_a_printed_rule_set_explains_every_dial_and_loads_back(name, fivetowers, tmp_path):
    done = fivetowers("rules", name)
    for dial in explain_dials():
        assert dial["meaning"] in done.stdout
        assert f"\n{dial['dial']} = " in done.stdout
    file = tmp_path / "mine.toml"
    file.write_text(done.stdout, "utf-8")
    assert load_rules(str(file)) == load_rules(name)


def test_a_rule_file_is_printed_in_full(fivetowers, tmp_path):
    file = tmp_path / "wide.toml"
    file.write_text("display_size = 7\n", "utf-8")
    done = fivetowers("rules", file)
    assert "\ndisplay_size = 7\n" in done.stdout
    file.write_text(done.stdout, "utf-8")
    assert load_rules(str(file)) == RuleSet(name="wide", display_size=7)


def test_every_strategy_is_listed(fivetowers):
    done = fivetowers("strategies")
    assert {line.split()[0] for line in done.stdout.splitlines() if line} >= set(FAMILIES)


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_a_strategy_shows_its_parameters(name, fivetowers):
    done = fivetowers("strategies", name)
    for parameter in FAMILIES[name].parameters + COMMON_PARAMETERS:
        assert f"\n{parameter.name} " in done.stdout


def test_a_reader_that_closes_early_is_no_fault():
    typed = [*PROGRAM, "rules", "base"]
    with subprocess.Popen(
        typed, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == ""


def test_the_readme_of_data_is_up_to_date():
    written = Path(__file__).parents[2] / "data" / "README.md"
    assert written.read_text("utf-8") == describe_data(), "run make data-readme"
