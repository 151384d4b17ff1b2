"""Reading JSON and TOML that a person wrote: every fault is named by the path of the field it is in."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from typing import Any, NoReturn

from fivetowers_sim.rules.ruleset import shorten


class FieldError(ValueError):
    """A field that isn't accepted; the message is one line: its path, what was given, what is accepted."""


def parse_json(text: str) -> Any:
    """Read a JSON text, more strictly than the standard library: no repeated names, no NaN or infinity.

    Parameters
    ----------
    text : str
        The text.

    Returns
    -------
    object
        Its value.

    Raises
    ------
    FieldError
        If it is not JSON; the message says in which line and column.
    """
    try:
        return json.loads(text, object_pairs_hook=_make_object, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise FieldError(f"not JSON: {error.msg} in line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise FieldError("not accepted: nested too deeply") from None
    except FieldError:
        raise
    except ValueError as error:
        raise FieldError(f"not JSON: {error}") from None


def parse_toml(text: str) -> dict[str, Any]:
    """Read a TOML text.

    Raises
    ------
    FieldError
        If it is not TOML; the message says where.
    """
    try:
        return tomllib.loads(text)
    except ValueError as error:
        # Not only TOMLDecodeError: a number can have too many digits, too.
        raise FieldError(f"not TOML: {error}") from None
    except RecursionError:
        raise FieldError("not accepted: nested too deeply") from None


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, value in pairs:
        if name in made:
            raise FieldError(f"{quote(name)} is named twice in one object; accepted is each field once")
        made[name] = value
    return made


def _refuse_constant(text: str) -> NoReturn:
    raise FieldError(f"{text} is not JSON; accepted are numbers")


def refuse(path: str, value: Any, accepted: str) -> NoReturn:
    """Raise the error for a value.

    Raises
    ------
    FieldError
        Always.
    """
    raise FieldError(f"{path} is {quote(value)}; accepted is {accepted}")


def quote(value: Any) -> str:
    """Write a value as JSON, in one line, cut short if it is long."""
    try:
        return shorten(json.dumps(value, default=repr))
    except ValueError:
        # Python writes no number of more than some thousand digits.
        return (
            "a number of thousands of digits"
            if isinstance(value, int)
            else "something with a number of thousands of digits"
        )
    except RecursionError:
        return "something nested too deeply"


def read_object(value: Any, path: str, required: Iterable[str], optional: Iterable[str]) -> dict[str, Any]:
    """Check that a value is an object with these fields and no others.

    Parameters
    ----------
    value : object
        What was given.
    path : str
        Where; empty for the whole.
    required, optional : iterable of str
        Names of the fields that must be and may be there.

    Returns
    -------
    dict
        The value.

    Raises
    ------
    FieldError
        If it is no object, or a field is missing or unknown.
    """
    required, known = tuple(required), (*required, *optional)
    if not isinstance(value, dict):
        refuse(path or "the whole", value, f"an object with the fields {', '.join(known)}")
    start = f"{path}." if path else ""
    for name in value:
        if name not in known:
            shown = name if name.isidentifier() else quote(name)
            raise FieldError(f"{start}{shown} is not a field; accepted are {', '.join(known)}")
    for name in required:
        if name not in value:
            raise FieldError(f"{start}{name} is missing; needed are {', '.join(required)}")
    return value


def read_list(value: Any, path: str, accepted: str, low: int = 0, high: int | None = None) -> list[Any]:
    """Check that a value is a list with from `low` to `high` items; `accepted` says so in words."""
    if not isinstance(value, list) or len(value) < low or (high is not None and len(value) > high):
        length = f" ({len(value)} items)" if isinstance(value, list) else ""
        raise FieldError(f"{path} is {quote(value)}{length}; accepted is {accepted}")
    return value


def read_whole(value: Any, path: str, low: int, high: int) -> int:
    """Check that a value is a whole number from `low` to `high`."""
    if type(value) is not int or not low <= value <= high:
        refuse(path, value, f"a whole number from {low} to {high}")
    return value


def read_number(value: Any, path: str, low: float, high: float) -> float:
    """Check that a value is a number from `low` to `high`, whole or not."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        refuse(path, value, f"a number from {low:g} to {high:g}")
    return float(value)
