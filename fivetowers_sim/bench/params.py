"""What a question can be told: declared once, for its command, its function in Python, its plan and its docs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

T = TypeVar("T")


class RefusedError(ValueError):
    """What isn't accepted; the message begins with the parameter's name, and says what was given and is accepted."""


class _Required:
    def __repr__(self) -> str:
        return "required"


REQUIRED: Final = _Required()
"""The default of a parameter that has to be given."""


@dataclass(frozen=True)
class Param(Generic[T]):
    """A parameter.

    Attributes
    ----------
    name : str
        What it is called in Python; as an option its underscores are dashes.
    kind : type
        ``int``, ``float``, ``bool``, ``str`` or ``Path``.
    default : object
        Its value where it isn't given; None where that stands for something else, :data:`REQUIRED` for none.
    help : str
        What it means, in a sentence or two.
    metavar : str
        What stands for a value in a command's help.
    low, high : float, optional
        The least and the largest number that are accepted.
    many : bool
        Whether it may be given more than once; its value is a list then.
    decides : bool
        Whether figures depend on it, so that it belongs to the command that gives the same ones.
    is_argument : bool
        Whether its value is typed without a name.
    read : callable, optional
        Reads what is typed, beyond what ``kind`` does.
    choice : str
        For ``bool``: how it is typed if not by its name alone, such as ``--refit/--no-refit``.
    """

    name: str
    kind: type
    default: T | _Required | None
    help: str
    metavar: str = ""
    low: float | None = None
    high: float | None = None
    many: bool = False
    decides: bool = True
    is_argument: bool = False
    read: Callable[[str], Any] | None = None
    choice: str = ""

    @property
    def option(self) -> str:
        """How it is typed."""
        return self.metavar if self.is_argument else f"--{self.name.replace('_', '-')}"

    def check(self, value: Any) -> Any:
        """Return a value if it is within bounds.

        Raises
        ------
        RefusedError
            If it isn't.
        """
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        for one in value if self.many and value else [value]:
            # Not a number isn't within anything.
            if (low, high) != (-math.inf, math.inf) and one is not None and not low <= one <= high:
                ends = f"at least {low:g}" if high == math.inf else f"{low:g} to {high:g}"
                raise RefusedError(f"{self.name} is {one:g}; accepted is {ends}")
        return value


def check_given(params: Iterable[Param[Any]], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a value for every parameter: what is given, within bounds, or else the default.

    Parameters
    ----------
    params : iterable of Param
        The parameters.
    given : mapping of str to object
        By name.

    Returns
    -------
    dict of str to object
        By name, in the order of the parameters.

    Raises
    ------
    RefusedError
        If one isn't known, is missing, or isn't within bounds.
    """
    known = {param.name: param for param in params}
    for name in given:
        if name not in known:
            raise RefusedError(f"{name} is no parameter here; accepted are {', '.join(known)}")
    values = {name: param.check(given.get(name, param.default)) for name, param in known.items()}
    for name, value in values.items():
        if value is REQUIRED:
            raise RefusedError(f"{name} is missing; {known[name].help}")
    return values


def write_options(params: Iterable[Param[Any]], values: Mapping[str, Any]) -> list[str]:
    """Return what is typed for some values: those that decide figures, defaults too where they are values."""
    words: list[str] = []
    for param in params:
        value = values[param.name]
        if not param.decides or value is None:
            continue
        if param.kind is bool:
            yes, _, no = (param.choice or param.option).partition("/")
            words += [yes] if value else [no] if no else []
            continue
        for one in value if param.many else [value]:
            words += [str(one)] if param.is_argument else [param.option, str(one)]
    return words
