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
Amount: TypeAlias = int | str
"""A whole number, or its text, such as ``20k``."""
Amounts: TypeAlias = int | str | Sequence[int]
"""One whole number or several, or the text with commas between them."""
Number: TypeAlias = float | str
"""A number, or its text."""
Dials: TypeAlias = Mapping[str, object] | Sequence[str] | str
"""Dial to value, or texts such as ``display_size=6``."""
Values: TypeAlias = Mapping[str, object] | Sequence[str] | str
"""Dial to the values that it is to take, or texts such as ``display_size=4,6``."""
SeatPowers: TypeAlias = Mapping[int, Names] | Sequence[str] | str
"""Seat to its Great Powers, or texts such as ``0=tree,scrap``."""
Lists: TypeAlias = str | Sequence[Sequence[int]]
"""Lists of whole numbers, or the text with semicolons between them."""

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
    hint, said_type : str
        Its type in Python, as an annotation and as a docstring says it.
    help : str
        What it means.
    """

    name: str
    own_name: str
    typed: str
    kind: Any
    is_list: bool
    is_optional: bool
    parse: Callable[[Any], Any] | None
    default: Any
    hint: str
    said_type: str
    help: str


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
        _read_parameter(name_of(command), parameter, hints[name], options.get(name, ""))
        for name, parameter in inspect.signature(function).parameters.items()
        if name not in NOT_IN_PYTHON
    )


def _read_parameter(command: str, parameter: inspect.Parameter, hint: Any, typed: str) -> Parameter:
    declared, info = get_args(hint)[:2]
    kinds = get_args(declared) if type(None) in get_args(declared) else (declared, None)
    is_list, is_optional = get_origin(kinds[0]) is list, kinds[1] is not None
    kind = get_args(kinds[0])[0] if is_list else kinds[0]
    name = typed.removeprefix("--").replace("-", "_") or parameter.name
    form = find_form(command, name) or _PLAIN[kind]
    return Parameter(
        name,
        parameter.name,
        typed,
        kind,
        is_list,
        is_optional,
        info.parser,
        parameter.default,
        form.hint + (" | None" if is_optional else ""),
        form.said,
        form.help or info.help or "",
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
            form = find_form(name_of(command), parameter.name)
            if form is not None and value is not None:
                value = form.write(parameter.name, value)
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


@dataclass(frozen=True, slots=True)
class Form:
    """How values of a parameter look in Python.

    Attributes
    ----------
    hint, said : str
        Their type, as an annotation and as a docstring says it.
    write : callable
        Writes one, named first, as the text that one would type, if it isn't one.
    help : str
        What it means, where the option says so in its own terms.
    """

    hint: str
    said: str
    write: Callable[[str, Any], Any] = write_list
    help: str = ""


_PLAIN: Final[Mapping[type, Form]] = {
    int: Form("Amount", "int"),
    float: Form("Number", "float"),
    bool: Form("bool", "bool"),
    str: Form("str", "str"),
    Path: Form("Where", "str or Path"),
}
_NAMES: Final = Form("Names", "str or sequence of str")
_DIALS: Final = 'Dials to change, such as ``{"display_size": 6}``.'
_VALUES: Final = (
    'Dial to the values that it is to take, such as ``{"display_size": [4, 6, 7]}``; those of a dial that is a list '
    "are lists."
)
_FORMS: Final[Mapping[tuple[str, str], Form]] = {
    ("", "rules"): Form("Where", "str or Path"),
    ("", "set"): Form("Dials", "mapping of str to object", write_dials, _DIALS),
    ("", "set_a"): Form("Dials", "mapping of str to object", write_dials, _DIALS),
    ("", "set_b"): Form("Dials", "mapping of str to object", write_dials, _DIALS),
    ("sweep", "set"): Form("Values", "mapping of str to sequence", write_values, _VALUES),
    ("", "seat_powers"): Form(
        "SeatPowers",
        "mapping of int to powers",
        write_seat_powers,
        'Great Powers of single seats instead, such as ``{0: ["tree", "scrap"]}``.',
    ),
    ("", "powers"): Form("Names", "str or sequence of str", write_powers),
    ("", "strategies"): _NAMES,
    ("", "against"): _NAMES,
    ("", "parameters"): _NAMES,
    ("", "questions"): _NAMES,
    ("", "costs"): Form("Lists", "sequence of sequence of int", write_lists),
    ("game-shape", "players"): Form("Amounts", "int or sequence of int"),
    ("compare", "rules_a"): Form("Where", "str or Path"),
    ("compare", "rules_b"): Form("Where", "str or Path"),
}


def find_form(command: str, name: str) -> Form | None:
    """Return how a command's parameter looks in Python; None if as its type does."""
    return _FORMS.get((command, name)) or _FORMS.get(("", name))


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
