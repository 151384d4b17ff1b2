"""Read a position that is to be evaluated, and play its futures with progress."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fivetowers_sim.cli.check import nobody_checks
from fivetowers_sim.cli.errors import Interrupted, UsageError, name_option
from fivetowers_sim.cli.interrupt import end_well
from fivetowers_sim.cli.play_experiment import Manner
from fivetowers_sim.cli.progress import GamesProgress, StepsProgress, notice_if_compiling

if TYPE_CHECKING:
    from fivetowers_sim.bench.arms import Progress
    from fivetowers_sim.experiments.evaluate import Evaluation, EvaluationQuestion
    from fivetowers_sim.experiments.evaluation_check import EvaluationCheck


@dataclass(frozen=True, slots=True)
class Players:
    """Who plays a position on.

    Attributes
    ----------
    strategies : str
        Value of ``--strategies``.
    seed : int
        Value of ``--seed``.
    leader : int or None
        Value of ``--leader``.
    """

    strategies: str
    seed: int
    leader: int | None


def read_evaluation(
    path: Path, players: Players, budget: tuple[int | None, float | None], command: str, quiet: bool = False
) -> EvaluationQuestion:
    """Make the question of a file and the options.

    Parameters
    ----------
    path : Path
        The position.
    players : Players
        Who plays on.
    budget : tuple of int or None, float or None
        Values of ``--futures`` and ``--precision``.
    command : str
        What to type to get the same figures.
    quiet : bool
        Whether to say nothing if kernels have to be compiled.

    Returns
    -------
    EvaluationQuestion
        What to find out.

    Raises
    ------
    UsageError
        Naming the option or the file's field, what was given and what is accepted.
    """
    from fivetowers_sim.engine.setup import SetupError
    from fivetowers_sim.experiments.evaluate import EvaluationError, make_evaluation
    from fivetowers_sim.rules.position import PositionError, load_position
    from fivetowers_sim.strategies.parameters import StrategyError

    futures, precision = budget
    if futures is not None and precision is not None:
        raise UsageError(f"--futures is {futures} and --precision is {precision:g}; accepted is one of them")
    names = [name.strip() for name in players.strategies.split(",")]
    try:
        position = load_position(path)
        with nullcontext() if quiet else notice_if_compiling():
            asked = make_evaluation(position, names, players.seed, budget, players.leader)
    except PositionError as error:
        raise UsageError(str(error)) from None
    except StrategyError as error:
        raise UsageError(f"--strategies: {error}") from None
    except (EvaluationError, SetupError) as error:
        text = str(error)
        raise UsageError(f"{path}: {text}" if text.startswith("turn.") else name_option(error)) from None
    return replace(asked, command=command)


def read_checks(
    asked: EvaluationQuestion, check: str | None, futures: int | None, hurried: bool
) -> list[tuple[str, int]]:
    """Return which other players are asked, in how many futures.

    Parameters
    ----------
    asked : EvaluationQuestion
        The question that they are asked again.
    check, futures : str or None, int or None
        Values of ``--check`` and ``--check-futures``.
    hurried : bool
        Whether the user said how much to play; then nobody is asked unless that is wanted.

    Returns
    -------
    list of (str, int)
        Strategy and futures of each.

    Raises
    ------
    UsageError
        Naming the option, what was given and what is accepted.
    """
    from fivetowers_sim.experiments.evaluate import EvaluationError
    from fivetowers_sim.experiments.evaluation_check import choose_checks
    from fivetowers_sim.experiments.question import QuestionError

    if nobody_checks(check, ("--check-futures", futures), hurried):
        return []
    try:
        return choose_checks(asked, check, futures)
    except EvaluationError as error:
        raise UsageError(f"--check-{error}") from None
    except QuestionError as error:
        raise UsageError(name_option(error)) from None


def play_checks(found: Evaluation, checks: Sequence[tuple[str, int]], manner: Manner) -> list[EvaluationCheck]:
    """Ask other players with progress; Interrupted if the user pressed Ctrl-C."""
    from fivetowers_sim.bench.arms import Crew
    from fivetowers_sim.experiments.evaluation_check import ask_again, check_evaluation

    if len(found.words) == 1:
        return []
    answers = []
    with StepsProgress(manner.quiet) as steps:
        crew = Crew(manner.staff.workers, manner.staff.backend, watch_step=steps.report)
        with end_well(_tell_nothing_is_kept):
            for strategy, futures in checks:
                with nullcontext() if manner.quiet else notice_if_compiling():
                    asked = ask_again(found.asked, strategy, futures)
                answers.append(check_evaluation(found, asked, crew))
    return answers


def play_evaluation(asked: EvaluationQuestion, manner: Manner) -> Evaluation:
    """Play the futures.

    Parameters
    ----------
    asked : EvaluationQuestion
        What to find out.
    manner : Manner
        How to go about it.

    Returns
    -------
    Evaluation
        The figures.

    Raises
    ------
    Interrupted
        If the user pressed Ctrl-C.
    """
    from fivetowers_sim.bench.arms import Crew
    from fivetowers_sim.experiments.evaluate import run_evaluation

    def describe(state: Progress) -> str:
        margin = asked.widest_margin(state.moments) if asked.precision else math.nan
        return "" if math.isnan(margin) else f"win share ± {100 * margin:.1f}%, wanted ± {100 * asked.precision:g}%"

    with GamesProgress("tried", manner.quiet) as progress:

        def watch(state: Progress) -> None:
            progress.report(state.games_done, state.games, describe(state))

        with end_well(_tell_nothing_is_kept):
            return run_evaluation(asked, Crew(manner.staff.workers, manner.staff.backend, watch))


def _tell_nothing_is_kept() -> Interrupted:
    return Interrupted("interrupted: nothing is kept")
