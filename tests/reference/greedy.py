"""The greedy policy by brute force: the build that scores most at once, ties to the most open towers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fivetowers_sim.rules.ruleset import RuleSet
from tests.reference.builds import Build, Towers, all_builds
from tests.reference.scoring import openness, score


def worth(rules: RuleSet, powers: Iterable[str], towers: Towers, pile: Sequence[str]) -> tuple[int, int]:
    """Return the score if the game ended now, and the total openness of the towers."""
    return score(rules, powers, towers, pile)["total"], sum(openness(rules, towers))


def best_builds(
    rules: RuleSet,
    powers: Iterable[str],
    towers: Mapping[str, Sequence[int]] | Towers,
    pile: Iterable[str],
    display: Sequence[str],
    high_bid: int,
) -> tuple[tuple[int, int] | None, set[Build]]:
    """Find the builds that a greedy seat may choose when it has to beat a bid.

    Returns
    -------
    best : tuple of int or None
        Score and total openness that the best builds reach; None if nothing above ``high_bid`` can be
        built, so that the seat passes.
    builds : set of Build
        Every build that reaches it; ``{build.bid for build in builds}`` are the words it may say.
    """
    powers = frozenset(powers)
    best: tuple[int, int] | None = None
    reaching: set[Build] = set()
    for build in all_builds(rules, powers, towers, pile, display):
        if build.bid <= high_bid:
            continue
        value = worth(rules, powers, build.towers, build.pile)
        if best is None or value > best:
            best, reaching = value, set()
        if value == best:
            reaching.add(build)
    return best, reaching
