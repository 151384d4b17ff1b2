"""``fivetowers strategies``: who can play, with which parameters, and where presets come from."""

from __future__ import annotations

from typing import Annotated

import typer

from fivetowers_sim.cli import choice
from fivetowers_sim.cli.console import make_console
from fivetowers_sim.cli.errors import UsageError
from fivetowers_sim.cli.listing import describe_strategy, list_strategies
from fivetowers_sim.cli.price_list import show_prices


def strategies(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME|FILE]", help="A strategy, such as greedy, or a preset's .toml file.")
    ] = None,
    players: choice.Players = choice.DEFAULT_PLAYERS,
    powers: Annotated[bool, typer.Option("--all-powers", help="Show value's prices with all Great Powers.")] = False,
) -> None:
    """List the strategies, or show one with its parameters and where it comes from.

    For value, a price list: what towers and torn-down cards are worth to it.
    """
    from fivetowers_sim.strategies.families import FAMILIES, read_strategy, split_strategy
    from fivetowers_sim.strategies.parameters import StrategyError
    from fivetowers_sim.strategies.presets import find_preset, list_presets
    from fivetowers_sim.strategies.value_files import TABLES_SUFFIX, read_prices

    try:
        if name is None:
            about = {family.name: family.about for family in FAMILIES.values()}
            intents = {preset.name: preset.intent for preset in list_presets().values()}
            make_console().print(list_strategies(about, intents))
        else:
            strategy = read_strategy(name)
            make_console().print(describe_strategy(strategy, find_preset(split_strategy(name)[0])))
            if name == "value" or strategy.path.endswith(TABLES_SUFFIX):
                make_console().print("", show_prices(read_prices(strategy, players, powers), players, powers))
    except StrategyError as error:
        raise UsageError(str(error)) from None
