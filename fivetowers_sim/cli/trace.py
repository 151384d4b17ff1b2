"""``fivetowers trace``: games written down completely, one JSON object a line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from fivetowers_sim.cli import choice
from fivetowers_sim.cli.errors import UsageError
from fivetowers_sim.cli.new_file import write_new_file
from fivetowers_sim.cli.paths import read_path
from fivetowers_sim.cli.progress import GamesProgress, notice_if_compiling
from fivetowers_sim.cli.whole_number import read_whole_number

if TYPE_CHECKING:
    from fivetowers_sim.engine.setup import GameSetup

MOST_GAMES: Final = (1 << 32) - 1
"""Games are numbered below this, in runs and here."""


def trace(
    games: Annotated[int, typer.Option("--games", metavar="N", parser=read_whole_number, help="How many games.")] = 1,
    first: Annotated[
        int, typer.Option("--first", metavar="GAME", parser=read_whole_number, help="Number of the first game.")
    ] = 0,
    players: choice.Players = choice.DEFAULT_PLAYERS,
    strategies: choice.Strategies = choice.DEFAULT_STRATEGIES,
    seed: choice.Seed = choice.DEFAULT_SEED,
    powers: choice.Powers = None,
    seat_powers: choice.SeatPowers = None,
    rules: choice.Rules = choice.DEFAULT_RULES,
    dials: choice.Dials = None,
    seating: choice.Seating = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", parser=read_path, help="A new file to write. [default: standard output]"),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Write games down completely: JSON Lines, one game a line, every card and word in it."""
    check_numbers(games, first)
    setup = choice.read_setup(players, strategies, seed, powers, seat_powers, rules, dials, seating)
    # On a terminal the games are their own progress.
    with GamesProgress("traced", quiet or (out is None and sys.stdout.isatty())) as progress:
        lines = watched_lines(traced_games(setup, first, games, quiet), games, progress)
        if out is not None:
            write_new_file(out, lines, "--out")
            return
        for line in lines:
            sys.stdout.write(line + "\n")


def check_numbers(games: int, first: int) -> None:
    """Refuse games that have no numbers; UsageError says which have."""
    if not 1 <= games <= MOST_GAMES:
        raise UsageError(f"--games is {games}; accepted is 1 to {MOST_GAMES}")
    if not 0 <= first <= MOST_GAMES - games:
        raise UsageError(f"--first is {first}; accepted is 0 to {MOST_GAMES - games} with --games {games}")


def watched_lines(traces: Iterator[dict[str, Any]], games: int, progress: GamesProgress) -> Iterator[str]:
    """Yield traces as lines of JSON, and tell how far that has come."""
    for done, played in enumerate(traces):
        progress.report(done, games)
        yield json.dumps(played)
    progress.report(games, games)


def traced_games(setup: GameSetup, first: int, games: int, quiet: bool = False) -> Iterator[dict[str, Any]]:
    """Trace games, with a notice on standard error if that takes compiling first.

    Parameters
    ----------
    setup : GameSetup
        What is played.
    first, games : int
        Number of the first game, and how many, at least 1.
    quiet : bool
        Whether to say nothing.

    Yields
    ------
    dict
        A ``fivetowers-trace/1`` object of plain JSON values.
    """
    from fivetowers_sim.engine.trace import trace_games

    traces = trace_games(setup, first, games)
    with nullcontext() if quiet else notice_if_compiling():
        played = next(traces)
    yield played
    yield from traces
