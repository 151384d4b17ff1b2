"""``fivetowers sweep``: what happens when dials are turned."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from fivetowers_sim.cli import choice
from fivetowers_sim.cli.console import make_console
from fivetowers_sim.cli.play_experiment import (
    AsJson,
    Games,
    Manner,
    Out,
    PrecisionInVP,
    Quiet,
    Resume,
    write_command,
)
from fivetowers_sim.cli.play_sweep import draw_sweep_outcome, read_sweep
from fivetowers_sim.cli.play_variants import DEFAULT_STRATEGIES, Table, play_variants
from fivetowers_sim.cli.refit import AskRefit, RefitGames, read_refit
from fivetowers_sim.cli.staff import DEFAULT_BACKEND, Backend, Scheduler, Workers, read_staff
from fivetowers_sim.cli.sweep_table import show_sweep


def sweep(
    dials: Annotated[
        list[str],
        typer.Option(
            "--set",
            metavar="DIAL=V1,V2,…",
            help="Values of a dial. Values that are lists are separated by semicolons: teardown_costs='0;1,1;1,2'. "
            "May be repeated.",
        ),
    ],
    grid: Annotated[
        bool, typer.Option("--grid", help="Every combination of values, instead of one dial at a time.")
    ] = False,
    rules: choice.Rules = choice.DEFAULT_RULES,
    players: choice.Players = choice.DEFAULT_PLAYERS,
    strategies: choice.Strategies = DEFAULT_STRATEGIES,
    powers: choice.Powers = None,
    seed: choice.Seed = choice.DEFAULT_SEED,
    refit: AskRefit = False,
    refit_games: RefitGames = None,
    games: Games = None,
    precision: PrecisionInVP = None,
    workers: Workers = None,
    backend: Backend = DEFAULT_BACKEND,
    scheduler: Scheduler = None,
    out: Out = None,
    resume: Resume = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Turn dials and play every value on the same deals, and say which figures it changes.

    Every value is compared with the rule set as it is. The main figure, for --precision, is the difference in each
    seat's VP.
    """
    wanted = read_staff(workers, backend, scheduler)
    options = {"--set": dials, "--grid": grid, "--rules": rules, "--players": players, "--strategies": strategies}
    options |= {"--powers": powers, "--seed": seed, "--games": games, "--precision": precision}
    options |= {"--refit": refit, "--refit-games": refit_games}
    table = Table(players, strategies, powers, seed, read_refit(refit, refit_games))
    asked = read_sweep(rules, dials, grid, table, (games, precision), write_command("sweep", [], options))
    with wanted.gather(quiet) as staff:
        outcome = play_variants(asked, Manner(staff, out, resume, quiet), draw_sweep_outcome)
    if as_json:
        typer.echo(json.dumps(outcome.to_dict(), indent=2))
    else:
        make_console(wide=True).print(show_sweep(outcome, out))
