"""How many deals an experiment plays: so many games, or until its main figure is precise enough."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from fivetowers_sim.analysis.estimates import CONFIDENCE, student_t
from fivetowers_sim.analysis.looks import look_confidence, plan_looks
from fivetowers_sim.bench.params import RefusedError

MOST_GAMES: Final = 10**9

FIRST_LOOK: Final = 120


@dataclass(frozen=True, slots=True)
class Unit:
    """In what a main figure is measured.

    Attributes
    ----------
    name : str
        As it is written after a number.
    spread : float
        Standard deviation from deal to deal that nothing measured so has been seen to exceed; who is wrong learns it
        from the output.
    finest, coarsest : float
        Ends of the precisions that may be asked for.
    widest : float
        Standard errors that an interval reaches at any look, at most, whatever the number of looks at these precisions.
    """

    name: str
    spread: float
    finest: float = 0.01
    coarsest: float = 10.0
    widest: float = 3.3


VP: Final = Unit("VP", 20.0)
POINTS: Final = Unit("points", 50.0)
"""Hundredths of a win, of which a game gives between 0 and 100."""


@dataclass(frozen=True, slots=True)
class Main:
    """The figure that ``precision`` is about.

    Attributes
    ----------
    name : str
        What it is called in a sentence, such as ``Shapley share``.
    unit : Unit
        In what it is measured.
    precision : float
        Half of the width wanted of its widest interval where nothing else is said.
    scale : int
        How many of the unit one of what is estimated is: 100 for a share in points.
    """

    name: str
    unit: Unit = VP
    precision: float = 0.2
    scale: int = 1


class BudgetError(RefusedError):
    """A number of games, or a precision, that isn't accepted; the message names it, the value and what is accepted."""


@dataclass(frozen=True)
class Budget:
    """How much to play.

    Attributes
    ----------
    games : int or None
        Games, all arms together; None to go by the precision.
    precision : float or None
        Half of the width that the widest interval of the main figure may have.
    arms : int
        Games on each deal.
    multiple : int
        Deals come in multiples of this, so that seats come out even.
    first_look : int
        Deals at the first look. Few of them say little about their spread, and laying many tables for few is slow.
    unit : Unit
        In what the main figure is measured.
    over : str
        What intervals are over.
    """

    games: int | None
    precision: float | None
    arms: int
    multiple: int
    first_look: int = FIRST_LOOK
    unit: Unit = VP
    over: str = "deals"

    @cached_property
    def looks(self) -> tuple[int, ...]:
        """After how many deals to look."""
        if self.precision is None:
            deals = -(-(self.games or 1) // self.arms)
            return (-(-deals // self.multiple) * self.multiple,)
        most = (self.unit.widest * self.unit.spread / self.precision) ** 2
        return plan_looks(self.first_look, max(int(most) + 1, self.first_look), self.multiple)

    @cached_property
    def confidence(self) -> float:
        """Confidence of each look's intervals, with which those of all looks hold together."""
        return look_confidence(self.looks, CONFIDENCE)

    def widening(self, deals: int) -> float:
        """Return how many times as wide as for a fixed number of deals the intervals are."""
        return student_t(deals - 1, self.confidence) / student_t(deals - 1, CONFIDENCE) if deals > 1 else 1.0

    def to_dict(self) -> dict[str, Any]:
        """Return what was asked for and when it looks, as plain JSON values."""
        return {"games": self.games, "precision": self.precision, "looks": list(self.looks)}


def make_budget(
    games: int | None,
    precision: float | None,
    arms: int,
    multiple: int,
    first_look: int = FIRST_LOOK,
    unit: Unit = VP,
) -> Budget:
    """Check how much is to be played.

    Parameters
    ----------
    games : int, optional
        Games in all, rounded up so that every arm plays the same deals.
    precision : float, optional
        Instead: half of the width wanted.
    arms : int
        Games on each deal.
    multiple : int
        Deals come in multiples of this.
    first_look : int
        Deals at the first look.
    unit : Unit
        In what the precision is meant.

    Returns
    -------
    Budget
        The checked budget.

    Raises
    ------
    BudgetError
        Naming what isn't accepted, and what is.
    """
    if (games is None) == (precision is None):
        given = "both given" if games is not None else "both left out"
        raise BudgetError(f"games and precision are {given}; accepted is one of them")
    if games is not None and not 1 <= games <= MOST_GAMES:
        raise BudgetError(f"games is {games}; accepted is 1 to {MOST_GAMES}")
    if precision is not None and not unit.finest <= precision <= unit.coarsest:
        accepted = f"{unit.finest:g} to {unit.coarsest:g} {unit.name}"
        raise BudgetError(f"precision is {precision:g}; accepted is {accepted}")
    return Budget(games, precision, arms, multiple, first_look, unit)
