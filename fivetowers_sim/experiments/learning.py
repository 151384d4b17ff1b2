"""What all learning by self-play does: games of a plan, and trials on deals that nobody learned from."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, Final, Protocol

import numpy as np

from fivetowers_sim.analysis.estimates import Estimate, Tally, estimate_ratio, estimate_share
from fivetowers_sim.batch.plan import Part, Plan
from fivetowers_sim.batch.run import Receipt, run_parts
from fivetowers_sim.batch.staff import Staff
from fivetowers_sim.batch.workers import StopRequested, StopSignal
from fivetowers_sim.engine.setup import GameSetup

Watch = Callable[[int, int], None]

BLOCK: Final = 100
"""Games between two looks at whether to stop."""

# Deals of trials are never those of games that were learned from.
_TRIAL_SEEDS: Final = 1 << 40


class LearningPlan(Protocol):
    """What to learn."""

    players: int
    seed: int
    trial_games: int

    def setup(self, strategies: list[str], seed: int) -> GameSetup:
        """Return games; the first strategy takes every seat in turn if there are several."""


def tally_first_strategy(plan: Plan, part: Part, stop: StopSignal) -> tuple[Tally, Tally]:
    """Play a part's games; return the first strategy's win share (in parts of the scale) and the winners' VP."""
    shares, winning = Tally(), Tally()
    scale = share_scale(plan.setup.players)
    for first in range(part.first_game, part.first_game + part.games, BLOCK):
        if stop.is_set():
            raise StopRequested
        played = plan.setup.play(first, min(BLOCK, part.first_game + part.games - first), "games")
        seats, games = played["seats"], played["games"]
        share = np.rint(seats["win_share"] * scale).astype(np.int64) * (seats["strategy"] == 0)
        shares += _tally(share.reshape(len(games), -1).sum(1))
        winning += _tally(games["winning_total"].astype(np.int64))
    return shares, winning


def share_scale(players: int) -> int:
    """Return the least number that makes a whole number of every share of a victory."""
    return math.lcm(*range(1, players + 1))


def _tally(values: np.ndarray) -> Tally:
    games, total = len(values), int(values.sum())
    return Tally(games, games, games, total, int((values * values).sum()), total)


class Learning:
    """Learning in progress.

    Parameters
    ----------
    plan : LearningPlan
        What to learn.
    staff : Staff
        Who plays; changes no figure.
    watch : callable, optional
        Called with the games done and the games in all of a step whenever a part is done.
    """

    def __init__(self, plan: Any, staff: Staff, watch: Watch = lambda done, games: None) -> None:
        self.plan = plan
        self._staff = staff
        self._watch = watch
        self._done = self._games = 0

    def begin(self, games: int) -> None:
        """Begin a step of so many games."""
        self._done, self._games = 0, games

    def go_on(self, games: int) -> None:
        """Say that so many more games of the step are done."""
        self._done += games
        self._watch(self._done, self._games)

    def try_out(self, strategies: list[str], number: int) -> tuple[Estimate, Estimate]:
        """Play fresh games, the first strategy against the second.

        Returns
        -------
        tuple of Estimate
            The first strategy's win share, and the winners' VP.
        """
        shares, winning = Tally(), Tally()
        setup = self.plan.setup(strategies, _TRIAL_SEEDS + self.plan.seed + number)
        for receipt in self.run_games(setup, self.plan.trial_games, tally_first_strategy):
            shares, winning = shares + receipt.result[0], winning + receipt.result[1]
        return estimate_share(shares, share_scale(self.plan.players)), estimate_ratio(winning)

    def run_games(self, setup: GameSetup, games: int, task: Any) -> Iterator[Receipt[Any]]:
        """Play games, and yield a receipt of what a task makes of each part, in the order in which they get done."""
        setup.warm_up()
        plan = Plan(setup, games)
        with closing(run_parts(plan, plan.parts(), task, self._staff.workers, self._staff.backend)) as receipts:
            for receipt in receipts:
                self.go_on(receipt.part.games)
                yield receipt


def share_to_dict(estimate: Estimate) -> dict[str, Any]:
    """Return an estimate as tables keep it in their provenance."""
    figures = {name: round(value, 4) for name, value in estimate.to_dict().items()}
    return {**figures, "games": estimate.games}
