"""What a branched game is, as a plan's setup: a game, what is tried at its decision, and in how many futures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from fivetowers_sim.compiled import call_compiling
from fivetowers_sim.engine.branch_options import BUILDS, MOST_OPTIONS, OPTION, STARTS, WORDS, WORDS_BY_TEARDOWN
from fivetowers_sim.engine.branch_record import BRANCH_DETAIL, BRANCH_TABLES, DECISIONS, OPTIONS
from fivetowers_sim.engine.branches import TASK, Branches, BranchRecord, play_branches
from fivetowers_sim.engine.record import GAMES, SEATS
from fivetowers_sim.engine.setup import GameSetup, SetupError
from fivetowers_sim.engine.watch import watch_table
from fivetowers_sim.layout import Layout, empty_rows
from fivetowers_sim.rules.state import BUILD
from fivetowers_sim.strategies.table import CHOICE
from fivetowers_sim.strategies.value import FRONTS

TRIED: Final[Mapping[str, int]] = {
    "words": WORDS,
    "words by teardown": WORDS_BY_TEARDOWN,
    "builds": BUILDS,
    "starts": STARTS,
}
"""What can be tried at a decision, by name; see :mod:`fivetowers_sim.engine.branches`."""

MOST_FUTURES: Final = 10_000

# Rows set aside for a game on average; where there are more, fewer games are played at once.
_USUAL_OPTIONS: Final = 6


class BranchedGames:
    """What every setup says that branches games, or futures of a game: what the game by itself says.

    Attributes
    ----------
    game : GameSetup
        How the game is played.
    """

    game: GameSetup

    @property
    def players(self) -> int:
        """How many play."""
        return self.game.players

    @property
    def strategy_files(self) -> tuple[tuple[str, str], ...]:
        """The files that strategies come from, each with its SHA-256."""
        return self.game.strategy_files

    def layouts(self, detail: str) -> tuple[Layout, ...]:
        """Return the tables; ValueError for another detail than :data:`BRANCH_DETAIL`."""
        if detail != BRANCH_DETAIL:
            raise SetupError(f"detail is {detail!r}; accepted is {BRANCH_DETAIL}")
        return BRANCH_TABLES

    def labels(self) -> Mapping[str, tuple[str, ...]]:
        """Return the names of the strategies, for the column that holds their number."""
        return self.game.labels()

    def notes(self) -> Mapping[str, Any]:
        """Return what is worth keeping with the games though it decides nothing about them."""
        return self.game.notes()


@dataclass(frozen=True)
class BranchSetup(BranchedGames):
    """Games that are branched at one decision each.

    Attributes
    ----------
    game : GameSetup
        The games, as they are played by themselves and in every branch.
    tried : str
        One of :data:`TRIED`.
    futures : int
        Futures in which every option is tried.
    redrawn : bool
        Whether what the seat can't know is redrawn for every future. If not, each future is the game's own; then what
        the seat did by itself leads to the game as it was.
    first_future : int
        Number of the first future: setups that share none meet different ones.
    """

    game: GameSetup
    tried: str = "words"
    futures: int = 8
    redrawn: bool = True
    first_future: int = 0

    def __post_init__(self) -> None:
        """Check the fields."""
        if self.tried not in TRIED:
            raise SetupError(f"tried is {self.tried!r}; accepted are {', '.join(TRIED)}")
        if not 1 <= self.futures <= MOST_FUTURES:
            raise SetupError(f"futures is {self.futures}; accepted is 1 to {MOST_FUTURES}")
        if self.game.has_own_strategies:
            raise SetupError("a strategy of one's own can't be branched; accepted are built-in families and presets")

    def to_dict(self) -> dict[str, Any]:
        """Return the setup as plain JSON values."""
        branched = {"tried": self.tried, "futures": self.futures, "redrawn": self.redrawn}
        if self.first_future:
            branched["first_future"] = self.first_future
        return {"game": self.game.to_dict(), **branched}

    def play(self, first_game: int, games: int, detail: str) -> dict[str, np.ndarray]:
        """Play games, branch them, and record them.

        Parameters
        ----------
        first_game, games : int
            Number of the first game, and how many.
        detail : str
            Level of detail, :data:`BRANCH_DETAIL`.

        Returns
        -------
        dict of str to ndarray
            Table name to record array, rows in game order.
        """
        names = [layout.name for layout in self.layouts(detail)]
        return dict(zip(names, branch_games(self.game, self._task(first_game, games)), strict=True))

    def warm_up(self) -> None:
        """Load or compile the kernels, so that the first games are as quick as the others."""
        warm_up_branches(self.game, self._task(0, 0))

    def _task(self, first: int, games: int) -> np.void:
        task = make_task(self.game.seed, first, games, TRIED[self.tried], self.futures, self.redrawn)
        task["first_future"] = self.first_future
        return task


def make_task(seed: int, first: int, games: int, kind: int, futures: int, redrawn: bool = True) -> np.void:
    """Return the record of what to play."""
    return np.array([(seed, first, games, kind, futures, redrawn, 0, False, 0, 0, -1)], TASK)[0]


def branch_games(game: GameSetup, task: np.void, branches: Branches | None = None) -> list[np.ndarray]:
    """Play and branch games.

    Parameters
    ----------
    game : GameSetup
        The games.
    task : record of TASK
        What to play.
    branches : Branches, optional
        A table that was laid, if the task says so.

    Returns
    -------
    list of ndarray
        The rows of :data:`BRANCH_TABLES`, in their order.
    """
    branches, pieces, played = branches or lay_branches(game), [], 0
    task, games = task.copy(), int(task["games"])
    first = int(task["first"])
    while not pieces or played < games:
        task["first"], task["games"] = first + played, games - played
        record = _new_record(games - played, game.players)
        count = play_branches(branches, game.mind_rows, task, record)
        played += count
        rows = count, count * game.players, count, record.used[0]
        pieces.append([table[:end] for table, end in zip(record, rows, strict=False)])
    return [np.concatenate(parts) for parts in zip(*pieces, strict=True)]


def warm_up_branches(game: GameSetup, task: np.void) -> None:
    """Load or compile the kernels; the task has no games."""
    branches, record = lay_branches(game), _new_record(0, game.players)
    call_compiling(lambda: play_branches(branches, game.mind_rows, task, record))


def lay_branches(game: GameSetup) -> Branches:
    """Lay a table at which these games can be branched; each thread needs its own."""
    table = game.lay_table()
    if table.fronts is None:
        # Nobody here weighs gains; but compiling once more takes longer than all that it saves.
        table = table._replace(fronts=np.zeros(1, FRONTS)[0])
    table, watch = watch_table(table)
    return Branches(table, watch, *(np.zeros(MOST_OPTIONS, kind) for kind in (OPTION, CHOICE, BUILD)))


def _new_record(games: int, players: int) -> BranchRecord:
    return BranchRecord(
        games=np.zeros(games, GAMES.dtype),
        seats=np.zeros(games * players, SEATS.dtype),
        decisions=np.zeros(games, DECISIONS.dtype),
        options=empty_rows(OPTIONS, games * _USUAL_OPTIONS + MOST_OPTIONS),
        used=np.zeros(1, np.int64),
    )
