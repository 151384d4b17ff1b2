"""A game that takes no time to compile: enough of a simulator to run and record."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fivetowers_sim.layout import Column, Layout

GAME = Column("game", "u4", "number", "The game's number.")
GAMES = Layout(
    "games",
    "one row per game",
    (
        GAME,
        Column("rounds", "u1", "rounds", "Rounds played."),
        Column("tied", "?", "yes or no", "Whether several won."),
    ),
)
SEATS = Layout(
    "seats",
    "one row per game and seat",
    (
        GAME,
        Column("seat", "u1", "seat", "The seat."),
        Column("strategy", "u1", "name", "Who sat there.", labels_from_plan="strategies"),
        Column("total", "i2", "VP", "Final score."),
        Column("win_share", "f4", "share", "One over the winners, or 0."),
    ),
)
ROUNDS = Layout(
    "rounds",
    "one row per round",
    (
        GAME,
        Column("round", "u1", "number", "The round."),
        Column("winner", "i1", "seat", "Who won it; null if nobody.", missing=-1),
        Column("mood", "u1", "name", "How it felt.", missing=255, labels=("calm", "tense")),
    ),
)
TABLES = {"games": (GAMES, SEATS), "rounds": (GAMES, SEATS, ROUNDS)}


class FakeGameError(Exception):
    """The game that was told to fail."""


@dataclass(frozen=True)
class FakeSetup:
    """Games drawn from a counter-based generator; what doesn't change them is left out of comparison."""

    seed: int = 1
    players: int = 3
    strategies: tuple[str, ...] = ("greedy", "random")
    seconds_per_game: float = field(default=0.0, compare=False)
    failing_game: int = field(default=-1, compare=False)
    deadly_game: int = field(default=-1, compare=False)

    def to_dict(self) -> dict[str, Any]:
        return {"seed": self.seed, "players": self.players, "strategies": list(self.strategies)}

    def layouts(self, detail: str) -> tuple[Layout, ...]:
        if detail not in TABLES:
            raise ValueError(f"accepted are {', '.join(TABLES)}")
        return TABLES[detail]

    def labels(self) -> dict[str, tuple[str, ...]]:
        return {"strategies": self.strategies}

    def notes(self) -> dict[str, Any]:
        return {}

    def play(self, first_game: int, games: int, detail: str) -> dict[str, np.ndarray]:
        numbers = np.arange(first_game, first_game + games)
        if self.failing_game in numbers:
            raise FakeGameError(f"game {self.failing_game} can't be played")
        if self.deadly_game in numbers:
            os._exit(9)
        if self.seconds_per_game:
            time.sleep(games * self.seconds_per_game)
        tables = {"games": self._games(numbers), "seats": self._seats(numbers)}
        return tables | ({"rounds": self._rounds(numbers)} if detail == "rounds" else {})

    def _games(self, numbers: np.ndarray) -> np.ndarray:
        rows = np.empty(len(numbers), GAMES.dtype)
        rows["game"] = numbers
        rows["rounds"] = self._noise(numbers, 1) % 5 + 1
        rows["tied"] = self._noise(numbers, 2) % 7 == 0
        return rows

    def _seats(self, numbers: np.ndarray) -> np.ndarray:
        rows = np.empty((len(numbers), self.players), SEATS.dtype)
        rows["game"] = numbers[:, None]
        for seat in range(self.players):
            rows["seat"][:, seat] = seat
            rows["strategy"][:, seat] = (seat + numbers) % len(self.strategies)
            rows["total"][:, seat] = self._noise(numbers, 10 + seat) % 60 - 5
            rows["win_share"][:, seat] = (self._noise(numbers, 20 + seat) % 3) / 3
        return rows.reshape(-1)

    def _rounds(self, numbers: np.ndarray) -> np.ndarray:
        counts = (self._noise(numbers, 1) % 5 + 1).astype(int)
        rows = np.empty(counts.sum(), ROUNDS.dtype)
        rows["game"] = np.repeat(numbers, counts)
        rows["round"] = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        key = rows["game"].astype("u8") * 8 + rows["round"]
        rows["winner"] = (self._noise(key, 30) % 4).astype(int) - 1
        rows["mood"] = np.array([0, 1, 255])[self._noise(key, 31) % 3]
        return rows

    def _noise(self, numbers: np.ndarray, purpose: int) -> np.ndarray:
        mixed = numbers.astype("u8") + np.uint64(self.seed * 1_000_003 + purpose * 7_919)
        for factor in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB):
            mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(factor)
        return mixed ^ (mixed >> np.uint64(32))
