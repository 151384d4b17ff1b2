"""What is measured of a game's shape: who wins, what scores are made of, how the lead goes, and what luck is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Final, NamedTuple

import numpy as np

from fivetowers_sim.analysis.estimates import Estimate, estimate_share
from fivetowers_sim.analysis.leads import count_lead_changes, find_decided, find_leaders, scores_after, share_out
from fivetowers_sim.analysis.moments import Moments, estimate_contrast
from fivetowers_sim.analysis.variance_split import Crossing, Part, split_variance
from fivetowers_sim.engine.counted import count_untaken
from fivetowers_sim.engine.record import NO_TOTAL, NOBODY
from fivetowers_sim.rules.cards import TOWER_TYPES

TENTHS: Final = tuple(range(1, 10))
"""After how many tenths of a game's rounds the leader is looked up."""
CLOSE: Final = 3
"""VP ahead of the second by which a game is called close at most."""
RESULTS: Final = ("margin", "total")
"""Results of a player whose variance is split."""

OF_A_SEAT: Final = ("win_share", "total", "cards", "tops", "main", "pairs", "teardown", "torn_cards")
OF_A_TYPE: Final = ("height", "topped")
OF_A_TENTH: Final = ("leader_wins", "last_wins")
OF_THE_GAME: Final = {
    "shared": "games that end in a shared victory",
    "winning_total": "VP of the winner",
    "margin": "VP of the winner ahead of the second",
    "close": f"games won by {CLOSE} VP or fewer",
    "rounds": "rounds",
    "without_builder": "rounds in which nobody builds",
    "untaken": "cards shown that nobody takes",
    "lead_changes": "changes of the lead",
    "decided": "round from which a winner leads to the end",
    "decided_part": "the same, as a part of the game",
    "comeback": "victories of players who don't lead at half time",
}
"""Figures of a game as a whole, in words."""

SHARES: Final = frozenset({"win_share", "topped", "leader_wins", "last_wins", "shared", "close", "comeback"})
"""Figures that are shares from 0 to 1."""
_THOUSANDTHS: Final = 1000


class Key(NamedTuple):
    """What a column is: players, number of the strategy, figure, and which seat, tower type or tenth (or 0)."""

    players: int
    strategy: int
    figure: str
    place: int = 0


@dataclass(frozen=True, slots=True)
class Arm:
    """Who plays.

    Attributes
    ----------
    players : int
        How many.
    strategy : int
        Number of the strategy.
    seat : int or None
        The one seat that it has, while the first strategy has all others; None if it has all.
    """

    players: int
    strategy: int
    seat: int | None


@dataclass(frozen=True)
class ShapeGames:
    """The measure.

    Attributes
    ----------
    players : tuple of int
        Numbers of players; each has deals of its own under the same numbers.
    strategies : int
        How many strategies play.
    """

    players: tuple[int, ...]
    strategies: int
    detail: ClassVar[str] = "rounds"

    @cached_property
    def arms(self) -> tuple[Arm, ...]:
        """The ways to play, for each number of players: all alike, then one who is different in each seat."""
        return tuple(
            Arm(players, strategy, seat)
            for players in self.players
            for one_differs in (False, True)
            for strategy in range(one_differs, self.strategies)
            for seat in (range(players) if one_differs else (None,))
        )

    def crossing(self, players: int) -> Crossing:
        """Return what one player's result is crossed with: the strategy, and the seat."""
        return Crossing({"strategy": self.strategies, "seat": players})

    @cached_property
    def _keys(self) -> tuple[Key, ...]:
        keys: list[Key] = []
        for players in self.players:
            places = dict.fromkeys(OF_A_SEAT, players) | {name: len(TOWER_TYPES) for name in OF_A_TYPE}
            places |= {name: len(TENTHS) for name in OF_A_TENTH} | dict.fromkeys(OF_THE_GAME, 1)
            for strategy in range(self.strategies):
                keys += [Key(players, strategy, name, place) for name, many in places.items() for place in range(many)]
            for result in RESULTS:
                # Next to each other, as the split wants them.
                cells = np.ndindex(self.strategies, players)
                keys += [Key(players, strategy, f"cell {result}", seat) for strategy, seat in cells]
                parts = range(len(self.crossing(players).factors))
                keys += [Key(players, 0, f"quadratic {result}", part) for part in parts]
        return tuple(keys)

    @cached_property
    def _columns(self) -> dict[Key, int]:
        return {key: column for column, key in enumerate(self._keys)}

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return len(self._keys)

    def scale(self, key: Key) -> int:
        """Return how many times a figure what is measured of a deal is."""
        shares = math.lcm(*range(1, key.players + 1))
        scales = {"win_share": shares, "comeback": shares, "decided_part": _THOUSANDTHS}
        scales |= dict.fromkeys(OF_A_TENTH, shares**2) | dict.fromkeys(OF_A_TYPE, key.players)
        return scales.get(key.figure, 1)

    def add(self, arm: int, tables: Mapping[str, np.ndarray], into: np.ndarray) -> None:
        """Add what an arm's games gave."""
        played = self.arms[arm]
        seats = tables["seats"].reshape(len(into), played.players)
        if played.seat is None:
            for name, values in self._measure_uniform(played.players, tables, seats):
                for place, column in enumerate(np.reshape(values, (len(into), -1)).T):
                    into[:, self._columns[Key(played.players, played.strategy, name, place)]] += column
        self._add_cells(arm, seats, into)

    def _add_cells(self, arm: int, seats: np.ndarray, into: np.ndarray) -> None:
        """Add the results that one player has; once the last of them is there, what the split needs besides."""
        played, totals = self.arms[arm], seats["total"].astype(np.int64)
        results = {"margin": _margins(totals), "total": totals}
        if played.seat is None and played.strategy:
            return
        own = range(played.players) if played.seat is None else (played.seat,)
        for result, values in results.items():
            for seat in own:
                key = Key(played.players, played.strategy, f"cell {result}", seat)
                into[:, self._columns[key]] += values[:, seat]
        # Arms follow one another, so this one finds what the others added.
        if arm == max(nth for nth, one in enumerate(self.arms) if one.players == played.players):
            crossing = self.crossing(played.players)
            for result in RESULTS:
                first, quadratics = self._split_columns(played.players, result)
                into[:, quadratics] += crossing.measure(into[:, first])

    def split(self, moments: Moments, players: int, result: str, confidence: float) -> Sequence[Part]:
        """Split the variance of a player's result over deals, strategies and seats."""
        cells, quadratics = self._split_columns(players, result)
        return split_variance(moments.select(slice(cells.start, quadratics.stop)), self.crossing(players), confidence)

    def _split_columns(self, players: int, result: str) -> tuple[slice, slice]:
        """Return the columns of a result's cells, and those of what else its split needs."""
        cells = self._columns[Key(players, 0, f"cell {result}")]
        quadratics = self._columns[Key(players, 0, f"quadratic {result}")]
        return slice(cells, quadratics), slice(quadratics, quadratics + len(self.crossing(players).factors))

    def _measure_uniform(
        self, players: int, tables: Mapping[str, np.ndarray], seats: np.ndarray
    ) -> Iterable[tuple[str, np.ndarray]]:
        """Yield figures with what is measured of each game: one number, or one for each seat, type or tenth."""
        games, won = tables["games"], seats["rank"] == 1
        scale = math.lcm(*range(1, players + 1))
        shares = np.where(won, scale // won.sum(1, keepdims=True), 0)
        yield "win_share", shares
        yield from ((name, seats[name]) for name in OF_A_SEAT[1:])
        for name, field in zip(OF_A_TYPE, ("height", "topped"), strict=True):
            yield name, np.column_stack([seats[f"{kind}_{field}"].sum(1, dtype=np.int64) for kind in TOWER_TYPES])
        yield "shared", games["winners"] > 1
        yield from ((name, games[name]) for name in ("winning_total", "margin", "rounds"))
        yield "close", games["margin"] <= CLOSE
        yield "without_builder", games["rounds_without_builder"]
        yield "untaken", count_untaken(games, tables["rounds"])
        scores = running_scores(games, tables["rounds"], players)
        yield from _measure_lead(games["rounds"], scores, shares, scale)

    def estimate(self, moments: Moments, key: Key, confidence: float) -> Estimate:
        """Estimate a figure."""
        column, scale = self._columns[key], self.scale(key)
        if key.figure in SHARES:
            return estimate_share(moments.tally([column], 1), scale, confidence)
        return estimate_contrast(moments.select([column]), [Fraction(1, scale)], confidence)

    def figures(self) -> Iterable[Key]:
        """Yield every figure that is estimated."""
        return (key for key in self._keys if not key.figure.startswith(("cell ", "quadratic ")))


def running_scores(games: np.ndarray, rounds: np.ndarray, players: int) -> np.ndarray:
    """Work out each seat's score after each round, teardown pile included.

    Parameters
    ----------
    games, rounds : ndarray of records
        The tables ``games`` and ``rounds`` of the same games.
    players : int
        Seats at a table.

    Returns
    -------
    ndarray of int64, shape (games, most rounds + 1, players)
        Round 0 is the beginning; after a game's last round its scores stay.
    """
    scores = np.full((len(games), int(games["rounds"].max(initial=0)) + 1, players), NO_TOTAL, np.int64)
    scores[:, 0] = 0
    game = np.repeat(np.arange(len(games)), games["rounds"])
    built = rounds["winner"] != NOBODY
    scores[game[built], rounds["round"][built], rounds["winner"][built]] = rounds["winner_total"][built]
    for now in range(1, scores.shape[1]):
        np.copyto(scores[:, now], scores[:, now - 1], where=scores[:, now] == NO_TOTAL)
    return scores


def _measure_lead(
    rounds: np.ndarray, scores: np.ndarray, shares: np.ndarray, scale: int
) -> Iterable[tuple[str, np.ndarray]]:
    leading = find_leaders(scores)
    decided = find_decided(leading, shares > 0)
    yield "lead_changes", count_lead_changes(leading)
    yield "decided", decided
    yield "decided_part", _THOUSANDTHS * decided // rounds
    at_half = scores_after(scores, rounds, (1, 2))
    led = at_half == at_half.max(1, keepdims=True)
    yield "comeback", (shares * ~led).sum(1)
    after = [scores_after(scores, rounds, (tenth, 10)) for tenth in TENTHS]
    for name, extreme in zip(OF_A_TENTH, (np.max, np.min), strict=True):
        chosen = [now == extreme(now, axis=1, keepdims=True) for now in after]
        yield name, np.column_stack([share_out(shares, one, scale) for one in chosen])


def _margins(totals: np.ndarray) -> np.ndarray:
    """Return by how much each seat is above the best of the others, shape (games, seats)."""
    ordered = np.sort(totals, axis=1)
    best = np.where(totals == ordered[:, -1:], ordered[:, -2:-1], ordered[:, -1:])
    return np.asarray(totals - best)
