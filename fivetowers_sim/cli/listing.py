"""Lists of what there is to choose from, as tables for the console."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from fivetowers_sim.strategies.parameters import Strategy


def make_table(**options: object) -> Table:
    """Return an empty table in the style of all tables here."""
    from rich import box
    from rich.table import Table

    return Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold", **options)


def list_names(kind: str, meanings: Mapping[str, str], more: str) -> RenderableType:
    """List names with their meanings.

    Parameters
    ----------
    kind : str
        What is named.
    meanings : mapping of str to str
        Name to meaning.
    more : str
        A line below the list that says how to learn more.

    Returns
    -------
    rich.console.RenderableType
        For the console.
    """
    from rich.console import Group

    table = make_table()
    table.add_column(kind, no_wrap=True, style="cyan")
    table.add_column("meaning")
    for name, meaning in meanings.items():
        table.add_row(name, meaning)
    return Group(table, "", more)


def describe_strategy(strategy: Strategy) -> RenderableType:
    """Show a strategy: what it does, and each parameter with value, default and what is accepted.

    Parameters
    ----------
    strategy : Strategy
        The strategy.

    Returns
    -------
    rich.console.RenderableType
        For the console.
    """
    from rich.console import Group

    from fivetowers_sim.cli.own_strategy import describe_own_strategy
    from fivetowers_sim.strategies.custom_file import CustomStrategy
    from fivetowers_sim.strategies.families import FAMILIES
    from fivetowers_sim.strategies.parameters import COMMON_PARAMETERS

    if isinstance(strategy, CustomStrategy):
        return describe_own_strategy(strategy)
    family = FAMILIES[strategy.family]
    table = make_table()
    table.add_column("parameter", no_wrap=True, style="cyan")
    for heading in ("value", "default"):
        table.add_column(heading, justify="right")
    table.add_column("accepted")
    table.add_column("meaning")
    for parameter in family.parameters + COMMON_PARAMETERS:
        value, default = parameter.write(strategy[parameter.name]), parameter.write(parameter.default)
        table.add_row(parameter.name, value, default, parameter.accepts, parameter.meaning)
    return Group(f"{strategy.name}: {family.about}", "", table)
