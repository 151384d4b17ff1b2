"""Find out what each word is worth in a given position: try every bid and the pass in many futures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np

from fivetowers_sim.analysis.estimates import CONFIDENCE, Estimate
from fivetowers_sim.analysis.looks import look_confidence, plan_looks
from fivetowers_sim.analysis.moments import Moments, estimate_contrast
from fivetowers_sim.bench.arms import ArmsPlan, Crew, play_arms
from fivetowers_sim.bench.kept import Kept
from fivetowers_sim.engine.branch_record import BRANCH_DETAIL, SHARE_UNITS
from fivetowers_sim.engine.position_setup import PositionSetup, make_position_setup
from fivetowers_sim.rules.position import Position

EVALUATION_FORMAT: Final = "fivetowers-evaluation/1"
FIGURES: Final = ("vp", "margin", "win_share")
"""The speaking seat's final score, how far it is above the best other one, and its share of the victory."""

DEFAULT_PRECISION: Final = 0.01
FINEST_PRECISION: Final = 0.001
COARSEST_PRECISION: Final = 0.2
MOST_FUTURES: Final = 10_000_000
_FIRST_LOOK: Final = 500
# Standard errors that an interval reaches at most, and the largest standard deviation of a share.
_WIDEST: Final = 3.3
_LARGEST_SPREAD: Final = 0.5


class EvaluationError(ValueError):
    """A position that can't be evaluated so; the message names the field, the value and what is accepted."""


@dataclass(frozen=True)
class WordsOfPosition:
    """What is measured of a future: the three figures of every word.

    Attributes
    ----------
    words : int
        How many words there are, the pass among them.
    """

    words: int
    detail: ClassVar[str] = BRANCH_DETAIL

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return self.words * len(FIGURES)

    def column(self, word: int, figure: str) -> int:
        """Return the column of a word's figure."""
        return word * len(FIGURES) + FIGURES.index(figure)

    def add(self, arm: int, tables: Mapping[str, np.ndarray], into: np.ndarray) -> None:
        """Add what futures gave."""
        rows = tables["options"].reshape(-1, self.words)
        totals = rows["total_0"].astype(np.int64)
        for word in range(self.words):
            into[:, self.column(word, "vp")] = totals[:, word]
            into[:, self.column(word, "margin")] = totals[:, word] - rows["best_other"][:, word]
            into[:, self.column(word, "win_share")] = rows["share_0"][:, word]


@dataclass(frozen=True)
class EvaluationQuestion:
    """What is to be found out.

    Attributes
    ----------
    setup : PositionSetup
        The position, and who plays on.
    bids : tuple of int or None
        Every word: None for the pass, then the bids, lowest first.
    builds : mapping of int to dict
        What the seat builds with each bid.
    looks : tuple of int
        After how many futures to look.
    precision : float or None
        Half of the width that the widest interval of a win share may have; None for a fixed number of futures.
    labels : tuple of str
        What tables call the strategies. Decides nothing.
    command : str
        What to type to get the same figures. Decides nothing.
    """

    setup: PositionSetup
    bids: tuple[int | None, ...]
    builds: Mapping[int, Mapping[str, Any]]
    looks: tuple[int, ...]
    precision: float | None
    labels: tuple[str, ...] = ()
    command: str = ""

    @cached_property
    def measure(self) -> WordsOfPosition:
        """What is measured."""
        return WordsOfPosition(len(self.bids))

    @cached_property
    def confidence(self) -> float:
        """Confidence of each look's intervals, with which those of all looks hold together."""
        return look_confidence(self.looks, CONFIDENCE)

    def estimate(self, moments: Moments, weights: Mapping[int, float], figure: str) -> Estimate:
        """Estimate a weighted sum of words' figures."""
        columns = [self.measure.column(word, figure) for word in weights]
        scale = SHARE_UNITS if figure == "win_share" else 1
        scaled = [Fraction(weight) / scale for weight in weights.values()]
        return estimate_contrast(moments.select(columns), scaled, self.confidence)

    def widest_margin(self, moments: Moments) -> float:
        """Return half of the width of the widest interval of a word's win share; not a number at first."""
        if moments.games < 2:
            return math.nan
        return max(self.estimate(moments, {word: 1.0}, "win_share").margin for word in range(len(self.bids)))


@dataclass(frozen=True, slots=True)
class WordValue:
    """What a word is worth.

    Attributes
    ----------
    bid : int or None
        The bid; None for the pass.
    figures : mapping of str to Estimate
        VP, margin and win share of the seat at the end.
    against_best : mapping of str to Estimate
        The same less that of the word with the largest win share, in the same futures.
    build : mapping or None
        What it takes and builds if it wins.
    """

    bid: int | None
    figures: Mapping[str, Estimate]
    against_best: Mapping[str, Estimate]
    build: Mapping[str, Any] | None

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        figures = {name: one.to_dict() for name, one in self.figures.items()}
        against = {name: one.to_dict() for name, one in self.against_best.items()}
        return {"bid": self.bid, **figures, "against_best": against, "build": self.build}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What was found.

    Attributes
    ----------
    asked : EvaluationQuestion
        What was asked.
    words : tuple of WordValue
        In the question's order.
    best : int
        Number of the word with the largest win share.
    futures : int
        Futures in which each was tried.
    look : int
        At which look it ended, from 0.
    reached : float
        Half of the width of the widest interval of a win share.
    """

    asked: EvaluationQuestion
    words: tuple[WordValue, ...]
    best: int
    futures: int
    look: int
    reached: float

    @property
    def rivals(self) -> list[WordValue]:
        """The words that can't be told from the best one by their win share."""
        others = (word for nth, word in enumerate(self.words) if nth != self.best)
        return [word for word in others if not word.against_best["win_share"].high < 0]

    def to_dict(self) -> dict[str, Any]:
        """Return question and figures as plain JSON values."""
        setup = self.asked.setup
        return {
            "format": EVALUATION_FORMAT,
            "command": self.asked.command,
            "seat": setup.position.seat,
            "high_bid": setup.position.high_bid,
            "leader": setup.leader if setup.leader >= 0 else None,
            "strategies": list(setup.game.strategies),
            "seed": setup.game.seed,
            "futures": self.futures,
            "confidence": CONFIDENCE,
            "looks_planned": len(self.asked.looks),
            "looks_taken": self.look + 1,
            "best_bid": self.words[self.best].bid,
            "words": [word.to_dict() for word in self.words],
        }


def check_futures(futures: int) -> None:
    """Raise EvaluationError unless a number of futures is accepted."""
    if not 2 <= futures <= MOST_FUTURES:
        raise EvaluationError(f"futures is {futures}; accepted is 2 to {MOST_FUTURES}")


def make_evaluation(
    position: Position,
    strategies: Sequence[str],
    seed: int,
    budget: tuple[int | None, float | None],
    leader: int | None = None,
) -> EvaluationQuestion:
    """Check what is to be evaluated, and list its words.

    Parameters
    ----------
    position : Position
        The table.
    strategies : sequence of str
        One for each seat, or one for all.
    seed : int
        Decides what is redrawn.
    budget : tuple of int or None, float or None
        Futures to play; or instead half of the width wanted for each word's win share. Both None for the default.
    leader : int, optional
        Who has made the high bid; the seat that spoke last if not given.

    Returns
    -------
    EvaluationQuestion
        The checked question.

    Raises
    ------
    EvaluationError, fivetowers_sim.engine.setup.SetupError
        Naming what isn't accepted, and what is.
    fivetowers_sim.strategies.parameters.StrategyError
        If a strategy isn't accepted.
    """
    futures, precision = budget
    if futures is not None and precision is not None:
        raise EvaluationError("futures and precision are both given; accepted is one of them")
    if futures is not None:
        check_futures(futures)
    if futures is None:
        precision = DEFAULT_PRECISION if precision is None else precision
        if not FINEST_PRECISION <= precision <= COARSEST_PRECISION:
            accepted = f"{FINEST_PRECISION:g} to {COARSEST_PRECISION:g} of win share"
            raise EvaluationError(f"precision is {precision:g}; accepted is {accepted}")
        most = math.ceil((_WIDEST * _LARGEST_SPREAD / precision) ** 2)
        looks = plan_looks(_FIRST_LOOK, max(most, _FIRST_LOOK))
    else:
        looks = (futures,)
    setup = make_position_setup(position, strategies, seed, leader)
    builds = setup.list_builds()
    labels = tuple(dict(setup.game.short_names).get(name, name) for name in setup.game.strategies)
    return EvaluationQuestion(setup, (None, *builds), builds, looks, precision, labels)


def run_evaluation(asked: EvaluationQuestion, crew: Crew) -> Evaluation:
    """Try every word of a position.

    Parameters
    ----------
    asked : EvaluationQuestion
        What to find out.
    crew : Crew
        Who plays.

    Returns
    -------
    Evaluation
        The figures. They depend on what was asked alone. Where the seat can only pass there is nothing to compare, and
        nothing is played.

    Raises
    ------
    BatchError
        If games failed.
    KeyboardInterrupt
        If the user interrupted.
    """
    if len(asked.bids) == 1:
        none = WordValue(None, {}, {}, None)
        return Evaluation(asked, (none,), 0, 0, 0, math.nan)
    kept, wanted = Kept(asked.measure.columns), asked.precision or 0.0
    plan = ArmsPlan((asked.setup,), asked.measure, asked.looks)
    look = play_arms(plan, kept, lambda moments: asked.widest_margin(moments) <= wanted, crew)
    moments, words = kept.moments, range(len(asked.bids))
    shares = [asked.estimate(moments, {word: 1.0}, "win_share").value for word in words]
    best = int(np.argmax(shares))
    values = tuple(
        WordValue(
            asked.bids[word],
            {figure: asked.estimate(moments, {word: 1.0}, figure) for figure in FIGURES},
            {figure: _against(asked, moments, word, best, figure) for figure in FIGURES},
            asked.builds.get(asked.bids[word] or 0),
        )
        for word in words
    )
    return Evaluation(asked, values, best, moments.games, look, asked.widest_margin(moments))


def _against(asked: EvaluationQuestion, moments: Moments, word: int, best: int, figure: str) -> Estimate:
    if word == best:
        return Estimate(0.0, 0.0, 0.0, moments.games)
    return asked.estimate(moments, {word: 1.0, best: -1.0}, figure)
