"""Whether a strategy that was tuned against a tournament's field beats it, and by how much.

The field is its equilibrium mix: no strategy of the tournament gains anything against it. What a search for another
one brings back was chosen on the games of the search and looks better there than it is, so its gain is measured on
deals that nothing was chosen by. A search that finds nothing proves nothing: the gain is a lower bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, Final

import numpy as np

from fivetowers_sim.analysis.equilibrium import Lineup, count_orders
from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.analysis.moments import estimate_contrast
from fivetowers_sim.bench.arms import ArmsPlan, Crew, play_arms
from fivetowers_sim.bench.kept import Kept
from fivetowers_sim.engine.setup import LARGEST_SEED, GameSetup, make_setup
from fivetowers_sim.questions.tournament.circles import spread_beginnings, two_ways
from fivetowers_sim.questions.tournament.measure import Places

FindReply = Callable[[Sequence[str], Sequence[str]], str]
"""A search: given the strategies of the field, those first that the mix has most of, and opponents who fill the other
seats, any selection of them equally often, it returns the best strategy that it finds."""

_OPPONENTS: Final = 6
"""Opponents by which a mix is told to a search."""


@dataclass(frozen=True, slots=True)
class BestResponse:
    """The strategy that a search found, on fresh deals.

    Attributes
    ----------
    strategy : str
        Its name.
    opponents : tuple of str
        Against whom it was searched.
    gain : Estimate
        How much more than an equal share of the victory a seat of it gets, from 0 to 1, while every other seat plays
        the mix.
    games : int
        Games behind it.
    """

    strategy: str
    opponents: tuple[str, ...]
    gain: Estimate
    games: int

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return {
            "strategy": self.strategy,
            "opponents": list(self.opponents),
            "gain": self.gain.to_dict(),
            "deals": self.gain.games,
            "games": self.games,
        }


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """Whom a strategy is to beat.

    Attributes
    ----------
    table : GameSetup
        The games: rules, powers, number of players and seed; who sits there makes no difference.
    strategies : tuple of str
        The strategies of the field.
    mix : ndarray of float, shape (strategies,)
        With which probability each other seat is given each of them.
    """

    table: GameSetup
    strategies: tuple[str, ...]
    mix: np.ndarray

    def by_weight(self) -> tuple[str, ...]:
        """Return the strategies, those first that the mix has most of."""
        return tuple(self.strategies[own] for own in np.argsort(-self.mix, kind="stable"))

    def opponents(self) -> tuple[str, ...]:
        """Return opponents in about the numbers of the mix; one if the mix is of one strategy.

        Those with the largest remainders get the places that are left over (Hamilton's method).
        """
        places = self.mix * _OPPONENTS
        counts = np.floor(places + 1e-9).astype(int)
        for strategy in np.argsort(counts - places, kind="stable")[: _OPPONENTS - counts.sum()]:
            counts[strategy] += 1
        listed = tuple(name for name, count in zip(self.strategies, counts, strict=True) for _ in range(count))
        return listed[:1] if len(set(listed)) == 1 else listed


def find_best_response(field: Field, find: FindReply, games: int, crew: Crew) -> BestResponse:
    """Search for a strategy that beats a field, and measure its gain on fresh deals.

    Parameters
    ----------
    field : Field
        The field.
    find : callable
        The search.
    games : int
        Games to measure with, rounded up so that every circle is played on the same deals.
    crew : Crew
        Who plays them.

    Returns
    -------
    BestResponse
        What was found.

    Raises
    ------
    BatchError
        If games failed.
    KeyboardInterrupt
        If the user interrupted.
    """
    opponents = field.opponents()
    reply = find(field.by_weight(), opponents)
    gain, played = measure_gain(field, reply, games, crew)
    return BestResponse(reply, opponents, gain, played)


def measure_gain(field: Field, reply: str, games: int, crew: Crew) -> tuple[Estimate, int]:
    """Measure how much more than an equal share a strategy gets against a field, on deals of a seed of its own.

    Parameters
    ----------
    field : Field
        The field.
    reply : str
        The strategy.
    games : int
        Games to play, rounded up.
    crew : Crew
        Who plays.

    Returns
    -------
    gain : Estimate
        From -1 to 1.
    played : int
        Games played.
    """
    names = tuple(dict.fromkeys((*field.strategies, reply)))
    own, players = names.index(reply), field.table.players
    weights = _weigh_lineups(field.mix, own, players)
    if not weights:
        # The field is of nothing else.
        return Estimate(0.0, 0.0, 0.0, 0), 0
    circles = spread_beginnings(circle for lineup in weights for circle in two_ways(lineup))
    places = Places(len(names), circles)
    seed = (field.table.seed + 1) % (LARGEST_SEED + 1)
    arms = tuple(
        make_setup(
            field.table.rules, players, [names[one] for one in circle], seed, field.table.powers_by_seat, "rotate"
        )
        for circle in circles
    )
    deals = -(-games // len(circles) // players) * players
    kept = Kept(places.columns)
    play_arms(ArmsPlan(arms, places, (deals,)), kept, lambda moments: True, crew)
    by_column = np.zeros(places.columns)
    for lineup, weight in weights.items():
        key = (lineup, own)
        by_column[places.share_columns[key]] = weight / places.scale / places.seats_of([key])
    share = estimate_contrast(kept.moments, by_column)
    # Where all others play the reply too, it gets the equal share, as it does on either side of the difference.
    equal = sum(weights.values()) / players
    return Estimate(share.value - equal, share.low - equal, share.high - equal, share.games), deals * len(circles)


def _weigh_lineups(mix: np.ndarray, own: int, players: int) -> dict[Lineup, float]:
    """Return how probable each line-up with a strategy is that isn't of this one alone, if a mix fills the others."""
    weights = {}
    for others in combinations_with_replacement(np.flatnonzero(mix).tolist(), players - 1):
        if set(others) != {own}:
            weights[tuple(sorted((*others, own)))] = count_orders(others) * float(np.prod(mix[list(others)]))
    return weights
