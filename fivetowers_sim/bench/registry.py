"""Find questions that don't come with the program: those of installed packages, and classes that are handed over."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from importlib.metadata import entry_points
from types import ModuleType
from typing import Final

from fivetowers_sim.bench.params import RefusedError
from fivetowers_sim.bench.question import Question

GROUP: Final = "fivetowers.questions"
"""The group of entry points in which an installed package names its questions."""


def find_installed(name: str, own: Iterable[str]) -> type[Question]:
    """Find a question of an installed package.

    Parameters
    ----------
    name : str
        Its name.
    own : iterable of str
        The names of those that come with the program, for messages.

    Returns
    -------
    type
        The class.

    Raises
    ------
    RefusedError
        If there is none of that name, it can't be loaded, or isn't a question.
    """
    installed = {one.name: one for one in entry_points(group=GROUP)}
    if name not in installed:
        known = ", ".join([*own, *installed])
        raise RefusedError(f"question is {name!r}; accepted are {known}, or FILE.py:Class")
    try:
        found = installed[name].load()
    except Exception as error:
        raise RefusedError(f"question {name} can't be loaded: {error!r}") from error
    return check_question(found, name)


def pick_question(module: ModuleType, attribute: str, path: str) -> type[Question]:
    """Return a question of a file that was run; RefusedError if it has none of that name."""
    found = getattr(module, attribute, None)
    if found is None:
        own = [name for name, one in vars(module).items() if _is_question(one) and one.__module__ == module.__name__]
        raise RefusedError(f"{path} has no question {attribute!r}; it has {', '.join(own) or 'none'}")
    return check_question(found, f"{path}:{attribute}")


def check_question(found: object, name: str) -> type[Question]:
    """Return a class if it is a question that says what it must; RefusedError if it isn't."""
    if not _is_question(found):
        raise RefusedError(f"{name} is {found!r}; accepted is a class made from Question")
    for needed in ("name", "main"):
        if not hasattr(found, needed):
            raise RefusedError(f"{name} has no {needed!r}; accepted is a question that says it")
    return found  # type: ignore[return-value]


def _is_question(thing: object) -> bool:
    return inspect.isclass(thing) and issubclass(thing, Question)
