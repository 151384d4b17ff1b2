"""What is asked about teardown costs: which schedules, who plays, who is held back, and how much is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.bench.budget import Budget, make_budget
from fivetowers_sim.bench.folder import Asked
from fivetowers_sim.bench.strategy_files import list_strategy_files
from fivetowers_sim.engine.branch_setup import BranchSetup
from fivetowers_sim.engine.setup import GameSetup, make_setup
from fivetowers_sim.experiments.check import Check, add_check, describe_check
from fivetowers_sim.experiments.question import QuestionError, read_players
from fivetowers_sim.experiments.refit import (
    Learned,
    Refit,
    check_refit,
    describe_refit,
    refit_arms,
)
from fivetowers_sim.experiments.teardown_branches import BY_TEARDOWN, HALVES, TeardownWorth, TwiceBranched
from fivetowers_sim.experiments.teardown_figures import BASE, worth_weights
from fivetowers_sim.experiments.teardown_games import TeardownGames, list_schedules
from fivetowers_sim.rules.ruleset import RuleSet
from fivetowers_sim.strategies.custom_file import is_custom
from fivetowers_sim.strategies.families import read_strategy

EXPERIMENT: Final = "teardown-costs"
TEARDOWN_FORMAT: Final = "fivetowers-teardown-costs/1"
MOST_SCHEDULES: Final = 8

USUAL_DECISIONS: Final = 12_000
MOST_DECISIONS: Final = 10_000_000
USUAL_FUTURES: Final = 32
MOST_FUTURES: Final = 1_000

_HELD_BACK: Final = "never_tear_down=1"
_FIRST_LOOK: Final = 480


@dataclass(frozen=True, slots=True)
class Branching:
    """How many decisions to look into.

    Attributes
    ----------
    decisions : int
        Decisions of each strategy, one out of each game.
    futures : int
        Futures in which every option of a decision is played on; half of them choose the best, the others judge them.
    """

    decisions: int = USUAL_DECISIONS
    futures: int = USUAL_FUTURES

    def __post_init__(self) -> None:
        """Check the numbers."""
        if not 1 <= self.decisions <= MOST_DECISIONS:
            raise QuestionError(f"decisions is {self.decisions}; accepted is 0 to {MOST_DECISIONS}")
        if not 2 <= self.futures <= MOST_FUTURES or self.futures % HALVES:
            raise QuestionError(f"futures is {self.futures}; accepted is an even number from 2 to {MOST_FUTURES}")

    def to_dict(self) -> dict[str, int]:
        """Return it as plain JSON values."""
        return {"decisions": self.decisions, "futures": self.futures}


@dataclass(frozen=True)
class TeardownQuestion:
    """What is to be found out.

    Attributes
    ----------
    rules : RuleSet
        The rules, with the schedule that all others are compared with.
    players : int
        Seats at a table.
    strategies : tuple of str
        Each plays all of it by itself, in all seats.
    schedules : tuple of (str, tuple of int)
        Name and costs; the first is that of the rules.
    seed : int
        Decides all chance.
    budget : Budget
        How much to play.
    branching : Branching, optional
        How many decisions to branch under the rules' own schedule; None for none.
    refit : Refit, optional
        How much to learn from for each schedule; None for not at all.
    learned : tuple of Learned
        What was learned for each schedule; empty before.
    labels : tuple of str
        What tables call the strategies. Decides nothing.
    command : str
        What to type to get the same figures. Decides nothing.
    check : TeardownQuestion, optional
        The same question to a stronger player, in fewer games.
    """

    rules: RuleSet
    players: int
    strategies: tuple[str, ...]
    schedules: tuple[tuple[str, tuple[int, ...]], ...]
    seed: int
    budget: Budget
    branching: Branching | None = None
    refit: Refit | None = None
    learned: tuple[Learned, ...] = ()
    labels: tuple[str, ...] = field(default=(), compare=False)
    command: str = field(default="", compare=False)
    check: TeardownQuestion | None = None

    @cached_property
    def measure(self) -> TeardownGames:
        """What is measured."""
        return TeardownGames(len(self.strategies), len(self.schedules), self.players)

    @property
    def schedule_names(self) -> tuple[str, ...]:
        """The schedules' names."""
        return tuple(name for name, _ in self.schedules)

    def rules_of(self, schedule: int) -> RuleSet:
        """Return the rules with a schedule."""
        return replace(self.rules, teardown_costs=self.schedules[schedule][1])

    def seat_free(self, schedule: int, strategy: int) -> GameSetup:
        """Return games by a schedule, in which one strategy has all seats and may tear down."""
        return make_setup(self.rules_of(schedule), self.players, [self.strategies[strategy]], self.seed)

    @cached_property
    def named_arms(self) -> tuple[GameSetup, ...]:
        """The setups in the measure's order, with strategies as they were named."""
        setups = []
        for arm in self.measure.arms:
            free = self.seat_free(arm.schedule, arm.strategy)
            names = list(free.strategies)
            if arm.seat is not None:
                names[arm.seat] = hold_back(names[arm.seat])
            setups.append(make_setup(free.rules, self.players, names, self.seed, free.powers_by_seat, "fixed"))
        return tuple(setups)

    @cached_property
    def arms(self) -> tuple[GameSetup, ...]:
        """The setups in the measure's order, with the tables that were learned."""
        if not self.learned:
            return self.named_arms
        return refit_arms(self.named_arms, [self.learned[arm.schedule] for arm in self.measure.arms])

    @cached_property
    def branched(self) -> tuple[str, ...]:
        """The strategies whose decisions can be looked into: all but a user's own."""
        return tuple(name for name in self.strategies if not is_custom(name)) if self.branching else ()

    @cached_property
    def branch_measure(self) -> TeardownWorth:
        """What is measured of decisions."""
        return TeardownWorth(len(self.branched), self.branching.futures, self.rules)

    @cached_property
    def branch_arms(self) -> tuple[TwiceBranched, ...]:
        """The games that are branched, by the rules' own schedule, with the tables that were learned."""
        games = [self.seat_free(BASE, self.strategies.index(name)) for name in self.branched]
        if self.learned:
            games = refit_arms(games, [self.learned[BASE]] * len(games))
        return tuple(TwiceBranched(BranchSetup(game, BY_TEARDOWN, self.branching.futures // HALVES)) for game in games)

    def asked(self) -> Asked:
        """Return what the folder of this experiment is about."""
        schedules = {name: list(costs) for name, costs in self.schedules}
        given = {"rules": self.rules.to_dict(), "players": self.players, "strategies": list(self.strategies)}
        files = list_strategy_files(self.named_arms)
        given |= {"schedules": schedules, "seed": self.seed, "strategy_files": files}
        branching = self.branching.to_dict() if self.branching else {"decisions": 0}
        plan = {"format": TEARDOWN_FORMAT, **self.budget.to_dict(), **given, **branching, **describe_check(self)}
        return Asked(EXPERIMENT, {**plan, **describe_refit(self.refit, self.schedule_names, self.learned)})

    def widest_margin(self, moments: Moments) -> float:
        """Return half the width of the widest interval of the VP that never tearing down costs; NaN at first."""
        if moments.games < 2:
            return float("nan")
        return max(
            self.measure.contrast(moments, strategy, worth_weights(schedule, "total"), self.budget.confidence).margin
            for strategy in range(len(self.strategies))
            for schedule in range(len(self.schedules))
        )


def hold_back(strategy: str) -> str:
    """Return a strategy that plays the same but never tears down.

    Raises
    ------
    QuestionError
        If it never does anyway.
    """
    read = read_strategy(strategy)
    if read["never_tear_down"]:
        raise QuestionError(
            f"strategies names {strategy}, which never tears down; accepted are strategies that may, since they are "
            "compared with themselves held back from it"
        )
    return read_strategy(f"{strategy}:{_HELD_BACK}").name


def make_teardown_question(
    rules: RuleSet,
    players: int,
    strategies: Sequence[str],
    seed: int,
    games: int | None = None,
    precision: float | None = None,
    costs: Sequence[tuple[int, ...]] | None = None,
    branching: Branching | None = None,
    refit: Refit | None = None,
    command: str = "",
    check: Check | None = None,
) -> TeardownQuestion:
    """Check what is to be found out.

    Parameters
    ----------
    rules : RuleSet
        The rules, with the schedule that all others are compared with.
    players : int
        2 to 5.
    strategies : sequence of str
        1 to 4 that differ; each plays all of it by itself.
    seed : int
        Decides all chance.
    games : int, optional
        Games in all, rounded up.
    precision : float, optional
        Instead: half of the width wanted for what never tearing down costs in VP, under every schedule.
    costs : sequence of tuple of int, optional
        The other schedules, as the dial ``teardown_costs`` is written; those of
        :data:`~fivetowers_sim.experiments.teardown_games.SCHEDULES` if not given.
    branching : Branching, optional
        How many decisions to look into; none if not given.
    refit : Refit, optional
        Learn tables anew for each schedule, from so many games.
    command : str
        What to type to get the same figures.
    check : Check, optional
        A stronger player who is asked as well, about the rules' own schedule.

    Returns
    -------
    TeardownQuestion
        The checked question.

    Raises
    ------
    QuestionError, fivetowers_sim.bench.budget.BudgetError, fivetowers_sim.engine.setup.SetupError
        Naming what isn't accepted, and what is.
    fivetowers_sim.experiments.refit.RefitError
        If tables can't be learned.
    fivetowers_sim.strategies.parameters.StrategyError
        If a strategy isn't accepted.
    """
    names, labels = read_players(strategies)
    schedules = tuple(list_schedules(rules, costs).items())
    if not 2 <= len(schedules) <= MOST_SCHEDULES:
        raise QuestionError(
            f"costs names {len(schedules) - 1} schedules other than that of the rules; accepted is 1 to "
            f"{MOST_SCHEDULES - 1}"
        )
    setups = [make_setup(rules, players, [name], seed) for name in names]
    check_refit(setups, refit)
    for name in names:
        hold_back(name)
    arms = len(TeardownGames(len(names), len(schedules), players).arms)
    budget = make_budget(games, precision, arms, 1, _FIRST_LOOK)
    asked = TeardownQuestion(rules, players, names, schedules, seed, budget, branching, refit, (), labels, command)
    return add_check(asked, check, schedules=schedules[:1], branching=None, refit=None)
