"""The strategy families, by name, and how a written strategy becomes what the kernels play with."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from fivetowers_sim.rules.tables import PAIRS_POWER
from fivetowers_sim.strategies.custom_file import is_custom, read_custom_strategy
from fivetowers_sim.strategies.expert_mind import EXPERT_PARAMETERS, fill_expert
from fivetowers_sim.strategies.greedy import fill_score_worth
from fivetowers_sim.strategies.mind import CUSTOM, EXPERT, GREEDY, MIND, RANDOM, ROLLOUT, VALUE
from fivetowers_sim.strategies.net_files import is_net, read_net, read_net_file
from fivetowers_sim.strategies.parameters import COMMON_PARAMETERS, Parameter, Strategy, StrategyError, make_strategy
from fivetowers_sim.strategies.presets import Preset, find_preset, list_presets
from fivetowers_sim.strategies.value_files import TABLES_SUFFIX, read_tables
from fivetowers_sim.strategies.value_mind import ROLLOUT_PARAMETERS, VALUE_PARAMETERS, fill_value
from fivetowers_sim.user_files import UserFileError, decode_user_text, read_user_bytes


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
        Family(
            "value",
            "Prices positions by tables learned in self-play, as the final score to be expected, and bids for what a "
            "build gains it, looking ahead at who would outbid whom.",
            VALUE,
            VALUE_PARAMETERS,
            fill_value,
        ),
        Family(
            "rollout",
            "Tries every bid and the pass in many futures, redrawing the unknown cards, with value in every seat, and "
            "takes what leads to the best positions some rounds later. Slow: a strong reference.",
            ROLLOUT,
            VALUE_PARAMETERS + ROLLOUT_PARAMETERS,
            fill_value,
        ),
        Family(
            "expert",
            "Judges the whole table by a network that learned from its own games, and takes what leads to the best "
            "share of the victory. The strongest that is fast.",
            EXPERT,
            EXPERT_PARAMETERS,
            fill_expert,
        ),
    )
}

USERS_OWN: Final = Family(
    "FILE.py:Class", "A user's own class in Python.", CUSTOM, (), lambda mind, rules, strategy: None
)
"""What stands for a family where a user's own class plays; kernels never ask it for a word."""


# A file's path may hold colons; what follows its ending doesn't belong to it.
_FILE: Final = re.compile(r"(.*?\.(?:toml|json))\s*(?::(.*))?", re.DOTALL)


def read_strategy(text: str) -> Strategy:
    """Read a strategy written ``name`` or ``name:parameter=value:parameter=value``, or a user's own class.

    Parameters
    ----------
    text : str
        As given by the user. The name is that of a family, that of a preset, or the path of a preset's ``.toml``
        file; parameters given behind a preset override its own.

    Returns
    -------
    Strategy
        With all parameters. A preset is only a way to write a family with parameters, and leaves no trace but in
        ``short_name``.

    Raises
    ------
    StrategyError
        For an unknown family, preset or parameter, a value that is not accepted, or a file that won't do.

    Examples
    --------
    >>> read_strategy("greedy:misjudge=0.05").name
    'greedy:misjudge=0.05'
    """
    if not text.isprintable():
        raise StrategyError(f"strategy {text!r} holds characters that can't be shown; accepted is a line of text")
    if is_custom(text):
        return read_custom_strategy(text)
    name, assignments = split_strategy(text)
    given: dict[str, str] = {}
    for assignment in assignments:
        parameter, equals, value = (part.strip() for part in assignment.partition("="))
        if not equals:
            raise StrategyError(f"strategy {text!r}: {assignment!r} is not parameter=value")
        if parameter in given:
            raise StrategyError(f"strategy {text!r}: {parameter} is given twice")
        given[parameter] = value
    if name.endswith(TABLES_SUFFIX):
        return _with_tables(name, given)
    if name in FAMILIES:
        return make_strategy(name, list_parameters(name), given)
    preset = find_preset(name)
    if preset is None:
        known = ", ".join([*FAMILIES, *list_presets()])
        raise StrategyError(
            f"there is no strategy {name!r}; the strategies are {known}, a preset's .toml file, or a .json file "
            "with tables for value"
        )
    return _apply_preset(preset, given)


def split_strategy(text: str) -> tuple[str, list[str]]:
    """Return the name that a written strategy begins with, and what follows it, cut at the colons."""
    file = _FILE.fullmatch(text.strip())
    if file:
        name, rest = file[1], file[2]
    else:
        name, colon, behind = text.partition(":")
        rest = behind if colon else None
    return name.strip(), [] if rest is None else [part.strip() for part in rest.split(":")]


def list_parameters(family: str) -> tuple[Parameter, ...]:
    """Return all parameters of a family, its own before the common ones."""
    return FAMILIES[family].parameters + COMMON_PARAMETERS


def _apply_preset(preset: Preset, given: Mapping[str, str]) -> Strategy:
    """Make a preset's strategy, with some parameters overridden."""
    own = preset_strategy(preset)
    if not given:
        return own
    parameters = list_parameters(preset.family)
    strategy = make_strategy(preset.family, parameters, {**preset.parameters, **given})
    changed = [
        f"{parameter.name}={parameter.write(strategy[parameter.name])}"
        for parameter in parameters
        if strategy[parameter.name] != own[parameter.name]
    ]
    return replace(strategy, short_name=":".join([preset.name, *changed]))


def preset_strategy(preset: Preset) -> Strategy:
    """Check a preset's name, family and parameters and make its strategy.

    Parameters
    ----------
    preset : Preset
        The preset.

    Returns
    -------
    Strategy
        Named after its family and parameters, so that it is equal to the same strategy written out.

    Raises
    ------
    StrategyError
        Naming the preset's source, the field, what was given and what is accepted.
    """
    if preset.family not in FAMILIES:
        raise StrategyError(f"{preset.source}: family is {preset.family!r}; accepted are {', '.join(FAMILIES)}")
    if preset.name in FAMILIES:
        raise StrategyError(f"{preset.source}: name is {preset.name!r}, a family's; accepted is a name of its own")
    known = {parameter.name: parameter for parameter in list_parameters(preset.family)}
    for name, text in preset.parameters.items():
        if name not in known:
            accepted = f"{preset.family} has {', '.join(known)}"
            raise StrategyError(f"{preset.source}: parameters.{name} is not a parameter; {accepted}")
        try:
            known[name].read(text)
        except StrategyError as error:
            raise StrategyError(f"{preset.source}: parameters.{error}") from None
    strategy = make_strategy(preset.family, tuple(known.values()), preset.parameters)
    return replace(strategy, short_name=preset.name)


def _with_tables(path: str, given: Mapping[str, str]) -> Strategy:
    """Make the strategy ``value`` with the tables of a user's own file, or ``expert`` with its network."""
    try:
        content = read_user_bytes(path)
        text = decode_user_text(content)
        family = "expert" if is_net(text) else "value"
        read_net(text, path) if family == "expert" else read_tables(text, path)
    except UserFileError as error:
        raise StrategyError(f"{path} can't be read: {error}") from None
    strategy = make_strategy(family, list_parameters(family), given)
    digest = hashlib.sha256(content).hexdigest()
    name = strategy.name.replace(family, path, 1)
    return replace(strategy, name=name, short_name=name, path=path, sha256=digest)


def check_players(strategy: Strategy, players: int) -> None:
    """Make sure that a strategy can play at a table of so many.

    Raises
    ------
    StrategyError
        If its file holds a network that was learned for others.
    """
    if strategy.family == "expert" and strategy.path:
        learned_for = read_net_file(strategy.path).players
        if learned_for != players:
            raise StrategyError(
                f"{strategy.path} was learned for {learned_for} players; accepted is one for {players} players"
            )


def make_minds(strategies: Sequence[Strategy], rules: np.ndarray, powers: Sequence[int] = ()) -> np.ndarray:
    """Make what the kernels play with.

    Parameters
    ----------
    strategies : sequence of Strategy
        The strategies at the table.
    rules : ndarray of RULES, shape (1,)
        The rule set.
    powers : sequence of int, optional
        Great Powers (bits) that each counts on having; those of seat 0 if not given.

    Returns
    -------
    ndarray of MIND, shape (strategies,)
        One for each.
    """
    minds = np.zeros(len(strategies), MIND)
    # Nobody looks for what scores nothing: with pairs worth 0 VP the game is the one without them, ties included.
    worthless = PAIRS_POWER if rules[0]["pair_vp"] == 0 else 0
    counted_on = powers or [int(rules[0]["powers"][0])] * len(strategies)
    for mind, strategy, bits in zip(minds, strategies, counted_on, strict=True):
        family = FAMILIES.get(strategy.family, USERS_OWN)
        mind["family"] = family.number
        mind["misjudge"] = strategy["misjudge"]
        mind["teardown_limit"] = 0 if strategy["never_tear_down"] else rules[0]["teardown_limit"]
        mind["max_bid"] = strategy["max_bid"]
        mind["never_close"] = strategy["never_close"]
        mind["ignored_powers"] = int(strategy["ignore_power"]) | worthless
        mind["powers"] = bits & ~int(mind["ignored_powers"])
        mind["weights"][: len(family.parameters)] = [strategy[parameter.name] for parameter in family.parameters]
        family.fill(mind, rules[0], strategy)
    return minds
