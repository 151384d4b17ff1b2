"""The legal builds that a user's own strategy may choose from, in readable form and listed only when wanted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple, overload

import numpy as np

from fivetowers_sim.rules.cards import TOWER_TYPES
from fivetowers_sim.rules.draft import DRAFT
from fivetowers_sim.rules.outcome_list import BUILDER
from fivetowers_sim.rules.results import find_results, write_result_build
from fivetowers_sim.rules.state import BOTTOM_END, BUILD, FROM_HAND, FROM_TEARDOWN, TOP_END
from fivetowers_sim.strategies.custom import CARDS, Build, BuildPlan, Card, Placement

END_NAMES: Final = {TOP_END: "top", BOTTOM_END: "bottom"}
SOURCE_NAMES: Final = {FROM_HAND: "hand", FROM_TEARDOWN: "teardown"}
"""As in a trace, by the kernels' numbers."""


class Builds(Sequence[Build]):
    """Everything that a seat can carry out within its limits, as a sequence of builds.

    Parameters
    ----------
    rules : ndarray of RULES, shape (1,)
        The rule set.
    game : ndarray of GAME, shape (1,)
        The game, with its display revealed; it must not change afterwards.
    builder : ndarray of BUILDER, shape (1,)
        Who would build, and within which limits.
    """

    def __init__(self, rules: np.ndarray, game: np.ndarray, builder: np.ndarray) -> None:
        self.rules = rules
        self.game = game
        self.builder = builder

    def __len__(self) -> int:
        return len(self._found[1])

    def __iter__(self) -> Iterator[Build]:
        results = self._found[1]
        columns = (results[name].tolist() for name in ("bid", "pay", "score", "take", "outcome"))
        for number, (bid, pay, score, take, outcomes) in enumerate(zip(*columns, strict=True)):
            yield Build(bid, pay, score, take, outcomes, number, self)

    @overload
    def __getitem__(self, number: int) -> Build: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[Build, ...]: ...
    def __getitem__(self, number: int | slice) -> Build | tuple[Build, ...]:
        """Return the build at this position, or those of a slice."""
        numbers = range(len(self))[number]
        return tuple(map(self._build, numbers)) if isinstance(numbers, range) else self._build(numbers)

    def __repr__(self) -> str:
        return f"<{len(self)} builds>"

    def _build(self, number: int) -> Build:
        result = self._found[1][number]
        bid, pay, score, take = (int(result[name]) for name in ("bid", "pay", "score", "take"))
        return Build(bid, pay, score, take, result["outcome"].tolist(), number, self)

    @cached_property
    def _found(self) -> tuple[np.ndarray, np.ndarray]:
        return find_results(self.rules, self.game, self.builder)

    def __contains__(self, build: object) -> bool:
        """Say whether a build is one of these, rather than one of another round's or view's."""
        return isinstance(build, Build) and build._source is self

    def write(self, build: Build) -> np.ndarray:
        """Return one of the builds as the kernels take it, ready to be carried out; BUILD, shape (1,)."""
        outcomes, results = self._found
        written = np.zeros(1, BUILD)
        write_result_build(outcomes, results, build._number, np.zeros(1, DRAFT), written)
        return written

    # What a build asks for

    def take(self, positions: int) -> tuple[Card, ...]:
        """Return the cards at these display positions (bits)."""
        return tuple(card for place, card in enumerate(self.display) if (positions >> place) & 1)

    def torn(self, outcomes: Sequence[int]) -> tuple[Card, ...]:
        """Return the cards torn down, tower by tower, each from the top."""
        return tuple([card for number in outcomes for card in self._fates[number].torn])

    def towers(self, outcomes: Sequence[int]) -> Mapping[str, tuple[int, ...]]:
        """Return the towers afterwards, by type."""
        fates = self._fates
        return dict(zip(TOWER_TYPES, [fates[number].tower for number in outcomes], strict=True))

    def teardown(self, outcomes: Sequence[int]) -> tuple[Card, ...]:
        """Return the teardown pile afterwards."""
        seat, game = self.builder[0]["seat"], self.game[0]
        pile = [*read_cards(game["pile"][seat], game["pile_size"][seat]), *self.torn(outcomes)]
        for number in outcomes:
            for card in self._fates[number].fetched:
                pile.remove(card)
        return tuple(pile)

    def placements(self, build: Build) -> tuple[Placement, ...]:
        """Return the placements of a build, in an order in which every card can be fetched."""
        return read_placements(self.write(build)[0])

    @cached_property
    def _fates(self) -> list[_Fate]:
        outcomes, seat = self._found[0], int(self.builder[0]["seat"])
        before = read_towers(self.game[0], seat + 1)[seat]
        longest = int(outcomes["placed"].max(initial=0))
        counts = (outcomes[name].tolist() for name in ("kind", "paid", "torn", "end", "placed"))
        cards = (outcomes[name][:, :longest].tolist() for name in ("value", "origin"))
        return [_read_fate(before, *row) for row in zip(*counts, *cards, strict=True)]

    @cached_property
    def display(self) -> tuple[Card, ...]:
        """The cards shown."""
        return read_cards(self.game[0]["display"], self.game[0]["display_size"])


class _Fate(NamedTuple):
    """What an outcome makes of its tower."""

    tower: tuple[int, ...]
    torn: tuple[Card, ...]
    fetched: tuple[Card, ...]


def _read_fate(
    before: Sequence[tuple[int, ...]],
    kind: int,
    paid: int,
    torn: int,
    end: int,
    placed: int,
    values: list[int],
    origins: list[int],
) -> _Fate:
    unpaid = before[kind][: len(before[kind]) - paid]
    left, gone = unpaid[: len(unpaid) - torn], unpaid[len(unpaid) - torn :]
    added = values[:placed]
    fetched = [value for value, origin in zip(added, origins, strict=False) if origin == FROM_TEARDOWN]
    return _Fate(
        (*reversed(added), *left) if end == BOTTOM_END else (*left, *added),
        tuple([CARDS[kind * 32 + value] for value in reversed(gone)]),
        tuple([CARDS[kind * 32 + value] for value in fetched]),
    )


def read_cards(codes: np.ndarray, count: int) -> tuple[Card, ...]:
    """Return the first cards of an array of codes."""
    return tuple([CARDS[code] for code in codes[:count].tolist()])


def read_towers(game: np.void, seats: int) -> list[tuple[tuple[int, ...], ...]]:
    """Return the values of the five towers of each of the first seats, bottom to top."""
    heights = game["height"][:seats]
    slots = game["tower"][:seats, :, 1 : heights.max() + 1].tolist()
    return [
        tuple([tuple(tower[:height]) for tower, height in zip(*own, strict=True)])
        for own in zip(slots, heights.tolist(), strict=True)
    ]


def read_placements(build: np.void) -> tuple[Placement, ...]:
    """Return the placements of a build."""
    count = int(build["placed_size"])
    columns = (build[name][:count].tolist() for name in ("placed_card", "placed_end", "placed_from"))
    return tuple(
        Placement(CARDS[card], END_NAMES[end], SOURCE_NAMES[source]) for card, end, source in zip(*columns, strict=True)
    )


def read_plan(game: np.void, seat: int, build: np.void) -> BuildPlan:
    """Return a build that a strategy means to carry out as a plan.

    Parameters
    ----------
    game : record of GAME
        The game before the build.
    seat : int
        Who builds.
    build : record of BUILD
        The build; the cards paid and torn down need not be filled in.

    Returns
    -------
    BuildPlan
        The plan.
    """
    display = read_cards(game["display"], game["display_size"])
    take, pay = int(build["take"]), int(build["pay"])
    towers = [list(tower) for tower in read_towers(game, seat + 1)[seat]]
    tree = towers[TOWER_TYPES.index("tree")]
    del tree[len(tree) - pay :]
    torn = tuple(CARDS[kind * 32 + towers[kind].pop()] for kind in build["torn_kind"][: build["torn_size"]].tolist())
    taken = tuple(card for place, card in enumerate(display) if (take >> place) & 1)
    return BuildPlan(taken, pay, torn, read_placements(build))


def make_builder(rules: np.void, mind: np.void, seat: int, bids: tuple[int, int]) -> np.ndarray:
    """Return the kernels' record of who would build, within the limits of a strategy.

    Parameters
    ----------
    rules : record of RULES
        The rule set.
    mind : record of MIND
        The strategy.
    seat : int
        Where it sits.
    bids : tuple of two int
        The highest bid so far, and the bid to stay below.

    Returns
    -------
    ndarray of BUILDER, shape (1,)
        The record, in an array.
    """
    high_bid, limit = bids
    builders = np.zeros(1, BUILDER)
    builder = builders[0]
    builder["seat"] = seat
    builder["powers"] = int(rules["powers"][seat]) & ~int(mind["ignored_powers"])
    builder["teardown_limit"] = mind["teardown_limit"]
    builder["never_close"] = mind["never_close"]
    builder["lowest_bid"] = high_bid + 1
    builder["highest_bid"] = min(limit - 1, int(mind["max_bid"]))
    return builders
