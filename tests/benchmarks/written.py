"""How long writing a run takes; run as a process of its own, it prints its measurements as JSON.

A process of its own, because the libraries read once how many threads they may start: here as many as
``fivetowers simulate`` allows with that number of workers.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from fivetowers_sim.batch.threads import limit_threads

if TYPE_CHECKING:
    from fivetowers_sim.engine.setup import GameSetup

# About as many as the simulator plays at a time, so that the kernel alone has no better blocks.
BLOCK_GAMES = 5_000


def main() -> None:
    """Play so many games in each of the ways that the command line names, by turns, several times."""
    parser = argparse.ArgumentParser()
    parser.add_argument("ways", nargs="+", help="kernel, or a detail; with :N that many times the games")
    parser.add_argument("--games", type=int, required=True)
    parser.add_argument("--bursts", type=int, required=True)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--parts-of", type=int, default=0, help="make files as large as in a run of so many games")
    options = parser.parse_args()
    limit_threads(options.workers)
    from fivetowers_sim.engine.setup import make_setup
    from fivetowers_sim.rules.ruleset_files import load_rules

    setup = make_setup(load_rules("base"), 3, ["greedy"], seed=1)
    setup.warm_up()
    measured: dict[str, list[dict[str, float]]] = {way: [] for way in options.ways}
    with tempfile.TemporaryDirectory(prefix="fivetowers-benchmark-") as folder:
        for burst in range(-1, options.bursts):
            for way in options.ways:
                name, _, times = way.partition(":")
                games = options.games * int(times or 1) if burst >= 0 else 500
                run = Path(folder, "run")
                work = play_only(setup, games) if name == "kernel" else play_and_write(setup, name, games, run, options)
                seconds = measure(work)
                shutil.rmtree(run, ignore_errors=True)
                # The first turn of each is only for getting ready.
                if burst >= 0:
                    measured[way].append(seconds)
    json.dump(measured, sys.stdout)


def play_only(setup: GameSetup, games: int) -> Callable[[], object]:
    """Return what plays the games with the kernel alone."""

    def work() -> None:
        for first in range(0, games, BLOCK_GAMES):
            setup.play(first, min(BLOCK_GAMES, games - first), "games")

    return work


def play_and_write(
    setup: GameSetup, detail: str, games: int, folder: Path, options: argparse.Namespace
) -> Callable[[], object]:
    """Return what plays the games and writes them."""
    from fivetowers_sim.batch.plan import Plan
    from fivetowers_sim.dataset.write import write_run

    part_games = Plan(setup, options.parts_of, detail).part_games if options.parts_of else 0
    plan = Plan(setup, games, detail, part_games)
    return lambda: write_run(plan, folder, options.workers)


def measure(work: Callable[[], object]) -> dict[str, float]:
    """Return the seconds of a piece of work by the clock on the wall, and of all cores together."""
    wall, cores = time.perf_counter(), time.process_time()
    work()
    return {"wall": time.perf_counter() - wall, "cores": time.process_time() - cores}


if __name__ == "__main__":
    main()
