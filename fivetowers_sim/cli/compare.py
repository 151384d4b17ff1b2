"""``fivetowers compare``: what two rule sets do differently."""

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
from fivetowers_sim.cli.play_variants import DEFAULT_STRATEGIES, Table, play_variants, read_comparison
from fivetowers_sim.cli.refit import AskRefit, RefitGames, read_refit
from fivetowers_sim.cli.staff import DEFAULT_BACKEND, Backend, Scheduler, Workers, read_staff
from fivetowers_sim.cli.variants_table import show_comparison


def compare(
    rules_a: Annotated[str, typer.Argument(metavar="A", help="A rule set's name, or a .toml file with dials.")],
    rules_b: Annotated[str, typer.Argument(metavar="B", help="Another; or the same, with --set-b.")],
    set_a: Annotated[
        list[str] | None,
        typer.Option("--set-a", metavar="DIAL=VALUE", help="Change a dial of A. May be repeated."),
    ] = None,
    set_b: Annotated[
        list[str] | None,
        typer.Option("--set-b", metavar="DIAL=VALUE", help="Change a dial of B. May be repeated."),
    ] = None,
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
    """Play two rule sets on the same deals, and say which figures differ.

    The main figure, for --precision, is the difference in each seat's VP.
    """
    wanted = read_staff(workers, backend, scheduler)
    options = {"--set-a": set_a, "--set-b": set_b, "--players": players, "--strategies": strategies}
    options |= {"--powers": powers, "--seed": seed, "--games": games, "--precision": precision}
    options |= {"--refit": refit, "--refit-games": refit_games}
    command = write_command("compare", [rules_a, rules_b], options)
    table = Table(players, strategies, powers, seed, read_refit(refit, refit_games))
    asked = read_comparison((rules_a, rules_b), (set_a, set_b), table, games, precision, command)
    with wanted.gather(quiet) as staff:
        outcome = play_variants(asked, Manner(staff, out, resume, quiet))
    if as_json:
        typer.echo(json.dumps(outcome.to_dict(), indent=2))
    else:
        make_console(wide=True).print(show_comparison(outcome, out))
