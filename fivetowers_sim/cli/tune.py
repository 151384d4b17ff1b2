"""``fivetowers tune``: find parameters with which a strategy does better against a field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from fivetowers_sim.cli import choice
from fivetowers_sim.cli.choice import DEFAULT_PLAYERS, DEFAULT_RULES, DEFAULT_SEED
from fivetowers_sim.cli.console import make_console
from fivetowers_sim.cli.paths import read_path
from fivetowers_sim.cli.staff import DEFAULT_BACKEND, Backend, Scheduler, Workers, read_staff
from fivetowers_sim.cli.tune_run import check_preset_file, read_budget, read_contest, read_tuning, run_tuning
from fivetowers_sim.cli.tune_table import show_tuned
from fivetowers_sim.cli.whole_number import read_whole_number


def tune(
    strategy: Annotated[
        str, typer.Argument(metavar="STRATEGY", help="What to tune, such as greedy:misjudge=0.3.", show_default=False)
    ],
    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="A,B",
            help="Who fills the other seats: one strategy for all, one for each, or more, who take turns. "
            "same: STRATEGY itself.",
        ),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", metavar="FILE.toml", parser=read_path, help="The preset to write; it must be new."),
    ],
    players: choice.Players = DEFAULT_PLAYERS,
    parameters: Annotated[
        str | None,
        typer.Option(
            "--parameters",
            metavar="LIST",
            help="What to tune, such as misjudge,max_bid=2..6 (with narrower bounds). [default: the family's own]",
        ),
    ] = None,
    aim: Annotated[
        str,
        typer.Option("--aim", metavar="WORD", help="win_share, or margin: VP ahead of the best of the others."),
    ] = "win_share",
    generations: Annotated[
        int | None,
        typer.Option(
            "--generations", metavar="N", parser=read_whole_number, help="Steps of each search. [default: 30]"
        ),
    ] = None,
    evaluations: Annotated[
        int | None,
        typer.Option(
            "--evaluations", metavar="N", parser=read_whole_number, help="Candidates of each search, instead of steps."
        ),
    ] = None,
    games: Annotated[
        int, typer.Option("--games", metavar="N", parser=read_whole_number, help="Games of each candidate in a step.")
    ] = 2_000,
    restarts: Annotated[
        int,
        typer.Option(
            "--restarts", metavar="N", parser=read_whole_number, help="Searches; all but the first begin anywhere."
        ),
    ] = 3,
    fresh_games: Annotated[
        int,
        typer.Option(
            "--fresh-games", metavar="N", parser=read_whole_number, help="Games that say how good a result is."
        ),
    ] = 20_000,
    seed: choice.Seed = DEFAULT_SEED,
    powers: choice.Powers = None,
    seat_powers: choice.SeatPowers = None,
    rules: choice.Rules = DEFAULT_RULES,
    dials: choice.Dials = None,
    workers: Workers = None,
    backend: Backend = DEFAULT_BACKEND,
    scheduler: Scheduler = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a tuning that was interrupted.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print every figure with its interval as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Find parameters with which a strategy does better against a field, and write them as a preset.

    The result is measured on fresh deals, beside the strategy that it began with. Equal options and seed give equal
    results, whatever the workers and however often the search was interrupted.
    """
    wanted = read_staff(workers, backend, scheduler)
    check_preset_file(out)
    rule_set = choice.read_rules(rules, dials)
    by_seat = choice.read_powers(players, rule_set.powers, powers, seat_powers)
    contest = read_contest(strategy, against, rule_set, by_seat)
    budget = read_budget(generations, evaluations, games, restarts, fresh_games)
    plan = read_tuning(strategy, contest, parameters, aim, budget, seed)
    with wanted.gather(quiet) as staff:
        tuned = run_tuning(plan, out, staff, resume, quiet)
    if as_json:
        typer.echo(json.dumps(tuned.to_dict(), indent=2))
    else:
        make_console(wide=True).print(show_tuned(tuned, out))
