"""``fivetowers teardown-costs``: what tearing down is worth, and what its costs do."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from fivetowers_sim.cli import choice
from fivetowers_sim.cli.check import CheckBy, CheckGames, read_check
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
from fivetowers_sim.cli.play_teardown_costs import CHECK_GAMES, play_teardown_costs, read_teardown_question
from fivetowers_sim.cli.refit import RefitGames
from fivetowers_sim.cli.staff import DEFAULT_BACKEND, Backend, Scheduler, Workers, read_staff
from fivetowers_sim.cli.teardown_table import show_teardown_costs
from fivetowers_sim.cli.whole_number import read_whole_number

DEFAULT_STRATEGIES = "value,greedy"


def teardown_costs(
    players: choice.Players = choice.DEFAULT_PLAYERS,
    strategies: Annotated[
        str,
        typer.Option(
            "--strategies",
            metavar="A,B,…",
            help="Each plays all of it, in all seats, to see whether the verdict depends on who plays. Up to 4.",
        ),
    ] = DEFAULT_STRATEGIES,
    costs: Annotated[
        str | None,
        typer.Option(
            "--costs",
            metavar="LIST;LIST…",
            help="Other schedules to try, as the dial teardown_costs is written, such as '0;2,2;1,3'. "
            "[default: free, 1 each, 2 each, 1-2-3, 1-2-4-8]",
        ),
    ] = None,
    seed: choice.Seed = choice.DEFAULT_SEED,
    rules: choice.Rules = choice.DEFAULT_RULES,
    dials: choice.Dials = None,
    refit: Annotated[
        bool | None,
        typer.Option(
            "--refit/--no-refit",
            help="Whether first to learn the tables of value, and of presets made of it, anew for each schedule. "
            "[default: --refit, if anybody plays by such tables]",
        ),
    ] = None,
    refit_games: RefitGames = None,
    decisions: Annotated[
        int | None,
        typer.Option(
            "--decisions",
            metavar="N",
            parser=read_whole_number,
            help="Decisions of each strategy at which the best with a teardown is played on against the best without; "
            "0 for none. [default: 12000]",
        ),
    ] = None,
    futures: Annotated[
        int | None,
        typer.Option(
            "--futures",
            metavar="F",
            parser=read_whole_number,
            help="Futures of each decision, an even number. [default: 32]",
        ),
    ] = None,
    games: Games = None,
    precision: PrecisionInVP = None,
    check: CheckBy = None,
    check_games: CheckGames = None,
    workers: Workers = None,
    backend: Backend = DEFAULT_BACKEND,
    scheduler: Scheduler = None,
    out: Out = None,
    resume: Resume = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Say what tearing down is worth and what its costs do: several schedules on the same deals, one seat held back.

    The main figure, for --precision, is the VP that a seat which never tears down loses.
    """
    wanted = read_staff(workers, backend, scheduler)
    options = {"--players": players, "--strategies": strategies, "--costs": costs, "--seed": seed, "--rules": rules}
    options |= {
        "--set": dials,
        "--decisions": decisions,
        "--futures": futures,
        "--refit": refit,
        "--no-refit": refit is False,
        "--refit-games": refit_games,
    }
    options |= {"--games": games, "--precision": precision, "--check": check, "--check-games": check_games}
    command = write_command("teardown-costs", [], options)
    checked = read_check(check, check_games, CHECK_GAMES, games is not None, strategies)
    given = {"rules": choice.read_rules(rules, dials), "players": players, "strategies": strategies, "costs": costs}
    given |= {"seed": seed, "refit": refit, "refit_games": refit_games, "command": command}
    given |= {"decisions": decisions, "futures": futures, "check": checked}
    asked = read_teardown_question(given, (games, precision))
    with wanted.gather(quiet) as staff:
        outcome = play_teardown_costs(asked, Manner(staff, out, resume, quiet))
    if as_json:
        typer.echo(json.dumps(outcome.to_dict(), indent=2))
    else:
        make_console(wide=True).print(show_teardown_costs(outcome, out))
