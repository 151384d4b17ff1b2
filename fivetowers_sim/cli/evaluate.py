"""``fivetowers evaluate``: what each word is worth in a position."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from fivetowers_sim.cli import choice
from fivetowers_sim.cli.console import make_console
from fivetowers_sim.cli.evaluation_table import show_checks, show_evaluation
from fivetowers_sim.cli.number import read_number
from fivetowers_sim.cli.paths import read_path
from fivetowers_sim.cli.play_evaluation import Players, play_checks, play_evaluation, read_checks, read_evaluation
from fivetowers_sim.cli.play_experiment import AsJson, Manner, Quiet, write_command
from fivetowers_sim.cli.staff import DEFAULT_BACKEND, Backend, Scheduler, Workers, read_staff
from fivetowers_sim.cli.whole_number import read_whole_number


def evaluate(
    position: Annotated[
        Path,
        typer.Argument(metavar="POSITION.json", parser=read_path, help="A position file.", show_default=False),
    ],
    strategies: choice.Strategies = "value",
    leader: Annotated[
        int | None,
        typer.Option(
            "--leader",
            metavar="SEAT",
            parser=read_whole_number,
            help="Who has made the high bid. [default: the seat that spoke last]",
        ),
    ] = None,
    futures: Annotated[
        int | None,
        typer.Option(
            "--futures",
            metavar="N",
            parser=read_whole_number,
            help="Futures in which every bid and the pass are tried.",
        ),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            "--precision",
            metavar="SHARE",
            parser=read_number,
            help="Play until each word's win share is known to ± this. [default: 0.01, without --futures]",
        ),
    ] = None,
    check: Annotated[
        str | None,
        typer.Option(
            "--check",
            metavar="STRATEGY",
            help="Another player, in all seats, who is asked whether the best word is best; none for none. [default: "
            "greedy and rollout:rollouts=20:ahead=2, without --futures]",
        ),
    ] = None,
    check_futures: Annotated[
        int | None,
        typer.Option(
            "--check-futures",
            metavar="N",
            parser=read_whole_number,
            help="Futures for --check. [default: 2000 for greedy, else 200]",
        ),
    ] = None,
    seed: choice.Seed = choice.DEFAULT_SEED,
    workers: Workers = None,
    backend: Backend = DEFAULT_BACKEND,
    scheduler: Scheduler = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Find out what each bid and the pass are worth in a position, and what to take and build for each."""
    wanted = read_staff(workers, backend, scheduler)
    options = {"--strategies": strategies, "--leader": leader, "--futures": futures, "--precision": precision}
    options |= {"--check": check, "--check-futures": check_futures, "--seed": seed}
    command = write_command("evaluate", [str(position)], options)
    asked = read_evaluation(position, Players(strategies, seed, leader), (futures, precision), command, quiet)
    others = read_checks(asked, check, check_futures, futures is not None)
    with wanted.gather(quiet) as staff:
        manner = Manner(staff, None, False, quiet)
        found = play_evaluation(asked, manner)
        if not as_json:
            make_console(wide=True).print(show_evaluation(found))
        # The answer is on screen by then: others may take their time.
        checks = play_checks(found, others, manner)
        if as_json:
            typer.echo(json.dumps({**found.to_dict(), "checks": [one.to_dict() for one in checks]}, indent=2))
        elif checks:
            make_console(wide=True).print(show_checks(found, checks))
