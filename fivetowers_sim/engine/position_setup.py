"""A given position as a plan's setup: each game is one future in which every bid of the seat to speak is tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fivetowers_sim.engine.branch_options import WORDS
from fivetowers_sim.engine.branch_setup import BranchedGames, branch_games, lay_branches, make_task, warm_up_branches
from fivetowers_sim.engine.branches import Branches
from fivetowers_sim.engine.setup import GameSetup, SetupError, make_setup
from fivetowers_sim.engine.trace import describe_build
from fivetowers_sim.engine.watch import KEPT
from fivetowers_sim.rules.bidding import PASS
from fivetowers_sim.rules.position import Position


@dataclass(frozen=True, eq=False)
class PositionSetup(BranchedGames):
    """Futures of a position; that of a number is the same for every bid.

    Attributes
    ----------
    position : Position
        The table.
    game : GameSetup
        Who sits there, by which rules, and the seed from which everything hidden is redrawn.
    leader : int
        Who has made the high bid, -1 for nobody.
    """

    position: Position
    game: GameSetup
    leader: int

    def to_dict(self) -> dict[str, Any]:
        """Return the setup as plain JSON values."""
        return {"position": self.position.to_dict(), "leader": self.leader, "game": self.game.to_dict()}

    def play(self, first_game: int, games: int, detail: str) -> dict[str, np.ndarray]:
        """Play futures, and record what every option led to in each; see :class:`BranchSetup`."""
        names = [layout.name for layout in self.layouts(detail)]
        branches = self._lay_branches()
        return dict(zip(names, branch_games(self.game, self._task(first_game, games), branches), strict=True))

    def warm_up(self) -> None:
        """Load or compile the kernels, so that the first futures are as quick as the others."""
        warm_up_branches(self.game, make_task(self.game.seed, 0, 0, WORDS, 1))

    def list_builds(self) -> dict[int, dict[str, Any]]:
        """Return what the seat builds if it wins, by bid; see :func:`~fivetowers_sim.engine.trace.describe_build`."""
        branches = self._lay_branches()
        _, _, decisions, _ = branch_games(self.game, self._task(0, 1), branches)
        display = self.position.display()
        return {
            int(branches.options["bid"][nth]): describe_build(branches.builds[nth], display)
            for nth in range(int(decisions["options"][0]))
            if branches.options["bid"][nth] > 0
        }

    def _task(self, first: int, games: int) -> np.void:
        task = make_task(self.game.seed, first, games, WORDS, 1)
        task["laid"] = True
        task["place"] = self._place
        task["high_bid"] = self.position.high_bid
        task["leading_word"] = self._place_of(self.leader) if self.leader >= 0 else -1
        return task

    @property
    def _place(self) -> int:
        return self._place_of(self.position.seat)

    def _place_of(self, seat: int) -> int:
        return (seat - int(self.position.game[0]["start"])) % self.players

    def _lay_branches(self) -> Branches:
        """Lay the table as the watch of it would have kept it."""
        branches, position = lay_branches(self.game), self.position
        watch = branches.watch
        watch.games[KEPT] = position.game[0]
        if position.game[0]["deck_pass"] == 0:
            _put_shown_cards_first(watch.games[KEPT], len(position.rules.deck(self.players)))
        branches.table.seats["seated"][: self.players] = self.game.mind_rows[0]
        log, start, high_bid = watch.logs[1], int(position.game[0]["start"]), 0
        log["start"], log["display_size"] = start, position.game[0]["display_size"]
        log["words"] = self._place
        for place in range(self._place):
            seat = (start + place) % self.players
            bid = position.high_bid if seat == self.leader else PASS
            log["word_seat"][place] = seat
            log["word_high_before"][place] = high_bid
            log["word_bid"][place] = 0 if bid == PASS and place == 0 else bid
            high_bid = max(high_bid, bid)
        watch.noticed["leader"] = self.leader
        if self.leader >= 0:
            watch.noticed["choice"]["bid"][self.leader] = position.high_bid
        return branches


def _put_shown_cards_first(game: np.void, cards: int) -> None:
    """Let the deck begin with as many cards as have been revealed of it, since the stage is told by that."""
    unseen = int(game["deck_size"])
    game["deck"][cards - unseen : cards] = game["deck"][:unseen].copy()
    game["deck_size"] = cards
    game["deck_next"] = cards - unseen


def make_position_setup(
    position: Position, strategies: Sequence[str], seed: int, leader: int | None = None
) -> PositionSetup:
    """Check who plays a position on.

    Parameters
    ----------
    position : Position
        The table.
    strategies : sequence of str
        One for each seat, or one for all.
    seed : int
        Decides what is redrawn.
    leader : int, optional
        Who has made the high bid; the seat that spoke last if not given.

    Returns
    -------
    PositionSetup
        The checked setup.

    Raises
    ------
    SetupError, fivetowers_sim.strategies.parameters.StrategyError
        Naming the field, the value and what is accepted.
    """
    game = make_setup(position.rules, position.players, strategies, seed, position.powers_by_seat, "fixed")
    if game.has_own_strategies:
        raise SetupError("strategies names a strategy of one's own; accepted are built-in families and presets")
    start = int(position.game[0]["start"])
    spoken = [(start + place) % position.players for place in range((position.seat - start) % position.players)]
    if position.high_bid == 0:
        return PositionSetup(position, game, -1)
    if not spoken:
        raise SetupError(
            f"turn.high_bid is {position.high_bid}, but seat {position.seat} speaks first; accepted is 0, or another "
            "seat as start"
        )
    if leader is None:
        leader = spoken[-1]
    if leader not in spoken:
        named = ", ".join(map(str, spoken))
        raise SetupError(f"leader is {leader}; accepted is a seat that has spoken: {named}")
    return PositionSetup(position, game, leader)
