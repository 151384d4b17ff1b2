"""The options that have a stronger player answer the same, and what is said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from fivetowers_sim.cli.choice import read_strategies
from fivetowers_sim.cli.errors import UsageError
from fivetowers_sim.cli.whole_number import read_whole_number

if TYPE_CHECKING:
    from fivetowers_sim.experiments.check import Check

NOBODY: Final = "none"
_SLOW_FAMILY: Final = "rollout"

CheckBy = Annotated[
    str | None,
    typer.Option(
        "--check",
        metavar="STRATEGY",
        help="A stronger player who answers the same in fewer games, to see whether the verdict holds; none for "
        "none. [default: rollout:rollouts=20:ahead=2, without --games]",
    ),
]
CheckGames = Annotated[
    int | None,
    typer.Option(
        "--check-games",
        metavar="N",
        parser=read_whole_number,
        help="Games for --check, counted as for --games. [default: a few minutes' worth]",
    ),
]


def read_check(
    check: str | None, check_games: int | None, usual_games: int, hurried: bool, others: str
) -> Check | None:
    """Return who answers once more.

    Parameters
    ----------
    check, check_games : str or None, int or None
        Values of ``--check`` and ``--check-games``.
    usual_games : int
        How many games unless they are given.
    hurried : bool
        Whether the user said how much to play; then nobody answers once more unless that is asked for.
    others : str
        Value of ``--strategies``. Where a slow one is among them, nobody need answer once more.

    Returns
    -------
    Check or None
        Who, and in how many games.

    Raises
    ------
    UsageError
        If games are given for nobody, or a strategy isn't accepted.
    """
    from fivetowers_sim.experiments.check import USUAL_CHECK, Check

    unneeded = any(one.family == _SLOW_FAMILY for one in read_strategies(others))
    if nobody_checks(check, ("--check-games", check_games), hurried, unneeded):
        return None
    return Check(check or USUAL_CHECK, usual_games if check_games is None else check_games)


def nobody_checks(check: str | None, amount: tuple[str, int | None], hurried: bool, unneeded: bool = False) -> bool:
    """Say whether options have it that nobody answers once more.

    Parameters
    ----------
    check : str or None
        Value of ``--check``.
    amount : tuple of str, int or None
        The option that says how much is played for it, and its value.
    hurried : bool
        Whether the user said how much to play besides; then somebody checks only if that is asked for.
    unneeded : bool
        Whether nobody need, unless a strategy is named.

    Returns
    -------
    bool
        Whether nobody does.

    Raises
    ------
    UsageError
        If it is said how much is played for nobody.
    """
    option, given = amount
    nobody = check == NOBODY or (check is None and ((hurried and given is None) or unneeded))
    if nobody and given is not None:
        raise UsageError(f"{option} is {given} and nobody checks; accepted is a strategy for --check too")
    return nobody


def describe_check(outcome: Any, how_much: str) -> str:
    """Say above its figures who answered once more, and how much was played for that.

    Parameters
    ----------
    outcome : outcome of an experiment
        That of the check.
    how_much : str
        What was played, without a full stop.

    Returns
    -------
    str
        A sentence.
    """
    return f"The check: the same with {outcome.asked.labels[0]} in all seats ({how_much}):"
