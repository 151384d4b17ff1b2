"""What is tuned, against whom, and at what expense."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from fivetowers_sim.engine.setup import LARGEST_SEED
from fivetowers_sim.experiments.axes import Axis
from fivetowers_sim.experiments.contest import AIMS, Contest
from fivetowers_sim.experiments.optimise import Point, usual_points
from fivetowers_sim.strategies.families import FAMILIES, list_parameters, read_strategy
from fivetowers_sim.strategies.parameters import Parameter, Strategy, StrategyError, make_strategy

LARGEST_BUDGET: Final = 1_000_000_000
"""Most games that one stage of a tuning may ask for, and most of anything else."""


class TuningError(ValueError):
    """A strategy that can't be tuned so; the message names the field, the value and what is accepted."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much is played.

    Attributes
    ----------
    generations : int
        Steps of each search.
    evaluations : int, optional
        Candidates of each search: if given, it has as many steps as that takes.
    points : int
        Candidates in a generation; 0 chooses by the number of parameters.
    games : int
        Games of each candidate in a generation.
    restarts : int
        Searches: the first begins at the strategy given, the others anywhere.
    fresh_games : int
        Games of each result, twice: once to choose one of them, once more to say how good that one is.
    """

    generations: int = 30
    evaluations: int | None = None
    points: int = 0
    games: int = 2_000
    restarts: int = 3
    fresh_games: int = 20_000


@dataclass(frozen=True)
class TuningPlan:
    """Everything that decides how a tuning ends. :func:`plan_tuning` makes checked ones.

    Attributes
    ----------
    start : Strategy
        Where it begins; parameters that are not tuned stay as they are here.
    axes : tuple of Axis
        The parameters to tune.
    contest : Contest
        The games.
    aim : str
        What is wanted, one of :data:`~fivetowers_sim.experiments.contest.AIMS`.
    budget : Budget
        How much is played, with numbers of games that are multiples of the contest's cycle.
    seed : int
        Decides all chance.
    """

    start: Strategy
    axes: tuple[Axis, ...]
    contest: Contest
    aim: str
    budget: Budget
    seed: int

    def strategy_at(self, point: Point) -> Strategy:
        """Return the starting strategy with other values for the parameters that are tuned."""
        parameters = list_parameters(self.start.family)
        values = {**dict(self.start.values), **point}
        given = {parameter.name: parameter.write(values[parameter.name]) for parameter in parameters}
        return make_strategy(self.start.family, parameters, given)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain JSON values."""
        return {
            "start": self.start.name,
            "parameters": [asdict(axis) for axis in self.axes],
            "contest": self.contest.to_dict(),
            "aim": self.aim,
            "budget": asdict(self.budget),
            "seed": self.seed,
        }


def plan_tuning(
    start: str,
    contest: Contest,
    parameters: Sequence[str] = (),
    aim: str = "win_share",
    budget: Budget = Budget(),
    seed: int = 1,
) -> TuningPlan:
    """Check what is to be tuned.

    Parameters
    ----------
    start : str
        The strategy to begin with.
    contest : Contest
        The games that decide how good it is.
    parameters : sequence of str
        The parameters to tune, each as ``name`` or with narrower bounds as ``name=low..high``. Those of the family
        itself if none is given.
    aim : str
        ``win_share`` or ``margin``.
    budget : Budget
        How much to play. Numbers of games are rounded up to multiples of the contest's cycle.
    seed : int
        Decides all chance.

    Returns
    -------
    TuningPlan
        The checked plan.

    Raises
    ------
    TuningError, StrategyError
        Naming the field, the value and what is accepted.
    """
    strategy = read_strategy(start)
    if strategy.path:
        raise StrategyError(
            f"{strategy.name} has no parameters to tune; accepted are {', '.join(FAMILIES)} and presets"
        )
    if aim not in AIMS:
        raise TuningError(f"aim is {aim!r}; accepted are {', '.join(AIMS)}")
    if not 0 <= seed <= LARGEST_SEED:
        raise TuningError(f"seed is {seed}; accepted is 0 to {LARGEST_SEED}")
    axes = _choose_axes(strategy, parameters)
    return TuningPlan(strategy, axes, contest, aim, _check_budget(budget, len(axes), contest.cycle), seed)


def _choose_axes(strategy: Strategy, given: Sequence[str]) -> tuple[Axis, ...]:
    tunable = {parameter.name: parameter for parameter in list_parameters(strategy.family) if not parameter.choices}
    accepted = f"accepted are {', '.join(tunable)}"
    if not given:
        own = [parameter for parameter in FAMILIES[strategy.family].parameters if parameter.name in tunable]
        if not own:
            raise TuningError(f"parameters names none, and {strategy.family} has none of its own; {accepted}")
        return tuple(_make_axis(strategy, parameter, "") for parameter in own)
    axes: dict[str, Axis] = {}
    for text in given:
        name, _, bounds = (part.strip() for part in text.partition("="))
        if name not in tunable:
            raise TuningError(f"parameters names {name!r}; {accepted}")
        if name in axes:
            raise TuningError(f"parameters names {name} twice; accepted is each once")
        axes[name] = _make_axis(strategy, tunable[name], bounds)
    return tuple(axes.values())


def _make_axis(strategy: Strategy, parameter: Parameter, bounds: str) -> Axis:
    """Make an axis of a parameter, within its own bounds or narrower ones written ``low..high``."""
    low, high = parameter.low, parameter.high
    if bounds:
        ends = bounds.partition("..")[::2]
        try:
            low, high = map(float, ends)
            usable = parameter.low <= low < high <= parameter.high
            usable = usable and (not parameter.whole or (low.is_integer() and high.is_integer()))
        except ValueError:
            usable = False
        if not usable:
            kind = "whole numbers" if parameter.whole else "numbers"
            raise TuningError(
                f"parameters has {parameter.name}={bounds}; accepted is low..high, {kind} from {parameter.low:g} "
                f"to {parameter.high:g}"
            )
    value = strategy[parameter.name]
    if not low <= value <= high:
        raise TuningError(
            f"parameters has {parameter.name}={bounds}; accepted are bounds around {value:g}, which the strategy has"
        )
    return Axis(parameter.name, low, high, parameter.whole)


def _check_budget(budget: Budget, axes: int, cycle: int) -> Budget:
    """Refuse what can't be played, choose what is left open, and round games up to whole cycles."""
    least = {"points": 0, "fresh_games": 2}
    for name, value in asdict(budget).items():
        if value is not None and not least.get(name, 1) <= value <= LARGEST_BUDGET:
            raise TuningError(f"{name} is {value}; accepted is {least.get(name, 1)} to {LARGEST_BUDGET}")
    if 0 < budget.points < 4:
        raise TuningError(f"points is {budget.points}; accepted is 4 or more, or 0 to choose by the parameters")
    points = budget.points or usual_points(axes)
    generations = budget.generations if budget.evaluations is None else -(-budget.evaluations // points)
    games, fresh = (-(-number // cycle) * cycle for number in (budget.games, budget.fresh_games))
    return Budget(generations, None, points, games, budget.restarts, fresh)
