"""``fivetowers fit``: learn what positions are worth, by self-play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fivetowers_sim.cli import choice
from fivetowers_sim.cli.learn import VALUE, learn_player, read_fit_plan
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
    family: Annotated[
        str, typer.Option("--family", metavar="NAME", help="What learns: value its tables, or expert its network.")
    ] = VALUE,
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
    """Learn what positions are worth, for any rules, by self-play: play, learn what positions led to, repeat.

    The tables of value are learned from games of greedy first, then from games of what was learned before, until two
    steps in a row bring nothing more on fresh deals: some minutes. The network of expert takes five steps, the first
    from games of value: ten minutes, and up to 2 GB. Nothing is kept if it is interrupted.
    """
    wanted = read_staff(workers, backend, scheduler)
    setup = choice.read_setup(players, choice.DEFAULT_STRATEGIES, seed, powers, None, rules, dials)
    plan = read_fit_plan(family, setup, games, trial_games)
    with wanted.gather(quiet) as staff:
        typer.echo(learn_player(plan, out, staff, quiet))
