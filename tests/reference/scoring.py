"""The score, counted as on paper (rules 5 and 6.4), and how open towers are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fivetowers_sim.rules.cards import CANDY, SCARY
from fivetowers_sim.rules.ruleset import RuleSet
from tests.reference.builds import Towers, as_towers, fits_on


def teardown_vp_lost(rules: RuleSet, torn: int) -> int:
    """Return what a teardown pile of this many cards costs (rule 5.4)."""
    listed = rules.teardown_costs
    step = listed[-1] - listed[-2] if len(listed) >= 2 else 0
    lost = 0
    cost = 0
    for number in range(torn):
        cost = listed[number] if number < len(listed) else max(0, cost + step)
        lost += cost
    return lost


def score(
    rules: RuleSet,
    powers: Iterable[str],
    towers: Mapping[str, Sequence[int]] | Towers,
    pile: Sequence[str],
) -> dict[str, int]:
    """Score one seat as if the game ended now.

    Returns
    -------
    dict of str to int
        VP: ``cards``, ``tops`` (what towers with a top add), ``main``, ``pairs``, ``teardown`` (0 or
        less) and their sum ``total``.
    """
    built = as_towers(towers)
    parts = {"cards": 0, "tops": 0, "main": 0, "pairs": 0, "teardown": -teardown_vp_lost(rules, len(pile))}
    for tower in built:
        parts["cards"] += rules.vp_per_card * len(tower)
        if 0 in tower:
            parts["tops"] += (rules.vp_per_topped_card - rules.vp_per_card) * len(tower)
    parts["main"] = rules.vp_main_tower * max(len(tower) for tower in built)
    if "pairs" in powers:
        unpaired = list(built[CANDY])
        for value in built[SCARY]:
            if value in unpaired:
                unpaired.remove(value)
                parts["pairs"] += rules.pair_vp
    parts["total"] = sum(parts.values())
    return parts


def openness(rules: RuleSet, towers: Mapping[str, Sequence[int]] | Towers) -> tuple[int, ...]:
    """Return for each type how many of the printed values could go next on top of its tower."""
    return tuple(
        sum(1 for value in range(rules.highest_value + 1) if not tower or fits_on(rules, value, tower[-1]))
        for tower in as_towers(towers)
    )
