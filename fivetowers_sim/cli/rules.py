"""``fivetowers rules``: the rule sets, and every dial explained."""

from __future__ import annotations

from typing import Annotated

import typer

from fivetowers_sim.cli.console import make_console
from fivetowers_sim.cli.errors import UsageError
from fivetowers_sim.cli.listing import list_names


def rules(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME|FILE]", help="A rule set's name, or a .toml file.")
    ] = None,
) -> None:
    """List the rule sets, or print one with every dial explained.

    It is printed as TOML, which can be kept in a file, changed, and given to --rules.
    """
    from fivetowers_sim.rules.ruleset import RuleSetError
    from fivetowers_sim.rules.ruleset_files import load_rules, named_rules

    if name is None:
        more = "fivetowers rules NAME prints one with every dial explained; --set DIAL=VALUE changes a dial."
        make_console().print(list_names("rule set", named_rules(), more))
        return
    try:
        typer.echo(f"# {named_rules().get(name, name)}\n{load_rules(name).to_toml(explain=True)}", nl=False)
    except RuleSetError as error:
        raise UsageError(str(error)) from None
