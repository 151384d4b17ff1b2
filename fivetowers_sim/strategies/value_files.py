"""Value tables as files: written by learning, shipped for each number of players, read into minds."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any, Final

import numpy as np

from fivetowers_sim.rules.cards import CANDY, EMPTY, SAND, SCARY, SCRAP, TOWER_TYPES, TREE
from fivetowers_sim.rules.json_fields import (
    FieldError,
    parse_json,
    quote,
    read_list,
    read_number,
    read_object,
    read_whole,
    refuse,
)
from fivetowers_sim.rules.state import TYPES
from fivetowers_sim.rules.tables import MAX_CARDS, PAIRS_POWER, SAND_POWER, SCRAP_POWER, TREE_POWER
from fivetowers_sim.strategies.mind import MAX_STAGES, ROUNDS_COUNTED, ZERO_LEVELS
from fivetowers_sim.strategies.parameters import Strategy, StrategyError
from fivetowers_sim.strategies.value_tables import ValueTables
from fivetowers_sim.user_files import UserFileError, read_user_text

TABLES_FORMAT: Final = "fivetowers-value-tables/1"

TABLES_SUFFIX: Final = ".json"
"""A strategy written as a path with this ending is ``value`` with that file's tables."""

ZEROS: Final = ("none", "one", "more", "not looked at")
"""What is known of the 0s of a type that are still to come, in the order of the tables."""

POWER_OF_TYPE: Final = {CANDY: PAIRS_POWER, SCARY: PAIRS_POWER, TREE: TREE_POWER, SCRAP: SCRAP_POWER, SAND: SAND_POWER}
"""The Great Power of each tower type, as a bit."""

MOST_VP: Final = 20_000.0
"""Prices lie between this and its negative; the kernels' whole numbers hold sums of those."""

_ANY: Final = "any"
_STAGE_FIELDS: Final = ("rounds_to_come_from", "main_tower_by_height", "teardown_pile_by_size", "towers")
_PARTS: Final = ("top", "card", "fit")
_DIGITS: Final = 3


def write_tables(tables: ValueTables, highest_value: int) -> str:
    """Write tables as JSON.

    Parameters
    ----------
    tables : ValueTables
        The tables.
    highest_value : int
        Highest value of a card; tables end there.

    Returns
    -------
    str
        The text. Types with the same prices are written once, under ``any``.
    """
    alike = all((getattr(tables, part) == getattr(tables, part)[:, :1]).all() for part in _PARTS)
    values: dict[str, Any] = {
        "format": TABLES_FORMAT,
        "provenance": tables.provenance,
        "highest_value": highest_value,
        "stages": [
            {
                "rounds_to_come_from": start,
                "main_tower_by_height": _round(tables.main[stage]),
                "teardown_pile_by_size": _round(tables.teardown[stage]),
                "towers": {
                    _ANY if alike else name: _write_type(tables, (stage, kind), highest_value)
                    for kind, name in enumerate(TOWER_TYPES)
                    if kind == 0 or not alike
                },
            }
            for stage, start in enumerate(tables.stage_starts)
        ],
    }
    return json.dumps(values, indent=1).replace("\n      ", " ").replace("\n     ]", "]") + "\n"


def _write_type(tables: ValueTables, where: tuple[int, int], highest_value: int) -> dict[str, Any]:
    """Write the prices of a type at a stage, by 0s to come: one number for each top card, the last for no card."""
    tops = [*range(highest_value + 1), EMPTY]
    return {
        zeros: {part: _round(getattr(tables, part)[(*where, level)][tops]) for part in _PARTS}
        for level, zeros in enumerate(ZEROS)
    }


def _round(values: np.ndarray) -> list[float]:
    return [round(float(value), _DIGITS) + 0.0 for value in values]


def read_tables(text: str, name: str) -> ValueTables:
    """Read tables from JSON.

    Parameters
    ----------
    text : str
        As :func:`write_tables` wrote it.
    name : str
        Where it is from, for messages.

    Returns
    -------
    ValueTables
        The tables.

    Raises
    ------
    StrategyError
        If it isn't a table of this format, naming what is wrong.
    """
    try:
        return read_table_object(parse_json(text))
    except FieldError as error:
        raise StrategyError(f"{name} is not a value table: {error}") from None


def read_table_object(values: Any) -> ValueTables:
    """Return the tables that an object of JSON describes; FieldError if it doesn't."""
    if isinstance(values, dict) and values.get("format", TABLES_FORMAT) != TABLES_FORMAT:
        refuse("format", values["format"], quote(TABLES_FORMAT))
    fields = read_object(values, "", ("format", "provenance", "highest_value", "stages"), ())
    highest = read_whole(fields["highest_value"], "highest_value", 1, EMPTY - 1)
    accepted = f"a list of 1 to {MAX_STAGES - 1} stages"
    stages = read_list(fields["stages"], "stages", accepted, 1, MAX_STAGES - 1)
    shape = (len(stages), TYPES, ZERO_LEVELS, 32)
    parts = {part: np.zeros(shape) for part in _PARTS}
    starts, main, teardown = [], [], []
    for number, given in enumerate(stages):
        path = f"stages[{number}]"
        stage = read_object(given, path, _STAGE_FIELDS, ())
        lowest = starts[-1] + 1 if starts else 1
        starts.append(
            read_whole(stage["rounds_to_come_from"], f"{path}.rounds_to_come_from", lowest, ROUNDS_COUNTED - 1)
        )
        main.append(_read_steps(stage["main_tower_by_height"], f"{path}.main_tower_by_height", main, 1))
        teardown.append(_read_steps(stage["teardown_pile_by_size"], f"{path}.teardown_pile_by_size", teardown, -1))
        _read_towers(stage["towers"], f"{path}.towers", highest, {part: parts[part][number] for part in _PARTS})
    if not isinstance(fields["provenance"], dict):
        refuse("provenance", fields["provenance"], "an object that says where the tables come from")
    return ValueTables(
        tuple(starts), **parts, main=np.array(main), teardown=np.array(teardown), provenance=fields["provenance"]
    )


def _read_steps(value: Any, path: str, before: Sequence[Sequence[float]], direction: int) -> list[float]:
    """Read VP by height or size: as many as at the stage before, in one direction."""
    low, high = (len(before[0]),) * 2 if before else (2, MAX_CARDS)
    accepted = f"a list of {low} numbers" if before else f"a list of {low} to {high} numbers"
    numbers = _read_numbers(value, path, accepted, low, high)
    if any(direction * (after - at) < 0 for at, after in pairwise(numbers)):
        refuse(path, value, "numbers that never fall" if direction > 0 else "numbers that never rise")
    return numbers


def _read_towers(value: Any, path: str, highest: int, parts: Mapping[str, np.ndarray]) -> None:
    """Read the prices of all types at a stage into arrays of shape (types, 4, 32)."""
    alike = isinstance(value, dict) and _ANY in value
    towers = read_object(value, path, (_ANY,) if alike else TOWER_TYPES, ())
    tops = [*range(highest + 1), EMPTY]
    for kind, name in enumerate(TOWER_TYPES):
        known = _ANY if alike else name
        for level, zeros in enumerate(ZEROS):
            by_zeros = read_object(towers[known], f"{path}.{known}", ZEROS, ())
            prices = read_object(by_zeros[zeros], f"{path}.{known}.{zeros}", _PARTS, ())
            for part in _PARTS:
                place = f"{path}.{known}.{zeros}.{part}"
                accepted = f"a list of {len(tops)} numbers, for the top cards 0 to {highest} and none"
                # A higher tower is worth no less: the search relies on that.
                lowest = 0.0 if part == "card" else -MOST_VP
                parts[part][kind, level, tops] = _read_numbers(
                    prices[part], place, accepted, len(tops), len(tops), lowest
                )


def _read_numbers(value: Any, path: str, accepted: str, low: int, high: int, lowest: float = -MOST_VP) -> list[float]:
    listed = enumerate(read_list(value, path, accepted, low, high))
    return [read_number(number, f"{path}[{place}]", lowest, MOST_VP) for place, number in listed]


def load_tables(players: int, powers: int, pairing: float = 1.0) -> ValueTables:
    """Return the tables for a number of players and a set of Great Powers.

    A tower type with its power takes its prices from the tables learned with all powers, any other type from those
    learned without. The teardown pile's go with the scrap power, the main tower's with the powers of most types.

    Parameters
    ----------
    players : int
        2 to 5.
    powers : int
        Bits of the Great Powers.
    pairing : float
        How much of what the hope for pairs adds to the prices of candy and scary towers counts, from 0 to 1.

    Returns
    -------
    ValueTables
        The tables.
    """
    base = load_shipped(players, with_powers=False)
    if powers == 0:
        return base
    powered = load_shipped(players, with_powers=True)
    parts = {part: getattr(base, part).copy() for part in _PARTS}
    with_power = [kind for kind, power in POWER_OF_TYPE.items() if powers & power]
    for part, table in parts.items():
        for kind in with_power:
            weight = pairing if POWER_OF_TYPE[kind] == PAIRS_POWER else 1.0
            table[:, kind] = (1 - weight) * table[:, kind] + weight * getattr(powered, part)[:, kind]
    return replace(
        base,
        **parts,
        main=(powered if 2 * len(with_power) > TYPES else base).main,
        teardown=(powered if powers & SCRAP_POWER else base).teardown,
        provenance={"without": base.provenance, "with": powered.provenance},
    )


@cache
def load_shipped(players: int, with_powers: bool) -> ValueTables:
    """Return the tables learned for this number of players, without Great Powers or with all of them."""
    name = f"{players}-players{'-powers' if with_powers else ''}.json"
    file = resources.files("fivetowers_sim.strategies").joinpath("tables", name)
    return read_tables(file.read_text(encoding="utf-8"), name)


def read_tables_file(path: str) -> ValueTables:
    """Return the tables of a user's own file.

    Raises
    ------
    StrategyError
        If the file can't be read, or isn't a table.
    """
    try:
        return read_tables(read_user_text(path), path)
    except UserFileError as error:
        raise StrategyError(f"{path} can't be read: {error}") from None


def read_prices(strategy: Strategy, players: int, powers: bool) -> ValueTables:
    """Return the tables of a strategy that plays by tables: its own file's, or those shipped."""
    return read_tables_file(strategy.path) if strategy.path else load_shipped(players, powers)
