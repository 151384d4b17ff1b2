"""How well candidates do in a contest, all on the same deals.

Two candidates meet the same first decks in the same seats beside the same opponents, so their difference is taken
game by game.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import astuple, dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from fivetowers_sim.analysis.estimates import Tally
from fivetowers_sim.batch.interrupt import hold_interrupts
from fivetowers_sim.batch.plan import Part, Plan
from fivetowers_sim.batch.run import run_parts
from fivetowers_sim.batch.staff import ALONE, Staff
from fivetowers_sim.batch.workers import StopRequested, StopSignal
from fivetowers_sim.engine.setup import GameSetup
from fivetowers_sim.experiments.contest import Contest

# Each worker gets some parts, so that none is idle for long at the end.
_PARTS_A_WORKER: Final = 2
_LARGEST_PART: Final = 1_000
# Blocks grow until each takes about this long, so that a stop is noticed in time however slow the players think.
_BLOCK_SECONDS: Final = 0.2
_BLOCK_GROWTH: Final = 8


@dataclass(frozen=True, slots=True)
class Deals:
    """A number of deals, the same for every candidate.

    Attributes
    ----------
    seed : int
        The seed.
    first_game, games : int
        Number of the first, and how many. Both are multiples of a contest's cycle.
    """

    seed: int
    first_game: int
    games: int


def purpose_seed(seed: int, purpose: str) -> int:
    """Return a seed for a purpose of its own, so that its deals occur nowhere else under the user's seed."""
    digest = hashlib.sha256(f"{purpose} {seed}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


@dataclass(frozen=True, slots=True)
class Standing:
    """How a candidate did, and how much better than the first of those who played the same deals.

    Attributes
    ----------
    scores : dict of str to Tally
        By aim. Shares of the victory are counted in the unit that the contest's ``scale`` says.
    gains : dict of str to Tally
        By aim, the differences to the first candidate game by game; all 0 for that one itself.
    """

    scores: dict[str, Tally]
    gains: dict[str, Tally]

    def to_lists(self) -> dict[str, dict[str, list[int]]]:
        """Return the standing as plain JSON values."""
        return {
            kind: {aim: list(astuple(tally)) for aim, tally in getattr(self, kind).items()}
            for kind in ("scores", "gains")
        }

    @classmethod
    def from_lists(cls, values: Mapping[str, Mapping[str, Sequence[int]]]) -> Standing:
        """Return the standing that :meth:`to_lists` described."""
        return cls(*({aim: Tally(*sums) for aim, sums in values[kind].items()} for kind in ("scores", "gains")))

    def __add__(self, other: Standing) -> Standing:
        """Return the standing over both sets of games."""
        return Standing(
            {aim: tally + other.scores[aim] for aim, tally in self.scores.items()},
            {aim: tally + other.gains[aim] for aim, tally in self.gains.items()},
        )


def measure_candidates(
    contest: Contest,
    candidates: Sequence[str],
    deals: Deals,
    staff: Staff = ALONE,
    watch: Callable[[int], None] = lambda games: None,
) -> list[Standing]:
    """Play every candidate on the same deals.

    Parameters
    ----------
    contest : Contest
        Against whom, and by which rules.
    candidates : sequence of str
        Strategies; one that occurs twice is played once.
    deals : Deals
        The deals.
    staff : Staff
        Who plays. Changes no figure.
    watch : callable, optional
        Called with the number of games played since it was last called.

    Returns
    -------
    list of Standing
        One for each candidate.

    Raises
    ------
    BatchError
        If games failed.
    KeyboardInterrupt
        If the user interrupted.
    """
    different = tuple(dict.fromkeys(candidates))
    part_games = min(_LARGEST_PART, -(-deals.games // (staff.workers * _PARTS_A_WORKER)))
    task = _PlayCandidates(contest, different, deals, part_games)
    plan = Plan(contest.setup(different[0], 0, deals.seed), deals.first_game + deals.games)
    totals: list[Standing] | None = None
    with (
        hold_interrupts() as interrupted,
        closing(run_parts(plan, task.parts(), task, staff.workers, staff.backend, interrupted)) as receipts,
    ):
        for receipt in receipts:
            found = receipt.result
            totals = found if totals is None else [one + other for one, other in zip(totals, found, strict=True)]
            watch(receipt.part.games * len(different))
    assert totals is not None
    by_name = dict(zip(different, totals, strict=True))
    return [by_name[name] for name in candidates]


@dataclass(frozen=True)
class _PlayCandidates:
    """The task that plays all candidates on a part of the deals."""

    contest: Contest
    candidates: tuple[str, ...]
    deals: Deals
    part_games: int
    pace: _Pace = field(default_factory=lambda: _Pace())

    @cached_property
    def setups(self) -> list[list[GameSetup]]:
        """The games of each candidate at each table."""
        tables = range(len(self.contest.tables))
        return [[self.contest.setup(name, table, self.deals.seed) for table in tables] for name in self.candidates]

    @property
    def games_a_table(self) -> int:
        """How many of the deals are played at each table."""
        return self.deals.games // len(self.contest.tables)

    def parts(self) -> Iterator[Part]:
        """Cut the deals into parts that are played at one table each."""
        index = 0
        for table in range(len(self.contest.tables)):
            first = self.deals.first_game + table * self.games_a_table
            for game in range(first, first + self.games_a_table, self.part_games):
                yield Part(index, game, min(self.part_games, first + self.games_a_table - game))
                index += 1

    def __call__(self, plan: Plan, part: Part, stop: StopSignal) -> list[Standing]:
        """Play the part's deals with each candidate."""
        table = (part.first_game - self.deals.first_game) // self.games_a_table
        standings, first = [], {}
        for setups in self.setups:
            scores = self._score(setups[table], part, stop)
            first = first or scores
            gains = {aim: _tally(own - first[aim]) for aim, own in scores.items()}
            standings.append(Standing({aim: _tally(own) for aim, own in scores.items()}, gains))
        return standings

    def _score(self, setup: GameSetup, part: Part, stop: StopSignal) -> dict[str, np.ndarray]:
        """Play a part block by block, and return what the candidate got in each game, in whole numbers, by aim."""
        game, end = part.first_game, part.first_game + part.games
        blocks = []
        while game < end:
            if stop.is_set():
                raise StopRequested
            games, begun = min(self.pace.block, end - game), time.perf_counter()
            blocks.append(_score_games(setup, game, games, self.contest.scale("win_share")))
            self.pace.note(games, time.perf_counter() - begun)
            game += games
        return {aim: np.concatenate([block[aim] for block in blocks]) for aim in blocks[0]}


@dataclass(slots=True)
class _Pace:
    """How many games to play in one go."""

    block: int = 1

    def note(self, games: int, seconds: float) -> None:
        """Learn from a block how large the next one may be. It only decides how often one can stop."""
        fitting = int(games * _BLOCK_SECONDS / max(seconds, 1e-6))
        self.block = max(1, min(games * _BLOCK_GROWTH, fitting))


def _score_games(setup: GameSetup, first_game: int, count: int, share_scale: int) -> dict[str, np.ndarray]:
    seats = setup.play(first_game, count, "games")["seats"].reshape(count, setup.players)
    games = np.arange(count)
    # The candidate is the first strategy of the setup, and that one starts in seat 0 and moves on with every game.
    own = (first_game + games) % setup.players
    shares = np.rint(seats["win_share"][games, own] * share_scale).astype(np.int64)
    totals = seats["total"].astype(np.int64)
    mine = totals[games, own]
    totals[games, own] = np.iinfo(np.int64).min
    return {"win_share": shares, "margin": mine - totals.max(axis=1)}


def _tally(values: np.ndarray) -> Tally:
    games, total = len(values), int(values.sum())
    return Tally(games, games, games, total, int((values * values).sum()), total)
