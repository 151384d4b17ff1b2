"""How a strategy is written: a family and named parameters, as in ``greedy:misjudge=0.05``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from fivetowers_sim.rules.ruleset import POWERS


class StrategyError(ValueError):
    """A strategy that can't be used; the message names the part, what was given and what is accepted."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number that a strategy may be given.

    Attributes
    ----------
    name : str
        How it is written.
    default, low, high : float
        Value if not given, and the bounds (both included).
    whole : bool
        Whether only whole numbers are accepted.
    meaning : str
        A sentence for the person who sets it.
    choices : tuple of str, optional
        Names accepted instead of numbers, joined by ``+``; each is one bit of the value.
    """

    name: str
    default: float
    low: float
    high: float
    whole: bool
    meaning: str
    choices: tuple[str, ...] = ()

    @property
    def accepts(self) -> str:
        """What may be given, in words."""
        if self.choices:
            return f"none, or some of {', '.join(self.choices)}, each once and joined by +"
        return f"a {'whole number' if self.whole else 'number'} from {self.low:g} to {self.high:g}"

    def read(self, text: str) -> float:
        """Read a value.

        Raises
        ------
        StrategyError
            If it is not accepted.
        """
        refused = StrategyError(f"{self.name} is {text!r}; accepted is {self.accepts}")
        if self.choices:
            names = [] if text == "none" else text.split("+")
            if not set(names) <= set(self.choices) or len(set(names)) < len(names):
                raise refused
            return float(sum(1 << self.choices.index(name) for name in names))
        try:
            value = float(text)
        except ValueError:
            raise refused from None
        # Written so that "not a number" is refused as well.
        if not self.low <= value <= self.high or (self.whole and value != int(value)):
            raise refused
        return value

    def write(self, value: float) -> str:
        """Write a value as :meth:`read` reads it, in one way only."""
        if self.choices:
            return "+".join(name for bit, name in enumerate(self.choices) if (int(value) >> bit) & 1) or "none"
        return f"{value:.10g}"


NO_MAX_BID: Final = 99

COMMON_PARAMETERS: Final = (
    Parameter("misjudge", 0, 0, 1, False, "Chance, at each word, to say a bid that it can't build and be sent back."),
    Parameter("never_tear_down", 0, 0, 1, True, "1: never tears a card down."),
    Parameter("max_bid", NO_MAX_BID, 0, NO_MAX_BID, True, "Never bids above this."),
    Parameter("never_close", 0, 0, 1, True, "1: never builds a tower top."),
    Parameter("ignore_power", 0, 0, 15, True, "Great Powers that it never uses.", POWERS),
)
"""Every strategy has these: a way to err, and restrictions that measure what a behaviour is worth."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A family with values for all its parameters.

    Attributes
    ----------
    family : str
        The family's name.
    values : tuple of (str, float)
        Every parameter of the family, in declared order.
    name : str
        How it is written: the family, and each parameter that differs from its default.
    path, sha256 : str
        The file that it comes from, as written, and the SHA-256 of its bytes; empty if it comes from none.
    beside : tuple of (str, str)
        The same of further files that are needed: the modules beside it that it imports.
    short_name : str
        How tables call it: a preset's name if it was given by that, else the same as ``name``. Says nothing about
        how it plays, and is left out of comparisons.
    """

    family: str
    values: tuple[tuple[str, float], ...]
    name: str
    path: str = ""
    sha256: str = ""
    beside: tuple[tuple[str, str], ...] = ()
    short_name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        """Use the name where there is no shorter one."""
        if not self.short_name:
            object.__setattr__(self, "short_name", self.name)

    def __getitem__(self, parameter: str) -> float:
        """Return a parameter's value."""
        return dict(self.values)[parameter]


def make_strategy(family: str, parameters: tuple[Parameter, ...], given: Mapping[str, str]) -> Strategy:
    """Check the parameters given to a family and fill in the others.

    Parameters
    ----------
    family : str
        The family's name.
    parameters : tuple of Parameter
        All that it has.
    given : mapping of str to str
        Values by name, as written.

    Returns
    -------
    Strategy
        With its canonical name.

    Raises
    ------
    StrategyError
        For an unknown parameter or a value that is not accepted.
    """
    known = {parameter.name: parameter for parameter in parameters}
    for name in given:
        if name not in known:
            raise StrategyError(f"strategy {family} has no parameter {name!r}; it has {', '.join(known)}")
    try:
        values = {name: known[name].read(given[name]) if name in given else known[name].default for name in known}
    except StrategyError as error:
        raise StrategyError(f"strategy {family}: {error}") from None
    changed = [f"{name}={known[name].write(value)}" for name, value in values.items() if value != known[name].default]
    return Strategy(family, tuple(values.items()), ":".join([family, *changed]))
