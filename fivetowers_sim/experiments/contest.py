"""The games in which candidates are measured: one seat is the candidate's, a field fills the others."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Final

from fivetowers_sim.bench.strategy_files import describe_strategy_files, keep_to_files
from fivetowers_sim.engine.setup import GameSetup, make_setup
from fivetowers_sim.rules.ruleset import PLAYER_COUNTS, RuleSet

AIMS: Final = {
    "win_share": "share of the victory, where tied winners share it",
    "margin": "VP ahead of the best of the others",
}
"""What a candidate can be good at."""


class ContestError(ValueError):
    """A contest that can't be held; the message names the field, the value and what is accepted."""


@dataclass(frozen=True)
class Contest:
    """The games in which candidates are measured.

    Attributes
    ----------
    rules : RuleSet
        The rule set.
    powers_by_seat : tuple of tuple of str
        Great Powers of each seat, whoever sits there.
    field : tuple of str
        The candidates' opponents, as canonically written: one for all the other seats, one for each of them, or more,
        of whom each selection makes up a table.
    strategy_files : tuple of (str, str)
        The files that opponents come from, each with its SHA-256.
    """

    rules: RuleSet
    powers_by_seat: tuple[tuple[str, ...], ...]
    field: tuple[str, ...]
    strategy_files: tuple[tuple[str, str], ...] = ()

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.powers_by_seat)

    @cached_property
    def tables(self) -> tuple[tuple[str, ...], ...]:
        """Who fills the other seats; several tables take turns, equally often."""
        others = self.players - 1
        return (self.field * others,) if len(self.field) == 1 else tuple(combinations(self.field, others))

    @property
    def cycle(self) -> int:
        """Games after which each seat was the candidate's equally often at every table."""
        return self.players * len(self.tables)

    def scale(self, aim: str) -> int:
        """Return what scores are multiplied by to make them whole numbers."""
        return math.lcm(*range(1, self.players + 1)) if aim == "win_share" else 1

    def setup(self, candidate: str, table: int, seed: int) -> GameSetup:
        """Return the games of a candidate at one of the tables."""
        seated = [candidate, *self.tables[table]]
        setup = make_setup(self.rules, self.players, seated, seed, self.powers_by_seat, "rotate")
        return keep_to_files(setup, self.strategy_files)

    def to_dict(self) -> dict[str, Any]:
        """Return the contest as plain JSON values."""
        return {
            "players": self.players,
            "field": list(self.field),
            "powers_by_seat": [list(powers) for powers in self.powers_by_seat],
            "rules": self.rules.to_dict(),
            **describe_strategy_files([self]),
        }


def make_contest(
    rules: RuleSet, players: int, field: Sequence[str], powers_by_seat: Sequence[Iterable[str]] | None = None
) -> Contest:
    """Check who plays whom, and by which rules.

    Parameters
    ----------
    rules : RuleSet
        The rule set.
    players : int
        2 to 5.
    field : sequence of str
        The candidates' opponents: one for all the other seats, one for each of them, or more, of whom each selection
        makes up a table.
    powers_by_seat : sequence of iterable of str, optional
        Great Powers of each seat; those of the rule set for all if not given.

    Returns
    -------
    Contest
        The checked contest.

    Raises
    ------
    ContestError, SetupError, StrategyError
        Naming the field, the value and what is accepted.
    """
    if players not in PLAYER_COUNTS:
        raise ContestError(f"players is {players}; accepted is {PLAYER_COUNTS[0]} to {PLAYER_COUNTS[-1]}")
    others = players - 1
    if len(field) != 1 and len(field) < others:
        named = ", ".join(field) or "nobody"
        seats = "the other seat" if others == 1 else f"all {others} other seats, or {others} or more"
        raise ContestError(f"against names {named}; accepted is one for {seats}")
    # The setup of one opponent after the other checks names and powers.
    checked = [make_setup(rules, players, [name], 0, powers_by_seat) for name in field]
    files = {path: sha256 for setup in checked for path, sha256 in setup.strategy_files}
    names = tuple(setup.strategies[0] for setup in checked)
    return Contest(rules, checked[0].powers_by_seat, names, tuple(files.items()))
