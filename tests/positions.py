"""Random rule sets and positions, for Hypothesis and, seeded, for long comparisons.

A :class:`Spot` describes one position; from it come the records that the kernels play with and the
arguments that the reference engine takes.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from fivetowers_sim.rules.cards import TOWER_TYPES, card_name, parse_card
from fivetowers_sim.rules.ruleset import POWERS, RuleSet
from fivetowers_sim.rules.state import new_games
from fivetowers_sim.rules.tables import compile_rules

BASE = RuleSet()
POWER_SETS = tuple(frozenset(chosen) for size in range(5) for chosen in combinations(POWERS, size))
"""All 16 sets of Great Powers."""

MANY = int(os.environ.get("FIVETOWERS_TEST_MANY", "1"))
"""How many times as many random positions as usual are compared with the reference."""


def power_set_name(powers: Sequence[str]) -> str:
    """Name a set of powers, for test ids."""
    return "+".join(power for power in POWERS if power in powers) or "none"


EACH_POWER_SET = [
    pytest.param(powers, id=power_set_name(powers), marks=pytest.mark.slow if 0 < len(powers) < len(POWERS) else ())
    for powers in POWER_SETS
]
"""All of them, for a test that takes its time: none and all say most, so that the others are slow."""


@dataclass(frozen=True)
class Spot:
    """A position at the start of a round.

    Attributes
    ----------
    rules : RuleSet
        The dials.
    powers : tuple of frozenset of str
        Great Powers of each seat.
    display : tuple of str
        The cards shown.
    towers : tuple of dict of str to tuple of int
        Each seat's towers by type, bottom to top.
    piles : tuple of tuple of str
        Each seat's teardown pile.
    unseen : tuple of str
        The rest of the deck.
    """

    rules: RuleSet
    powers: tuple[frozenset[str], ...]
    display: tuple[str, ...]
    towers: tuple[dict[str, tuple[int, ...]], ...]
    piles: tuple[tuple[str, ...], ...]
    unseen: tuple[str, ...] = ()

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.powers)

    def seat(self, seat: int) -> tuple[frozenset[str], dict[str, tuple[int, ...]], tuple[str, ...]]:
        """Return what the reference asks of a seat: powers, towers and teardown pile."""
        return self.powers[seat], self.towers[seat], self.piles[seat]

    def compile_rules(self) -> np.ndarray:
        """Return the kernels' record of the rules, shape (1,)."""
        return compile_rules(self.rules, self.players, self.powers)

    def games(self, revealed: bool = True) -> np.ndarray:
        """Return the game, shape (1,): the display revealed, or still on top of the deck."""
        games = new_games()
        game = games[0]
        deck = self.unseen if revealed else self.display + self.unseen
        if revealed:
            game["display_size"] = fill(game["display"], self.display)
        game["deck_size"] = fill(game["deck"], deck)
        for seat in range(self.players):
            game["pile_size"][seat] = fill(game["pile"][seat], self.piles[seat])
            for kind, name in enumerate(TOWER_TYPES):
                tower = self.towers[seat].get(name, ())
                game["height"][seat, kind] = len(tower)
                game["tower"][seat, kind, 1 : len(tower) + 1] = tower
        return games


def fill(array: np.ndarray, cards: Sequence[str]) -> int:
    """Write cards to the start of an array of codes and return how many."""
    array[: len(cards)] = [parse_card(card) for card in cards]
    return len(cards)


def spot(
    display: str,
    towers: dict[str, Sequence[int]] | None = None,
    pile: str = "",
    powers: Sequence[str] = (),
    rules: RuleSet = BASE,
    players: int = 3,
) -> Spot:
    """Describe a position of which only seat 0 matters; cards are names separated by spaces."""
    others = players - 1
    return Spot(
        rules=rules,
        powers=(frozenset(powers),) + (frozenset(),) * others,
        display=tuple(display.split()),
        towers=({kind: tuple(tower) for kind, tower in (towers or {}).items()},) + ({},) * others,
        piles=(tuple(pile.split()),) + ((),) * others,
    )


def random_rules(chance: random.Random, largest_display: int = 5) -> RuleSet:
    """Make up a rule set: another deck, other special values, limits and points."""
    highest = chance.choice([6, 11, 15, 15, 15, 20])
    special = range(1, highest + 1)

    def values(most: int, among: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(chance.sample(among, chance.randint(0, most))))

    size = chance.randint(3, largest_display)
    return RuleSet(
        name="random",
        highest_value=highest,
        copies=chance.choice([1, 1, 2]),
        **{f"extra_copies_{players}": values(4, range(highest + 1)) for players in (2, 3, 4, 5)},
        display_size=size,
        deck_passes=chance.randint(1, 3),
        anything_goes_on=values(2, special),
        goes_on_anything=values(2, special),
        teardown_limit=chance.randint(0, 3),
        teardown_costs=tuple(chance.randint(0, 4) for _ in range(chance.randint(1, 3))),
        vp_per_card=chance.choice([0, 1, 1, 2]),
        vp_per_topped_card=chance.randint(0, 4),
        vp_main_tower=chance.randint(0, 2),
        pair_vp=chance.randint(0, 4),
        tree_min_take=chance.randint(0, 2),
    )


def random_spot(
    chance: random.Random,
    rules: RuleSet = BASE,
    players: int | None = None,
    powers: Sequence[frozenset[str]] = POWER_SETS,
    most_cards: int = 14,
) -> Spot:
    """Deal a position at random.

    Parameters
    ----------
    chance : random.Random
        Makes every choice.
    rules : RuleSet, optional
        The dials.
    players : int, optional
        2 to 5; any if not given.
    powers : sequence of frozenset of str, optional
        Each seat gets one of these sets of powers.
    most_cards : int, optional
        Cards offered to each seat's towers; those that fit are built.

    Returns
    -------
    Spot
        The position.
    """
    players = players or chance.randint(2, 5)
    deck = [card_name(code) for code in rules.deck(players)]
    chance.shuffle(deck)
    shown = rules.display_size if chance.random() < 0.8 else chance.randint(1, rules.display_size)
    display, deck = deck[:shown], deck[shown:]
    towers, piles = [], []
    for _ in range(players):
        offered = [deck.pop() for _ in range(min(chance.randint(0, most_cards), len(deck) // (players + 1)))]
        built: dict[str, tuple[int, ...]] = {}
        pile = []
        for card in offered:
            kind, value = card.split("-")
            tower = built.get(kind, ())
            if rules.fits_on(int(value), tower[-1] if tower else None):
                built[kind] = (*tower, int(value))
            elif value != "0" and len(pile) < 3:
                pile.append(card)
            else:
                deck.insert(0, card)
        towers.append(built)
        piles.append(tuple(pile))
    return Spot(
        rules=rules,
        powers=tuple(chance.choice(powers) for _ in range(players)),
        display=tuple(display),
        towers=tuple(towers),
        piles=tuple(piles),
        # A short display is what an empty deck leaves.
        unseen=tuple(deck) if shown == rules.display_size else (),
    )


def seeded_spots(seed: int, count: int, edited: bool = False, **options: Any) -> Iterator[Spot]:
    """Yield random positions, ``count`` times :data:`MANY` of them; each by another edited rule set if wanted."""
    for number in range(count * MANY):
        chance = random.Random(seed * 1_000_003 + number)
        if edited:
            options["rules"] = random_rules(chance, largest_display=4)
        yield random_spot(chance, **options)


def rule_sets() -> st.SearchStrategy[RuleSet]:
    """Generate rule sets."""
    return st.randoms(use_true_random=False).map(random_rules)


def spots(**options: Any) -> st.SearchStrategy[Spot]:
    """Generate positions by the printed rules; options are those of :func:`random_spot`."""
    return st.randoms(use_true_random=False).map(lambda chance: random_spot(chance, **options))
