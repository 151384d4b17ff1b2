"""The groups of figures: each runs processes that measure, and makes figures of what they say."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from tests.benchmarks import commands
from tests.benchmarks.figures import Figure
from tests.benchmarks.machine import count_cores
from tests.benchmarks.native import native_gain

ROOT = Path(__file__).parents[2]
# A short run has small files, which take longer for each game; what counts is how a long run is written.
PARTS_OF = 1_000_000
WRITING_TARGETS = {"games": 15, "rounds": 40, "bids": 100}
MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Effort:
    """How long to measure.

    Attributes
    ----------
    bursts : int
        How often the kernels of a comparison take turns.
    burst_seconds : float
        About how long a turn of a kernel is.
    writing_games, scaling_games, tenfold_games, memory_games : int
        Games of a run that is written, of one for two workers, of the shorter of the two for the growth of time,
        and of the one whose memory is measured.
    runs : int
        How often runs that are written, and starts, are repeated.
    first_start : bool
        Whether to measure a start with nothing compiled.
    """

    bursts: int
    burst_seconds: float
    writing_games: int
    scaling_games: int
    tenfold_games: int
    memory_games: int
    runs: int
    first_start: bool


QUICK = Effort(3, 0.3, 25_000, 60_000, 15_000, 200_000, 3, False)
USUAL = Effort(9, 0.7, 100_000, 400_000, 100_000, 2_000_000, 5, True)
FULL = Effort(15, 1.0, 200_000, 1_000_000, 200_000, 10_000_000, 5, True)


def measure_kernel(effort: Effort, native: Path | None) -> list[Figure]:
    """Measure one core's games per second for 2 to 5 players, beside the yardstick."""
    figures = []
    for players, rates in ask_kernels("players", effort, native).items():
        name = f"greedy, {players} players"
        figures.append(Figure("kernel", name, max(rates["kernel"]), "games/s", details=rates))
        if native:
            note = f"native: {max(rates['native']):,.0f} games/s"
            ratio = median_ratio(rates["kernel"], rates["native"])
            figures.append(Figure("kernel", name, ratio, "× native", at_least=0.9, note=note, details=rates))
    return figures


def measure_powers(effort: Effort, native: Path | None) -> list[Figure]:
    """Measure what the search for builds with Great Powers costs."""
    rates = ask_kernels("powers", effort)
    ratio = median_ratio(rates["powers"], rates["base"])
    return [
        Figure("powers", "all four, greedy, 3 players", max(rates["powers"]), "games/s", details=rates),
        Figure("powers", "all four, greedy, 3 players", ratio, "× base rules", at_least=1 / 3, details=rates),
    ]


def measure_others(effort: Effort, native: Path | None) -> list[Figure]:
    """Measure other strategies, and games that are written down completely."""
    rates, traces, value = (ask_kernels(measure, effort) for measure in ("random", "traces", "value"))
    ratio = median_ratio(value["value"], value["greedy"])
    return [
        Figure("others", "value, 3 players", max(value["value"]), "games/s", details=value),
        Figure("others", "value, 3 players", ratio, "× greedy", at_least=0.6, details=value),
        Figure("others", "random, 3 players", max(rates["base"]), "games/s", details=rates),
        Figure("others", "random, 3 players, all powers", max(rates["powers"]), "games/s", details=rates),
        Figure("others", "traces, greedy, 3 players", max(traces["greedy"]), "games/s", details=traces),
    ]


def measure_forks(effort: Effort, native: Path | None) -> list[Figure]:
    """Measure games that are branched at a decision, every word of it tried in the same futures."""
    figures = []
    for strategy, rates in ask_kernels("forks", effort).items():
        (futures,) = rates["futures"]
        name = f"{strategy}, 3 players"
        note = f"{futures:.0f} futures a decision, each from there to the end"
        ratio = futures * median_ratio(rates["branched"], rates["plain"])
        speed = futures * max(rates["branched"])
        figures.append(Figure("forks", name, speed, "futures/s", note=note, details=rates))
        figures.append(Figure("forks", name, ratio, "× whole games", details=rates))
    return figures


def measure_writing(effort: Effort, native: Path | None) -> list[Figure]:
    """Measure how much longer a run takes that is written, with one worker."""
    taken = ask_written(["kernel", *WRITING_TARGETS], effort.writing_games, effort.runs, PARTS_OF)
    figures = []
    for detail, target in WRITING_TARGETS.items():
        more = 100 * (least(taken[detail]) / least(taken["kernel"]) - 1)
        on_cores = 100 * (least(taken[detail], "cores") / least(taken["kernel"], "cores") - 1)
        note = f"{on_cores:.0f} % more work for the cores"
        details = {detail: taken[detail], "kernel": taken["kernel"]}
        name = f"--detail {detail}"
        figures.append(Figure("writing", name, more, "% more", True, at_most=target, note=note, details=details))
    return figures


def measure_scaling(effort: Effort, native: Path | None) -> list[Figure]:
    """Measure two workers against one, and ten times the games against the time."""
    figures = []
    if count_cores() >= 2:
        seconds: dict[str, list[float]] = {"1": [], "2": [], "native": []}
        for _ in range(effort.runs):
            for workers in (1, 2):
                taken = ask_written(["games"], effort.scaling_games, 1, workers=workers)
                seconds[str(workers)].append(taken["games"][0]["wall"])
            if native:
                seconds["native"].append(native_gain(native, effort.scaling_games))
        gain, name = min(seconds["1"]) / min(seconds["2"]), f"2 workers, {effort.scaling_games:,} games"
        note = f"two yardsticks at once: {max(seconds['native']):.2f} × one" if native else ""
        figures.append(Figure("scaling", name, gain, "× 1 worker", at_least=1.85, note=note, details=seconds))
    taken = ask_written(["games", "games:10"], effort.tenfold_games, effort.runs, PARTS_OF)
    growth = least(taken["games:10"]) / least(taken["games"])
    name = f"{10 * effort.tenfold_games:,} games, to {effort.tenfold_games:,}"
    return [*figures, Figure("scaling", name, growth, "× time", True, at_least=9.5, at_most=10.5, details=taken)]


def measure_memory(effort: Effort, native: Path | None) -> list[Figure]:
    """Measure the most memory that is held: by ``simulate`` with all cores at work, and by what reads its run."""
    figures = []
    for command, peak in commands.peaks(effort.memory_games).items():
        if peak is not None:
            games = f"{effort.memory_games:,} games"
            name = f"{games}, {count_cores()} workers" if command == "simulate" else f"{command} of {games}"
            figures.append(Figure("memory", name, peak / MEGABYTE, "MB", True, at_most=1200))
    return figures


def measure_start(effort: Effort, native: Path | None) -> list[Figure]:
    """Measure how long it takes from the command to one game written."""
    warm = [start.seconds for start in commands.warm_starts(effort.runs + 1)]
    figures = [Figure("start", "one game, compiled before", min(warm), "s", True, at_most=3, details={"seconds": warm})]
    if effort.first_start:
        first = commands.first_start()
        note = "" if "once" in first.messages else "without a line that says so"
        name = "one game, nothing compiled yet"
        figures.append(Figure("start", name, first.seconds, "s", True, at_most=40, note=note))
    return figures


GROUPS: dict[str, Callable[[Effort, Path | None], list[Figure]]] = {
    "kernel": measure_kernel,
    "powers": measure_powers,
    "others": measure_others,
    "forks": measure_forks,
    "writing": measure_writing,
    "scaling": measure_scaling,
    "memory": measure_memory,
    "start": measure_start,
}


def ask_kernels(measure: str, effort: Effort, native: Path | None = None) -> dict[str, Any]:
    """Run one measure of :mod:`tests.benchmarks.kernels` in a process of its own."""
    options = ["--bursts", str(effort.bursts), "--seconds", str(effort.burst_seconds)]
    options += ["--native", str(native)] if native else []
    return ask("tests.benchmarks.kernels", measure, *options)[measure]


def ask_written(
    ways: list[str], games: int, bursts: int, parts_of: int = 0, workers: int = 1
) -> dict[str, list[dict[str, float]]]:
    """Run :mod:`tests.benchmarks.written` in a process of its own."""
    options = ["--games", str(games), "--bursts", str(bursts), "--workers", str(workers), "--parts-of", str(parts_of)]
    return ask("tests.benchmarks.written", *ways, *options)


def ask(module: str, *options: str) -> dict[str, Any]:
    """Run a module as a process and return the JSON that it prints; its messages go to standard error."""
    command = [sys.executable, "-m", module, *options]
    return json.loads(subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout)


def median_ratio(ours: list[float], theirs: list[float]) -> float:
    """Return the median of the ratios of neighbouring bursts."""
    return median(mine / other for mine, other in zip(ours, theirs, strict=True))


def least(taken: list[dict[str, float]], clock: str = "wall") -> float:
    """Return the shortest of several times: the one that was disturbed least."""
    return min(times[clock] for times in taken)
