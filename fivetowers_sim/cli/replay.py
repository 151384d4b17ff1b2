"""``fivetowers replay``: one game of a run, told round by round."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from fivetowers_sim.cli.console import make_console
from fivetowers_sim.cli.errors import CommandError, UsageError
from fivetowers_sim.cli.paths import read_place
from fivetowers_sim.cli.trace import traced_games
from fivetowers_sim.cli.whole_number import read_whole_number

if TYPE_CHECKING:
    from fivetowers_sim.dataset.store import Run
    from fivetowers_sim.engine.setup import GameSetup

STYLES: Final = {
    r"^Round \d+": "bold",
    r"^(Seats? .*|Score in VP.*|Towers at the end)$": "bold",
    r"\bcandy\b(-\d+)?": "magenta",
    r"\bscary\b(-\d+)?": "bright_blue",
    r"\btree\b(-\d+)?": "green",
    r"\bscrap\b(-\d+)?": "red",
    r"\bsand\b(-\d+)?": "yellow",
    r"seat \d+: \w+ \(undone\)": "dim strike",
}
"""Colours on a terminal, by what they apply to."""


def replay(
    run: Annotated[
        str,
        typer.Argument(metavar="RUN", parser=read_place, help="A run folder or address.", show_default=False),
    ],
    game: Annotated[
        int,
        typer.Argument(metavar="GAME", parser=read_whole_number, help="Number of a game, from 0.", show_default=False),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print the game's trace instead.")] = False,
) -> None:
    """Tell one game of a run, round by round: display, words, who took what, towers."""
    from fivetowers_sim.dataset.store import open_run

    opened = open_run(run)
    played = next(traced_games(load_setup(opened, game), game, 1))
    check_as_recorded(opened, played)
    if as_json:
        sys.stdout.write(json.dumps(played) + "\n")
    else:
        print_game(played)


def load_setup(run: Run, game: int) -> GameSetup:
    """Return what a run's games are, after checking that it has this game."""
    from fivetowers_sim.engine.setup import SetupError
    from fivetowers_sim.engine.setup_io import setup_from_dict

    if not 0 <= game < run.manifest.games:
        raise UsageError(f"GAME is {game}; accepted is 0 to {run.manifest.games - 1}, the games of {run.path}")
    try:
        return setup_from_dict(run.manifest.plan["setup"])
    except SetupError as error:
        raise CommandError(f"{run.path}: {error}") from None


def check_as_recorded(run: Run, played: dict[str, Any]) -> None:
    """Refuse a game that isn't the one recorded; one that isn't written yet will do."""
    from fivetowers_sim.dataset.scan import read_game
    from fivetowers_sim.engine.recorded import first_difference

    number = played["game"]
    rows = read_game(run, "games", number)
    found = first_difference(played, rows[0], read_game(run, "seats", number)) if rows else None
    if found:
        raise CommandError(
            f"game {number} of {run.path} was recorded by another version of this program, and doesn't go "
            f"the same way with this one; {found}"
        )


def print_game(played: dict[str, Any]) -> None:
    """Print a narrated game, in colour on a terminal."""
    from rich.text import Text

    from fivetowers_sim.engine.narrate import narrate_game

    console = make_console()
    told = narrate_game(played)
    if not console.is_terminal:
        sys.stdout.write(told)
        return
    text = Text(told, end="")
    for pattern, style in STYLES.items():
        text.highlight_regex(rf"(?m){pattern}", style)
    console.print(text, soft_wrap=True)
