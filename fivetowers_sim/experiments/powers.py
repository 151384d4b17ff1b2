"""What each Great Power is worth: all 16 sets on the same deals, for everyone and for one seat alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.analysis.shapley import shapley_weights
from fivetowers_sim.bench.arms import Crew
from fivetowers_sim.bench.budget import Budget, make_budget
from fivetowers_sim.bench.folder import Asked, ExperimentFolder
from fivetowers_sim.bench.strategy_files import list_strategy_files
from fivetowers_sim.engine.setup import GameSetup, make_setup
from fivetowers_sim.experiments.check import Check, add_check, describe_check, describe_checked, find_out, join_figures
from fivetowers_sim.experiments.power_figures import PowerFigures, encode_power_tables, estimate_powers
from fivetowers_sim.experiments.power_games import PowerGames, powers_of
from fivetowers_sim.experiments.question import describe_outcome, describe_players, play_question, read_players
from fivetowers_sim.rules.ruleset import POWERS, RuleSet

EXPERIMENT: Final = "powers"
POWERS_FORMAT: Final = "fivetowers-powers/1"
_FIRST_LOOK: Final = 480


@dataclass(frozen=True)
class PowersQuestion:
    """What is to be found out.

    Attributes
    ----------
    rules : RuleSet
        The rules; which powers are in play is up to the experiment.
    players : int
        Seats at a table.
    strategies : tuple of str
        Each plays all of it by itself, in all seats.
    seed : int
        Decides all chance.
    budget : Budget
        How much to play.
    labels : tuple of str
        What tables call the strategies. Decides nothing.
    command : str
        What to type to get the same figures. Decides nothing.
    check : PowersQuestion, optional
        The same question to a stronger player, in fewer games.
    """

    rules: RuleSet
    players: int
    strategies: tuple[str, ...]
    seed: int
    budget: Budget
    labels: tuple[str, ...] = field(default=(), compare=False)
    command: str = field(default="", compare=False)
    check: PowersQuestion | None = None

    @cached_property
    def measure(self) -> PowerGames:
        """What is measured."""
        return PowerGames(len(self.strategies), self.players)

    @cached_property
    def arms(self) -> tuple[GameSetup, ...]:
        """The setups, in the measure's order."""
        setups = []
        for arm in self.measure.arms:
            own = powers_of(arm.members)
            by_seat = [own if arm.seat in (None, seat) else () for seat in range(self.players)]
            setups.append(make_setup(self.rules, self.players, [self.strategies[arm.strategy]], self.seed, by_seat))
        return tuple(setups)

    def asked(self) -> Asked:
        """Return what the folder of this experiment is about."""
        given = {"rules": self.rules.to_dict(), "players": self.players, "strategies": list(self.strategies)}
        files = list_strategy_files(self.arms)
        plan = {"format": POWERS_FORMAT, **self.budget.to_dict(), **given, "seed": self.seed, "strategy_files": files}
        return Asked(EXPERIMENT, {**plan, **describe_check(self)})

    def widest_margin(self, moments: Moments) -> float:
        """Return half of the width of the widest interval of a Shapley share in VP; not a number at first."""
        if moments.games < 2:
            return float("nan")
        return max(
            self.measure.contrast(
                moments,
                (strategy, "alone", "total"),
                shapley_weights(len(POWERS), power),
                self.budget.confidence,
            ).margin
            for strategy in range(len(self.strategies))
            for power in range(len(POWERS))
        )


def make_powers_question(
    rules: RuleSet,
    players: int,
    strategies: Sequence[str],
    seed: int,
    games: int | None = None,
    precision: float | None = None,
    command: str = "",
    check: Check | None = None,
) -> PowersQuestion:
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
    games : int, optional
        Games in all, rounded up.
    precision : float, optional
        Instead: half of the width wanted for each power's Shapley share of its holder's VP.
    command : str
        What to type to get the same figures.
    check : Check, optional
        A stronger player who is asked as well.

    Returns
    -------
    PowersQuestion
        The checked question.

    Raises
    ------
    QuestionError, fivetowers_sim.bench.budget.BudgetError, fivetowers_sim.engine.setup.SetupError
        Naming what isn't accepted, and what is.
    fivetowers_sim.strategies.parameters.StrategyError
        If a strategy isn't accepted.
    """
    names, labels = read_players(strategies)
    make_setup(rules, players, names[:1], seed)
    budget = make_budget(games, precision, len(PowerGames(len(names), players).arms), players, _FIRST_LOOK)
    return add_check(PowersQuestion(rules, players, names, seed, budget, labels, command), check)


@dataclass(frozen=True, slots=True)
class PowersOutcome:
    """What was found.

    Attributes
    ----------
    asked : PowersQuestion
        What was asked.
    figures : PowerFigures
        The figures.
    deals : int
        Deals behind each.
    look : int
        At which look it ended, from 0.
    reached : float
        Half of the width of the widest interval of a Shapley share in VP.
    check : PowersOutcome, optional
        What was found of a stronger player.
    """

    asked: PowersQuestion
    figures: PowerFigures
    deals: int
    look: int
    reached: float
    check: PowersOutcome | None = None

    @property
    def games(self) -> int:
        """Games behind the figures."""
        return self.deals * len(self.asked.measure.arms)

    def to_dict(self) -> dict[str, Any]:
        """Return question and figures as plain JSON values."""
        counts = {"deals": self.deals, "games": self.games}
        return {
            **describe_outcome(self.asked, POWERS_FORMAT, counts, self.look),
            **describe_players(self.asked),
            **self.figures.to_dict(),
            **describe_checked(self),
        }


def run_powers(
    asked: PowersQuestion,
    crew: Crew,
    folder: ExperimentFolder | None = None,
    illustrate: Callable[[PowersOutcome], Mapping[str, bytes]] = lambda outcome: {},
) -> PowersOutcome:
    """Play every set of powers, and work out what each power is worth.

    Parameters
    ----------
    asked : PowersQuestion
        What to find out.
    crew : Crew
        Who plays.
    folder : ExperimentFolder, optional
        Where to keep what is played, and the results.
    illustrate : callable, optional
        Makes the files that go into the folder besides the figures, by name.

    Returns
    -------
    PowersOutcome
        The figures. They depend on what was asked alone.

    Raises
    ------
    BatchError, RunError
        If games failed, or the folder can't be written. What was finished is kept.
    KeyboardInterrupt
        If the user interrupted. What was finished is kept, if there is a folder.
    """

    def play(asked: PowersQuestion, crew: Crew, sums_name: str) -> PowersOutcome:
        played = play_question(asked, crew, folder, sums_name)
        figures = estimate_powers(asked.measure, asked.strategies, played.moments, asked.budget)
        return PowersOutcome(asked, figures, played.moments.games, played.look, played.reached)

    outcome = find_out(asked, crew, play)
    if folder:
        folder.complete(outcome.to_dict(), {**encode_power_tables(join_figures(outcome)), **illustrate(outcome)})
    return outcome
