"""One measured figure, what it should be, and when another run's is worse."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

TOLERANCE = 0.10
"""A figure that is worse than the kept one by more than this share is flagged."""


@dataclass(frozen=True)
class Figure:
    """One line of the table.

    Attributes
    ----------
    group, name : str
        What was measured; together they identify the figure in another run.
    value : float
        The measurement.
    unit : str
        Such as ``games/s``; ``% more`` and ``× native`` compare two measurements of the same run.
    less_is_better : bool
        Which way is worse.
    at_least, at_most : float, optional
        The target.
    note : str
        What a reader should know of this figure.
    details : dict
        The measurements behind it, as JSON values.
    """

    group: str
    name: str
    value: float
    unit: str
    less_is_better: bool = False
    at_least: float | None = None
    at_most: float | None = None
    note: str = ""
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """What identifies the figure in another run."""
        return f"{self.group}: {self.name}, {self.unit}"

    @property
    def shown(self) -> str:
        """The value and its unit as text."""
        return f"{show(self.value)} {self.unit}"

    @property
    def target(self) -> str:
        """The target as text, empty if there is none."""
        if self.at_least is not None and self.at_most is not None:
            return f"{show(self.at_least)} to {show(self.at_most)}"
        if self.at_least is not None:
            return f"at least {show(self.at_least)}"
        return "" if self.at_most is None else f"at most {show(self.at_most)}"

    @property
    def verdict(self) -> str:
        """``met``, ``missed``, or nothing if there is no target."""
        if self.at_least is None and self.at_most is None:
            return ""
        too_low = self.at_least is not None and self.value < self.at_least
        too_high = self.at_most is not None and self.value > self.at_most
        return "missed" if too_low or too_high else "met"

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as JSON values."""
        return {**asdict(self), "verdict": self.verdict}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Figure:
        """Return the figure that :meth:`to_dict` made these values of."""
        return cls(**{name: value for name, value in values.items() if name != "verdict"})


def show(value: float) -> str:
    """Return a number with three figures or so: 0.914, 12.3, 38,400."""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def share_worse(new: Figure, kept: Figure) -> float:
    """Return by which share a figure is worse than the kept one; negative if it is better."""
    # "12 % more" is 1.12 of something: from 1 % to 2 % more is not twice as bad.
    offset = 100.0 if new.unit == "% more" else 0.0
    now, before = new.value + offset, kept.value + offset
    return now / before - 1 if new.less_is_better else before / now - 1


def is_worse(new: Figure, kept: Figure) -> bool:
    """Say whether a figure is worse than the kept one by more than the tolerance."""
    return share_worse(new, kept) > TOLERANCE
