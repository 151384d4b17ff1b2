"""Value tables as files: written by learning, shipped for each number of players, read into minds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

import numpy as np

from fivetowers_sim.rules.cards import CANDY, EMPTY, SAND, SCARY, SCRAP, TOWER_TYPES, TREE
from fivetowers_sim.rules.state import TYPES
from fivetowers_sim.rules.tables import PAIRS_POWER, SAND_POWER, SCRAP_POWER, TREE_POWER
from fivetowers_sim.strategies.mind import MAX_STAGES, ROUNDS_COUNTED, ZERO_LEVELS
from fivetowers_sim.strategies.parameters import Strategy, StrategyError
from fivetowers_sim.strategies.value_tables import ValueTables

TABLES_FORMAT: Final = "fivetowers-value-tables/1"

TABLES_SUFFIX: Final = ".json"
"""A strategy written as a path with this ending is ``value`` with that file's tables."""

ZEROS: Final = ("none", "one", "more", "not looked at")
"""What is known of the 0s of a type that are still to come, in the order of the tables."""

POWER_OF_TYPE: Final = {CANDY: PAIRS_POWER, SCARY: PAIRS_POWER, TREE: TREE_POWER, SCRAP: SCRAP_POWER, SAND: SAND_POWER}
"""The Great Power of each tower type, as a bit."""

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
                    "any" if alike else name: _write_type(tables, (stage, kind), highest_value)
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
        values = json.loads(text)
        if values["format"] != TABLES_FORMAT:
            raise StrategyError(f"{name}: format is {values['format']!r}; accepted is {TABLES_FORMAT!r}")
        return _read(values)
    except (ValueError, TypeError, AttributeError) as error:
        if isinstance(error, StrategyError):
            raise
        raise StrategyError(f"{name} is not a value table: {error}") from None
    except (KeyError, IndexError) as error:
        raise StrategyError(f"{name} is not a value table: it has no {error.args[0]}") from None


def _read(values: Mapping[str, Any]) -> ValueTables:
    stages, highest = values["stages"], values["highest_value"]
    starts = tuple(stage["rounds_to_come_from"] for stage in stages)
    if not 0 < len(starts) < MAX_STAGES or list(starts) != sorted({*starts}) or not 1 <= starts[0] < ROUNDS_COUNTED:
        raise ValueError(f"its stages begin at {list(starts)} rounds to come; accepted are rising numbers from 1")
    shape = (len(stages), TYPES, ZERO_LEVELS, 32)
    parts = {part: np.zeros(shape) for part in _PARTS}
    tops = [*range(highest + 1), EMPTY]
    for number, stage in enumerate(stages):
        for kind, name in enumerate(TOWER_TYPES):
            towers = stage["towers"].get("any") or stage["towers"][name]
            for level, zeros in enumerate(ZEROS):
                for part in _PARTS:
                    parts[part][number, kind, level, tops] = towers[zeros][part]
    if parts["card"].min() < 0:
        raise ValueError("a card in a tower is worth less than 0")
    main = np.array([stage["main_tower_by_height"] for stage in stages], float)
    teardown = np.array([stage["teardown_pile_by_size"] for stage in stages], float)
    if (np.diff(main) < 0).any() or (np.diff(teardown) > 0).any():
        raise ValueError("a higher main tower is worth less, or a larger teardown pile more")
    return ValueTables(starts, **parts, main=main, teardown=teardown, provenance=values["provenance"])


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
        return read_tables(Path(path).read_text(encoding="utf-8"), path)
    except OSError as error:
        raise StrategyError(f"{path} can't be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise StrategyError(f"{path} is not a value table: it is not text") from None


def read_prices(strategy: Strategy, players: int, powers: bool) -> ValueTables:
    """Return the tables of a strategy that plays by tables: its own file's, or those shipped."""
    return read_tables_file(strategy.path) if strategy.path else load_shipped(players, powers)
