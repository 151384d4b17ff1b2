"""Ask other players about a position, to see whether the word that was found best is best when they play on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.bench.arms import Crew, Progress
from fivetowers_sim.experiments.check import USUAL_CHECK
from fivetowers_sim.experiments.evaluate import (
    Evaluation,
    EvaluationQuestion,
    check_futures,
    make_evaluation,
    run_evaluation,
)
from fivetowers_sim.experiments.question import QuestionError
from fivetowers_sim.strategies.families import read_strategy
from fivetowers_sim.strategies.parameters import StrategyError

USUAL_CHECKS: Final = (("greedy", 2_000), (USUAL_CHECK, 200))
"""Strategy and futures: another style, and a stronger player, who is slow."""


@dataclass(frozen=True, slots=True)
class EvaluationCheck:
    """What another player found in all seats.

    Attributes
    ----------
    found : Evaluation
        All that it found.
    bid : int or None
        The word that was best before; None for the pass.
    against_best : Estimate
        Win share of that word less that of the word which is best now.
    """

    found: Evaluation
    bid: int | None
    against_best: Estimate

    @property
    def same(self) -> bool:
        """Whether the same word is best."""
        return self.found.words[self.found.best].bid == self.bid

    @property
    def refuted(self) -> bool:
        """Whether the word that was best before is certainly worse than another."""
        return self.against_best.high < 0

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return {**self.found.to_dict(), "bid_before": self.bid, "less_best": self.against_best.to_dict()}


def choose_checks(asked: EvaluationQuestion, strategy: str | None, futures: int | None) -> list[tuple[str, int]]:
    """Return who is asked again, in how many futures.

    Parameters
    ----------
    asked : EvaluationQuestion
        The question.
    strategy : str or None
        Who is to be asked; those of :data:`USUAL_CHECKS` who don't play on anyway if not given.
    futures : int or None
        Futures in which every word is tried; a usual number if not given.

    Returns
    -------
    list of (str, int)
        Strategy and futures of each.

    Raises
    ------
    QuestionError
        If the strategy isn't accepted, or has all seats already.
    fivetowers_sim.experiments.evaluate.EvaluationError
        If there can't be so many futures.
    """
    usual, in_all_seats = dict(USUAL_CHECKS), set(asked.setup.game.strategies)
    if futures is not None:
        check_futures(futures)
    if strategy is None:
        names = [name for name in usual if {read_strategy(name).name} != in_all_seats]
    else:
        try:
            if {read_strategy(strategy).name} == in_all_seats:
                raise QuestionError(f"check is {strategy}, who plays on already; accepted is another strategy")
        except StrategyError as error:
            raise QuestionError(f"check: {error}") from error
        names = [strategy]
    fewest = min(usual.values())
    return [(name, usual.get(name, fewest) if futures is None else futures) for name in names]


def ask_again(asked: EvaluationQuestion, strategy: str, futures: int) -> EvaluationQuestion:
    """Return the question about the same position to a strategy in all seats."""
    setup = asked.setup
    leader = setup.leader if setup.leader >= 0 else None
    again = make_evaluation(setup.position, [strategy], setup.game.seed, (futures, None), leader)
    return replace(again, command=asked.command)


def check_evaluation(before: Evaluation, asked: EvaluationQuestion, crew: Crew) -> EvaluationCheck:
    """Ask another player whether the word that was found best is best.

    Parameters
    ----------
    before : Evaluation
        What was found, with several words to choose from.
    asked : EvaluationQuestion
        From :func:`ask_again`.
    crew : Crew
        Who plays.

    Returns
    -------
    EvaluationCheck
        What it found.

    Raises
    ------
    BatchError
        If games failed.
    KeyboardInterrupt
        If the user interrupted.
    """

    def watch(state: Progress) -> None:
        crew.watch_step(f"tried by {asked.labels[0]}", state.games_done, state.games)

    best = before.words[before.best].bid
    found = run_evaluation(asked, replace(crew, watch=watch))
    (word,) = (word for word in found.words if word.bid == best)
    return EvaluationCheck(found, best, word.against_best["win_share"])
