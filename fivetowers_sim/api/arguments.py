"""What the functions are called with, as their commands' functions take it.

A command says of each option of what type it is and how its text is read. So a value may be a Python value or what one
would type, and is checked as if it had been typed.
"""

from __future__ import annotations

import inspect
import operator
import os
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias, get_args, get_origin, get_type_hints

from typer import BadParameter

from fivetowers_sim.bench.question import Question
from fivetowers_sim.cli.ask_question import make_function
from fivetowers_sim.cli.command import load_command, load_function, make_command

Where: TypeAlias = str | os.PathLike[str]
"""A path, or its text."""
Names: TypeAlias = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
"""Names or paths, or the text with commas between them."""
Dials: TypeAlias = Mapping[str, object] | Sequence[str] | str
"""Dial to value, or texts such as ``display_size=6``."""

Asked: TypeAlias = str | type[Question]
"""A command's name, or a question of the user's own."""

NOT_IN_PYTHON: Final = ("as_json",)
"""Parameters of commands' functions that say how to print."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a command.

    Attributes
    ----------
    name : str
        What it is called in Python: the option's name without dashes at its beginning.
    own_name : str
        What the command's function calls it.
    typed : str
        The option as it is typed; empty for an argument that has no option's name.
    kind : type
        ``int``, ``float``, ``bool``, ``str`` or ``Path``.
    is_list, is_optional : bool
        Whether several are taken, and whether None is.
    parse : callable or None
        Reads its text.
    default : object
        The default, ``inspect.Parameter.empty`` where there is none.
    """

    name: str
    own_name: str
    typed: str
    kind: Any
    is_list: bool
    is_optional: bool
    parse: Callable[[Any], Any] | None
    default: Any


def find_function(command: Asked) -> Callable[..., None]:
    """Return the function that carries a command out, or asks a question of the user's own."""
    return load_function(command) if isinstance(command, str) else make_function(command)


def name_of(command: Asked) -> str:
    """Return the name of a command or question."""
    return command if isinstance(command, str) else command.name


@cache
def list_parameters(command: Asked) -> tuple[Parameter, ...]:
    """List a command's parameters in their order, apart from those that say how to print."""
    function = find_function(command)
    hints = get_type_hints(function, include_extras=True)
    made = load_command(command) if isinstance(command, str) else make_command(command.name, function)
    options = {one.name: one.opts[0] for one in made.params if one.param_type_name == "option"}
    return tuple(
        _read_parameter(parameter, hints[name], options.get(name, ""))
        for name, parameter in inspect.signature(function).parameters.items()
        if name not in NOT_IN_PYTHON
    )


def _read_parameter(parameter: inspect.Parameter, hint: Any, typed: str) -> Parameter:
    said_type, info = get_args(hint)[:2]
    kinds = get_args(said_type) if type(None) in get_args(said_type) else (said_type, None)
    is_list = get_origin(kinds[0]) is list
    return Parameter(
        typed.removeprefix("--").replace("-", "_") or parameter.name,
        parameter.name,
        typed,
        get_args(kinds[0])[0] if is_list else kinds[0],
        is_list,
        kinds[1] is not None,
        info.parser,
        parameter.default,
    )


def read_arguments(command: Asked, given: Mapping[str, object]) -> dict[str, Any]:
    """Check what a function was called with, as far as its command's options are checked one by one.

    Parameters
    ----------
    command : str
        The command.
    given : mapping of str to object
        Argument to value; what is missing has its default.

    Returns
    -------
    dict of str to object
        By the names of the command's function.

    Raises
    ------
    ValueError
        That says the argument, what was given and what is accepted.
    """
    found = {}
    for parameter in list_parameters(command):
        if parameter.name in given:
            value = given[parameter.name]
            write = _TEXTS.get((name_of(command), parameter.name)) or _TEXTS.get(("", parameter.name))
            if write is not None and value is not None:
                value = write(parameter.name, value)
            found[parameter.own_name] = _read_value(parameter, value)
        elif parameter.default is not inspect.Parameter.empty:
            found[parameter.own_name] = parameter.default
    return found


def _read_value(parameter: Parameter, value: Any) -> Any:
    if value is None and parameter.is_optional:
        return None
    if parameter.is_list:
        items = [value] if isinstance(value, (str, os.PathLike)) else _list(parameter.name, value)
        return [_read_item(parameter, item) for item in items]
    return _read_item(parameter, value)


def _read_item(parameter: Parameter, value: Any) -> Any:
    readers = {int: _read_whole, float: _read_number, bool: _read_choice, str: _read_text, Path: _read_text}
    read = readers[parameter.kind](parameter.name, value)
    if parameter.parse is None or not isinstance(read, str):
        return read
    try:
        return parameter.parse(read)
    except BadParameter as error:
        raise ValueError(f"{parameter.name} {error.message}") from None


def _read_whole(name: str, value: Any) -> int | str:
    if isinstance(value, str):
        return value
    whole = float(value).is_integer() if isinstance(value, float) else hasattr(value, "__index__")
    if not whole or isinstance(value, bool):
        raise _refuse(name, value, "a whole number, such as 20000 or '20k'")
    return int(value) if isinstance(value, float) else operator.index(value)


def _read_number(name: str, value: Any) -> float | str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not (hasattr(value, "__float__") or hasattr(value, "__index__")):
        raise _refuse(name, value, "a number")
    return float(value)


def _read_choice(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise _refuse(name, value, "True or False")
    return value


def _read_text(name: str, value: Any) -> str:
    if isinstance(value, (str, os.PathLike)):
        return str(os.fspath(value))
    raise _refuse(name, value, "a text or a path")


def _refuse(name: str, value: Any, accepted: str) -> ValueError:
    return ValueError(f"{name} is {value!r}; accepted is {accepted}")


def _list(name: str, value: Any) -> list[Any]:
    if isinstance(value, (Mapping, bytes)) or not isinstance(value, Iterable):
        raise _refuse(name, value, "a list, or the text that one would type")
    return list(value)


# ---- Values of several parts, as the text that one would type ----


def write_list(name: str, value: Any) -> Any:
    """Write names or numbers with commas between them."""
    if isinstance(value, (str, os.PathLike)):
        return value
    items = [value] if isinstance(value, int) else _list(name, value)
    for item in items:
        if isinstance(item, bool) or not (isinstance(item, (str, os.PathLike)) or hasattr(item, "__index__")):
            raise ValueError(f"{name} has {item!r} in it; accepted are names and numbers")
    return ",".join(str(os.fspath(item)) if isinstance(item, os.PathLike) else str(item) for item in items)


def write_powers(name: str, value: Any) -> Any:
    """Write Great Powers with commas between them; none of them is ``none``."""
    return write_list(name, value) or ("none" if value != "" else value)


def write_lists(name: str, value: Any) -> Any:
    """Write lists with semicolons between them, and commas in them."""
    if isinstance(value, str):
        return value
    return ";".join(str(write_list(name, item)) for item in _list(name, value))


def write_dials(name: str, value: Any) -> Any:
    """Write dials with their values, each as it is typed."""
    if not isinstance(value, Mapping):
        return value
    return [f"{dial}={_write_dial(value[dial])}" for dial in value]


def _write_dial(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, Iterable) and not isinstance(value, str) else str(value)


def write_values(name: str, value: Any) -> Any:
    """Write dials with the values that each is to take, in the way of dials that are lists where they are."""
    from fivetowers_sim.rules.ruleset import list_dials

    if not isinstance(value, Mapping):
        return value
    lists = {dial.name for dial in list_dials() if isinstance(dial.default, tuple)}
    texts = []
    for dial, values in value.items():
        each = values if isinstance(values, Iterable) and not isinstance(values, str) else [values]
        texts.append(f"{dial}={(';' if dial in lists else ',').join(map(_write_dial, each))}")
    return texts


def write_seat_powers(name: str, value: Any) -> Any:
    """Write the Great Powers of some seats."""
    if not isinstance(value, Mapping):
        return value
    return [f"{seat}={write_powers(name, powers)}" for seat, powers in value.items()]


_TEXTS: Final[Mapping[tuple[str, str], Callable[[str, Any], Any]]] = {
    ("", "set"): write_dials,
    ("", "set_a"): write_dials,
    ("", "set_b"): write_dials,
    ("sweep", "set"): write_values,
    ("", "seat_powers"): write_seat_powers,
    ("", "powers"): write_powers,
    ("", "strategies"): write_list,
    ("", "against"): write_list,
    ("", "parameters"): write_list,
    ("", "questions"): write_list,
    ("", "costs"): write_lists,
    ("game-shape", "players"): write_list,
}


def write_words(command: Asked, arguments: Mapping[str, Any]) -> list[str]:
    """Return what one would type for a call, beginning with the program's name.

    Parameters
    ----------
    command : str
        The command.
    arguments : mapping of str to object
        By the names of the command's function, as :func:`read_arguments` returns them.

    Returns
    -------
    list of str
        The words; options that have their default aren't among them.
    """
    words = ["fivetowers", *shlex.split(command if isinstance(command, str) else command.typed or command.name)]
    for parameter in list_parameters(command):
        value = arguments.get(parameter.own_name, parameter.default)
        if value == parameter.default:
            continue
        for item in value if parameter.is_list else [value]:
            named = [parameter.typed] if parameter.typed else []
            if parameter.kind is bool:
                words += named if item else [f"--no-{parameter.typed.removeprefix('--')}"]
            else:
                words += [*named, str(item)]
    return words
