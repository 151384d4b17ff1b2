"""Lists of what there is to choose from, as tables for the console."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fivetowers_sim.cli.console import make_table, show_plainly

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from fivetowers_sim.strategies.parameters import Strategy
    from fivetowers_sim.strategies.presets import Preset


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

    return Group(_tabulate_names(kind, meanings), "", more)


def _tabulate_names(kind: str, meanings: Mapping[str, str]) -> Table:
    table = make_table()
    table.add_column(kind, no_wrap=True, style="cyan")
    table.add_column("meaning")
    for name, meaning in meanings.items():
        table.add_row(name, meaning)
    return table


def list_strategies(families: Mapping[str, str], presets: Mapping[str, str]) -> RenderableType:
    """List what can play.

    Parameters
    ----------
    families : mapping of str to str
        Family to what it does.
    presets : mapping of str to str
        Preset to what kind of player it is; may be empty.

    Returns
    -------
    rich.console.RenderableType
        For the console.
    """
    from rich.console import Group

    more = "fivetowers strategies NAME shows its parameters; greedy:misjudge=0.05 is how they are given."
    if not presets:
        return list_names("strategy", families, more)
    named = "A preset is a family with parameters; a .toml file of your own works like one."
    return Group(_tabulate_names("strategy", families), "", list_names("preset", presets, f"{named}\n{more}"))


def describe_strategy(strategy: Strategy, preset: Preset | None = None) -> RenderableType:
    """Show a strategy: what it does, and each parameter with value, default and what is accepted.

    Parameters
    ----------
    strategy : Strategy
        The strategy.
    preset : Preset, optional
        The preset by which it was given, for its intent and provenance.

    Returns
    -------
    rich.console.RenderableType
        For the console.
    """
    from rich.console import Group

    from fivetowers_sim.cli.own_strategy import describe_own_strategy
    from fivetowers_sim.strategies.custom_file import CustomStrategy
    from fivetowers_sim.strategies.families import FAMILIES, list_parameters

    if isinstance(strategy, CustomStrategy):
        return describe_own_strategy(strategy)
    family = FAMILIES[strategy.family]
    table = make_table()
    table.add_column("parameter", no_wrap=True, style="cyan")
    for heading in ("value", "default"):
        table.add_column(heading, justify="right")
    table.add_column("accepted")
    table.add_column("meaning")
    for parameter in list_parameters(strategy.family):
        value, default = parameter.write(strategy[parameter.name]), parameter.write(parameter.default)
        table.add_row(parameter.name, value, default, parameter.accepts, parameter.meaning)
    about = f"{strategy.name}: {family.about}"
    if preset is None:
        return Group(about, "", table)
    heading = f"{strategy.short_name}: {preset.intent}"
    return Group(heading, "", f"It is {about}", "", table, "", "Where it comes from:", _list_origin(preset.provenance))


def _list_origin(provenance: Mapping[str, Any]) -> Table:
    """Show a preset's provenance, each figure of a result with its interval."""
    table = make_table(show_header=False)
    table.add_column(no_wrap=True, style="cyan")
    table.add_column()
    for name, value in provenance.items():
        parts = value.items() if isinstance(value, dict) else [("", value)]
        for part, content in parts:
            written = str(content) if name == "seed" else _write_origin(content)
            table.add_row(show_plainly(f"{name} {part}".strip().replace("_", " ")), show_plainly(written))
    return table


def _write_origin(value: Any) -> str:
    if isinstance(value, dict):
        if value.keys() == {"value", "low", "high"}:
            return f"{value['value']:.4g} (95% interval {value['low']:.4g} to {value['high']:.4g})"
        return ", ".join(f"{name} {_write_origin(item)}" for name, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(_write_origin, value)) or "none"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
