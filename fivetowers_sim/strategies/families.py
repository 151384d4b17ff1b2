"""The strategy families, by name, and how a written strategy becomes what the kernels play with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from fivetowers_sim.strategies.custom_file import is_custom, read_custom_strategy
from fivetowers_sim.strategies.greedy import fill_score_worth
from fivetowers_sim.strategies.mind import CUSTOM, GREEDY, MIND, RANDOM
from fivetowers_sim.strategies.parameters import COMMON_PARAMETERS, Parameter, Strategy, StrategyError, make_strategy


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of strategy.

    Attributes
    ----------
    name, about : str
        How it is written, and what it does, in a sentence or two.
    number : int
        The kernels' id.
    parameters : tuple of Parameter
        Its own, before the common ones.
    fill : callable
        Given the mind to fill, the rules' record and the strategy: sets its worth tables.
    """

    name: str
    about: str
    number: int
    parameters: tuple[Parameter, ...]
    fill: Callable[[np.void, np.void, Strategy], None]


FAMILIES: Final = {
    family.name: family
    for family in (
        Family(
            "random",
            "Picks uniformly among everything legal: first its word, a bid or the pass; when it wins, one of the "
            "different results that taking, tearing down and building can have.",
            RANDOM,
            (),
            lambda mind, rules, strategy: fill_score_worth(mind, rules),
        ),
        Family(
            "greedy",
            "Takes what gives the highest own score if the game ended now; ties go to the greatest openness, the "
            "number of values that could go next on its towers. Passes only when nothing can be built.",
            GREEDY,
            (),
            lambda mind, rules, strategy: fill_score_worth(mind, rules),
        ),
    )
}

USERS_OWN: Final = Family(
    "FILE.py:Class", "A user's own class in Python.", CUSTOM, (), lambda mind, rules, strategy: None
)
"""What stands for a family where a user's own class plays; kernels never ask it for a word."""


def read_strategy(text: str) -> Strategy:
    """Read a strategy written ``family`` or ``family:parameter=value:parameter=value``, or a user's own class.

    Parameters
    ----------
    text : str
        As given by the user.

    Returns
    -------
    Strategy
        With all parameters.

    Raises
    ------
    StrategyError
        For an unknown family or parameter, or a value that is not accepted.

    Examples
    --------
    >>> read_strategy("greedy:misjudge=0.05").name
    'greedy:misjudge=0.05'
    """
    if is_custom(text):
        return read_custom_strategy(text)
    name, *assignments = (part.strip() for part in text.split(":"))
    if name not in FAMILIES:
        raise StrategyError(f"there is no strategy {name!r}; the strategies are {', '.join(FAMILIES)}")
    given: dict[str, str] = {}
    for assignment in assignments:
        parameter, equals, value = (part.strip() for part in assignment.partition("="))
        if not equals:
            raise StrategyError(f"strategy {text!r}: {assignment!r} is not parameter=value")
        if parameter in given:
            raise StrategyError(f"strategy {text!r}: {parameter} is given twice")
        given[parameter] = value
    return make_strategy(name, FAMILIES[name].parameters + COMMON_PARAMETERS, given)


def make_minds(strategies: Sequence[Strategy], rules: np.ndarray) -> np.ndarray:
    """Make what the kernels play with.

    Parameters
    ----------
    strategies : sequence of Strategy
        The strategies at the table.
    rules : ndarray of RULES, shape (1,)
        The rule set.

    Returns
    -------
    ndarray of MIND, shape (strategies,)
        One for each.
    """
    minds = np.zeros(len(strategies), MIND)
    for mind, strategy in zip(minds, strategies, strict=True):
        family = FAMILIES.get(strategy.family, USERS_OWN)
        mind["family"] = family.number
        mind["misjudge"] = strategy["misjudge"]
        mind["teardown_limit"] = 0 if strategy["never_tear_down"] else rules[0]["teardown_limit"]
        mind["max_bid"] = strategy["max_bid"]
        mind["never_close"] = strategy["never_close"]
        mind["ignored_powers"] = strategy["ignore_power"]
        mind["weights"][: len(family.parameters)] = [strategy[parameter.name] for parameter in family.parameters]
        family.fill(mind, rules[0], strategy)
    return minds
