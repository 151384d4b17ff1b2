"""``fivetowers legal``: what the seat to speak may take in a position."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from fivetowers_sim.cli.errors import UsageError
from fivetowers_sim.cli.paths import read_path
from fivetowers_sim.cli.progress import notice_if_compiling


def legal(
    position: Annotated[
        Path,
        typer.Argument(metavar="POSITION.json", parser=read_path, help="A position file.", show_default=False),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """List every bid that can be carried out in a position, with the cards to take for it."""
    from fivetowers_sim.engine.answer import answer_legal, tell_legal
    from fivetowers_sim.rules.position import PositionError, load_position

    try:
        table = load_position(position)
    except PositionError as error:
        raise UsageError(str(error)) from None
    with notice_if_compiling():
        answer = answer_legal(table)
    sys.stdout.write(json.dumps(answer) + "\n" if as_json else tell_legal(answer, table))
