"""A command for a question: its options come from what the question can be told."""

from __future__ import annotations

import inspect
import json
import shlex
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from fivetowers_sim.bench.params import REQUIRED, Param, RefusedError, write_options
from fivetowers_sim.bench.question import Outcome, Question, find_out
from fivetowers_sim.cli.console import make_console
from fivetowers_sim.cli.errors import CommandError, UsageError, name_option
from fivetowers_sim.cli.number import read_number
from fivetowers_sim.cli.paths import read_path
from fivetowers_sim.cli.play_experiment import (
    AsJson,
    Manner,
    Out,
    Quiet,
    Resume,
    Show,
    describe_margin,
    play_experiment,
)
from fivetowers_sim.cli.staff import DEFAULT_BACKEND, Backend, Scheduler, Workers, read_staff
from fivetowers_sim.cli.whole_number import read_whole_number

Asked = TypeVar("Asked", bound=Question)

_READERS = {int: read_whole_number, float: read_number, Path: read_path}
_MANNER = {
    "workers": (Workers, None),
    "backend": (Backend, DEFAULT_BACKEND),
    "scheduler": (Scheduler, None),
    "out": (Out, None),
    "resume": (Resume, False),
    "as_json": (AsJson, False),
    "quiet": (Quiet, False),
}


def make_function(question: type[Question]) -> Callable[..., None]:
    """Make the function that carries a question's command out.

    Parameters
    ----------
    question : type
        The question's class.

    Returns
    -------
    callable
        For Typer: its parameters are those of the question, and those of every command that plays.
    """

    def carry_out(**given: Any) -> None:
        manner = {name: given.pop(name, default) for name, (_, default) in _MANNER.items()}
        given = {param.name: given[param.name] for param in question.params}
        wanted = read_staff(manner["workers"], manner["backend"], manner["scheduler"])
        asked = put_question(question, given)
        with wanted.gather(manner["quiet"]) as staff, name_question(question):
            outcome = play_question(asked, Manner(staff, manner["out"], manner["resume"], manner["quiet"]))
        finished = outcome.finish()
        if manner["as_json"]:
            typer.echo(json.dumps(finished.results, indent=2))
        else:
            from fivetowers_sim.cli.found import show_found

            make_console(wide=True).print(show_found(asked.content(finished), finished, manner["out"]))

    return declare(question, carry_out)


def declare(
    question: type[Question], carry_out: Callable[..., None], manner: Iterable[str] = tuple(_MANNER)
) -> Callable[..., None]:
    """Give a function that takes anything the parameters of a question, and some of those of commands that play.

    Parameters
    ----------
    question : type
        The question's class.
    carry_out : callable
        Carries its command out.
    manner : iterable of str
        What it can be told besides.

    Returns
    -------
    callable
        The same function, for Typer.
    """
    parameters = [_describe(param) for param in question.params]
    for name in manner:
        annotation, default = _MANNER[name]
        parameters.append(
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        )
    carry_out.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    carry_out.__annotations__ = {one.name: one.annotation for one in parameters}
    carry_out.__name__ = carry_out.__qualname__ = question.name.replace("-", "_")
    carry_out.__doc__ = inspect.getdoc(question)
    return carry_out


def _describe(param: Param[Any]) -> inspect.Parameter:
    reader = param.read or _READERS.get(param.kind)
    flags = [] if param.is_argument else [param.choice or param.option]
    make = typer.Argument if param.is_argument else typer.Option
    info = make(*flags, metavar=param.metavar or None, help=param.help, parser=None if param.many else reader)
    kind: Any = list[param.kind] if param.many else param.kind  # type: ignore[name-defined]
    default = inspect.Parameter.empty if param.default is REQUIRED else param.default
    annotation = Annotated[kind | None if default is None else kind, info]
    return inspect.Parameter(param.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def put_question(question: type[Asked], given: dict[str, Any], command: str = "") -> Asked:
    """Make a question of what its options say.

    Parameters
    ----------
    question : type
        Its class.
    given : dict of str to object
        Option to value.
    command : str
        What to type to get the same figures, if not these options.

    Returns
    -------
    Question
        The question.

    Raises
    ------
    UsageError
        Naming the option, what was given and what is accepted.
    """
    command = command or shlex.join(
        ["fivetowers", *shlex.split(question.typed or question.name), *write_options(question.params, given)]
    )
    try:
        with name_question(question):
            return question(given, command)
    except RefusedError as error:
        raise UsageError(_name_typed(question, error, given)) from None


def _name_typed(question: type[Question], error: RefusedError, given: dict[str, Any]) -> str:
    """Turn what is said of a parameter into the same about what is typed."""
    text = str(error)
    for param in question.params:
        if param.is_argument and text.startswith(f"{given[param.name]}: "):
            # What a file holds is named with the file.
            return text
        if param.is_argument and text.startswith((f"{param.name}:", f"{param.name} ")):
            return param.option + text.removeprefix(param.name)
    return text if text.startswith("--") else name_option(error)


@contextmanager
def name_question(question: type[Question]) -> Iterator[None]:
    """Say in one line what goes wrong in a question of the user's own; errors that commands know stay as they are."""
    from fivetowers_sim.strategies.custom_file import describe_error

    try:
        yield
    except (*_known_errors(), CommandError):
        raise
    except Exception as error:
        if not question.files:
            raise
        told = describe_error(error, next(iter(question.files)))
        raise CommandError(f"question {question.name} fails: {told}") from error


def _known_errors() -> tuple[type[Exception], ...]:
    from fivetowers_sim.batch.run import BatchError
    from fivetowers_sim.batch.workers import WorkersLostError
    from fivetowers_sim.dataset.errors import RunError
    from fivetowers_sim.strategies.custom_file import CustomStrategyError

    return (BatchError, WorkersLostError, RefusedError, RunError, CustomStrategyError)


def play_question(asked: Question, manner: Manner) -> Outcome:
    """Play for a question, in a folder or in memory only.

    Parameters
    ----------
    asked : Question
        What to find out.
    manner : Manner
        How to go about it.

    Returns
    -------
    Outcome
        The figures.

    Raises
    ------
    UsageError, Interrupted, RunError, BatchError
        As :func:`~fivetowers_sim.cli.play_experiment.play_experiment` says.
    """

    def warm_up() -> None:
        for one in (asked, asked.check):
            if one is not None:
                one.warm_up()

    unit = f" {asked.main.unit.name}"
    show = Show(warm_up, describe_margin(asked, asked.main.name, unit))
    return play_experiment(asked.asked(), manner, show, lambda crew, folder: find_out(asked, crew, folder))
