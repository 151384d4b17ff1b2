"""Ask the same once more of a stronger player, to see whether the verdict holds when play gets better.

A stronger player is slow, so it answers in fewer games, with wider intervals, and only what verdicts rest on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from fivetowers_sim.bench.arms import Crew, Progress
from fivetowers_sim.bench.budget import Budget, BudgetError, make_budget
from fivetowers_sim.bench.folder import SUMS_NAME
from fivetowers_sim.bench.strategy_files import describe_strategy_files
from fivetowers_sim.engine.setup import SetupError
from fivetowers_sim.experiments.question import QuestionError
from fivetowers_sim.strategies.families import read_strategy
from fivetowers_sim.strategies.parameters import StrategyError

USUAL_CHECK: Final = "rollout:rollouts=20:ahead=2"
"""It wins 0.42 of the games against two ``value``, at a hundredth of their speed."""
CHECK_SUMS_NAME: Final = "check.npz"

Asked = TypeVar("Asked")
Outcome = TypeVar("Outcome")


@dataclass(frozen=True, slots=True)
class Check:
    """Who answers once more, and how much is played for it.

    Attributes
    ----------
    strategy : str
        Plays all of it, in all seats.
    games : int
        Games, or whatever else the experiment counts.
    """

    strategy: str
    games: int


def add_check(asked: Asked, check: Check | None, **changed: Any) -> Asked:
    """Return a question that is asked of one more player.

    Parameters
    ----------
    asked : question
        A frozen dataclass with ``strategies``, ``labels``, ``budget``, ``measure`` and ``check``.
    check : Check, optional
        Who is asked; nobody if it isn't given.
    **changed
        Further fields that are otherwise for this player.

    Returns
    -------
    question
        The question; its ``check`` is the same question to that player alone.

    Raises
    ------
    QuestionError
        If this player is one of the others or can't answer, or it or the number of games isn't accepted.
    """
    if check is None:
        return asked
    try:
        strategy = read_strategy(check.strategy)
    except StrategyError as error:
        raise QuestionError(f"check: {error}") from error
    if strategy.name in asked.strategies:
        raise QuestionError(f"check is {check.strategy}; accepted is a strategy that isn't among strategies")
    alone = replace(asked, strategies=(strategy.name,), labels=(strategy.short_name,), check=None, **changed)
    alone = replace(alone, budget=_budget_of(alone, check.games))
    try:
        # Made here, for not everybody can play in every arm.
        _ = alone.arms
    except (QuestionError, SetupError) as error:
        raise QuestionError(f"check is {check.strategy}: {error}") from error
    return replace(asked, check=alone)


def _budget_of(alone: Any, games: int) -> Budget:
    """Return a budget of so many games for a question whose arms have changed."""
    before: Budget = alone.budget
    arms = len(alone.measure.arms) if before.arms > 1 else 1
    try:
        return make_budget(games, None, arms, before.multiple, before.first_look, before.unit)
    except BudgetError as error:
        raise QuestionError(f"check_{error}") from error


def describe_check(asked: Any) -> dict[str, Any]:
    """Return what a plan says of a question's check, as plain JSON values; nothing if there is none."""
    check = asked.check
    if not check:
        return {}
    files = describe_strategy_files(check.arms)
    return {"check": {"strategies": list(check.strategies), **check.budget.to_dict(), **files}}


def all_asked(asked: Asked) -> list[Asked]:
    """Return a question and, if there is one, its check."""
    return [asked, asked.check] if asked.check else [asked]


def describe_checked(outcome: Any) -> dict[str, Any]:
    """Return what results say of an outcome's check, as plain JSON values; nothing if there is none."""
    return {"check": outcome.check.to_dict()} if outcome.check else {}


def find_out(asked: Asked, crew: Crew, play: Callable[[Asked, Crew, str], Outcome]) -> Outcome:
    """Find out what was asked, and then the same with the stronger player.

    Parameters
    ----------
    asked : question
        What to find out.
    crew : Crew
        Who plays.
    play : callable
        Finds out a question; gets it, a crew, and the name of the file for its sums.

    Returns
    -------
    outcome
        A frozen dataclass; its ``check`` is the outcome of the question's.
    """
    outcome = play(asked, crew, SUMS_NAME)
    if not asked.check:
        return outcome
    what = f"played by {asked.check.labels[0]}"

    def watch(state: Progress) -> None:
        crew.watch_step(what, state.games_done, state.games)

    return replace(outcome, check=play(asked.check, replace(crew, watch=watch), CHECK_SUMS_NAME))


def join_figures(outcome: Any) -> Any:
    """Return the figures of an outcome and of its check as one, which can be searched for differences."""
    own = outcome.figures
    return replace(own, findings=own.findings + outcome.check.figures.findings) if outcome.check else own


def join_labels(outcome: Any) -> dict[str, str]:
    """Return what tables call each strategy of an outcome, that of its check last."""
    asked = all_asked(outcome.asked)
    return {name: label for one in asked for name, label in zip(one.strategies, one.labels, strict=True)}
