"""Find the greatest value of a noisy function of a few numbers, with CMA-ES. Knows nothing of the game.

The covariance matrix adaptation evolution strategy (N. Hansen, *The CMA Evolution Strategy: A Tutorial*,
arXiv:1604.00772) draws some points around a mean, ranks them, and moves the mean and the shape of the cloud towards
the better ones. It only uses ranks, so it stands a good deal of noise. The package ``cma`` does that part.

- Every number is stretched to 0 … 1. ``cma``'s ``BoundTransform`` folds the cloud at the bounds, which are themselves
  within reach.
- A whole number gets an equal share of 0 … 1 for each of its values, and the share in which a point falls is its
  value. The cloud is kept from becoming narrower than a fifth of a share, or it would never leave a value again
  (a lower bound as in Marty et al., *LB+IC-CMA-ES*, PPSN 2024).
- ``cma`` doesn't work with a single number; it gets a second one that means nothing.
- The answer is the middle of the cloud, averaged over the last third of the steps, and not the best point seen: of
  many noisy points the best one was mostly lucky.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np

from fivetowers_sim.experiments.axes import Axis

Point = Mapping[str, float]

_FIRST_SPREAD: Final = 0.25
_LEAST_SPREAD_OF_WHOLE: Final = 0.2
_FINEST_SPREAD: Final = 1e-3
# Of a coordinate: finer than any value, and coarser than what processors round differently.
_DECIMALS: Final = 9


@dataclass(frozen=True, slots=True)
class Measurement:
    """The value at a point, as far as it is known.

    Attributes
    ----------
    value : float
        The estimate; more is better.
    standard_error : float
        How far it typically is from the true value.
    """

    value: float
    standard_error: float


class Objective(Protocol):
    """The function whose greatest value is looked for."""

    def __call__(self, points: Sequence[Point], generation: int) -> Sequence[Measurement]:
        """Measure some points, all under the same chance.

        Parameters
        ----------
        points : sequence of mapping of str to float
            A value for every axis.
        generation : int
            Counts the calls. Chance should change with it, or the search would adapt to one lot of luck.

        Returns
        -------
        sequence of Measurement
            One for each point.
        """


@dataclass(frozen=True, slots=True)
class Generation:
    """A step of the search.

    Attributes
    ----------
    number : int
        Which one, from 0.
    points : tuple of mapping
        The points measured.
    measurements : tuple of Measurement
        What was measured there.
    centre : tuple of float
        The middle of the cloud after the step, by axis, each from 0 to 1.
    """

    number: int
    points: tuple[Point, ...]
    measurements: tuple[Measurement, ...]
    centre: tuple[float, ...]

    @property
    def best(self) -> int:
        """Which of the points had the greatest value."""
        values = [measurement.value for measurement in self.measurements]
        return values.index(max(values))


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to look.

    Attributes
    ----------
    generations : int
        Most steps. The search ends earlier if the cloud has become too narrow to matter.
    points : int
        Points in a generation, at least 4.
    """

    generations: int
    points: int


def usual_points(axes: int) -> int:
    """Return how many points a generation should have for this many axes.

    Hansen's tutorial has 4 + 3 ln n for functions without noise. Half as many again made a quadratic function of five
    numbers, under the noise of a win share over 2,000 games, come out best for the same number of points in all.
    """
    return int(1.5 * (4 + 3 * math.log(max(axes, 2))))


def maximise(
    objective: Objective, axes: Sequence[Axis], start: Point, effort: Effort, seed: int
) -> Iterator[Generation]:
    """Look for the greatest value of a noisy function.

    Parameters
    ----------
    objective : Objective
        The function.
    axes : sequence of Axis
        What is varied, at least one.
    start : mapping of str to float
        Where the cloud begins, within the bounds.
    effort : Effort
        How long to look.
    seed : int
        Decides where points are drawn. Equal seeds and measurements give equal steps.

    Yields
    ------
    Generation
        Each step, after it was taken.
    """
    random = np.random.default_rng(seed)
    evolution = _begin(axes, start, effort.points, random)
    for number in range(effort.generations):
        asked = evolution.ask()
        points = tuple(_read_point(axes, coordinates) for coordinates in asked)
        measurements = tuple(objective(points, number))
        evolution.tell(asked, _rank(measurements))
        centre = tuple(round(float(middle), _DECIMALS) for middle in evolution.result.xfavorite[: len(axes)])
        yield Generation(number, points, measurements, centre)
        if evolution.stop():
            return


def settle(axes: Sequence[Axis], generations: Sequence[Generation]) -> Point:
    """Return the answer of a search: the middle of the cloud, averaged over the last third of its steps.

    Parameters
    ----------
    axes : sequence of Axis
        What was varied.
    generations : sequence of Generation
        All steps, at least one.

    Returns
    -------
    mapping of str to float
        A value for every axis.
    """
    last = generations[-max(1, len(generations) // 3) :]
    centres = zip(*(generation.centre for generation in last), strict=True)
    return _read_point(axes, [math.fsum(middles) / len(last) for middles in centres])


def draw_point(axes: Sequence[Axis], seed: int) -> Point:
    """Draw a point uniformly from within the bounds."""
    return _read_point(axes, np.random.default_rng(seed).random(len(axes)))


def _read_point(axes: Sequence[Axis], coordinates: Sequence[float]) -> Point:
    # The coordinate that accompanies a single axis is left over.
    return {axis.name: axis.from_unit(float(coordinate)) for axis, coordinate in zip(axes, coordinates, strict=False)}


def _rank(measurements: Sequence[Measurement]) -> list[float]:
    """Return each measurement's rank, the best one's 0; equal ones in their order, which a library may not keep."""
    order = sorted(range(len(measurements)), key=lambda nth: -measurements[nth].value)
    ranks = [0.0] * len(order)
    for rank, nth in enumerate(order):
        ranks[nth] = float(rank)
    return ranks


def _begin(axes: Sequence[Axis], start: Point, points: int, random: np.random.Generator) -> Any:
    import cma

    coordinates = [axis.to_unit(start[axis.name]) for axis in axes]
    least = [_LEAST_SPREAD_OF_WHOLE / axis.values if axis.whole else 0.0 for axis in axes]
    if len(axes) == 1:
        coordinates, least = [*coordinates, 0.5], [*least, 0.0]
    options = {
        "bounds": [0, 1],
        "popsize": points,
        "minstd": least,
        # Nothing may come from NumPy's global generator, nor from a file that happens to lie about.
        "randn": lambda *shape: random.standard_normal(shape),
        "seed": np.nan,
        "verbose": -10,
        "CMA_sampler": _sampler(random),
        # The cloud's width alone says when to end early: values are noise below a certain difference.
        "tolx": _FINEST_SPREAD,
        **dict.fromkeys(("tolfun", "tolfunhist", "tolfunrel", "tolstagnation"), 0),
        "tolflatfitness": np.inf,
        "tolxstagnation": False,
    }
    return cma.CMAEvolutionStrategy(coordinates, _FIRST_SPREAD, options)


def _sampler(random: np.random.Generator) -> Any:
    """Return a kind of sampler that draws by the covariance matrix alone, and not by the axes a library finds for it.

    Where two axes are equally long, any two at right angles will do, and which come out depends on rounding: with the
    usual ``B D z`` equal numbers would then give other points on another processor. ``B D B' z`` is as good a draw, and
    the same whichever axes are found.
    """
    from cma.sampler import GaussFullSampler

    class SymmetricSampler(GaussFullSampler):  # type: ignore[misc]
        def sample(self, number: int, lazy_update_gap: Any = None, same_length: bool = False) -> np.ndarray:
            self.update_now(lazy_update_gap)
            drawn = random.standard_normal((number, self.dimension))
            return np.asarray(drawn @ (self.B * self.D) @ self.B.T)

    return SymmetricSampler
