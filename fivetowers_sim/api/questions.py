"""Ask about the game: each function plays what its command plays, and returns what was found."""

from __future__ import annotations

from collections.abc import Sequence

from fivetowers_sim.api.arguments import Dials, Names, Where
from fivetowers_sim.api.asking import find_out
from fivetowers_sim.api.result import Result


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
    return find_out("bid-values", locals())


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
    return find_out("teardown-costs", locals())


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
    return find_out("powers", locals())


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
    return find_out("game-shape", locals())
