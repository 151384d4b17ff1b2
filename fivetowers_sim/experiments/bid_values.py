"""Find out what bids are worth: branch games at decisions of the bidding, with every bid and the pass."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.bench.arms import Crew
from fivetowers_sim.bench.budget import Budget, make_budget
from fivetowers_sim.bench.folder import Asked, ExperimentFolder
from fivetowers_sim.bench.strategy_files import list_strategy_files
from fivetowers_sim.engine.branch_setup import BranchSetup
from fivetowers_sim.engine.setup import SetupError, make_setup
from fivetowers_sim.experiments.bid_figures import BidFigures, encode_bid_tables, estimate_bids
from fivetowers_sim.experiments.bid_games import BidGames
from fivetowers_sim.experiments.bid_strata import EVERY
from fivetowers_sim.experiments.check import Check, add_check, describe_check, describe_checked, find_out, join_figures
from fivetowers_sim.experiments.question import (
    QuestionError,
    describe_outcome,
    describe_players,
    play_question,
    read_players,
)
from fivetowers_sim.rules.ruleset import RuleSet

EXPERIMENT: Final = "bid-values"
BID_VALUES_FORMAT: Final = "fivetowers-bid-values/1"
DEFAULT_FUTURES: Final = 8
MOST_FUTURES: Final = 1_000
_FIRST_LOOK: Final = 1_000
# Who starts is tried at every decision with as many branches as there are seats; it is one figure of many.
_FUTURES_PER_START: Final = 4


@dataclass(frozen=True)
class BidValuesQuestion:
    """What is to be found out.

    Attributes
    ----------
    rules : RuleSet
        The rules, with the Great Powers that all seats have.
    players : int
        Seats at a table.
    strategies : tuple of str
        Each plays all of it by itself, in all seats.
    seed : int
        Decides all chance.
    futures : int
        Futures of each decision.
    budget : Budget
        How much to play.
    labels : tuple of str
        What tables call the strategies. Decides nothing.
    command : str
        What to type to get the same figures. Decides nothing.
    check : BidValuesQuestion, optional
        The same question to a stronger player, in fewer games.
    """

    rules: RuleSet
    players: int
    strategies: tuple[str, ...]
    seed: int
    futures: int
    budget: Budget
    labels: tuple[str, ...] = field(default=(), compare=False)
    command: str = field(default="", compare=False)
    check: BidValuesQuestion | None = None

    @cached_property
    def measure(self) -> BidGames:
        """What is measured."""
        futures = self.futures, max(1, self.futures // _FUTURES_PER_START)
        beyond = "tree" in self.rules.powers
        return BidGames(len(self.strategies), self.players, self.rules.display_size, beyond, futures)

    @cached_property
    def arms(self) -> tuple[BranchSetup, ...]:
        """The setups, in the measure's order."""
        games = [make_setup(self.rules, self.players, [strategy], self.seed) for strategy in self.strategies]
        tried = tuple(zip(("words", "starts"), self.measure.futures, strict=True))
        return tuple(BranchSetup(game, what, futures) for game in games for what, futures in tried)

    def asked(self) -> Asked:
        """Return what the folder of this experiment is about."""
        given = {"rules": self.rules.to_dict(), "players": self.players, "strategies": list(self.strategies)}
        files = list_strategy_files(self.arms)
        chance = {"seed": self.seed, "futures": self.futures, "strategy_files": files}
        plan = {"format": BID_VALUES_FORMAT, **self.budget.to_dict(), **given, **chance}
        return Asked(EXPERIMENT, {**plan, **describe_check(self)})

    def widest_margin(self, moments: Moments) -> float:
        """Return half of the width of the widest interval of a bid's VP against the pass; not a number at first."""
        if moments.games < 2:
            return math.nan
        margins = [
            self.measure.estimate(moments, number, "vp", {("against pass", EVERY, bid): 1}, self.budget.confidence)
            for number in range(len(self.strategies))
            for bid in range(1, self.measure.bids + 1)
        ]
        return max((one.margin for one in margins if one.games), default=math.nan)


def make_bid_values_question(
    rules: RuleSet,
    players: int,
    strategies: Sequence[str],
    seed: int,
    budget: tuple[int | None, float | None],
    futures: int = DEFAULT_FUTURES,
    command: str = "",
    check: Check | None = None,
) -> BidValuesQuestion:
    """Check what is to be found out.

    Parameters
    ----------
    rules : RuleSet
        The rules.
    players : int
        2 to 5.
    strategies : sequence of str
        1 to 4 that differ; each plays all of it by itself.
    seed : int
        Decides all chance.
    budget : tuple of int or None, float or None
        Decisions for each strategy; or instead half of the width wanted for each bid's VP against the pass.
    futures : int
        Futures of each decision.
    command : str
        What to type to get the same figures.
    check : Check, optional
        A stronger player who is asked as well.

    Returns
    -------
    BidValuesQuestion
        The checked question.

    Raises
    ------
    QuestionError, fivetowers_sim.bench.budget.BudgetError, fivetowers_sim.engine.setup.SetupError
        Naming what isn't accepted, and what is.
    fivetowers_sim.strategies.parameters.StrategyError
        If a strategy isn't accepted.
    """
    names, labels = read_players(strategies)
    if not 1 <= futures <= MOST_FUTURES:
        raise QuestionError(f"futures is {futures}; accepted is 1 to {MOST_FUTURES}")
    for name in names:
        if make_setup(rules, players, [name], seed).has_own_strategies:
            raise SetupError(f"strategies names {name}; accepted are built-in families and presets")
    planned = make_budget(*budget, 1, 1, _FIRST_LOOK)
    return add_check(BidValuesQuestion(rules, players, names, seed, futures, planned, labels, command), check)


@dataclass(frozen=True, slots=True)
class BidValuesOutcome:
    """What was found.

    Attributes
    ----------
    asked : BidValuesQuestion
        What was asked.
    figures : BidFigures
        The figures.
    decisions : int
        Decisions of each strategy; each is of a game of its own, the same deals for every strategy.
    look : int
        At which look it ended, from 0.
    reached : float
        Half of the width of the widest interval of a bid's VP against the pass.
    check : BidValuesOutcome, optional
        What was found of a stronger player.
    """

    asked: BidValuesQuestion
    figures: BidFigures
    decisions: int
    look: int
    reached: float
    check: BidValuesOutcome | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return question and figures as plain JSON values."""
        counts = {"decisions": self.decisions}
        return {
            **describe_outcome(self.asked, BID_VALUES_FORMAT, counts, self.look),
            **describe_players(self.asked),
            **self.figures.to_dict(),
            **describe_checked(self),
        }


def run_bid_values(
    asked: BidValuesQuestion,
    crew: Crew,
    folder: ExperimentFolder | None = None,
    illustrate: Callable[[BidValuesOutcome], Mapping[str, bytes]] = lambda outcome: {},
) -> BidValuesOutcome:
    """Play and branch games, and work out what bids are worth.

    Parameters
    ----------
    asked : BidValuesQuestion
        What to find out.
    crew : Crew
        Who plays.
    folder : ExperimentFolder, optional
        Where to keep what is played, and the results.
    illustrate : callable, optional
        Makes the files that go into the folder besides the figures, by name.

    Returns
    -------
    BidValuesOutcome
        The figures. They depend on what was asked alone.

    Raises
    ------
    BatchError, RunError
        If games failed, or the folder can't be written. What was finished is kept.
    KeyboardInterrupt
        If the user interrupted. What was finished is kept, if there is a folder.
    """

    def play(asked: BidValuesQuestion, crew: Crew, sums_name: str) -> BidValuesOutcome:
        played = play_question(asked, crew, folder, sums_name)
        figures = estimate_bids(asked.measure, asked.strategies, played.moments, asked.budget)
        return BidValuesOutcome(asked, figures, played.moments.games, played.look, played.reached)

    outcome = find_out(asked, crew, play)
    if folder:
        folder.complete(outcome.to_dict(), {**encode_bid_tables(join_figures(outcome)), **illustrate(outcome)})
    return outcome
