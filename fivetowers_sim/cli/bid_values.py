"""``fivetowers bid-values``: what each bid is worth, and passing."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from fivetowers_sim.cli import choice
from fivetowers_sim.cli.bid_values_table import show_bid_values
from fivetowers_sim.cli.check import CheckBy, CheckGames, read_check
from fivetowers_sim.cli.console import make_console
from fivetowers_sim.cli.number import read_number
from fivetowers_sim.cli.play_bid_values import (
    CHECK_DECISIONS,
    DEFAULT_STRATEGIES,
    Table,
    play_bid_values,
    read_bid_values,
)
from fivetowers_sim.cli.play_experiment import AsJson, Manner, Out, Quiet, Resume, write_command
from fivetowers_sim.cli.staff import DEFAULT_BACKEND, Backend, Scheduler, Workers, read_staff
from fivetowers_sim.cli.whole_number import read_whole_number


def bid_values(
    players: choice.Players = choice.DEFAULT_PLAYERS,
    strategies: Annotated[
        str,
        typer.Option(
            "--strategies",
            metavar="A,B,…",
            help="Each plays all of it, in all seats, to see whether the answer depends on who plays. Up to 4.",
        ),
    ] = DEFAULT_STRATEGIES,
    powers: choice.Powers = None,
    seed: choice.Seed = choice.DEFAULT_SEED,
    rules: choice.Rules = choice.DEFAULT_RULES,
    dials: choice.Dials = None,
    games: Annotated[
        int | None,
        typer.Option("--games", metavar="N", parser=read_whole_number, help="Decisions of each strategy, one a game."),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            "--precision",
            metavar="VP",
            parser=read_number,
            help="Play until each bid is known to ± this many VP. [default: 0.2, without --games]",
        ),
    ] = None,
    futures: Annotated[
        int,
        typer.Option("--futures", metavar="F", parser=read_whole_number, help="Futures in which all bids are tried."),
    ] = 8,
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
    """Find out what each bid is worth against passing, at the very same decisions and in the same futures.

    The main figure, for --precision, is the VP that each bid brings the seat that says it.
    """
    wanted = read_staff(workers, backend, scheduler)
    options = {"--players": players, "--strategies": strategies, "--powers": powers, "--seed": seed, "--rules": rules}
    options |= {"--set": dials, "--games": games, "--precision": precision, "--futures": futures}
    options |= {"--check": check, "--check-games": check_games}
    command = write_command("bid-values", [], options)
    checked = read_check(check, check_games, CHECK_DECISIONS, games is not None, strategies)
    table = Table(players, strategies, powers, seed)
    asked = read_bid_values(choice.read_rules(rules, dials), table, (games, precision), futures, command, checked)
    with wanted.gather(quiet) as staff:
        outcome = play_bid_values(asked, Manner(staff, out, resume, quiet))
    if as_json:
        typer.echo(json.dumps(outcome.to_dict(), indent=2))
    else:
        make_console(wide=True).print(show_bid_values(outcome, out))
