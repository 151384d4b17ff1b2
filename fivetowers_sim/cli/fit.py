"""``fivetowers fit``: learn what positions are worth, by self-play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fivetowers_sim.cli import choice
from fivetowers_sim.cli.learn import learn_tables, read_fit_plan
from fivetowers_sim.cli.paths import read_path
from fivetowers_sim.cli.staff import DEFAULT_BACKEND, Backend, Scheduler, Workers, read_staff
from fivetowers_sim.cli.whole_number import read_whole_number

DEFAULT_GAMES = 100_000
DEFAULT_TRIAL_GAMES = 20_000


def fit(
    out: Annotated[
        Path,
        typer.Option(
            "--out", metavar="FILE.json", parser=read_path, help="A new file. Play with it: --strategies FILE.json"
        ),
    ],
    players: choice.Players = choice.DEFAULT_PLAYERS,
    seed: choice.Seed = choice.DEFAULT_SEED,
    powers: choice.Powers = None,
    rules: choice.Rules = choice.DEFAULT_RULES,
    dials: choice.Dials = None,
    games: Annotated[
        int, typer.Option("--games", metavar="N", parser=read_whole_number, help="Games to learn from in each step.")
    ] = DEFAULT_GAMES,
    trial_games: Annotated[
        int,
        typer.Option("--trial-games", metavar="N", parser=read_whole_number, help="Games of a trial after each step."),
    ] = DEFAULT_TRIAL_GAMES,
    workers: Workers = None,
    backend: Backend = DEFAULT_BACKEND,
    scheduler: Scheduler = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Learn the tables of the strategy value for any rules: play, regress final scores on positions, repeat.

    The first step learns from games of greedy, each later one from games of what was learned before. It ends when two
    steps in a row bring nothing more on fresh deals. Some minutes; nothing is kept if it is interrupted.
    """
    wanted = read_staff(workers, backend, scheduler)
    setup = choice.read_setup(players, choice.DEFAULT_STRATEGIES, seed, powers, None, rules, dials)
    plan = read_fit_plan(setup, games, trial_games)
    with wanted.gather(quiet) as staff:
        typer.echo(learn_tables(plan, out, staff, quiet))
