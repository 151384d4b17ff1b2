"""The index of rules: every rule of ``docs/rules.md`` leads to its function, and every function back to its rule."""

from __future__ import annotations

import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fivetowers_sim.rules import RULE_FUNCTIONS
from fivetowers_sim.rules.ruleset import explain_dials
from tests.waiting import PATIENCE_SECONDS

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"

# As in "Rule 3.1", "rules 1.1 and 1.3", "Rules 3.2, 3.6 and 6.1a", "Rules 5.1 to 5.4 and 6.4".
_NUMBER = r"\d\.\d[a-z]?"
_CITATION = re.compile(rf"\b[Rr]ules? ({_NUMBER}(?:(?:, | and | to ){_NUMBER})*)")
_ENTRIES = [(rule, name) for rule, names in RULE_FUNCTIONS.items() for name in names]


def numbered_rules() -> list[str]:
    """The rule numbers in the margin of the page, in order."""
    return re.findall(rf"^- \*\*({_NUMBER})\*\* ", PAGE.read_text("utf-8"), re.MULTILINE)


def find(name: str) -> Any:
    """The module, class member or function of this dotted name; a test error if there is none."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            found = getattr(found, part)
        return found
    raise LookupError(name)


def cited_rules(text: str) -> set[str]:
    """Every rule that a docstring names, ranges included."""
    cited = set()
    for citation in _CITATION.findall(text):
        for piece in re.split(r", | and ", citation):
            first, _, last = piece.partition(" to ")
            chapter, low, high = first[0], first[2:], (last or first)[2:]
            cited |= {f"{chapter}.{n}" for n in range(int(low), int(high) + 1)} if last else {first}
    return cited


def docstring_of(found: Any) -> str:
    """The docstring of a compiled or plain function, or of a module."""
    return inspect.getdoc(getattr(found, "py_func", found)) or ""


def test_every_numbered_rule_of_the_page_has_an_entry_and_no_other():
    rules = numbered_rules()
    assert rules == sorted(set(rules)), "a number is missing, doubled or out of order"
    assert list(RULE_FUNCTIONS) == rules


@pytest.mark.parametrize(("rule", "name"), _ENTRIES)
def test_each_function_of_the_index_exists_and_names_its_rule(rule, name):
    # A ruling such as 6.1b may be covered by the function of its rule.
    assert cited_rules(docstring_of(find(name))) & {rule, rule.rstrip("abc")}


def test_the_page_repeats_the_index():
    rows = re.findall(rf"^\| ({_NUMBER}) \| (.*) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    written = {rule: tuple(re.findall(r"`([\w.]+)`", names)) for rule, names in rows}
    assert written == {
        rule: tuple(name.removeprefix("fivetowers_sim.") for name in names) for rule, names in RULE_FUNCTIONS.items()
    }


@pytest.mark.parametrize("dial", explain_dials(), ids=lambda dial: dial["dial"])
def test_the_page_names_every_dial_at_its_rule(dial):
    rules = re.split(rf"^- (?=\*\*{_NUMBER}\*\* )", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    at = {text[2:].partition("**")[0]: text for text in rules[1:]}
    assert f"`{dial['dial']}`" in at[dial["rule"]]


def test_looking_a_rule_up_loads_no_compiler():
    program = "import sys, fivetowers_sim.rules; assert not {'numba', 'numpy', 'polars'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=PATIENCE_SECONDS)
