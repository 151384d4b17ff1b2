"""How commands are found, described and read: each is loaded when it is called, and says what can be typed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from fivetowers_sim.cli.catalogue import COMMANDS, GROUPS
from fivetowers_sim.cli.errors import UsageError

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
        with formatter.section("Examples"):
            for example in COMMANDS[str(self.name)].examples:
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


def load_command(name: str) -> TyperCommand:
    """Make a command of the function that carries it out.

    Parameters
    ----------
    name : str
        One of :data:`~fivetowers_sim.cli.catalogue.COMMANDS`.

    Returns
    -------
    TyperCommand
        The command.
    """
    command = COMMANDS[name]
    alone = typer.Typer(rich_markup_mode=None, add_completion=False, context_settings=HELP_STYLE)
    alone.command(name, cls=OnceCommand)(getattr(import_module(command.module), command.function))
    return typer.main.get_command(alone)
