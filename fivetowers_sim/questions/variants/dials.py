"""What is typed of dials and the values that each is to take."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from fivetowers_sim.bench.params import RefusedError
from fivetowers_sim.rules.ruleset import list_dials


def list_settings(dials: Iterable[str], grid: bool) -> list[tuple[str, ...]]:
    """List what to set: each value of ``dial=value,value,…`` by itself, or every combination of values."""
    values: dict[str, list[str]] = {}
    for text in dials:
        name, listed = split_values(text)
        if name in values:
            raise RefusedError(f"--set {text}: {name} is given twice; accepted is each dial once, with all its values")
        values[name] = [f"{name}={value}" for value in listed]
    return list(product(*values.values())) if grid else [(one,) for listed in values.values() for one in listed]


def split_values(text: str) -> tuple[str, list[str]]:
    """Split ``dial=v1,v2`` into the dial and its values; those of a dial that is a list at semicolons.

    Raises
    ------
    RefusedError
        If there is no equals sign or no value, or a value is named twice.
    """
    name, equals, listed = (part.strip() for part in text.partition("="))
    is_list = any(dial.name == name and isinstance(dial.default, tuple) for dial in list_dials())
    found = [value.strip() for value in listed.split(";" if is_list else ",")]
    if not equals or not listed or (not is_list and "" in found) or len(set(found)) < len(found):
        accepted = "values separated by semicolons" if is_list else "dial=value,value, for example display_size=4,6"
        raise RefusedError(f"--set {text}: accepted is {accepted}, each once")
    return name, found
