"""Callers for the reference game: one that follows a script, and one that plays legal moves at random."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from fivetowers_sim.rules.ruleset import RuleSet
from tests.reference.audit import full_deck
from tests.reference.builds import all_builds, carry_out
from tests.reference.game import play_reference_game
from tests.reference.greedy import best_builds


class Scripted:
    """Says the words and makes the builds of a script, legal or not; afterwards nobody bids."""

    def __init__(self, words: Sequence[int | None], builds: Sequence[dict[str, Any] | None]) -> None:
        self.words = list(words)
        self.builds = list(builds)

    def word(self, view: dict[str, Any]) -> int | None:
        """Return the script's next word."""
        return self.words.pop(0) if self.words else None

    def build(self, view: dict[str, Any], bid: int) -> dict[str, Any] | None:
        """Return the script's next build."""
        return self.builds.pop(0)


class Wild:
    """Bids at random, often what it can't build, and builds at random; greedy seats play greedy."""

    def __init__(self, rules: RuleSet, seed: int, greedy_seats: Sequence[int] = ()) -> None:
        self.rules = rules
        self.random = random.Random(seed)
        self.greedy_seats = greedy_seats

    def word(self, view: dict[str, Any]) -> int | None:
        """Say a random possible number, or what the greedy policy says."""
        if view["seat"] in self.greedy_seats:
            bids = sorted({build.bid for build in self._best(view, view["high_bid"])})
            return self.random.choice(bids) if bids else None
        limit = min(view["limit"], (view["below"] or 99) - 1)
        bids = list(range(view["high_bid"] + 1, limit + 1))
        return self.random.choice(bids) if bids and self.random.random() < 0.6 else None

    def build(self, view: dict[str, Any], bid: int) -> dict[str, Any] | None:
        """Choose one of the builds for the bid, or cancel if there is none."""
        where = (self.rules, view["powers"], view["towers"], view["pile"])
        if view["seat"] in self.greedy_seats:
            builds = {build for build in self._best(view, bid - 1) if build.bid == bid}
        else:
            builds = all_builds(*where, view["display"], only_bid=bid)
        return carry_out(*where, self.random.choice(sorted(builds))) if builds else None

    def _best(self, view: dict[str, Any], high_bid: int) -> set:
        return best_builds(self.rules, view["powers"], view["towers"], view["pile"], view["display"], high_bid)[1]


def play_wild_game(
    rules: RuleSet, powers_by_seat: Sequence[Sequence[str]], seed: int, greedy_seats: Sequence[int] = ()
) -> dict[str, Any]:
    """Play one game of random legal moves and return its trace."""
    choose = Wild(rules, seed, greedy_seats)
    players = len(powers_by_seat)
    deck = sorted(full_deck(rules, players).elements())
    choose.random.shuffle(deck)
    trace = play_reference_game(
        rules, players, powers_by_seat, deck, choose, lambda discard: choose.random.sample(discard, len(discard))
    )
    for seat in greedy_seats:
        trace["strategies"][seat] = "greedy"
    return trace


def play_script(
    front: str,
    words: Sequence[int | None],
    builds: Sequence[dict[str, Any] | None],
    powers_by_seat: Sequence[Sequence[str]] = ((), (), ()),
    rules: RuleSet | None = None,
) -> dict[str, Any]:
    """Play a script on a deck that starts with the cards named, separated by spaces, and return its trace."""
    rules = rules or RuleSet()
    players = len(powers_by_seat)
    first = front.split()
    rest = sorted((full_deck(rules, players) - Counter(first)).elements())
    return play_reference_game(rules, players, powers_by_seat, [*first, *rest], Scripted(words, builds), sorted)


def action(
    taken: str = "",
    placements: str = "",
    teardown: str | list[str] | None = None,
    paid: str = "",
) -> dict[str, Any]:
    """Write a build briefly: names separated by spaces; ``card/bottom``, ``card<teardown`` for the unusual.

    Without ``placements`` the cards taken are built in the order named.
    """
    steps = []
    for text in (placements or taken).split():
        text, _, source = text.partition("<")
        card, _, end = text.partition("/")
        steps.append({"card": card, "end": end or "top", "from": source or "hand"})
    return {"paid": paid.split(), "taken": taken.split(), "teardown": teardown, "placements": steps}


def assert_named(problems: Sequence[str], *parts: str) -> None:
    """Assert that one of an audit's messages has all these parts."""
    assert any(all(part in problem for part in parts) for problem in problems), problems
