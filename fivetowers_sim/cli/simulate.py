"""``fivetowers simulate``: play games and write them into a run folder."""

from __future__ import annotations

from typing import Annotated

import typer

from fivetowers_sim.cli import choice
from fivetowers_sim.cli.choice import DEFAULT_PLAYERS, DEFAULT_RULES, DEFAULT_SEED, DEFAULT_STRATEGIES
from fivetowers_sim.cli.paths import read_place
from fivetowers_sim.cli.play_run import play_run, read_plan
from fivetowers_sim.cli.staff import DEFAULT_BACKEND, Backend, Scheduler, Workers, read_staff
from fivetowers_sim.cli.whole_number import read_whole_number


def simulate(
    games: Annotated[
        int, typer.Option("--games", metavar="N", parser=read_whole_number, help="How many games to play.")
    ],
    out: Annotated[
        str,
        typer.Option(
            "--out",
            metavar="RUN",
            parser=read_place,
            help="The run folder to write, or an address as s3://bucket/run; it must be new.",
        ),
    ],
    players: choice.Players = DEFAULT_PLAYERS,
    strategies: choice.Strategies = DEFAULT_STRATEGIES,
    seed: choice.Seed = DEFAULT_SEED,
    powers: choice.Powers = None,
    seat_powers: choice.SeatPowers = None,
    rules: choice.Rules = DEFAULT_RULES,
    dials: choice.Dials = None,
    seating: choice.Seating = None,
    detail: Annotated[
        str,
        typer.Option("--detail", metavar="WORD", help="What to record: games (and seats), rounds too, or bids too."),
    ] = "games",
    workers: Workers = None,
    backend: Backend = DEFAULT_BACKEND,
    scheduler: Scheduler = None,
    part_games: Annotated[
        int,
        typer.Option(
            "--part-games",
            metavar="N",
            parser=read_whole_number,
            help="Games in each file; 0 chooses. Changes no game.",
        ),
    ] = 0,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a run that was begun; keeps what is written.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Play games and write them into a run folder.

    The folder holds Parquet tables and a manifest that vouches for them. Equal options and seed give equal games,
    whatever the workers and however often the run was interrupted.
    """
    wanted = read_staff(workers, backend, scheduler)
    setup = choice.read_setup(players, strategies, seed, powers, seat_powers, rules, dials, seating)
    plan = read_plan(setup, games, detail, part_games)
    with wanted.gather(quiet) as staff:
        typer.echo(play_run(plan, out, staff, resume, quiet))
