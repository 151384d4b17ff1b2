"""How the subcommands read their options: a value that another one would silently replace is refused."""

from __future__ import annotations

import typer
from typer.core import TyperCommand

from fivetowers_sim.cli.errors import UsageError


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
