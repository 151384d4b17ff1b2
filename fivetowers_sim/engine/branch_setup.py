"""What a branched game is, as a plan's setup: a game, what is tried at its decision, and in how many futures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from fivetowers_sim.compiled import call_recovering
from fivetowers_sim.engine.branch_record import BRANCH_DETAIL, BRANCH_TABLES, DECISIONS, OPTIONS
from fivetowers_sim.engine.branches import (
    BUILDS,
    MOST_OPTIONS,
    OPTION,
    STARTS,
    TASK,
    WORDS,
    WORDS_BY_TEARDOWN,
    Branches,
    BranchRecord,
    play_branches,
)
from fivetowers_sim.engine.record import GAMES, SEATS
from fivetowers_sim.engine.setup import GameSetup, SetupError
from fivetowers_sim.engine.watch import watch_table
from fivetowers_sim.layout import Layout, empty_rows
from fivetowers_sim.strategies.table import CHOICE

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


@dataclass(frozen=True)
class BranchSetup:
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

    @property
    def players(self) -> int:
        """How many play."""
        return self.game.players

    def to_dict(self) -> dict[str, Any]:
        """Return the setup as plain JSON values."""
        branched = {"tried": self.tried, "futures": self.futures, "redrawn": self.redrawn}
        if self.first_future:
            branched["first_future"] = self.first_future
        return {"game": self.game.to_dict(), **branched}

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
        branches, pieces, played = self._lay_branches(), [], 0
        while played < games:
            record = _new_record(games - played, self.players)
            task = self._task(first_game + played, games - played)
            count = play_branches(branches, self.game.mind_rows, task, record)
            played += count
            rows = count, count * self.players, count, record.used[0]
            pieces.append([table[:end] for table, end in zip(record, rows, strict=False)])
        return {name: np.concatenate(parts) for name, parts in zip(names, zip(*pieces, strict=True), strict=True)}

    def warm_up(self) -> None:
        """Load or compile the kernels, so that the first games are as quick as the others."""
        branches, record = self._lay_branches(), _new_record(0, self.players)
        call_recovering(lambda: play_branches(branches, self.game.mind_rows, self._task(0, 0), record))

    def _lay_branches(self) -> Branches:
        table, watch = watch_table(self.game.lay_table())
        return Branches(table, watch, np.zeros(MOST_OPTIONS, OPTION), np.zeros(MOST_OPTIONS, CHOICE))

    def _task(self, first: int, games: int) -> np.void:
        return np.array(
            [(self.game.seed, first, games, TRIED[self.tried], self.futures, self.redrawn, self.first_future)], TASK
        )[0]


def _new_record(games: int, players: int) -> BranchRecord:
    return BranchRecord(
        games=empty_rows(GAMES, games),
        seats=empty_rows(SEATS, games * players),
        decisions=np.zeros(games, DECISIONS.dtype),
        options=empty_rows(OPTIONS, games * _USUAL_OPTIONS + MOST_OPTIONS),
        used=np.zeros(1, np.int64),
    )
