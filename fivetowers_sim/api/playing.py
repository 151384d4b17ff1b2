"""Play games, and write them down."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fivetowers_sim.api.arguments import Dials, Names, Where
from fivetowers_sim.api.calls import call
from fivetowers_sim.api.folders import place_for, refuse_resuming_nothing
from fivetowers_sim.api.run import Run
from fivetowers_sim.cli import choice
from fivetowers_sim.cli.new_file import write_new_file
from fivetowers_sim.cli.play_run import play_run, read_plan
from fivetowers_sim.cli.progress import GamesProgress
from fivetowers_sim.cli.staff import read_staff
from fivetowers_sim.cli.trace import check_numbers, traced_games, watched_lines


def simulate(
    *,
    games: int | str,
    out: Where | None = None,
    players: int = 3,
    strategies: Names = "greedy",
    seed: int = 1,
    powers: Names | None = None,
    seat_powers: Mapping[int, Names] | Sequence[str] | None = None,
    rules: Where = "base",
    set: Dials | None = None,
    seating: str | None = None,
    detail: str = "games",
    workers: int | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    part_games: int | str = 0,
    resume: bool = False,
    quiet: bool = False,
) -> Run:
    """Play games and write them into a run folder.

    Parameters
    ----------
    games : int
        How many games to play.
    out : str or Path, optional
        The run folder to write, or an address as ``s3://bucket/run``; it must be new. Without it the games are in a
        temporary folder, which is removed when Python ends.
    players : int
        Number of players, 2 to 5.
    strategies : str or sequence of str
        One strategy for each seat, or one for all. With parameters: ``greedy:misjudge=0.05``.
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
    seating : str, optional
        ``rotate``: strategies move one seat on with every game; ``fixed``: they stay. ``rotate`` if not given and the
        strategies differ.
    detail : str
        What to record: ``games`` (and seats), ``rounds`` too, or ``bids`` too.
    workers : int, optional
        Parts played at the same time. All cores, or all of the cluster, if not given.
    backend : str
        Workers are ``threads``, ``processes``, or a Dask cluster's (``dask``).
    scheduler : str, optional
        With ``dask``: a running cluster's address, such as ``tcp://10.0.0.1:8786``.
    part_games : int
        Games in each file; 0 chooses. Changes no game.
    resume : bool
        Whether to go on with a run that was begun; what is written is kept.
    quiet : bool
        Whether to show no progress.

    Returns
    -------
    Run
        The games: ``games``, ``seats``, ``rounds`` and ``bids`` are lazy frames.

    Raises
    ------
    ValueError
        For what isn't accepted.
    RunError, BatchError
        If the folder can't be used, or games failed.
    """
    with call("simulate", locals()) as given:
        wanted = read_staff(given["workers"], given["backend"], given["scheduler"])
        setup = choice.read_setup(**_setup_options(given))
        plan = read_plan(setup, given["games"], given["detail"], given["part_games"])
        with place_for(given.get("out"), "run") as (place, keeper):
            refuse_resuming_nothing(given["resume"], keeper)
            with wanted.gather(given["quiet"]) as staff:
                play_run(plan, str(place), staff, given["resume"], given["quiet"])
            return Run(str(place), keeper)


def _setup_options(given: Mapping[str, Any]) -> dict[str, Any]:
    names = ("players", "strategies", "seed", "powers", "seat_powers", "rules", "seating")
    return {"set_dials": given["dials"], **{name: given[name] for name in names}}


def open_run(run: Where) -> Run:
    """Open a run folder that was written before.

    Parameters
    ----------
    run : str or Path
        The run folder or address.

    Returns
    -------
    Run
        The games.

    Raises
    ------
    RunError
        If it isn't a run folder.
    """
    with call("digest", {"run": run}) as given:
        return Run(given["run"])


def trace(
    *,
    games: int | str = 1,
    first: int | str = 0,
    players: int = 3,
    strategies: Names = "greedy",
    seed: int = 1,
    powers: Names | None = None,
    seat_powers: Mapping[int, Names] | Sequence[str] | None = None,
    rules: Where = "base",
    set: Dials | None = None,
    seating: str | None = None,
    out: Where | None = None,
    quiet: bool = False,
) -> Iterator[dict[str, Any]]:
    """Write games down completely, every card and word in them.

    Parameters
    ----------
    games : int
        How many games.
    first : int
        Number of the first game.
    players, strategies, seed, powers, seat_powers, rules, set, seating : as for ``simulate``
        The games.
    out : str or Path, optional
        A new file to write them to as well, one JSON object a line.
    quiet : bool
        Whether to show no progress.

    Returns
    -------
    iterator of dict
        The games, ``fivetowers-trace/1`` objects. They are played as they are asked for, with ``out`` all at once.

    Raises
    ------
    ValueError
        For what isn't accepted.
    """
    with call("trace", locals()) as given:
        check_numbers(given["games"], given["first"])
        setup = choice.read_setup(**_setup_options(given))
        traces = traced_games(setup, given["first"], given["games"], given["quiet"])
        path = given["out"]
        if path is None:
            return traces
        with GamesProgress("traced", given["quiet"]) as progress:
            write_new_file(path, watched_lines(traces, given["games"], progress), "--out")
        return _read_lines(path)


def _read_lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)
