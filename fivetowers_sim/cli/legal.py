"""``fivetowers legal``: what the seat to speak may take in a position."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from fivetowers_sim.cli.errors import CommandError, UsageError


def legal(
    position: Annotated[Path, typer.Argument(metavar="POSITION.json", help="A position file.", show_default=False)],
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """List every bid that can be carried out in a position, with the cards to take for it."""
    from fivetowers_sim.rules.position import PositionError, load_position

    try:
        table = load_position(position)
    except PositionError as error:
        raise UsageError(str(error)) from None
    try:
        from fivetowers_sim.engine.answer import answer_legal, tell_legal
    except ImportError:
        raise CommandError("this version can't list what is legal") from None
    answer = answer_legal(table)
    sys.stdout.write(json.dumps(answer) + "\n" if as_json else tell_legal(answer, table))
