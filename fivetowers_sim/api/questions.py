"""Ask a question: each function plays what its command plays, and returns what was found."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from fivetowers_sim.api.arguments import Dials, Names, Where, find_function
from fivetowers_sim.api.calls import call, place_for, refuse_resuming_nothing, write_aside
from fivetowers_sim.api.result import Result

# They say where a folder is, which nobody wants to know of a temporary one.
_LAST_WORDS: Final = re.compile(r"^[A-Z][a-z, ]+ are in\s+[^;]+\Z", re.MULTILINE)


def bid_values(
    *,
    players: int = 3,
    strategies: Names = "value,greedy,cautious",
    powers: Names | None = None,
    seed: int = 1,
    rules: Where = "base",
    set: Dials | None = None,
    games: int | str | None = None,
    precision: float | None = None,
    futures: int = 8,
    check: str | None = None,
    check_games: int | str | None = None,
    workers: int | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    out: Where | None = None,
    resume: bool = False,
    quiet: bool = False,
) -> Result:
    """Find out what each bid is worth against passing, at the very same decisions and in the same futures.

    Parameters
    ----------
    players : int
        Number of players, 2 to 5.
    strategies : str or sequence of str
        Each plays all of it, in all seats, to see whether the answer depends on who plays. Up to 4.
    powers : str or sequence of str, optional
        Great Powers of every seat: ``none``, ``all``, or some of ``tree``, ``scrap``, ``sand`` and ``pairs``. The rule
        set's if not given.
    seed : int
        Decides all chance, with each game's number.
    rules : str or Path
        A rule set's name, or a ``.toml`` file with dials.
    set : mapping of str to object, optional
        Dials to change, such as ``{"display_size": 6}``.
    games : int, optional
        Decisions of each strategy, one a game.
    precision : float, optional
        Play until each bid is known to ± this many VP; 0.2 if neither this nor ``games`` is given.
    futures : int
        Futures in which all bids are tried.
    check : str, optional
        A stronger player who answers the same in fewer games, to see whether the verdict holds; ``none`` for none.
        Without ``games`` it is ``rollout:rollouts=20:ahead=2`` if not given.
    check_games : int, optional
        Games for ``check``; a few minutes' worth if not given.
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
    return _ask("bid-values", locals())


def teardown_costs(
    *,
    players: int = 3,
    strategies: Names = "value,greedy",
    costs: str | Sequence[Sequence[int]] | None = None,
    seed: int = 1,
    rules: Where = "base",
    set: Dials | None = None,
    refit: bool | None = None,
    refit_games: int | str | None = None,
    decisions: int | str | None = None,
    futures: int | None = None,
    games: int | str | None = None,
    precision: float | None = None,
    check: str | None = None,
    check_games: int | str | None = None,
    workers: int | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    out: Where | None = None,
    resume: bool = False,
    quiet: bool = False,
) -> Result:
    """Say what tearing down is worth and what its costs do: several schedules on the same deals, one seat held back.

    The main figure is the VP that a seat which never tears down loses.

    Parameters
    ----------
    players : int
        Number of players, 2 to 5.
    strategies : str or sequence of str
        Each plays all of it, in all seats, to see whether the answer depends on who plays. Up to 4.
    costs : sequence of sequence of int, optional
        Other schedules to try, as the dial ``teardown_costs`` is written, such as ``[[0], [2, 2], [1, 3]]``. Free, 1
        each, 2 each, 1-2-3 and 1-2-4-8 if not given.
    seed : int
        Decides all chance, with each game's number.
    rules : str or Path
        A rule set's name, or a ``.toml`` file with dials.
    set : mapping of str to object, optional
        Dials to change, such as ``{"display_size": 6}``.
    refit : bool, optional
        Whether first to learn the tables of ``value``, and of presets made of it, anew for each schedule. So it is, if
        not given and anybody plays by such tables.
    refit_games : int, optional
        With ``refit``: games that each of up to 4 steps of learning takes, 20000 if not given.
    decisions : int, optional
        Decisions of each strategy at which the best with a teardown is played on against the best without; 0 for none,
        12000 if not given.
    futures : int, optional
        Futures of each decision, an even number; 32 if not given.
    games : int, optional
        Games in all, rounded up to a balanced number.
    precision : float, optional
        Play until the main figure is known to ± this many VP; 0.2 if neither this nor ``games`` is given.
    check : str, optional
        A stronger player who answers the same in fewer games, to see whether the verdict holds; ``none`` for none.
        Without ``games`` it is ``rollout:rollouts=20:ahead=2`` if not given.
    check_games : int, optional
        Games for ``check``; a few minutes' worth if not given.
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
    return _ask("teardown-costs", locals())


def powers(
    *,
    players: int = 3,
    strategies: Names = "value,greedy",
    seed: int = 1,
    rules: Where = "base",
    set: Dials | None = None,
    games: int | str | None = None,
    precision: float | None = None,
    check: str | None = None,
    check_games: int | str | None = None,
    workers: int | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    out: Where | None = None,
    resume: bool = False,
    quiet: bool = False,
) -> Result:
    """Rank the Great Powers: all 16 sets on the same deals, for everyone and for each seat alone.

    The main figure is each power's Shapley share of the VP that powers bring the one seat with them.

    Parameters
    ----------
    players : int
        Number of players, 2 to 5.
    strategies : str or sequence of str
        Each plays all of it, in all seats, to see whether the answer depends on who plays. Up to 4.
    seed : int
        Decides all chance, with each game's number.
    rules : str or Path
        A rule set's name, or a ``.toml`` file with dials.
    set : mapping of str to object, optional
        Dials to change, such as ``{"display_size": 6}``.
    games : int, optional
        Games in all, rounded up to a balanced number.
    precision : float, optional
        Play until the main figure is known to ± this many VP; 0.2 if neither this nor ``games`` is given.
    check : str, optional
        A stronger player who answers the same in fewer games, to see whether the verdict holds; ``none`` for none.
        Without ``games`` it is ``rollout:rollouts=20:ahead=2`` if not given.
    check_games : int, optional
        Games for ``check``; a few minutes' worth if not given.
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
    return _ask("powers", locals())


def game_shape(
    *,
    players: int | Sequence[int] | str = 3,
    strategies: Names = "value,greedy",
    powers: Names | None = None,
    seed: int = 1,
    rules: Where = "base",
    set: Dials | None = None,
    games: int | str | None = None,
    precision: float | None = None,
    check: str | None = None,
    check_games: int | str | None = None,
    workers: int | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    out: Where | None = None,
    resume: bool = False,
    quiet: bool = False,
) -> Result:
    """Say who wins from which seat, what scores are made of, how the lead goes, and what is luck.

    Parameters
    ----------
    players : int or sequence of int
        Numbers of players, each 2 to 5 and played by itself.
    strategies : str or sequence of str
        Each plays in all seats, and in each seat among the first. Up to 4.
    powers : str or sequence of str, optional
        Great Powers of every seat: ``none``, ``all``, or some of ``tree``, ``scrap``, ``sand`` and ``pairs``. The rule
        set's if not given.
    seed : int
        Decides all chance, with each game's number.
    rules : str or Path
        A rule set's name, or a ``.toml`` file with dials.
    set : mapping of str to object, optional
        Dials to change, such as ``{"display_size": 6}``.
    games : int, optional
        Games in all, rounded up to a balanced number.
    precision : float, optional
        Play until every seat's win share is known to ± this many points; 0.5 if neither this nor ``games`` is given.
    check : str, optional
        A stronger player who answers the same in fewer games, to see whether the verdict holds; ``none`` for none.
        Without ``games`` it is ``rollout:rollouts=20:ahead=2`` if not given.
    check_games : int, optional
        Games for ``check``; a few minutes' worth if not given.
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
    return _ask("game-shape", locals())


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
    return _ask("tournament", locals())


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
    return _ask("compare", locals())


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
    return _ask("sweep", locals())


def open_result(folder: Where) -> Result:
    """Open the folder of an experiment that was played before, by a command or from here.

    Parameters
    ----------
    folder : str or Path
        The folder.

    Returns
    -------
    Result
        What was found.

    Raises
    ------
    RunError
        If it isn't a complete experiment's folder, or a file isn't as it was written.
    """
    with call("report", {"folders": [folder]}) as given:
        return Result(given["folders"][0])


def _ask(command: str, given: Mapping[str, Any]) -> Result:
    """Carry a question's command out, and read the folder that it writes."""
    with call(command, given) as arguments, place_for(arguments.pop("out"), command) as (place, keeper):
        refuse_resuming_nothing(arguments["resume"], keeper)
        text = write_aside(lambda: find_function(command)(**arguments, out=place))
        return Result(place, text if keeper is None else _LAST_WORDS.sub("", text), keeper)
