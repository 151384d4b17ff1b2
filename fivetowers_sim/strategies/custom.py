"""What a user's own strategy in Python is given, and what it answers; docs/your-own-strategy.md is the tutorial.

Cards, towers and seats are plain immutable values. Tower types are named as in :data:`TOWER_TYPES`, and seats count
from 0. Whatever a strategy is shown, a player at the table could know.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, Self

from fivetowers_sim.rules.cards import TOWER_TYPES, parse_card
from fivetowers_sim.rules.ruleset import RuleSet

_NUMBERS: Final = {kind: number for number, kind in enumerate(TOWER_TYPES)}


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """A card.

    Attributes
    ----------
    kind : str
        Its tower type.
    value : int
        Its printed value.
    """

    kind: str
    value: int

    @classmethod
    def read(cls, name: str) -> Self:
        """Return the card of this name, such as ``candy-11``; ValueError if there is none."""
        code = parse_card(name)
        return cls(TOWER_TYPES[code // 32], code % 32)

    def __str__(self) -> str:
        return f"{self.kind}-{self.value}"

    def __hash__(self) -> int:
        # The same in every process, unlike that of text: so that a set of cards has the same order everywhere.
        return _NUMBERS.get(self.kind, -1) * 32 + self.value


CARDS: Final = tuple(Card(kind, value) for kind in TOWER_TYPES for value in range(32))
"""Every card by its code."""


@dataclass(frozen=True, slots=True)
class Placement:
    """One card built.

    Attributes
    ----------
    card : Card
        The card.
    end : str
        The end of its tower: ``top``, or ``bottom`` for a card slid under the sand tower (rule 6.3).
    source : str
        ``hand`` for a card taken from the display, ``teardown`` for one fetched from the teardown pile (rule 6.2).
    """

    card: Card
    end: str = "top"
    source: str = "hand"


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """Everything that a seat does with a bid once it has won (rules 3.3 to 3.5 and 6).

    Attributes
    ----------
    take : tuple of Card
        The cards taken from the display.
    pay : int
        Tree cards paid from the top of the tree tower (rule 6.1).
    torn : tuple of Card
        The cards torn down, in order.
    placements : tuple of Placement, optional
        How the cards are built, in order. If not given, all cards taken are built on top, in the order of `take`.
    """

    take: tuple[Card, ...]
    pay: int = 0
    torn: tuple[Card, ...] = ()
    placements: tuple[Placement, ...] | None = None

    @property
    def bid(self) -> int:
        """The number said for it: cards taken and tree cards paid."""
        return len(self.take) + self.pay


@dataclass(frozen=True, slots=True, eq=False)
class Build:
    """A legal way to build above the highest bid, with what it leads to. Orders that come to the same are listed once.

    Attributes
    ----------
    bid : int
        The number said for it.
    pay : int
        Tree cards paid.
    score : int
        The seat's VP if the game ended right after this build.
    """

    bid: int
    pay: int
    score: int
    _take: int = field(repr=False)
    _outcomes: list[int] = field(repr=False)
    _number: int = field(repr=False)
    _source: Any = field(repr=False)

    @property
    def take(self) -> tuple[Card, ...]:
        """The cards taken, in the order of the display."""
        return self._source.take(self._take)

    @property
    def torn(self) -> tuple[Card, ...]:
        """The cards torn down, in order."""
        return self._source.torn(self._outcomes)

    @property
    def placements(self) -> tuple[Placement, ...]:
        """How the cards are built, in order."""
        return self._source.placements(self)

    @property
    def towers(self) -> Mapping[str, tuple[int, ...]]:
        """The seat's five towers afterwards, as in :class:`Seat`."""
        return self._source.towers(self._outcomes)

    @property
    def teardown(self) -> tuple[Card, ...]:
        """The seat's teardown pile afterwards."""
        return self._source.teardown(self._outcomes)


@dataclass(frozen=True, slots=True)
class Seat:
    """What lies in front of a seat.

    Attributes
    ----------
    towers : mapping of str to tuple of int
        The values of each of the five towers, bottom to top; an empty one is no tower.
    teardown : tuple of Card
        The teardown pile.
    powers : tuple of str
        The seat's Great Powers, out of ``tree``, ``scrap``, ``sand``, ``pairs``.
    score : int
        Its VP if the game ended now.
    """

    towers: Mapping[str, tuple[int, ...]]
    teardown: tuple[Card, ...]
    powers: tuple[str, ...]
    score: int


@dataclass(frozen=True, slots=True)
class Word:
    """What a seat has said in this round.

    Attributes
    ----------
    seat : int
        Who spoke.
    bid : int or None
        The number said; None for a pass. The starting player's "no cards" is 0.
    undone : bool
        Whether a cancelled build undid it (rule 3.6).
    """

    seat: int
    bid: int | None
    undone: bool


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What a seat sees when it is to speak.

    Attributes
    ----------
    rules : RuleSet
        Every dial of the game.
    round : int
        The round, from 1.
    display : tuple of Card
        The cards shown.
    seats : tuple of Seat
        What lies in front of each seat.
    discard : tuple of Card
        The discard pile.
    unseen : tuple of Card
        The cards left in the deck, sorted: everybody can work out which they are, nobody knows their order.
    deck_pass : int
        Which time through the deck, from 1; ``rules.deck_passes`` is the last.
    order : tuple of int
        The seats in the order in which they speak in this round.
    seat : int
        Who is to speak.
    high_bid : int
        The highest bid so far, 0 for none.
    below : int or None
        After a cancelled build of this seat, the bid that it has to stay below; else None.
    words : tuple of Word
        What has been said in this round.
    builds : sequence of Build
        Everything that the seat can carry out above the highest bid. Listed when it is first looked into.
    random : random.Random
        The seat's own chance: a function of the plan's seed, the game's number and the seat.
    ask : callable
        Given a built-in strategy's text, such as ``"greedy:max_bid=3"``, returns the :class:`BuildPlan` with which it
        would speak here, or None where it would pass.
    """

    rules: RuleSet
    round: int
    display: tuple[Card, ...]
    seats: tuple[Seat, ...]
    discard: tuple[Card, ...]
    unseen: tuple[Card, ...]
    deck_pass: int
    order: tuple[int, ...]
    seat: int
    high_bid: int
    below: int | None
    words: tuple[Word, ...]
    builds: Sequence[Build]
    random: random.Random
    ask: Callable[[str], BuildPlan | None] = field(repr=False)

    @property
    def own(self) -> Seat:
        """What lies in front of the seat that is to speak."""
        return self.seats[self.seat]

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that speak after this one, in order."""
        return self.order[self.order.index(self.seat) + 1 :]


class OwnStrategy(Protocol):
    """A user's own strategy: a class with this method.

    An instance is made for each seat in each game, so what it keeps in its attributes lasts for that game. Parameters
    of its constructor that are numbers, texts or yes-or-no can be given on the command line.
    """

    def speak(self, view: View) -> BuildPlan | Build | None:
        """Choose a word, and what to do if it wins.

        Parameters
        ----------
        view : View
            What the seat sees.

        Returns
        -------
        BuildPlan, Build or None
            One of the view's builds or a plan of one's own, whose bid is then said; None for a pass.
        """
