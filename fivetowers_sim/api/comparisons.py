"""Compare strategies or rule sets: each function plays what its command plays, and returns what was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fivetowers_sim.api.arguments import Dials, Names, Where
from fivetowers_sim.api.asking import find_out
from fivetowers_sim.api.result import Result


def tournament(
    *,
    strategies: Names,
    players: int = 3,
    games: int | str | None = None,
    precision: float | None = None,
    seed: int = 1,
    powers: Names | None = None,
    seat_powers: Mapping[int, Names] | Sequence[str] | None = None,
    rules: Where = "base",
    set: Dials | None = None,
    workers: int | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    out: Where | None = None,
    resume: bool = False,
    best_response: bool = False,
    quiet: bool = False,
) -> Result:
    """Rank strategies: every line-up of them, in every order, on the same deals, seats rotating.

    Parameters
    ----------
    strategies : str or sequence of str
        Two strategies or more, whatever the number of players.
    players : int
        Number of players, 2 to 5.
    games : int, optional
        Games in all, rounded up to a balanced number.
    precision : float, optional
        Play until every win share is known to ± this; 0.01 if neither this nor ``games`` is given.
    seed : int
        Decides all chance, with each game's number.
    powers : str or sequence of str, optional
        Great Powers of every seat: ``none``, ``all``, or some of ``tree``, ``scrap``, ``sand`` and ``pairs``. The rule
        set's if not given.
    seat_powers : mapping of int to powers, optional
        Great Powers of single seats instead, such as ``{0: ["tree", "scrap"]}``.
    rules : str or Path
        A rule set's name, or a ``.toml`` file with dials.
    set : mapping of str to object, optional
        Dials to change, such as ``{"display_size": 6}``.
    workers, backend, scheduler : int, str, str
        Who plays, as for ``simulate``.
    out : str or Path, optional
        A new folder for figures, tables, pictures and what is played. Without it they are in a temporary one, which
        goes when the result does.
    resume : bool
        Whether to go on with what was begun in ``out``.
    best_response : bool
        Whether also to tune a strategy against the field, and measure what it gains.
    quiet : bool
        Whether to show no progress.

    Returns
    -------
    Result
        What was found: ``verdicts``, ``frame()``, ``pictures``, ``save``.

    Raises
    ------
    ValueError
        For what isn't accepted.
    RunError, BatchError
        If the folder can't be used, or games failed.
    """
    return find_out("tournament", locals())


def compare(
    rules_a: Where,
    rules_b: Where,
    *,
    set_a: Dials | None = None,
    set_b: Dials | None = None,
    players: int = 3,
    strategies: Names = "value",
    powers: Names | None = None,
    seed: int = 1,
    refit: bool = False,
    refit_games: int | str | None = None,
    games: int | str | None = None,
    precision: float | None = None,
    workers: int | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    out: Where | None = None,
    resume: bool = False,
    quiet: bool = False,
) -> Result:
    """Play two rule sets on the same deals, and say which figures differ.

    Parameters
    ----------
    rules_a, rules_b : str or Path
        Two rule sets by name, or ``.toml`` files with dials. They may be the same, with ``set_b``.
    set_a, set_b : mapping of str to object, optional
        Dials to change in each, such as ``{"display_size": 6}``.
    players : int
        Number of players, 2 to 5.
    strategies : str or sequence of str
        One strategy for each seat, or one for all. With parameters: ``greedy:misjudge=0.05``.
    powers : str or sequence of str, optional
        Great Powers of every seat: ``none``, ``all``, or some of ``tree``, ``scrap``, ``sand`` and ``pairs``. The rule
        set's if not given.
    seed : int
        Decides all chance, with each game's number.
    refit : bool
        Whether first to learn the tables of ``value``, and of presets made of it, anew for each rule set.
    refit_games : int, optional
        With ``refit``: games that each of up to 4 steps of learning takes, 20000 if not given.
    games : int, optional
        Games in all, rounded up to a balanced number.
    precision : float, optional
        Play until the difference in each seat's VP is known to ± this; 0.2 if neither this nor ``games`` is given.
    workers, backend, scheduler : int, str, str
        Who plays, as for ``simulate``.
    out : str or Path, optional
        A new folder for figures, tables, pictures and what is played. Without it they are in a temporary one, which
        goes when the result does.
    resume : bool
        Whether to go on with what was begun in ``out``.
    quiet : bool
        Whether to show no progress.

    Returns
    -------
    Result
        What was found: ``verdicts``, ``frame()``, ``pictures``, ``save``.

    Raises
    ------
    ValueError
        For what isn't accepted.
    RunError, BatchError
        If the folder can't be used, or games failed.
    """
    return find_out("compare", locals())


def sweep(
    *,
    set: Mapping[str, object] | Sequence[str],
    grid: bool = False,
    rules: Where = "base",
    players: int = 3,
    strategies: Names = "value",
    powers: Names | None = None,
    seed: int = 1,
    refit: bool = False,
    refit_games: int | str | None = None,
    games: int | str | None = None,
    precision: float | None = None,
    workers: int | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    out: Where | None = None,
    resume: bool = False,
    quiet: bool = False,
) -> Result:
    """Turn dials and play every value on the same deals, and say which figures it changes.

    Every value is compared with the rule set as it is.

    Parameters
    ----------
    set : mapping of str to sequence
        Dial to the values that it is to take, such as ``{"display_size": [4, 6, 7]}``; those of a dial that is a list
        are lists.
    grid : bool
        Whether to play every combination of values, instead of one dial at a time.
    rules : str or Path
        A rule set's name, or a ``.toml`` file with dials.
    players : int
        Number of players, 2 to 5.
    strategies : str or sequence of str
        One strategy for each seat, or one for all. With parameters: ``greedy:misjudge=0.05``.
    powers : str or sequence of str, optional
        Great Powers of every seat: ``none``, ``all``, or some of ``tree``, ``scrap``, ``sand`` and ``pairs``. The rule
        set's if not given.
    seed : int
        Decides all chance, with each game's number.
    refit : bool
        Whether first to learn the tables of ``value``, and of presets made of it, anew for each rule set.
    refit_games : int, optional
        With ``refit``: games that each of up to 4 steps of learning takes, 20000 if not given.
    games : int, optional
        Games in all, rounded up to a balanced number.
    precision : float, optional
        Play until the difference in each seat's VP is known to ± this; 0.2 if neither this nor ``games`` is given.
    workers, backend, scheduler : int, str, str
        Who plays, as for ``simulate``.
    out : str or Path, optional
        A new folder for figures, tables, pictures and what is played. Without it they are in a temporary one, which
        goes when the result does.
    resume : bool
        Whether to go on with what was begun in ``out``.
    quiet : bool
        Whether to show no progress.

    Returns
    -------
    Result
        What was found: ``verdicts``, ``frame()``, ``pictures``, ``save``.

    Raises
    ------
    ValueError
        For what isn't accepted.
    RunError, BatchError
        If the folder can't be used, or games failed.
    """
    return find_out("sweep", locals())
