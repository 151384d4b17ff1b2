"""``fivetowers strategies``: who can play, with which parameters, and where presets come from."""

from __future__ import annotations

from typing import Annotated

import typer

from fivetowers_sim.cli.console import make_console
from fivetowers_sim.cli.errors import UsageError
from fivetowers_sim.cli.listing import describe_strategy, list_strategies


def strategies(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME|FILE]", help="A strategy, such as greedy, or a preset's .toml file.")
    ] = None,
) -> None:
    """List the strategies, or show one with its parameters and, if it is a preset, where it comes from."""
    from fivetowers_sim.strategies.families import FAMILIES, read_strategy, split_strategy
    from fivetowers_sim.strategies.parameters import StrategyError
    from fivetowers_sim.strategies.presets import find_preset, list_presets

    try:
        if name is None:
            about = {family.name: family.about for family in FAMILIES.values()}
            intents = {preset.name: preset.intent for preset in list_presets().values()}
            make_console().print(list_strategies(about, intents))
        else:
            strategy = read_strategy(name)
            make_console().print(describe_strategy(strategy, find_preset(split_strategy(name)[0])))
    except StrategyError as error:
        raise UsageError(str(error)) from None
