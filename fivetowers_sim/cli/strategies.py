"""``fivetowers strategies``: who can play, and with which parameters."""

from __future__ import annotations

from typing import Annotated

import typer

from fivetowers_sim.cli.console import make_console
from fivetowers_sim.cli.errors import UsageError
from fivetowers_sim.cli.listing import describe_strategy, list_names


def strategies(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="A strategy, such as greedy.")] = None,
) -> None:
    """List the strategies, or show one with its parameters."""
    from fivetowers_sim.strategies.families import FAMILIES, read_strategy
    from fivetowers_sim.strategies.parameters import StrategyError

    if name is None:
        about = {family.name: family.about for family in FAMILIES.values()}
        more = "fivetowers strategies NAME shows its parameters; greedy:misjudge=0.05 is how they are given."
        make_console().print(list_names("strategy", about, more))
        return
    try:
        strategy = read_strategy(name)
    except StrategyError as error:
        raise UsageError(str(error)) from None
    make_console().print(describe_strategy(strategy))
