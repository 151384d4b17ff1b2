"""``fivetowers game-shape``: what the game is like."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from fivetowers_sim.cli import choice
from fivetowers_sim.cli.check import CheckBy, CheckGames, read_check
from fivetowers_sim.cli.console import make_console
from fivetowers_sim.cli.number import read_number
from fivetowers_sim.cli.play_experiment import AsJson, Games, Manner, Out, Quiet, Resume, write_command
from fivetowers_sim.cli.play_game_shape import CHECK_GAMES, play_shape, read_shape_question
from fivetowers_sim.cli.staff import DEFAULT_BACKEND, Backend, Scheduler, Workers, read_staff

DEFAULT_STRATEGIES = "value,greedy"


def game_shape(
    players: Annotated[
        str, typer.Option("--players", metavar="P,Q,…", help="Numbers of players, each 2 to 5 and played by itself.")
    ] = str(choice.DEFAULT_PLAYERS),
    strategies: Annotated[
        str,
        typer.Option(
            "--strategies",
            metavar="A,B,…",
            help="Each plays in all seats, and in each seat among the first. Up to 4.",
        ),
    ] = DEFAULT_STRATEGIES,
    powers: choice.Powers = None,
    seed: choice.Seed = choice.DEFAULT_SEED,
    rules: choice.Rules = choice.DEFAULT_RULES,
    dials: choice.Dials = None,
    games: Games = None,
    precision: Annotated[
        float | None,
        typer.Option(
            "--precision",
            metavar="POINTS",
            parser=read_number,
            help="Play until every seat's win share is known to ± this many points. [default: 0.5, without --games]",
        ),
    ] = None,
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
    """Say who wins from which seat, what scores are made of, how the lead goes, and what is luck.

    The main figure, for --precision, is each seat's win share.
    """
    wanted = read_staff(workers, backend, scheduler)
    options = {"--players": players, "--strategies": strategies, "--powers": powers, "--seed": seed, "--rules": rules}
    options |= {"--set": dials, "--games": games, "--precision": precision}
    options |= {"--check": check, "--check-games": check_games}
    command = write_command("game-shape", [], options)
    checked = read_check(check, check_games, CHECK_GAMES, games is not None, strategies)
    rule_set = choice.read_rules(rules, dials)
    asked = read_shape_question((rule_set, powers), players, strategies, seed, (games, precision), command, checked)
    with wanted.gather(quiet) as staff:
        outcome = play_shape(asked, Manner(staff, out, resume, quiet))
    if as_json:
        typer.echo(json.dumps(outcome.to_dict(), indent=2))
    else:
        from fivetowers_sim.cli.game_shape_table import show_shape

        make_console(wide=True).print(show_shape(outcome, out))
