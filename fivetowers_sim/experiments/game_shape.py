"""What the game is like: who wins from where, where points come from, how the lead goes, and what luck does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.bench.arms import Crew
from fivetowers_sim.bench.budget import POINTS, Budget, make_budget
from fivetowers_sim.bench.folder import Asked, ExperimentFolder
from fivetowers_sim.bench.strategy_files import list_strategy_files
from fivetowers_sim.engine.setup import GameSetup, make_setup
from fivetowers_sim.experiments.check import Check, add_check, describe_check, describe_checked, find_out, join_figures
from fivetowers_sim.experiments.question import (
    QuestionError,
    describe_outcome,
    describe_players,
    play_question,
    read_players,
)
from fivetowers_sim.experiments.shape_figures import ShapeFigures, encode_shape_tables, estimate_shape
from fivetowers_sim.experiments.shape_games import Key, ShapeGames
from fivetowers_sim.rules.ruleset import RuleSet

EXPERIMENT: Final = "game-shape"
SHAPE_FORMAT: Final = "fivetowers-game-shape/1"
_FIRST_LOOK: Final = 480


@dataclass(frozen=True)
class ShapeQuestion:
    """What is to be found out.

    Attributes
    ----------
    rules : RuleSet
        The rules, with the Great Powers that everyone has.
    players : tuple of int
        Numbers of players; each is played by itself.
    strategies : tuple of str
        Each plays in all seats. For the split of variance, each plays in each seat among the first too.
    seed : int
        Decides all chance.
    budget : Budget
        How much to play.
    labels : tuple of str
        What tables call the strategies. Decides nothing.
    command : str
        What to type to get the same figures. Decides nothing.
    check : ShapeQuestion, optional
        The same question to a stronger player, in fewer games.
    """

    rules: RuleSet
    players: tuple[int, ...]
    strategies: tuple[str, ...]
    seed: int
    budget: Budget
    labels: tuple[str, ...] = field(default=(), compare=False)
    command: str = field(default="", compare=False)
    check: ShapeQuestion | None = None

    @cached_property
    def measure(self) -> ShapeGames:
        """What is measured."""
        return ShapeGames(self.players, len(self.strategies))

    @cached_property
    def arms(self) -> tuple[GameSetup, ...]:
        """The setups, in the measure's order."""
        setups = []
        for arm in self.measure.arms:
            own, first = self.strategies[arm.strategy], self.strategies[0]
            by_seat = [own if arm.seat in (None, seat) else first for seat in range(arm.players)]
            setups.append(make_setup(self.rules, arm.players, by_seat, self.seed, seating="fixed"))
        return tuple(setups)

    def asked(self) -> Asked:
        """Return what the folder of this experiment is about."""
        given = {"rules": self.rules.to_dict(), "players": list(self.players), "strategies": list(self.strategies)}
        files = list_strategy_files(self.arms)
        plan = {"format": SHAPE_FORMAT, **self.budget.to_dict(), **given, "seed": self.seed, "strategy_files": files}
        return Asked(EXPERIMENT, {**plan, **describe_check(self)})

    def widest_margin(self, moments: Moments) -> float:
        """Return half of the width of the widest interval of a seat's win share, in points; not a number at first."""
        if moments.games < 2:
            return float("nan")
        return 100 * max(
            self.measure.estimate(moments, Key(players, strategy, "win_share", seat), self.budget.confidence).margin
            for players in self.players
            for strategy in range(len(self.strategies))
            for seat in range(players)
        )


def make_shape_question(
    rules: RuleSet,
    players: Sequence[int],
    strategies: Sequence[str],
    seed: int,
    games: int | None = None,
    precision: float | None = None,
    command: str = "",
    check: Check | None = None,
) -> ShapeQuestion:
    """Check what is to be found out.

    Parameters
    ----------
    rules : RuleSet
        The rules; its Great Powers are everyone's.
    players : sequence of int
        Numbers of players that differ, each 2 to 5.
    strategies : sequence of str
        1 to 4 that differ.
    seed : int
        Decides all chance.
    games : int, optional
        Games in all, rounded up.
    precision : float, optional
        Instead: half of the width wanted for every seat's win share, in points.
    command : str
        What to type to get the same figures.
    check : Check, optional
        A stronger player who is asked as well.

    Returns
    -------
    ShapeQuestion
        The checked question.

    Raises
    ------
    QuestionError, fivetowers_sim.bench.budget.BudgetError, fivetowers_sim.engine.setup.SetupError
        Naming what isn't accepted, and what is.
    fivetowers_sim.strategies.parameters.StrategyError
        If a strategy isn't accepted.
    """
    names, labels = read_players(strategies)
    for number in players:
        make_setup(rules, number, names[:1], seed)
    counts = tuple(sorted(set(players)))
    if not counts or len(counts) < len(players):
        raise QuestionError(f"players is {','.join(map(str, players))}; accepted are different numbers from 2 to 5")
    budget = make_budget(games, precision, len(ShapeGames(counts, len(names)).arms), 1, _FIRST_LOOK, POINTS)
    return add_check(ShapeQuestion(rules, counts, names, seed, budget, labels, command), check)


@dataclass(frozen=True, slots=True)
class ShapeOutcome:
    """What was found.

    Attributes
    ----------
    asked : ShapeQuestion
        What was asked.
    figures : ShapeFigures
        The figures.
    deals : int
        Deals behind each.
    look : int
        At which look it ended, from 0.
    reached : float
        Half of the width of the widest interval of a seat's win share, in points.
    check : ShapeOutcome, optional
        What was found of a stronger player.
    """

    asked: ShapeQuestion
    figures: ShapeFigures
    deals: int
    look: int
    reached: float
    check: ShapeOutcome | None = None

    @property
    def games(self) -> int:
        """Games behind the figures."""
        return self.deals * len(self.asked.measure.arms)

    def to_dict(self) -> dict[str, Any]:
        """Return question and figures as plain JSON values."""
        counts = {"deals": self.deals, "games": self.games}
        return {
            **describe_outcome(self.asked, SHAPE_FORMAT, counts, self.look),
            **describe_players(self.asked),
            **self.figures.to_dict(),
            **describe_checked(self),
        }


def run_shape(
    asked: ShapeQuestion,
    crew: Crew,
    folder: ExperimentFolder | None = None,
    illustrate: Callable[[ShapeOutcome], Mapping[str, bytes]] = lambda outcome: {},
) -> ShapeOutcome:
    """Play the games, and work out their shape.

    Parameters
    ----------
    asked : ShapeQuestion
        What to find out.
    crew : Crew
        Who plays.
    folder : ExperimentFolder, optional
        Where to keep what is played, and the results.
    illustrate : callable, optional
        Makes the files that go into the folder besides the figures, by name.

    Returns
    -------
    ShapeOutcome
        The figures. They depend on what was asked alone.

    Raises
    ------
    BatchError, RunError
        If games failed, or the folder can't be written. What was finished is kept.
    KeyboardInterrupt
        If the user interrupted. What was finished is kept, if there is a folder.
    """

    def play(asked: ShapeQuestion, crew: Crew, sums_name: str) -> ShapeOutcome:
        played = play_question(asked, crew, folder, sums_name)
        figures = estimate_shape(asked.measure, asked.strategies, played.moments, asked.budget)
        return ShapeOutcome(asked, figures, played.moments.games, played.look, played.reached)

    outcome = find_out(asked, crew, play)
    if folder:
        folder.complete(outcome.to_dict(), {**encode_shape_tables(join_figures(outcome)), **illustrate(outcome)})
    return outcome
