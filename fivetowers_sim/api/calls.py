"""How every function goes about its call: errors in the words of Python, progress where somebody sees it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

from fivetowers_sim.api.arguments import Asked, Parameter, list_parameters, name_of, read_arguments, write_words
from fivetowers_sim.batch.run import BatchError
from fivetowers_sim.cli.console import make_console, write_on
from fivetowers_sim.cli.errors import CommandError, Interrupted, UsageError
from fivetowers_sim.cli.notebook import find_line, show_in_notebook
from fivetowers_sim.cli.typed import called_as
from fivetowers_sim.dataset.errors import RunError

if TYPE_CHECKING:
    from rich.console import RenderableType

_OPTION: Final = re.compile(r"(?<![\w/.-])--([a-z][a-z-]*)")
# What commands call arguments that have no option's name.
_ARGUMENTS: Final = {
    "compare": {"A": "rules_a", "B": "rules_b"},
    "tune": {"STRATEGY": "strategy"},
    "replay": {"GAME": "game"},
}
_HOW_TO_GO_ON: Final = re.compile(r"[;,] (?:go on|begin again) with$")


@contextmanager
def call(command: Asked, given: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Carry a command out for a call from Python.

    Parameters
    ----------
    command : str
        The command.
    given : mapping of str to object
        Argument to value.

    Yields
    ------
    dict of str to object
        What the command's function takes.

    Raises
    ------
    ValueError
        For what isn't accepted, in the names of arguments.
    RunError, BatchError
        If a folder can't be used, or games failed.
    KeyboardInterrupt
        After Ctrl-C; the message says what is kept.
    """
    parameters = list_parameters(command)
    if any(parameter.name == "workers" for parameter in parameters):
        _leave_threads_alone()
    with show_in_notebook(), _say_in_python(command, parameters, given):
        # A place that isn't named is found by whoever called.
        named = {name: value for name, value in given.items() if (name, value) != ("out", None)}
        arguments = read_arguments(command, named)
        if "quiet" in arguments and not is_watched():
            arguments["quiet"] = True
        with called_as(write_words(command, arguments)):
            yield arguments


def _leave_threads_alone() -> None:
    """Load what commands keep from starting many threads: here it is the caller's, with as many as it always starts."""
    for library in ("numpy", "polars", "fivetowers_sim.compiled"):
        import_module(library)


def is_watched() -> bool:
    """Say whether anybody sees progress: in a notebook or on a terminal."""
    return find_line() is not None or (sys.stderr is not None and sys.stderr.isatty())


@contextmanager
def _say_in_python(command: Asked, parameters: Sequence[Parameter], given: Mapping[str, Any]) -> Iterator[None]:
    def reword(error: Exception) -> str:
        return name_arguments(str(error), command, parameters)

    try:
        yield
    except Interrupted as error:
        raise KeyboardInterrupt(_say_what_is_kept(error, given)) from None
    except UsageError as error:
        raise ValueError(reword(error)) from None
    except CommandError as error:
        if isinstance(error.__cause__, BatchError):
            error.__cause__.args = (reword(error),)
            raise error.__cause__ from None
        if error.__cause__ is not None:
            # A mistake in the caller's own code: where it is says more than any word.
            raise error.__cause__ from None
        raise RunError(reword(error)) from None
    except (BatchError, RunError) as error:
        error.args = (reword(error),)
        raise


def _say_what_is_kept(error: Interrupted, given: Mapping[str, Any]) -> str:
    if "resume" in given and given["out"] is None:
        return "interrupted: nothing is kept, since out names no place"
    kept, found = _HOW_TO_GO_ON.subn("", str(error))
    again = "call again with resume=True" if "resume" in given else "call again"
    return f"{kept}; {again}" if found else kept


def name_arguments(text: str, command: Asked, parameters: Sequence[Parameter]) -> str:
    """Turn what a command says about its options into the same about arguments.

    Parameters
    ----------
    text : str
        Such as ``--set-b: display_size is 9; …``.
    command : str
        The command.
    parameters : sequence of Parameter
        Its parameters.

    Returns
    -------
    str
        Such as ``set_b: display_size is 9; …``.
    """
    names = {parameter.name for parameter in parameters}

    def rename(found: re.Match[str]) -> str:
        name = found[1].replace("-", "_")
        if name == "resume" and name in names:
            return "resume=True"
        if name.removeprefix("no_") in names:
            return name if name in names else f"{name.removeprefix('no_')}=False"
        return found[0]

    for typed, name in _ARGUMENTS.get(name_of(command), {}).items():
        text = re.sub(rf"^{typed}(?=[ :])", name, text)
    return _OPTION.sub(rename, text)


def write_aside(print_all: Callable[[], None]) -> str:
    """Return as text what a command prints as tables, without printing it."""
    paper = StringIO()
    with write_on(paper):
        print_all()
    return paper.getvalue()


def write_down(*shown: RenderableType) -> str:
    """Return as text what a command would print."""

    def print_all() -> None:
        for one in shown:
            make_console(wide=True).print(one)

    return write_aside(print_all)
