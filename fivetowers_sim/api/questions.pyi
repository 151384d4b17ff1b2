# Written by python -m fivetowers_sim.api.typed_questions.
from fivetowers_sim.api.arguments import Amount, Amounts, Dials, Lists, Names, Number, SeatPowers, Values, Where
from fivetowers_sim.api.result import Result

def bid_values(
    *,
    players: Amount = 3,
    strategies: Names = "value,greedy,cautious",
    powers: Names | None = None,
    seed: Amount = 1,
    rules: Where = "base",
    set: Dials | None = None,
    games: Amount | None = None,
    precision: Number | None = None,
    futures: Amount = 8,
    check: str | None = None,
    check_games: Amount | None = None,
    workers: Amount | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    out: Where | None = None,
    resume: bool = False,
    quiet: bool = False,
) -> Result:
    """Find out what each bid is worth against passing, at the very same decisions and in the same futures.

    The main figure, for ``precision``, is the VP that each bid brings the seat that says it.

    Parameters
    ----------
    players : int, optional
        Number of players, 2 to 5.
    strategies : str or sequence of str, optional
        Each plays all of it, in all seats, to see whether the answer depends on who plays. Up to 4.
    powers : str or sequence of str, optional
        Great Powers of every seat: none, all, or some of tree,scrap,sand,pairs. By default the rule set's.
    seed : int, optional
        Decides all chance, with each game's number.
    rules : str or Path, optional
        A rule set's name, or a .toml file with dials.
    set : mapping of str to object, optional
        Dials to change, such as ``{"display_size": 6}``.
    games : int, optional
        Decisions of each strategy, one a game.
    precision : float, optional
        Play until each bid is known to ± this many VP. By default 0.2, without ``games``.
    futures : int, optional
        Futures in which all bids are tried.
    check : str, optional
        A stronger player who answers the same in fewer games, to see whether the verdict holds; none for none. By
        default rollout:rollouts=20:ahead=2, without ``games``.
    check_games : int, optional
        Games for ``check``, counted as for ``games``. By default a few minutes' worth.
    workers : int, optional
        Parts played at the same time; -1: all cores, or all of the cluster; -2: all but one. By default -1.
    backend : str, optional
        Workers are threads, processes, a Dask cluster's (dask), or those of a backend registered with joblib.
    scheduler : str, optional
        With ``backend`` dask: a running cluster's, such as tcp://10.0.0.1:8786. By default one of this machine's.
    out : str or Path, optional
        A new folder for figures, tables, pictures and what is played. Without it they are in a temporary one, which
        goes when the result does.
    resume : bool, optional
        Whether to go on with what was begun in ``out``.
    quiet : bool, optional
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

def compare(
    rules_a: Where,
    rules_b: Where,
    *,
    set_a: Dials | None = None,
    set_b: Dials | None = None,
    players: Amount = 3,
    strategies: Names = "value",
    powers: Names | None = None,
    seed: Amount = 1,
    games: Amount | None = None,
    precision: Number | None = None,
    refit: bool = False,
    refit_games: Amount | None = None,
    workers: Amount | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    out: Where | None = None,
    resume: bool = False,
    quiet: bool = False,
) -> Result:
    """Play two rule sets on the same deals, and say which figures differ.

    The main figure, for ``precision``, is the difference in each seat's VP.

    Parameters
    ----------
    rules_a : str or Path
        A rule set's name, or a .toml file with dials.
    rules_b : str or Path
        Another; or the same, with ``set_b``.
    set_a : mapping of str to object, optional
        Dials to change, such as ``{"display_size": 6}``.
    set_b : mapping of str to object, optional
        Dials to change, such as ``{"display_size": 6}``.
    players : int, optional
        Number of players, 2 to 5.
    strategies : str or sequence of str, optional
        One strategy for each seat, or one for all. With parameters: greedy:misjudge=0.05.
    powers : str or sequence of str, optional
        Great Powers of every seat: none, all, or some of tree,scrap,sand,pairs. By default the rule set's.
    seed : int, optional
        Decides all chance, with each game's number.
    games : int, optional
        Games in all, rounded up to a balanced number.
    precision : float, optional
        Play until the main figure is known to ± this many VP. By default 0.2, without ``games``.
    refit : bool, optional
        First learn the tables of value, and of presets made of it, anew for each rule set.
    refit_games : int, optional
        With ``refit``: games that each of up to 4 steps of learning takes. By default 20000.
    workers : int, optional
        Parts played at the same time; -1: all cores, or all of the cluster; -2: all but one. By default -1.
    backend : str, optional
        Workers are threads, processes, a Dask cluster's (dask), or those of a backend registered with joblib.
    scheduler : str, optional
        With ``backend`` dask: a running cluster's, such as tcp://10.0.0.1:8786. By default one of this machine's.
    out : str or Path, optional
        A new folder for figures, tables, pictures and what is played. Without it they are in a temporary one, which
        goes when the result does.
    resume : bool, optional
        Whether to go on with what was begun in ``out``.
    quiet : bool, optional
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

def game_shape(
    *,
    players: Amounts = "3",
    strategies: Names = "value,greedy",
    powers: Names | None = None,
    seed: Amount = 1,
    rules: Where = "base",
    set: Dials | None = None,
    games: Amount | None = None,
    precision: Number | None = None,
    check: str | None = None,
    check_games: Amount | None = None,
    workers: Amount | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    out: Where | None = None,
    resume: bool = False,
    quiet: bool = False,
) -> Result:
    """Say who wins from which seat, what scores are made of, how the lead goes, and what is luck.

    The main figure, for ``precision``, is each seat's win share.

    Parameters
    ----------
    players : int or sequence of int, optional
        Numbers of players, each 2 to 5 and played by itself.
    strategies : str or sequence of str, optional
        Each plays in all seats, and in each seat among the first. Up to 4.
    powers : str or sequence of str, optional
        Great Powers of every seat: none, all, or some of tree,scrap,sand,pairs. By default the rule set's.
    seed : int, optional
        Decides all chance, with each game's number.
    rules : str or Path, optional
        A rule set's name, or a .toml file with dials.
    set : mapping of str to object, optional
        Dials to change, such as ``{"display_size": 6}``.
    games : int, optional
        Games in all, rounded up to a balanced number.
    precision : float, optional
        Play until every seat's win share is known to ± this many points. By default 0.5, without ``games``.
    check : str, optional
        A stronger player who answers the same in fewer games, to see whether the verdict holds; none for none. By
        default rollout:rollouts=20:ahead=2, without ``games``.
    check_games : int, optional
        Games for ``check``, counted as for ``games``. By default a few minutes' worth.
    workers : int, optional
        Parts played at the same time; -1: all cores, or all of the cluster; -2: all but one. By default -1.
    backend : str, optional
        Workers are threads, processes, a Dask cluster's (dask), or those of a backend registered with joblib.
    scheduler : str, optional
        With ``backend`` dask: a running cluster's, such as tcp://10.0.0.1:8786. By default one of this machine's.
    out : str or Path, optional
        A new folder for figures, tables, pictures and what is played. Without it they are in a temporary one, which
        goes when the result does.
    resume : bool, optional
        Whether to go on with what was begun in ``out``.
    quiet : bool, optional
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

def powers(
    *,
    players: Amount = 3,
    strategies: Names = "value,greedy",
    seed: Amount = 1,
    rules: Where = "base",
    set: Dials | None = None,
    games: Amount | None = None,
    precision: Number | None = None,
    check: str | None = None,
    check_games: Amount | None = None,
    workers: Amount | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    out: Where | None = None,
    resume: bool = False,
    quiet: bool = False,
) -> Result:
    """Rank the Great Powers: all 16 sets on the same deals, for everyone and for each seat alone.

    The main figure, for ``precision``, is each power's Shapley share of the VP that powers bring the one seat with
    them.

    Parameters
    ----------
    players : int, optional
        Number of players, 2 to 5.
    strategies : str or sequence of str, optional
        Each plays all of it, in all seats, to see whether the answer depends on who plays. Up to 4.
    seed : int, optional
        Decides all chance, with each game's number.
    rules : str or Path, optional
        A rule set's name, or a .toml file with dials.
    set : mapping of str to object, optional
        Dials to change, such as ``{"display_size": 6}``.
    games : int, optional
        Games in all, rounded up to a balanced number.
    precision : float, optional
        Play until the main figure is known to ± this many VP. By default 0.2, without ``games``.
    check : str, optional
        A stronger player who answers the same in fewer games, to see whether the verdict holds; none for none. By
        default rollout:rollouts=20:ahead=2, without ``games``.
    check_games : int, optional
        Games for ``check``, counted as for ``games``. By default a few minutes' worth.
    workers : int, optional
        Parts played at the same time; -1: all cores, or all of the cluster; -2: all but one. By default -1.
    backend : str, optional
        Workers are threads, processes, a Dask cluster's (dask), or those of a backend registered with joblib.
    scheduler : str, optional
        With ``backend`` dask: a running cluster's, such as tcp://10.0.0.1:8786. By default one of this machine's.
    out : str or Path, optional
        A new folder for figures, tables, pictures and what is played. Without it they are in a temporary one, which
        goes when the result does.
    resume : bool, optional
        Whether to go on with what was begun in ``out``.
    quiet : bool, optional
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

def sweep(
    *,
    set: Values,
    grid: bool = False,
    rules: Where = "base",
    players: Amount = 3,
    strategies: Names = "value",
    powers: Names | None = None,
    seed: Amount = 1,
    games: Amount | None = None,
    precision: Number | None = None,
    refit: bool = False,
    refit_games: Amount | None = None,
    workers: Amount | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    out: Where | None = None,
    resume: bool = False,
    quiet: bool = False,
) -> Result:
    """Turn dials and play every value on the same deals, and say which figures it changes.

    Every value is compared with the rule set as it is. The main figure, for ``precision``, is the difference in
    each seat's VP.

    Parameters
    ----------
    set : mapping of str to sequence
        Dial to the values that it is to take, such as ``{"display_size": [4, 6, 7]}``; those of a dial that is a list
        are lists.
    grid : bool, optional
        Every combination of values, instead of one dial at a time.
    rules : str or Path, optional
        A rule set's name, or a .toml file with dials.
    players : int, optional
        Number of players, 2 to 5.
    strategies : str or sequence of str, optional
        One strategy for each seat, or one for all. With parameters: greedy:misjudge=0.05.
    powers : str or sequence of str, optional
        Great Powers of every seat: none, all, or some of tree,scrap,sand,pairs. By default the rule set's.
    seed : int, optional
        Decides all chance, with each game's number.
    games : int, optional
        Games in all, rounded up to a balanced number.
    precision : float, optional
        Play until the main figure is known to ± this many VP. By default 0.2, without ``games``.
    refit : bool, optional
        First learn the tables of value, and of presets made of it, anew for each rule set.
    refit_games : int, optional
        With ``refit``: games that each of up to 4 steps of learning takes. By default 20000.
    workers : int, optional
        Parts played at the same time; -1: all cores, or all of the cluster; -2: all but one. By default -1.
    backend : str, optional
        Workers are threads, processes, a Dask cluster's (dask), or those of a backend registered with joblib.
    scheduler : str, optional
        With ``backend`` dask: a running cluster's, such as tcp://10.0.0.1:8786. By default one of this machine's.
    out : str or Path, optional
        A new folder for figures, tables, pictures and what is played. Without it they are in a temporary one, which
        goes when the result does.
    resume : bool, optional
        Whether to go on with what was begun in ``out``.
    quiet : bool, optional
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

def teardown_costs(
    *,
    players: Amount = 3,
    strategies: Names = "value,greedy",
    costs: Lists | None = None,
    seed: Amount = 1,
    rules: Where = "base",
    set: Dials | None = None,
    refit: bool | None = None,
    refit_games: Amount | None = None,
    decisions: Amount | None = None,
    futures: Amount | None = None,
    games: Amount | None = None,
    precision: Number | None = None,
    check: str | None = None,
    check_games: Amount | None = None,
    workers: Amount | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    out: Where | None = None,
    resume: bool = False,
    quiet: bool = False,
) -> Result:
    """Say what tearing down is worth and what its costs do: several schedules on the same deals, one seat held back.

    The main figure, for ``precision``, is the VP that a seat which never tears down loses.

    Parameters
    ----------
    players : int, optional
        Number of players, 2 to 5.
    strategies : str or sequence of str, optional
        Each plays all of it, in all seats, to see whether the verdict depends on who plays. Up to 4.
    costs : sequence of sequence of int, optional
        Other schedules to try, as the dial teardown_costs is written, such as '0;2,2;1,3'. By default free, 1 each, 2
        each, 1-2-3, 1-2-4-8.
    seed : int, optional
        Decides all chance, with each game's number.
    rules : str or Path, optional
        A rule set's name, or a .toml file with dials.
    set : mapping of str to object, optional
        Dials to change, such as ``{"display_size": 6}``.
    refit : bool, optional
        Whether first to learn the tables of value, and of presets made of it, anew for each schedule. By default
        ``refit``, if anybody plays by such tables.
    refit_games : int, optional
        With ``refit``: games that each of up to 4 steps of learning takes. By default 20000.
    decisions : int, optional
        Decisions of each strategy at which the best with a teardown is played on against the best without; 0 for none.
        By default 12000.
    futures : int, optional
        Futures of each decision, an even number. By default 32.
    games : int, optional
        Games in all, rounded up to a balanced number.
    precision : float, optional
        Play until the main figure is known to ± this many VP. By default 0.2, without ``games``.
    check : str, optional
        A stronger player who answers the same in fewer games, to see whether the verdict holds; none for none. By
        default rollout:rollouts=20:ahead=2, without ``games``.
    check_games : int, optional
        Games for ``check``, counted as for ``games``. By default a few minutes' worth.
    workers : int, optional
        Parts played at the same time; -1: all cores, or all of the cluster; -2: all but one. By default -1.
    backend : str, optional
        Workers are threads, processes, a Dask cluster's (dask), or those of a backend registered with joblib.
    scheduler : str, optional
        With ``backend`` dask: a running cluster's, such as tcp://10.0.0.1:8786. By default one of this machine's.
    out : str or Path, optional
        A new folder for figures, tables, pictures and what is played. Without it they are in a temporary one, which
        goes when the result does.
    resume : bool, optional
        Whether to go on with what was begun in ``out``.
    quiet : bool, optional
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

def tournament(
    *,
    strategies: Names,
    players: Amount = 3,
    games: Amount | None = None,
    precision: Number | None = None,
    seed: Amount = 1,
    powers: Names | None = None,
    seat_powers: SeatPowers | None = None,
    rules: Where = "base",
    set: Dials | None = None,
    best_response: bool = False,
    workers: Amount | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    out: Where | None = None,
    resume: bool = False,
    quiet: bool = False,
) -> Result:
    """Rank strategies: every line-up of them, in every order, on the same deals, seats rotating.

    Shows win shares, Plackett-Luce strengths, who finishes ahead of whom, whether that goes round in a circle, and
    a mix against which none of them gains anything.

    Parameters
    ----------
    strategies : str or sequence of str
        Two strategies or more, whatever the number of players. With parameters: greedy:misjudge=0.05.
    players : int, optional
        Number of players, 2 to 5.
    games : int, optional
        Games in all, rounded up to a balanced number.
    precision : float, optional
        Play until every win share is known to ± this. By default 0.01, without ``games``.
    seed : int, optional
        Decides all chance, with each game's number.
    powers : str or sequence of str, optional
        Great Powers of every seat: none, all, or some of tree,scrap,sand,pairs. By default the rule set's.
    seat_powers : mapping of int to powers, optional
        Great Powers of single seats instead, such as ``{0: ["tree", "scrap"]}``.
    rules : str or Path, optional
        A rule set's name, or a .toml file with dials.
    set : mapping of str to object, optional
        Dials to change, such as ``{"display_size": 6}``.
    best_response : bool, optional
        Also tune a strategy against the field, and measure what it gains.
    workers : int, optional
        Parts played at the same time; -1: all cores, or all of the cluster; -2: all but one. By default -1.
    backend : str, optional
        Workers are threads, processes, a Dask cluster's (dask), or those of a backend registered with joblib.
    scheduler : str, optional
        With ``backend`` dask: a running cluster's, such as tcp://10.0.0.1:8786. By default one of this machine's.
    out : str or Path, optional
        A new folder for figures, tables, pictures and what is played. Without it they are in a temporary one, which
        goes when the result does.
    resume : bool, optional
        Whether to go on with what was begun in ``out``.
    quiet : bool, optional
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
