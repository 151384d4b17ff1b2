"""5 Towers as the bench sees it: what every question about it can be told, and how that is read."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Self

from fivetowers_sim.bench.params import Param, RefusedError
from fivetowers_sim.bench.question import Question
from fivetowers_sim.engine.setup import GameSetup, SetupError, make_setup
from fivetowers_sim.rules.ruleset import PLAYER_COUNTS, POWERS, RuleSet, RuleSetError
from fivetowers_sim.rules.ruleset_files import load_rules, set_dials
from fivetowers_sim.strategies.families import read_strategy
from fivetowers_sim.strategies.parameters import StrategyError

if TYPE_CHECKING:
    from fivetowers_sim.experiments.refit import Refit

MOST_STRATEGIES: Final = 4
USUAL_CHECK: Final = "rollout:rollouts=20:ahead=2"
"""It wins 0.42 of the games against two ``value``, at a hundredth of their speed."""
_SLOW_FAMILY: Final = "rollout"
_NOBODY: Final = "none"

PLAYERS: Final = Param("players", int, 3, f"Number of players, {PLAYER_COUNTS[0]} to {PLAYER_COUNTS[-1]}.", "P")
STRATEGIES: Final = Param(
    "strategies",
    str,
    "value,greedy",
    "Each plays all of it, in all seats, to see whether the answer depends on who plays. Up to 4.",
    "A,B,…",
)
SEED: Final = Param("seed", int, 1, "Decides all chance, with each game's number.", "S")
RULES: Final = Param("rules", str, "base", "A rule set's name, or a .toml file with dials.", "NAME|FILE")
DIALS: Final = Param(
    "set", str, None, "Change a dial, such as display_size=6. May be repeated.", "DIAL=VALUE", many=True
)
POWERS_HELD: Final = Param(
    "powers",
    str,
    None,
    f"Great Powers of every seat: none, all, or some of {','.join(POWERS)}. [default: the rule set's]",
    "LIST",
)
SEAT_POWERS: Final = Param(
    "seat_powers",
    str,
    None,
    "Great Powers of one seat instead, such as 0=tree,scrap. May be repeated.",
    "SEAT=LIST",
    many=True,
)
GAMES: Final = Param("games", int, None, "Games in all, rounded up to a balanced number.", "N")
CHECK: Final = Param(
    "check",
    str,
    None,
    "A stronger player who answers the same in fewer games, to see whether the verdict holds; none for none. "
    f"[default: {USUAL_CHECK}, without --games]",
    "STRATEGY",
)
CHECK_GAMES: Final = Param(
    "check_games", int, None, "Games for --check, counted as for --games. [default: a few minutes' worth]", "N"
)


REFIT_GAMES: Final = Param(
    "refit_games", int, None, "With --refit: games that each of up to 4 steps of learning takes. [default: 20000]", "N"
)


def precision_of(what: str, unit: str, default: float) -> Param[float]:
    """Return the parameter that says how precise a question's main figure is to be.

    Parameters
    ----------
    what : str
        The figure, such as ``the main figure``.
    unit : str
        Its unit, in the plural.
    default : float
        Half of the width wanted where neither it nor games are given.

    Returns
    -------
    Param
        ``precision``.
    """
    said = f"Play until {what} is known to ± this many {unit}. [default: {default:g}, without --games]"
    return Param("precision", float, None, said, unit.upper() if unit != "VP" else unit)


COMMON: Final = (PLAYERS, STRATEGIES, SEED, RULES, DIALS, GAMES, precision_of("the main figure", "VP", 0.2))
"""What most questions are told; a question of its own may add to it."""
CHECKED: Final = (CHECK, CHECK_GAMES)


class TowersQuestion(Question):
    """A question about 5 Towers that up to four strategies answer, each by itself in all seats.

    Attributes
    ----------
    rules : RuleSet
        The rules.
    players : int
        Seats at a table.
    seed : int
        Decides all chance.
    """

    params = (*COMMON, *CHECKED)
    usual_check_games = 6_000
    rules: RuleSet
    players: int
    seed: int

    def prepare(self) -> None:
        """Read the rules, who plays, and where."""
        values = self.values
        self.rules = read_rules(values["rules"], values["set"] or ())
        if values.get("powers") is not None:
            self.rules = self.rules.with_powers(read_power_list(values["powers"]))
        self.players, self.seed = self.list_players()[0], values["seed"]
        self.strategies, self.labels = read_players(values["strategies"])
        self.seat(self.strategies[0])

    def list_players(self) -> tuple[int, ...]:
        """Return the numbers of players; where there are several, each is played by itself."""
        return (self.values["players"],)

    def seat(self, *strategies: str, **changes: Any) -> GameSetup:
        """Return games by the rules: one strategy for all seats or one for each, with dials changed by name.

        Raises
        ------
        RefusedError
            If there are none.
        """
        rules = replace(self.rules, **changes) if changes else self.rules
        return make_games(rules, self.players, strategies, self.seed)

    def describe(self) -> dict[str, Any]:
        """Return as plain JSON values what decides the games."""
        own = {param.name: self.values[param.name] for param in self.params if param.name not in _SHARED}
        given = {"rules": self.rules.to_dict(), "players": self.players, "strategies": list(self.strategies)}
        return {**given, "seed": self.seed, **own}

    def make_check(self) -> Self | None:
        """Return the same question to a stronger player, unless the values have it that nobody is asked."""
        if "check" not in self.values:
            return None
        check, games = self.values["check"], self.values["check_games"]
        unneeded = any(read_strategy(name).family == _SLOW_FAMILY for name in self.strategies)
        if nobody_checks(check, ("check_games", games), self.values["games"] is not None, unneeded):
            return None
        return self._ask_again(check or USUAL_CHECK, self.usual_check_games if games is None else games)

    def _ask_again(self, check: str, games: int) -> Self:
        try:
            name = read_strategy(check).name
        except StrategyError as error:
            raise RefusedError(f"check: {error}") from None
        if name in self.strategies:
            raise RefusedError(f"check is {check}; accepted is a strategy that isn't among strategies")
        given = {**self.values, "strategies": check, "games": games, "precision": None}
        try:
            return type(self)({**given, "check": _NOBODY, "check_games": None, **self.given_to_check()}, self.command)
        except RefusedError as error:
            text = str(error)
            raise RefusedError(f"check_{text}" if text.startswith("games") else f"check is {check}: {text}") from None

    def given_to_check(self) -> Mapping[str, Any]:
        """Return what is otherwise for the stronger player."""
        return {}

    def warm_up(self) -> None:
        """Load or compile the kernels for every kind of game."""
        warm_up_arms(self.arms)  # type: ignore[arg-type]

    def notes(self) -> list[str]:
        """Say by which tables strategies played, where they were learned on other rules."""
        from fivetowers_sim.experiments.knowledge import describe_unlearned

        names = [*self.strategies, *(self.check.strategies if self.check else ())]
        return describe_unlearned(names, {self.rules.name: self.rules})


_SHARED: Final = frozenset(param.name for param in (*COMMON, *CHECKED, POWERS_HELD))


def nobody_checks(check: str | None, amount: tuple[str, int | None], hurried: bool, unneeded: bool = False) -> bool:
    """Say whether nobody answers once more.

    Parameters
    ----------
    check : str or None
        Who is to, if that is said.
    amount : tuple of str, int or None
        The parameter that says how much is played for it, and its value.
    hurried : bool
        Whether it is said how much to play besides; then somebody checks only if that is asked for.
    unneeded : bool
        Whether nobody need, unless a strategy is named.

    Returns
    -------
    bool
        Whether nobody does.

    Raises
    ------
    RefusedError
        If it is said how much is played for nobody.
    """
    name, given = amount
    nobody = check == _NOBODY or (check is None and ((hurried and given is None) or unneeded))
    if nobody and given is not None:
        raise RefusedError(f"{name} is {given} and nobody checks; accepted is a strategy for --check too")
    return nobody


def warm_up_arms(arms: Iterable[GameSetup]) -> None:
    """Load or compile the kernels for every kind of game: other strategies, or the first with Great Powers."""
    kinds = {(frozenset(arm.strategies), any(arm.powers_by_seat)): arm for arm in arms}
    for arm in kinds.values():
        # A copy, or each would keep what it worked out.
        copy.copy(arm).warm_up()


def make_games(
    rules: RuleSet, players: int, strategies: Iterable[str], seed: int, powers: Iterable[str] | None = None
) -> GameSetup:
    """Return games by some rules, with Great Powers of every seat if not those of the rules.

    Raises
    ------
    RefusedError
        If there are none.
    """
    by_seat = None if powers is None or players not in PLAYER_COUNTS else [powers] * players
    try:
        return make_setup(rules, players, list(strategies), seed, by_seat)
    except StrategyError as error:
        raise RefusedError(f"strategies: {error}") from None
    except SetupError as error:
        raise RefusedError(str(error)) from None


def read_rules(rules: str, dials: Iterable[str] = (), which: str = "") -> RuleSet:
    """Load a rule set and change dials.

    Parameters
    ----------
    rules : str
        Its name, or a file.
    dials : iterable of str
        Each ``dial=value``.
    which : str
        How the names of the two parameters end, where there are several of each.

    Returns
    -------
    RuleSet
        The rule set.

    Raises
    ------
    RefusedError
        If something isn't accepted.
    """
    try:
        loaded = load_rules(rules)
    except RuleSetError as error:
        raise RefusedError(f"rules{which}: {error}") from None
    try:
        return set_dials(loaded, dials)
    except RuleSetError as error:
        raise RefusedError(str(error).replace("--set", f"--set{which.replace('_', '-')}", 1)) from None


def read_power_list(text: str, option: str = "") -> tuple[str, ...]:
    """Read ``none``, ``all`` or names of Great Powers separated by commas; RefusedError if they aren't."""
    if text in ("none", "all"):
        return POWERS if text == "all" else ()
    option = option or f"--powers {text}"
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in POWERS:
            accepted = f"none, all or some of {','.join(POWERS)}"
            raise RefusedError(f"{option}: there is no power {name!r}; accepted is {accepted}")
        if names.count(name) > 1:
            raise RefusedError(f"{option}: {name} is named twice; accepted is each power once")
    return names


def read_refit(refit: bool, games: int | None, arms: Sequence[GameSetup]) -> Refit | None:
    """Read from how many games tables are learned anew, if they are; RefusedError if that isn't accepted."""
    from fivetowers_sim.experiments.refit import Refit, RefitError, check_refit

    if not refit:
        if games is not None:
            raise RefusedError(f"refit_games is {games} without --refit; accepted are both, or neither")
        return None
    try:
        read = Refit() if games is None else Refit(games)
        check_refit(arms, read)
    except RefitError as error:
        raise RefusedError(str(error)) from None
    return read


def read_powers(
    players: int, default: Iterable[str], powers: str | None, seat_powers: Iterable[str] | None
) -> list[tuple[str, ...]]:
    """Find out which Great Powers each seat has.

    Parameters
    ----------
    players : int
        Number of seats.
    default : iterable of str
        The rule set's own powers, which hold where nothing else is said.
    powers : str, optional
        Those of every seat.
    seat_powers : iterable of str, optional
        Those of single seats, each ``seat=powers``.

    Returns
    -------
    list of tuple of str
        The powers of each seat.

    Raises
    ------
    RefusedError
        For an unknown power, or a seat that isn't there or is given twice, or a wrong number of players.
    """
    if players not in PLAYER_COUNTS:
        raise RefusedError(f"players is {players}; accepted is {PLAYER_COUNTS[0]} to {PLAYER_COUNTS[-1]}")
    for_all = tuple(default) if powers is None else read_power_list(powers)
    by_seat: dict[int, tuple[str, ...]] = {}
    for given in seat_powers or ():
        option = f"--seat-powers {given}"
        seat_text, equals, names = (part.strip() for part in given.partition("="))
        if not equals:
            raise RefusedError(f"{option}: accepted is seat=powers, for example 0=tree,scrap")
        if seat_text not in map(str, range(players)):
            raise RefusedError(f"{option}: there is no seat {seat_text!r}; accepted is 0 to {players - 1}")
        if int(seat_text) in by_seat:
            raise RefusedError(f"{option}: seat {seat_text} is given twice; accepted is each seat once")
        by_seat[int(seat_text)] = read_power_list(names, option)
    return [by_seat.get(seat, for_all) for seat in range(players)]


def read_players(text: str, fewest: int = 1, most: int = MOST_STRATEGIES) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Read who is asked.

    Parameters
    ----------
    text : str
        Strategies that differ, separated by commas.
    fewest, most : int
        How many are accepted.

    Returns
    -------
    tuple of (tuple of str, tuple of str)
        Their names in full, and what tables call them.

    Raises
    ------
    RefusedError
        If there are too few or too many, two are the same, or one isn't accepted.
    """
    try:
        read = [read_strategy(name.strip()) for name in text.split(",")]
    except StrategyError as error:
        raise RefusedError(f"strategies: {error}") from None
    names = tuple(strategy.name for strategy in read)
    if not fewest <= len(names) <= most or len(set(names)) < len(names):
        raise RefusedError(f"strategies names {', '.join(names)}; accepted is {fewest} to {most} different ones")
    labels = tuple(strategy.short_name for strategy in read)
    return names, labels if len(set(labels)) == len(names) else names
