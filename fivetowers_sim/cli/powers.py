"""``fivetowers powers``: what each Great Power is worth."""

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
from fivetowers_sim.cli.play_powers import CHECK_GAMES, DEFAULT_STRATEGIES, play_powers, read_powers_question
from fivetowers_sim.cli.powers_table import show_powers
from fivetowers_sim.cli.staff import DEFAULT_BACKEND, Backend, Scheduler, Workers, read_staff


def powers(
    players: choice.Players = choice.DEFAULT_PLAYERS,
    strategies: Annotated[
        str,
        typer.Option(
            "--strategies",
            metavar="A,B,…",
            help="Each plays all of it, in all seats, to see whether the ranking depends on who plays. Up to 4.",
        ),
    ] = DEFAULT_STRATEGIES,
    seed: choice.Seed = choice.DEFAULT_SEED,
    rules: choice.Rules = choice.DEFAULT_RULES,
    dials: choice.Dials = None,
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
    """Rank the Great Powers: all 16 sets on the same deals, for everyone and for each seat alone.

    The main figure, for --precision, is each power's Shapley share of the VP that powers bring the one seat with them.
    """
    wanted = read_staff(workers, backend, scheduler)
    options = {"--players": players, "--strategies": strategies, "--seed": seed, "--rules": rules, "--set": dials}
    options |= {"--games": games, "--precision": precision, "--check": check, "--check-games": check_games}
    command = write_command("powers", [], options)
    checked = read_check(check, check_games, CHECK_GAMES, games is not None, strategies)
    rule_set = choice.read_rules(rules, dials)
    names = [name.strip() for name in strategies.split(",")]
    asked = read_powers_question(rule_set, players, names, seed, (games, precision), command, checked)
    with wanted.gather(quiet) as staff:
        outcome = play_powers(asked, Manner(staff, out, resume, quiet))
    if as_json:
        typer.echo(json.dumps(outcome.to_dict(), indent=2))
    else:
        make_console(wide=True).print(show_powers(outcome, out))
