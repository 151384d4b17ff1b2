"""A user's own strategy, shown like the built-in ones."""

from __future__ import annotations

from inspect import Parameter
from typing import TYPE_CHECKING

from fivetowers_sim.cli.console import make_table

if TYPE_CHECKING:
    from rich.console import RenderableType

    from fivetowers_sim.strategies.custom_file import CustomStrategy


def describe_own_strategy(strategy: CustomStrategy) -> RenderableType:
    """Show a user's class: how its docstring begins, and what can be given to its constructor.

    Parameters
    ----------
    strategy : CustomStrategy
        The class, with the values given.

    Returns
    -------
    rich.console.RenderableType
        For the console.
    """
    from rich.console import Group

    from fivetowers_sim.strategies.custom_file import find_files

    table = make_table()
    table.add_column("parameter", no_wrap=True, style="cyan")
    for heading in ("value", "default"):
        table.add_column(heading, justify="right")
    table.add_column("accepted")
    for argument, value in strategy.arguments:
        default = "" if argument.default is Parameter.empty else argument.write(argument.default)
        table.add_row(argument.name, argument.write(value), default, argument.accepts)
    about = f"{strategy.name}: {strategy.about or 'A class without a docstring.'}"
    files = [f"SHA-256 of {path}: {sha256}" for path, sha256 in find_files([strategy]).items()]
    more = "It has the parameters of all strategies, too; fivetowers strategies greedy shows them."
    return Group(about, *files, "", *((table, "") if strategy.arguments else ()), more)
