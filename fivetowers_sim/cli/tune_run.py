"""Tune with progress, keep what was measured when interrupted, and write the result as a preset."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fivetowers_sim.cli.errors import Interrupted, UsageError, name_option
from fivetowers_sim.cli.interrupt import end_well
from fivetowers_sim.cli.new_file import check_new_file, write_new_file
from fivetowers_sim.cli.play_run import resume_command
from fivetowers_sim.cli.progress import GamesProgress, warm_up_engine
from fivetowers_sim.cli.typed import typed_words

if TYPE_CHECKING:
    from fivetowers_sim.batch.staff import Staff
    from fivetowers_sim.experiments.contest import Contest
    from fivetowers_sim.experiments.tune import Tuned
    from fivetowers_sim.experiments.tuning_bench import Progress
    from fivetowers_sim.experiments.tuning_plan import Budget, TuningPlan
    from fivetowers_sim.rules.ruleset import RuleSet

SAME: Final = "same"
"""In ``--against``: the strategy that is tuned, as it is at the beginning."""

# They change nothing in the result, or say where on somebody's machine it is.
_NOT_PROVENANCE: Final = {
    "--out": 1,
    "--workers": 1,
    "--backend": 1,
    "--scheduler": 1,
    "--resume": 0,
    "--quiet": 0,
    "--json": 0,
}


def check_preset_file(path: Path) -> None:
    """Refuse a file that a preset can't be written to, before anything is played for it.

    Raises
    ------
    UsageError
        Naming the option, what was given and what is accepted.
    """
    from fivetowers_sim.strategies.families import FAMILIES
    from fivetowers_sim.strategies.presets import NAME_ACCEPTS, is_preset_name

    if path.suffix != ".toml":
        raise UsageError(f"--out {path}: accepted is a new .toml file")
    if not is_preset_name(path.stem) or path.stem in FAMILIES:
        raise UsageError(
            f"--out {path}: the preset would be called {path.stem!r}; accepted is {NAME_ACCEPTS}, and no family's name"
        )
    check_new_file(path, "--out")


def read_contest(strategy: str, against: str, rules: RuleSet, powers_by_seat: Sequence[tuple[str, ...]]) -> Contest:
    """Make a contest of the options that say who plays whom.

    Parameters
    ----------
    strategy : str
        The strategy to tune.
    against : str
        Value of ``--against``.
    rules : RuleSet
        The rule set.
    powers_by_seat : sequence of tuple of str
        Great Powers of each player's seat.

    Returns
    -------
    Contest
        The games to measure candidates in.

    Raises
    ------
    UsageError
        Naming the option, what was given and what is accepted.
    """
    from fivetowers_sim.experiments.contest import ContestError, make_contest
    from fivetowers_sim.strategies.families import read_strategy
    from fivetowers_sim.strategies.parameters import StrategyError

    try:
        own = read_strategy(strategy).name
    except StrategyError as error:
        raise UsageError(f"STRATEGY: {error}") from None
    field = [own if name.strip() == SAME else name.strip() for name in against.split(",")]
    try:
        return make_contest(rules, len(powers_by_seat), field, powers_by_seat)
    except StrategyError as error:
        raise UsageError(f"--against: {error}") from None
    except ContestError as error:
        raise UsageError(name_option(error)) from None


def read_budget(
    generations: int | None, evaluations: int | None, games: int, restarts: int, fresh_games: int
) -> Budget:
    """Make a budget of the options of the same names.

    Raises
    ------
    UsageError
        If both ``--generations`` and ``--evaluations`` are given. The rest is checked with the plan.
    """
    from fivetowers_sim.experiments.tuning_plan import Budget

    if generations is not None and evaluations is not None:
        raise UsageError(
            f"--evaluations is {evaluations} and --generations is {generations}; accepted is one of the two"
        )
    budget = Budget(evaluations=evaluations, games=games, restarts=restarts, fresh_games=fresh_games)
    return budget if generations is None else replace(budget, generations=generations)


def read_tuning(
    strategy: str, contest: Contest, parameters: str | None, aim: str, budget: Budget, seed: int
) -> TuningPlan:
    """Make a plan of the options that say what to look for.

    Parameters
    ----------
    strategy : str
        The strategy to tune.
    contest : Contest
        The games to measure candidates in.
    parameters : str, optional
        Value of ``--parameters``: names, with bounds if they shall be narrower, separated by commas.
    aim : str
        Value of ``--aim``.
    budget : Budget
        How much to play.
    seed : int
        Value of ``--seed``.

    Returns
    -------
    TuningPlan
        The plan.

    Raises
    ------
    UsageError
        Naming the option, what was given and what is accepted.
    """
    from fivetowers_sim.experiments.tuning_plan import TuningError, plan_tuning
    from fivetowers_sim.strategies.parameters import StrategyError

    names = [] if parameters is None else [name.strip() for name in parameters.split(",")]
    try:
        return plan_tuning(strategy, contest, names, aim, budget, seed)
    except StrategyError as error:
        raise UsageError(f"STRATEGY: {error}") from None
    except TuningError as error:
        raise UsageError(name_option(error)) from None


def run_tuning(plan: TuningPlan, out: Path, staff: Staff, resume: bool, quiet: bool) -> Tuned:
    """Carry a tuning out and write its result.

    Parameters
    ----------
    plan : TuningPlan
        What to tune.
    out : Path
        The preset to write. Beside it lies a journal until it is written.
    staff : Staff
        Who plays.
    resume : bool
        Whether to go on with a journal that is there.
    quiet : bool
        Whether to show no progress.

    Returns
    -------
    Tuned
        The result.

    Raises
    ------
    Interrupted
        If the user pressed Ctrl-C; the message says how to go on.
    UsageError, CommandError, RunError, BatchError
        If the files can't be used or games failed.
    """
    from fivetowers_sim.bench.journal import Journal
    from fivetowers_sim.experiments.tune import describe_tuning, make_tuned_preset, tune
    from fivetowers_sim.strategies.presets import write_preset

    journal = Journal(out.with_name(f"{out.name}.journal"), describe_tuning(plan), resume)
    with GamesProgress("played", quiet) as progress:

        def report(state: Progress) -> None:
            best = f"; best {state.best}" if state.best else ""
            progress.report(state.games_done, state.games, f"{state.stage}{best}")

        def tell() -> Interrupted:
            kept = "every step that was finished is kept"
            return Interrupted(f"interrupted: {kept}; go on with", resume_command(sys.argv))

        with end_well(tell):
            warm_up_engine(plan.contest.setup(plan.start.name, 0, plan.seed), quiet)
            tuned = tune(plan, staff, journal, report)
    preset = make_tuned_preset(tuned, out.stem, typed_command(typed_words()))
    write_new_file(out, write_preset(preset).splitlines(), "--out")
    journal.remove()
    return tuned


def typed_command(arguments: Sequence[str]) -> str:
    """Return a command as it was typed, without what changes nothing in its result.

    Parameters
    ----------
    arguments : sequence of str
        The program as it was started, and its arguments.

    Returns
    -------
    str
        A line for the shell.
    """
    words, left_out = ["fivetowers"], 0
    for word in arguments[1:]:
        option = word.partition("=")[0]
        if left_out:
            left_out -= 1
        elif option in _NOT_PROVENANCE:
            left_out = 0 if "=" in word else _NOT_PROVENANCE[option]
        else:
            words.append(word)
    return shlex.join(words)
