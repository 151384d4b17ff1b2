"""Play a tournament with progress, and end well when interrupted."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from fivetowers_sim.cli.errors import UsageError, name_option
from fivetowers_sim.cli.play_experiment import Manner, Show, choose_budget, play_experiment
from fivetowers_sim.cli.progress import GamesProgress

if TYPE_CHECKING:
    import polars as pl

    from fivetowers_sim.bench.arms import Progress
    from fivetowers_sim.engine.setup import GameSetup
    from fivetowers_sim.experiments.tournament import Outcome, Tournament
    from fivetowers_sim.experiments.tuned_reply import TunedReply

DEFAULT_PRECISION: Final = 0.01
JOURNAL_NAME: Final = "best-response.journal"


def read_tournament(table: GameSetup, strategies: str, games: int | None, precision: float | None) -> Tournament:
    """Make a tournament of the options.

    Parameters
    ----------
    table : GameSetup
        What the options that every command shares say.
    strategies : str
        Value of ``--strategies``: names, separated by commas.
    games : int, optional
        Value of ``--games``.
    precision : float, optional
        Value of ``--precision``.

    Returns
    -------
    Tournament
        What to find out.

    Raises
    ------
    UsageError
        Naming the option, what was given and what is accepted.
    """
    from fivetowers_sim.experiments.tournament import TournamentError, make_tournament
    from fivetowers_sim.strategies.parameters import StrategyError

    games, precision = choose_budget(games, precision, DEFAULT_PRECISION)
    try:
        return make_tournament(table, [name.strip() for name in strategies.split(",")], games, precision)
    except StrategyError as error:
        raise UsageError(f"--strategies: {error}") from None
    except TournamentError as error:
        raise UsageError(name_option(error)) from None


def play_tournament(asked: Tournament, manner: Manner, best_response: bool) -> Outcome:
    """Play a tournament, in a folder or in memory only.

    Parameters
    ----------
    asked : Tournament
        What to find out.
    manner : Manner
        How to go about it.
    best_response : bool
        Whether to search for a strategy that beats the field.

    Returns
    -------
    Outcome
        The figures.

    Raises
    ------
    UsageError
        If there is nothing to resume, or no field to search against.
    Interrupted
        If the user pressed Ctrl-C; the message says how to go on, if that is possible.
    RunError, BatchError
        If the folder can't be used or games failed.
    """
    from fivetowers_sim.experiments.tournament import asked_of, run_tournament, warm_up
    from fivetowers_sim.experiments.tuned_reply import can_reply

    if best_response and not asked.circles.every_lineup:
        raise UsageError("--best-response needs all line-ups; accepted are fewer --strategies or --players")
    if best_response and not can_reply(asked.strategies):
        raise UsageError(
            f"--best-response has nobody to tune: --strategies names {', '.join(asked.strategies)}; accepted is a "
            "built-in family or a preset among them"
        )
    show = Show(lambda: warm_up(asked), lambda state: describe_precision(asked, state))
    with _search(asked, manner, best_response) as find:
        return play_experiment(
            asked_of(asked),
            manner,
            show,
            lambda crew, folder: run_tournament(asked, crew, folder, draw_outcome, find),
        )


@contextmanager
def _search(asked: Tournament, manner: Manner, wanted: bool) -> Iterator[TunedReply | None]:
    """Make the search for a best response, which has a progress of its own."""
    if not wanted:
        yield None
        return
    from fivetowers_sim.experiments.tuned_reply import TunedReply
    from fivetowers_sim.experiments.tuning_plan import Budget

    journal = manner.out and manner.out / JOURNAL_NAME
    with GamesProgress("played for the best response", manner.quiet) as progress:
        yield TunedReply(
            asked.table,
            Budget(),
            manner.staff,
            journal,
            lambda state: progress.report(state.games_done, state.games, state.stage),
        )


def describe_precision(asked: Tournament, state: Progress) -> str:
    """Say how precise the win shares are so far, if a precision is asked for."""
    from fivetowers_sim.experiments.tournament import widest_margin

    if asked.precision is None:
        return ""
    margin = widest_margin(asked, state.moments)
    return "" if math.isnan(margin) else f"win share ± {100 * margin:.2f}, wanted ± {100 * asked.precision:g}"


def draw_outcome(outcome: Outcome) -> Mapping[str, bytes]:
    """Return the picture of a tournament as files, by name."""
    from fivetowers_sim.bench.style import encode_figure
    from fivetowers_sim.cli.tournament_table import describe_games, describe_tables
    from fivetowers_sim.experiments.tournament_tables import make_tables
    from fivetowers_sim.report.tournament import Caption, draw_tournament

    tables = {name: _relabel(frame, outcome.labels) for name, frame in make_tables(outcome.standings).items()}
    caption = Caption(outcome.tournament.table.players, describe_games(outcome), describe_tables(outcome))
    figure = draw_tournament(tables["ratings"], tables["pairs"], caption)
    shares = ", ".join(
        f"{outcome.labels[row.strategy]} {row.win_share.value:.1%}" for row in outcome.standings.strategies
    )
    return encode_figure(figure, "tournament", f"Win share of a seat: {shares}. {caption.counted}.")


def _relabel(frame: pl.DataFrame, labels: Mapping[str, str]) -> pl.DataFrame:
    """Call strategies in a table as they were given."""
    import polars as pl

    return frame.with_columns(
        pl.col(name).replace(dict(labels)) for name in ("strategy", "against") if name in frame.columns
    )
