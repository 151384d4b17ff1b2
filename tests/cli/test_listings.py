"""Help, version, and the lists of rule sets and strategies."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fivetowers_sim.cli.data_readme import describe_data
from fivetowers_sim.rules.ruleset import RuleSet, explain_dials
from fivetowers_sim.rules.ruleset_files import load_rules, named_rules
from fivetowers_sim.strategies.families import FAMILIES
from fivetowers_sim.strategies.parameters import COMMON_PARAMETERS
from tests.cli.conftest import environment

COMMANDS = "simulate summary replay trace legal verify digest rules strategies".split()


@pytest.mark.parametrize("typed", [[], ["--help"], ["-h"]])
def test_help_names_every_command(typed, fivetowers):
    done = fivetowers(*typed)
    assert (done.returncode, done.stderr) == (0, "")
    for command in COMMANDS:
        assert f"\n  {command} " in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command, fivetowers):
    done = fivetowers(command, "--help")
    assert done.returncode == 0
    assert f"Usage: fivetowers {command}" in done.stdout


def test_help_loads_none_of_the_heavy_libraries():
    heavy = "numba", "polars", "scipy", "numpy"
    code = (
        "import sys; from fivetowers_sim.cli.main import run; run(['simulate', '--help']);"
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


@pytest.mark.parametrize("name", FAMILIES)
def test_a_strategy_shows_its_parameters(name, fivetowers):
    done = fivetowers("strategies", name)
    for parameter in FAMILIES[name].parameters + COMMON_PARAMETERS:
        assert f"\n{parameter.name} " in done.stdout


def test_a_reader_that_closes_early_is_no_fault():
    typed = f"{sys.executable} -m fivetowers_sim rules base"
    with subprocess.Popen(
        typed.split(), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == ""


def test_the_readme_of_data_is_up_to_date():
    written = Path(__file__).parents[2] / "data" / "README.md"
    assert written.read_text("utf-8") == describe_data(), "run make data-readme"
