"""``fivetowers tournament``: which of some strategies is stronger than which."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from fivetowers_sim.cli import choice
from fivetowers_sim.cli.console import make_console
from fivetowers_sim.cli.number import read_number
from fivetowers_sim.cli.play_experiment import AsJson, Games, Manner, Out, Quiet, Resume
from fivetowers_sim.cli.play_tournament import play_tournament, read_tournament
from fivetowers_sim.cli.staff import DEFAULT_BACKEND, Backend, Scheduler, Workers, read_staff
from fivetowers_sim.cli.tournament_table import show_tournament


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
    games: Games = None,
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
    workers: Workers = None,
    backend: Backend = DEFAULT_BACKEND,
    scheduler: Scheduler = None,
    out: Out = None,
    resume: Resume = False,
    best_response: Annotated[
        bool,
        typer.Option("--best-response", help="Also tune a strategy against the field, and measure what it gains."),
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Rank strategies: every line-up of them, in every order, on the same deals, seats rotating.

    Shows win shares, Plackett-Luce strengths, who finishes ahead of whom, whether that goes round in a circle, and a
    mix against which none of them gains anything.
    """
    wanted = read_staff(workers, backend, scheduler)
    table = choice.read_setup(players, choice.DEFAULT_STRATEGIES, seed, powers, seat_powers, rules, dials)
    asked = read_tournament(table, strategies, games, precision)
    with wanted.gather(quiet) as staff:
        outcome = play_tournament(asked, Manner(staff, out, resume, quiet), best_response)
    if as_json:
        typer.echo(json.dumps(outcome.to_dict(), indent=2))
    else:
        make_console(wide=True).print(show_tournament(outcome, out))
