"""Which games to play: the options that every command that plays games shares, and what they mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer

from fivetowers_sim.cli.errors import UsageError, name_option
from fivetowers_sim.cli.whole_number import read_whole_number
from fivetowers_sim.rules.ruleset import RuleSet, RuleSetError
from fivetowers_sim.rules.ruleset_files import load_rules
from fivetowers_sim.rules.ruleset_files import set_dials as change_dials

if TYPE_CHECKING:
    from fivetowers_sim.engine.setup import GameSetup
    from fivetowers_sim.strategies.parameters import Strategy

Players = Annotated[
    int, typer.Option("--players", metavar="P", parser=read_whole_number, help="Number of players, 2 to 5.")
]
Strategies = Annotated[
    str,
    typer.Option(
        "--strategies",
        metavar="A,B,C",
        help="One strategy for each seat, or one for all. With parameters: greedy:misjudge=0.05.",
    ),
]
Seed = Annotated[
    int,
    typer.Option("--seed", metavar="S", parser=read_whole_number, help="Decides all chance, with each game's number."),
]
Powers = Annotated[
    str | None,
    typer.Option(
        "--powers",
        metavar="LIST",
        help="Great Powers of every seat: none, all, or some of tree,scrap,sand,pairs. [default: the rule set's]",
    ),
]
SeatPowers = Annotated[
    list[str] | None,
    typer.Option(
        "--seat-powers",
        metavar="SEAT=LIST",
        help="Great Powers of one seat instead, such as 0=tree,scrap. May be repeated.",
    ),
]
Rules = Annotated[
    str, typer.Option("--rules", metavar="NAME|FILE", help="A rule set's name, or a .toml file with dials.")
]
Dials = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="DIAL=VALUE", help="Change a dial, such as display_size=6. May be repeated."),
]
Seating = Annotated[
    str | None,
    typer.Option(
        "--seating",
        metavar="WORD",
        help="rotate: strategies move one seat on with every game; fixed: they stay. "
        "[default: rotate if the strategies differ]",
    ),
]

DEFAULT_PLAYERS: Final = 3
DEFAULT_STRATEGIES: Final = "greedy"
DEFAULT_SEED: Final = 1
DEFAULT_RULES: Final = "base"


def read_setup(
    players: int = DEFAULT_PLAYERS,
    strategies: str = DEFAULT_STRATEGIES,
    seed: int = DEFAULT_SEED,
    powers: str | None = None,
    seat_powers: Sequence[str] | None = None,
    rules: str = DEFAULT_RULES,
    set_dials: Sequence[str] | None = None,
    seating: str | None = None,
) -> GameSetup:
    """Make a setup of the options that choose games.

    Parameters
    ----------
    players : int
        Value of ``--players``.
    strategies : str
        Value of ``--strategies``: one name for all seats, or one for each, separated by commas.
    seed : int
        Value of ``--seed``.
    powers : str, optional
        Value of ``--powers``; the rule set's own powers if not given.
    seat_powers : sequence of str, optional
        Values of ``--seat-powers``, each ``seat=powers``.
    rules : str
        Value of ``--rules``.
    set_dials : sequence of str, optional
        Values of ``--set``, each ``dial=value``.
    seating : str, optional
        Value of ``--seating``.

    Returns
    -------
    GameSetup
        The games to play.

    Raises
    ------
    UsageError
        Naming the option, what was given and what is accepted.
    """
    from fivetowers_sim.engine.setup import SetupError, make_setup
    from fivetowers_sim.strategies.parameters import StrategyError

    rule_set = read_rules(rules, set_dials)
    by_seat = read_powers(players, rule_set.powers, powers, seat_powers)
    names = [name.strip() for name in strategies.split(",")]
    try:
        return make_setup(rule_set, players, names, seed, by_seat, seating)
    except StrategyError as error:
        raise UsageError(f"--strategies: {error}") from None
    except SetupError as error:
        raise UsageError(name_option(error)) from None


def read_strategies(strategies: str) -> list[Strategy]:
    """Read the value of ``--strategies``; UsageError if one isn't accepted."""
    from fivetowers_sim.strategies.families import read_strategy
    from fivetowers_sim.strategies.parameters import StrategyError

    try:
        return [read_strategy(name) for name in strategies.split(",")]
    except StrategyError as error:
        raise UsageError(f"--strategies: {error}") from None


def read_rules(rules: str, set_dials: Sequence[str] | None = None) -> RuleSet:
    """Load a rule set and change the dials that were set.

    Parameters
    ----------
    rules : str
        Value of ``--rules``.
    set_dials : sequence of str, optional
        Values of ``--set``.

    Returns
    -------
    RuleSet
        The rule set.

    Raises
    ------
    UsageError
        Naming the option, the dial, what was given and what is accepted.
    """
    try:
        loaded = load_rules(rules)
    except RuleSetError as error:
        raise UsageError(f"--rules: {error}") from None
    try:
        return change_dials(loaded, set_dials or ())
    except RuleSetError as error:
        raise UsageError(str(error)) from None


def read_powers(
    players: int, default: Iterable[str], powers: str | None, seat_powers: Sequence[str] | None
) -> list[tuple[str, ...]]:
    """Find out which Great Powers each seat has.

    Parameters
    ----------
    players : int
        Number of seats.
    default : iterable of str
        The rule set's own powers, which hold where no option says otherwise.
    powers : str, optional
        Value of ``--powers``.
    seat_powers : sequence of str, optional
        Values of ``--seat-powers``.

    Returns
    -------
    list of tuple of str
        The powers of each seat.

    Raises
    ------
    UsageError
        For an unknown power, or a seat that isn't there or is given twice, or a wrong number of players.
    """
    from fivetowers_sim.bench.params import RefusedError
    from fivetowers_sim.game import read_powers as read

    try:
        return read(players, default, powers, seat_powers)
    except RefusedError as error:
        text = str(error)
        raise UsageError(text if text.startswith("--") else name_option(error)) from None
