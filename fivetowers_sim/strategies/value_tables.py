"""What positions are worth to ``value``: tables that are learned, kept as JSON, and readable as a price list."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from fivetowers_sim.rules.cards import EMPTY, TOWER_TOP
from fivetowers_sim.rules.state import MAX_TOWER, TYPES
from fivetowers_sim.rules.tables import MAX_CARDS
from fivetowers_sim.strategies.mind import ROUNDS_COUNTED, WORTH_PER_VP, ZERO_LEVELS, ZEROS_UNCOUNTED

STAGE_STARTS: Final = (1, 2, 3, 5, 8, 12, 16, 20)
"""Fewest rounds to come in each learned stage; the last round itself is scored exactly."""


@dataclass(frozen=True)
class ValueTables:
    """Expected final VP of positions, as a sum of parts, by stage of the game.

    Attributes
    ----------
    stage_starts : tuple of int
        Fewest rounds to come in each stage, rising.
    top : ndarray of float64, shape (stages, types, 4, 32)
        VP of a tower by type, 0s to come (none, one, more, not looked at) and top card (EMPTY for none).
    card : ndarray of float64, same shape
        VP of each of its cards.
    fit : ndarray of float64, same shape
        VP of each card to come, 0s aside, that may go on it.
    main : ndarray of float64, shape (stages, heights)
        VP by height of the highest tower.
    teardown : ndarray of float64, shape (stages, sizes)
        VP by size of the teardown pile.
    provenance : dict
        Where the tables come from.
    """

    stage_starts: tuple[int, ...]
    top: np.ndarray
    card: np.ndarray
    fit: np.ndarray
    main: np.ndarray
    teardown: np.ndarray
    provenance: dict[str, Any] = field(default_factory=dict)

    @property
    def stage_of(self) -> np.ndarray:
        """Stage by rounds to come: 0 for the last round, then from 1."""
        return np.searchsorted(self.stage_starts, np.arange(ROUNDS_COUNTED), side="right")

    @property
    def values(self) -> int:
        """How many values of cards have prices, from 0 up."""
        return int(np.flatnonzero(self.card[:, :, :, :EMPTY].any((0, 1, 2))).max()) + 1

    def tower(self, stage: int, kind: int, top: int, height: int) -> float:
        """Return what a tower is worth more than no tower, in VP, not looking at cards to come.

        Parameters
        ----------
        stage : int
            Position in `stage_starts`.
        kind, top, height : int
            Tower type, top card and number of cards.
        """
        prices = stage, kind, ZEROS_UNCOUNTED
        return float(self.top[*prices, top] + height * self.card[*prices, top] - self.top[*prices, EMPTY])


def fill_tables(mind: np.void, rules: np.void, tables: ValueTables, closing: float, pairing: float) -> None:
    """Make these tables a mind's knowledge.

    Parameters
    ----------
    mind : record of MIND
        Overwritten.
    rules : record of RULES
        The rule set: what the last round's positions score.
    tables : ValueTables
        What the others are worth.
    closing : float
        VP added to towers with a top, before the last round.
    pairing : float
        Share of a pair's VP that counts before the last round.
    """
    stages = len(tables.stage_starts) + 1
    mind["stages"] = stages
    mind["stage"] = -1
    mind["priced_at"] = -1
    mind["stage_of"] = tables.stage_of
    mind["values"] = int(rules["values_on"][EMPTY]).bit_length()
    _fill_score(mind, rules)
    mind["staged_top_worth"][1:stages] = _worth(tables.top)
    mind["staged_top_worth"][1:stages, :, :, TOWER_TOP] += _worth(closing)
    mind["staged_card_worth"][1:stages] = _worth(tables.card)
    mind["staged_fit_worth"][1:stages] = _worth(tables.fit)
    mind["main_worth"][1:stages] = _worth(_extend(tables.main, MAX_TOWER + 1))
    mind["teardown_worth"][1:stages] = _worth(_extend(tables.teardown, MAX_CARDS))
    mind["pair_worth"][1:stages] = _worth(pairing * int(rules["pair_vp"]))


def _fill_score(mind: np.void, rules: np.void) -> None:
    """Make the worth of stage 0 the score itself."""
    mind["staged_top_worth"][0] = 0
    mind["staged_card_worth"][0] = int(rules["vp_per_card"]) * WORTH_PER_VP
    mind["staged_card_worth"][0, :, :, TOWER_TOP] = int(rules["vp_per_topped_card"]) * WORTH_PER_VP
    mind["main_worth"][0] = np.arange(MAX_TOWER + 1) * int(rules["vp_main_tower"]) * WORTH_PER_VP
    mind["teardown_worth"][0] = -rules["teardown_cost"] * WORTH_PER_VP
    mind["pair_worth"][0] = int(rules["pair_vp"]) * WORTH_PER_VP


def _worth(vp: Any) -> np.ndarray:
    return np.rint(np.asarray(vp) * WORTH_PER_VP).astype(np.int64)


def _extend(table: np.ndarray, length: int) -> np.ndarray:
    """Go on past the end of a table as its last step does."""
    step = table[:, -1:] - table[:, -2:-1]
    more = np.arange(1, max(0, length - table.shape[1]) + 1)
    return np.concatenate([table[:, :length], table[:, -1:] + step * more], axis=1)


def score_tables(rules: np.void) -> ValueTables:
    """Return tables that price every position at its score now: what learning starts from."""
    stages, heights, sizes = len(STAGE_STARTS), np.arange(25), 16
    card = np.full((stages, TYPES, ZERO_LEVELS, 32), float(rules["vp_per_card"]))
    card[..., TOWER_TOP] = float(rules["vp_per_topped_card"])
    top = np.zeros_like(card)
    top[:] = rules["openness"] / WORTH_PER_VP
    top[..., TOWER_TOP] = 0
    top -= top[..., EMPTY, None]
    main = np.tile(heights * float(rules["vp_main_tower"]), (stages, 1))
    teardown = np.tile(-rules["teardown_cost"][:sizes].astype(float), (stages, 1))
    return ValueTables(STAGE_STARTS, top, card, np.zeros_like(card), main, teardown)
