"""A measure made of a function: what it says of games, for each arm in columns of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from fivetowers_sim.analysis.moments import Moments, estimate_contrast
from fivetowers_sim.bench.budget import Budget
from fivetowers_sim.bench.findings import Found

Tables = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class DealMeasure:
    """What a function says of every game, arm by arm.

    Attributes
    ----------
    look : callable
        Gets the tables of some games, and returns for each name whole numbers, one for each game.
    names : tuple of str
        What it measures.
    arms : int
        How many arms there are.
    detail : str
        ``games`` for the tables ``games`` and ``seats``, ``rounds`` for ``rounds`` too.
    """

    look: Callable[[Tables], Mapping[str, Any]]
    names: tuple[str, ...]
    arms: int
    detail: str = "games"

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return self.arms * len(self.names)

    def add(self, arm: int, tables: Tables, into: np.ndarray) -> None:
        """Add what an arm's games gave.

        Raises
        ------
        ValueError
            If the function returns something else than it should.
        """
        found = self.look(tables)
        if set(found) != set(self.names):
            raise ValueError(
                f"the measure returns {', '.join(found) or 'nothing'}; accepted is {', '.join(self.names)}"
            )
        for place, name in enumerate(self.names):
            values = np.asarray(found[name])
            if values.shape != (len(into),) or values.dtype.kind not in "iub":
                what = f"{values.dtype} of shape {values.shape}"
                raise ValueError(f"the measure of {name} is {what}; accepted are {len(into)} whole numbers, one a game")
            into[:, arm * len(self.names) + place] += values

    def found(
        self,
        moments: Moments,
        budget: Budget,
        about: Mapping[str, Any],
        weights: Mapping[tuple[int, str], int | Fraction],
        tested: bool = True,
    ) -> Found:
        """Return a weighted sum of what was measured, deal by deal.

        Parameters
        ----------
        moments : Moments
            What was measured.
        budget : Budget
            For an interval that accounts for looking often.
        about : mapping of str to object
            What the figure is of.
        weights : mapping of (int, str) to int or Fraction
            By arm and name.
        tested : bool
            Whether it is tested against 0.

        Returns
        -------
        Found
            The figure.
        """
        columns = [arm * len(self.names) + self.names.index(name) for arm, name in weights]
        estimate = estimate_contrast(moments.select(columns), list(weights.values()), budget.confidence)
        return Found(about, estimate, estimate if tested else None)
