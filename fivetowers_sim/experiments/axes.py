"""The space that an optimiser looks through: numbers with bounds, each stretched to run from 0 to 1."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

# Steps that a range is cut into, at least: finer differences are lost in the noise of any number of games.
_STEPS_DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class Axis:
    """A number to be varied.

    Attributes
    ----------
    name : str
        What it is called.
    low, high : float
        Its bounds, both included; ``low`` is below ``high``.
    whole : bool
        Whether it takes whole numbers only; a switch is one from 0 to 1.
    """

    name: str
    low: float
    high: float
    whole: bool = False

    def to_unit(self, value: float) -> float:
        """Stretch a value to a coordinate from 0 to 1; a whole number lands in the middle of its share."""
        if self.whole:
            return (value - self.low + 0.5) / self.values
        return (value - self.low) / (self.high - self.low)

    def from_unit(self, coordinate: float) -> float:
        """Return the value at a coordinate; what is below 0 or above 1 counts as that bound."""
        coordinate = min(max(coordinate, 0.0), 1.0)
        if self.whole:
            return self.low + min(math.floor(coordinate * self.values), self.values - 1)
        digits = max(0, _STEPS_DIGITS - math.ceil(math.log10(self.high - self.low)))
        value = round(self.low + coordinate * (self.high - self.low), digits)
        return min(max(value, self.low), self.high)

    @property
    def values(self) -> int:
        """How many whole numbers there are within the bounds."""
        return int(self.high - self.low) + 1
