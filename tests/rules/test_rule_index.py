"""Every numbered rule has functions, and each says in its docstring which rules it keeps."""

from __future__ import annotations

import importlib
import re

import pytest

from fivetowers_sim.rules import RULE_FUNCTIONS

NUMBERS = (
    "1.1 1.2 1.3 2.1 2.2 2.3 2.4 2.5 2.6 3.1 3.2 3.3 3.4 3.5 3.6 3.7 3.8 4.1 4.2 4.3 5.1 5.2 5.3 5.4 5.5 "
    "6.1 6.1a 6.1b 6.1c 6.2 6.3 6.4"
).split()


def docstring_of(path):
    """Return what a dotted name says about itself; for a compiled function, what its source says."""
    parts = path.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for part in parts[cut:]:
            found = getattr(found, part)
        return getattr(found, "py_func", found).__doc__
    raise AssertionError(path)


def rules_named(docstring):
    """Return the numbers of the rules that a docstring names, ranges spelled out."""
    named = set(re.findall(r"\d\.\d[a-c]?", docstring))
    for first, last in re.findall(r"(\d\.\d[a-c]?) to (\d\.\d[a-c]?)", docstring):
        named |= set(NUMBERS[NUMBERS.index(first) : NUMBERS.index(last) + 1])
    for chapter in re.findall(r"[Rr]ules? (?:\d[\d., and]*, )?(\d)(?![\d.])", docstring):
        named |= {number for number in NUMBERS if number.startswith(chapter)}
    return named


def test_every_rule_is_in_the_index():
    assert list(RULE_FUNCTIONS) == NUMBERS


@pytest.mark.parametrize("number", NUMBERS)
def test_each_function_of_a_rule_names_the_rule(number):
    for path in RULE_FUNCTIONS[number]:
        named = rules_named(docstring_of(path) or "")
        assert number in named or (number[-1].isalpha() and number[:-1] in named), path
