"""``fivetowers tournament``: which of some strategies is stronger than which."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from fivetowers_sim.cli import choice
from fivetowers_sim.cli.console import make_console
from fivetowers_sim.cli.number import read_number
from fivetowers_sim.cli.play_run import read_workers
from fivetowers_sim.cli.play_tournament import Manner, play_tournament, read_tournament
from fivetowers_sim.cli.tournament_table import show_tournament
from fivetowers_sim.cli.whole_number import read_whole_number


def tournament(
    strategies: Annotated[
        str,
        typer.Option(
            "--strategies",
            metavar="A,B,…",
            help="Two strategies or more, whatever the number of players. With parameters: greedy:misjudge=0.05.",
        ),
    ],
    players: choice.Players = choice.DEFAULT_PLAYERS,
    games: Annotated[
        int | None,
        typer.Option(
            "--games", metavar="N", parser=read_whole_number, help="Games in all, rounded up to a balanced number."
        ),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            "--precision",
            metavar="SHARE",
            parser=read_number,
            help="Play until every win share is known to ± this. [default: 0.01, without --games]",
        ),
    ] = None,
    seed: choice.Seed = choice.DEFAULT_SEED,
    powers: choice.Powers = None,
    seat_powers: choice.SeatPowers = None,
    rules: choice.Rules = choice.DEFAULT_RULES,
    dials: choice.Dials = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            metavar="W",
            parser=read_whole_number,
            help="Parts played at the same time. [default: all cores]",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="A new folder for figures, tables, a picture and what is played."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a tournament that was begun in --out.")] = False,
    best_response: Annotated[
        bool,
        typer.Option("--best-response", help="Also tune a strategy against the field, and measure what it gains."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print every figure with its interval as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Rank strategies: every line-up of them, in every order, on the same deals, seats rotating.

    Shows win shares, Plackett-Luce strengths, who finishes ahead of whom, whether that goes round in a circle, and a
    mix against which none of them gains anything.
    """
    crew = read_workers(workers, "threads")
    table = choice.read_setup(players, choice.DEFAULT_STRATEGIES, seed, powers, seat_powers, rules, dials)
    asked = read_tournament(table, strategies, games, precision)
    outcome = play_tournament(asked, Manner(crew, out, resume, quiet, best_response))
    if as_json:
        typer.echo(json.dumps(outcome.to_dict(), indent=2))
    else:
        make_console(wide=True).print(show_tournament(outcome, out))
