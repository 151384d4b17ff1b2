"""How fast the kernels play; run as a process of its own, it prints its measurements as JSON.

What is compared is played in short bursts by turns: A B A B A B. A machine that is busy, hot or throttled for a
while then slows both, and the ratio of neighbours stands. Time is the core's own (not the clock on the wall), so
that another program's turn on the core doesn't count.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from fivetowers_sim.batch.threads import limit_threads
from tests.benchmarks.native import play_native

# Futures in which bid-values tries every word, and over how many decisions words are counted.
FUTURES = 8
COUNTED_DECISIONS = 500

# Plays that many games from this number on, and returns the core's seconds.
Player = Callable[[int, int], float]


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("measures", nargs="+", choices=sorted(MEASURES))
    parser.add_argument("--native", type=Path)
    parser.add_argument("--bursts", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    options = parser.parse_args()
    limit_threads(1)
    json.dump({name: MEASURES[name](options) for name in options.measures}, sys.stdout)


def measure_players(options: argparse.Namespace) -> dict[str, dict[str, list[float]]]:
    """Return the rates of the kernel and of the yardstick, by number of players."""
    rates = {}
    for players in (2, 3, 4, 5):
        sides = {"kernel": kernel_player(players)}
        if options.native:
            sides["native"] = native_player(options.native, players)
        rates[str(players)] = alternate(sides, options.bursts, options.seconds)
    return rates


def measure_powers(options: argparse.Namespace) -> dict[str, list[float]]:
    """Return the rates with all Great Powers and with none."""
    sides = {"base": kernel_player(3), "powers": kernel_player(3, rules="great-powers")}
    return alternate(sides, options.bursts, options.seconds)


def measure_random(options: argparse.Namespace) -> dict[str, list[float]]:
    """Return the rates of ``random``, without and with all Great Powers."""
    sides = {
        "base": kernel_player(3, strategy="random"),
        "powers": kernel_player(3, strategy="random", rules="great-powers"),
    }
    return alternate(sides, options.bursts, options.seconds)


def measure_value(options: argparse.Namespace) -> dict[str, list[float]]:
    """Return the rates of ``value`` and of ``greedy``."""
    sides = {"greedy": kernel_player(3), "value": kernel_player(3, strategy="value")}
    return alternate(sides, options.bursts, options.seconds)


def measure_traces(options: argparse.Namespace) -> dict[str, list[float]]:
    """Return the rates of games written down as lines of JSON."""
    return alternate({"greedy": trace_player()}, options.bursts, options.seconds)


def measure_forks(options: argparse.Namespace) -> dict[str, dict[str, list[float]]]:
    """Return, by strategy, the rates of plain games and of games branched at a decision, and futures of a decision."""
    found = {}
    for strategy in ("greedy", "value"):
        play, futures = fork_player(strategy)
        sides = {"plain": kernel_player(3, strategy), "branched": play}
        found[strategy] = {**alternate(sides, options.bursts, options.seconds), "futures": [futures]}
    return found


MEASURES = {
    "players": measure_players,
    "powers": measure_powers,
    "random": measure_random,
    "value": measure_value,
    "traces": measure_traces,
    "forks": measure_forks,
}


def alternate(sides: Mapping[str, Player], bursts: int, seconds: float) -> dict[str, list[float]]:
    """Let every side play a burst of about so many seconds, by turns; returns games per second of each burst."""
    games = {}
    for name, play in sides.items():
        play(0, 20)
        trial = 100
        while (spent := play(0, trial)) < seconds / 10:
            trial *= 3
        games[name] = max(1, int(trial * seconds / spent))
    rates: dict[str, list[float]] = {name: [] for name in sides}
    for burst in range(bursts):
        for name, play in sides.items():
            rates[name].append(games[name] / play(burst * games[name], games[name]))
    return rates


def kernel_player(players: int, strategy: str = "greedy", rules: str = "base") -> Player:
    """Return what plays with the compiled engine and records games and seats."""
    from fivetowers_sim.engine.setup import make_setup
    from fivetowers_sim.rules.ruleset_files import load_rules

    setup = make_setup(load_rules(rules), players, [strategy], seed=1)
    print(f"preparing {players} players, {strategy}, {rules} …", file=sys.stderr, flush=True)
    setup.warm_up()

    def play(first_game: int, games: int) -> float:
        begun = time.thread_time()
        setup.play(first_game, games, "games")
        return time.thread_time() - begun

    return play


def fork_player(strategy: str) -> tuple[Player, float]:
    """Return what branches games as ``bid-values`` does, and in how many futures a decision is played on on average."""
    from fivetowers_sim.engine.branch_record import BRANCH_DETAIL
    from fivetowers_sim.engine.branch_setup import BranchSetup
    from fivetowers_sim.engine.setup import make_setup
    from fivetowers_sim.rules.ruleset_files import load_rules

    setup = BranchSetup(make_setup(load_rules("base"), 3, [strategy], seed=1), "words", FUTURES)
    print(f"preparing branches, {strategy} …", file=sys.stderr, flush=True)
    setup.warm_up()

    def play(first_game: int, games: int) -> float:
        begun = time.thread_time()
        setup.play(first_game, games, BRANCH_DETAIL)
        return time.thread_time() - begun

    options = setup.play(0, COUNTED_DECISIONS, BRANCH_DETAIL)["options"]
    return play, FUTURES * len(options) / COUNTED_DECISIONS


def trace_player() -> Player:
    """Return what traces games and makes lines of them, as the ``trace`` command does."""
    from fivetowers_sim.engine.setup import make_setup
    from fivetowers_sim.engine.trace import trace_games
    from fivetowers_sim.rules.ruleset_files import load_rules

    setup = make_setup(load_rules("base"), 3, ["greedy"], seed=1)
    print("preparing traces …", file=sys.stderr, flush=True)

    def play(first_game: int, games: int) -> float:
        begun = time.thread_time()
        for trace in trace_games(setup, first_game, games):
            json.dumps(trace)
        return time.thread_time() - begun

    return play


def native_player(program: Path, players: int) -> Player:
    """Return what plays with the yardstick."""

    def play(first_game: int, games: int) -> float:
        return play_native(program, players, games, seed=1 + first_game)["seconds"]

    return play


if __name__ == "__main__":
    main()
