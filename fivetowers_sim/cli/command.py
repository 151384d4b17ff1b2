"""How commands are found, described and read: each is loaded when it is called, and says what can be typed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from fivetowers_sim.cli.catalogue import COMMANDS, GROUPS
from fivetowers_sim.cli.errors import UsageError
from fivetowers_sim.questions import QUESTIONS, find_question

ASK: Final = "ask"
HELP_STYLE: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class OnceCommand(TyperCommand):
    """A command whose options are given once at most, unless they are made to be repeated."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:
        """Read the arguments.

        Raises
        ------
        UsageError
            If an option that holds one value is given several.
        """
        _, _, order = self.make_parser(ctx).parse_args(list(args))
        for param in order:
            takes_one = param.param_type_name == "option" and not (param.multiple or param.is_flag)
            if takes_one and order.count(param) > 1:
                raise UsageError(f"{param.opts[0]} is given {order.count(param)} times; accepted is once")
        return super().parse_args(ctx, args)

    def format_epilog(self, ctx: typer.Context, formatter: Any) -> None:
        """Write the examples, each in a line of its own however long it is."""
        if self.name in COMMANDS:
            write_examples(str(self.name), formatter)


def write_examples(name: str, formatter: Any) -> None:
    """Write the examples of a command, each in a line of its own however long it is."""
    with formatter.section("Examples"):
        for example in COMMANDS[name].examples:
            formatter.write(f"{'':{formatter.current_indent}}fivetowers {example}\n")


class _LoadedWhenCalled(Mapping[str, TyperCommand]):
    """The commands by name; each is loaded when it is asked for."""

    def __getitem__(self, name: str) -> TyperCommand:
        return load_command(name)

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class CommandGroup(TyperGroup):
    """All commands, grouped by what one wants to do."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings | {"commands": _LoadedWhenCalled()})

    def format_commands(self, ctx: typer.Context, formatter: Any) -> None:
        """Write a line on each, group by group, all lines at the same column."""
        widest = max(map(len, COMMANDS))
        for title, commands in GROUPS.items():
            with formatter.section(title):
                for command in commands:
                    line = f"{command.name:{widest}}  {command.does}"
                    formatter.write(f"{'':{formatter.current_indent}}{line}\n")


class AskGroup(TyperGroup):
    """``ask``: after it comes the name of a question, and then what that can be told."""

    def get_command(self, ctx: typer.Context, cmd_name: str) -> TyperCommand:
        """Return the command of a question; UsageError if there is none."""
        from fivetowers_sim.bench.params import RefusedError
        from fivetowers_sim.cli.ask_question import make_function

        try:
            question = find_question(cmd_name)
            return make_command(cmd_name, make_function(question))
        except RefusedError as error:
            raise UsageError(str(error)) from None

    def list_commands(self, ctx: typer.Context) -> list[str]:
        """Return the names of the questions that come with the program."""
        return list(QUESTIONS)

    def format_commands(self, ctx: typer.Context, formatter: Any) -> None:
        """Write two examples: the questions that come with the program have commands of their own."""
        write_examples(ASK, formatter)


def load_command(name: str) -> TyperCommand | TyperGroup:
    """Make a command of the function that carries it out.

    Parameters
    ----------
    name : str
        One of :data:`~fivetowers_sim.cli.catalogue.COMMANDS`.

    Returns
    -------
    TyperCommand or TyperGroup
        The command.
    """
    if name == ASK:
        return _make_ask()
    return make_command(name, load_function(name))


def load_function(name: str) -> Callable[..., None]:
    """Return the function that carries a command out: that of its module, or one made of its question."""
    if name in QUESTIONS:
        from fivetowers_sim.cli.ask_question import make_function

        return make_function(find_question(name))
    command = COMMANDS[name]
    return getattr(import_module(command.module), command.function)  # type: ignore[no-any-return]


def make_command(name: str, function: Callable[..., None]) -> TyperCommand:
    """Make a command of a function."""
    alone = typer.Typer(rich_markup_mode=None, add_completion=False, context_settings=HELP_STYLE)
    alone.command(name, cls=OnceCommand)(function)
    return typer.main.get_command(alone)


def _make_ask() -> TyperGroup:
    ask = typer.Typer(name=ASK, cls=AskGroup, rich_markup_mode=None, add_completion=False, context_settings=HELP_STYLE)
    ask.callback(invoke_without_command=True, subcommand_metavar="QUESTION [OPTIONS]")(_explain_ask)
    return typer.main.get_group(ask)


def _explain_ask(context: typer.Context) -> None:
    """Ask a question of your own: FILE.py:Class, or the name under which an installed package has it.

    What it can be told is shown by fivetowers ask FILE.py:Class --help. It is played, kept and gone on with as those
    that come with the program are. docs/own-questions.md shows how to write one.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
