"""One round, played by the compiled engine from a given position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fivetowers_sim.engine.fork import lay_game_table
from fivetowers_sim.engine.log import ROUND_LOG
from fivetowers_sim.engine.step import step_round
from fivetowers_sim.rules.cards import card_name
from fivetowers_sim.rules.state import FROM_TEARDOWN, TYPES
from fivetowers_sim.strategies.families import make_minds, read_strategy
from tests.positions import Spot
from tests.reference.builds import Build


@dataclass(frozen=True)
class Word:
    """One word of a bidding: who said which number (-1: pass) over which bid, and whether it was undone."""

    seat: int
    bid: int
    high_bid: int
    void: bool


class Rounds:
    """A position that can be played again and again, with other luck.

    Parameters
    ----------
    spot : Spot
        The position before the display is revealed.
    strategies : sequence of str
        One for each seat, or one for all.
    start : int, optional
        The starting player.
    """

    def __init__(self, spot: Spot, strategies: Sequence[str], start: int = 0) -> None:
        self.spot = spot
        names = list(strategies) * (spot.players if len(strategies) == 1 else 1)
        rules = spot.compile_rules()
        self._before = spot.games(revealed=False)
        self._before["start"] = start
        self._games = self._before.copy()
        minds = make_minds([read_strategy(name) for name in names], rules)
        table = lay_game_table(rules, minds)
        self.table = table._replace(game=self._games[0])
        self.log = np.zeros(1, ROUND_LOG)[0]

    def play(self, luck: int = 0) -> int:
        """Play the round and return who builds (-1: nobody); the seats' luck is a number."""
        self._games[0] = self._before[0]
        self.table.game["noise_key"][:] = luck * 8 + np.arange(5)
        step_round(self.table, self.log)
        return int(self.log["winner"])

    def words(self) -> list[Word]:
        """Return what was said in the round played last."""
        count = int(self.log["words"])
        columns = [self.log[f"word_{name}"][:count].tolist() for name in ("seat", "bid", "high_before", "void")]
        return [Word(seat, bid, high, bool(void)) for seat, bid, high, void in zip(*columns, strict=True)]

    def build(self) -> Build:
        """Return the build of the round played last, as the reference writes it."""
        build, game, seat = self.table.build, self.table.game, int(self.log["winner"])
        take, count = int(build["take"]), int(build["placed_size"])
        placed = zip(build["placed_card"][:count].tolist(), build["placed_from"][:count].tolist(), strict=True)
        heights = game["height"][seat].tolist()
        return Build(
            take=tuple(sorted(card for place, card in enumerate(self.spot.display) if (take >> place) & 1)),
            pay=int(build["pay"]),
            torn=_names(build["torn_card"][: build["torn_size"]]),
            fetched=_names([card for card, origin in placed if origin == FROM_TEARDOWN]),
            towers=tuple(tuple(game["tower"][seat, kind, 1 : heights[kind] + 1].tolist()) for kind in range(TYPES)),
            pile=_names(game["pile"][seat, : game["pile_size"][seat]]),
        )


def _names(codes: Sequence[int] | np.ndarray) -> tuple[str, ...]:
    return tuple(sorted(card_name(code) for code in codes))
