"""The figures on Great Powers: each set, each power's Shapley share, each two powers, and who is ahead of whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from fivetowers_sim.analysis.shapley import interaction_weights, shapley_weights
from fivetowers_sim.bench.findings import Finding, Findings
from fivetowers_sim.questions.powers.measure import HOLDERS, SETS, USES, powers_of
from fivetowers_sim.rules.ruleset import POWERS

_ALL: Final = SETS - 1
# The figures that a power is judged by, and the figures of the game as a whole.
_WORTH: Final = (("alone", "total"), ("alone", "win_share"))
_GAME: Final = (("everyone", "total"), ("everyone", "rounds"), ("everyone", "margin"), ("everyone", "first_share"))

KINDS: Final = {
    "level": "a figure with a set of powers",
    "gain": "what a set changes against no powers",
    "shapley": "a power's Shapley share",
    "single": "what a power changes against no powers",
    "last": "what a power changes against the other three",
    "interaction": "how much more two bring together than each by itself",
    "difference": "one power's Shapley share less another's",
    "use": "how much a power is used where one seat has it and no other",
}
"""What is worked out, by kind."""


@dataclass(frozen=True, slots=True)
class Flip:
    """A power whose rank depends on who plays.

    Attributes
    ----------
    power : str
        The power.
    others : tuple of str
        Those that it is compared with.
    ahead, behind : tuple of str
        The strategies under which it is certainly ahead of all of these, and those under which it is behind.
    """

    power: str
    others: tuple[str, ...]
    ahead: tuple[str, ...]
    behind: tuple[str, ...]


def find(
    figures: Findings, strategy: str, kind: str, holder: str = "alone", figure: str = "total"
) -> dict[str, Finding]:
    """Return the findings of a kind by powers, which have a plus sign between them."""
    return figures.by("powers", strategy=strategy, kind=kind, holder=holder, figure=figure)


def rank(figures: Findings, strategy: str) -> list[str]:
    """Return the powers, those first whose Shapley share of the holder's VP is largest."""
    shares = find(figures, strategy, "shapley")
    return sorted(POWERS, key=lambda power: -shares[power].estimate.value)


def is_ahead(figures: Findings, strategy: str, one: str, other: str) -> bool:
    """Say whether a power is worth more to its holder than another for certain."""
    apart = find(figures, strategy, "difference")
    if f"{one}+{other}" in apart:
        return apart[f"{one}+{other}"].sign > 0
    return apart[f"{other}+{one}"].sign < 0


def list_flips(figures: Findings, strategies: Sequence[str]) -> list[Flip]:
    """List powers that are certainly ahead of others under some strategies, and behind them under others.

    Parameters
    ----------
    figures : Findings
        Of all these strategies.
    strategies : sequence of str
        The strategies.

    Returns
    -------
    list of Flip
        Those of which the same is said are put together.
    """
    found: dict[tuple[str, tuple[str, ...], tuple[str, ...]], list[str]] = {}
    for one, other in combinations(POWERS, 2):
        sides = [
            tuple(name for name in strategies if is_ahead(figures, name, *pair))
            for pair in ((one, other), (other, one))
        ]
        if all(sides):
            # The strategy that is named first says who is ahead.
            turned = strategies.index(sides[1][0]) < strategies.index(sides[0][0])
            ahead, behind = sides[::-1] if turned else sides
            found.setdefault((other if turned else one, ahead, behind), []).append(one if turned else other)
    return [Flip(power, tuple(others), ahead, behind) for (power, ahead, behind), others in found.items()]


def list_contrasts() -> Iterator[tuple[str, tuple[str, ...], tuple[str, str], np.ndarray]]:
    """List kind, powers, holder and figure, and the weight of every set, of all that is worked out."""
    unit = np.eye(SETS, dtype=int)
    for holder, figures in HOLDERS.items():
        for members in range(SETS):
            for figure in figures:
                yield "level", powers_of(members), (holder, figure), unit[members]
                if members:
                    yield "gain", powers_of(members), (holder, figure), unit[members] - unit[0]
    for bit, power in enumerate(POWERS):
        yield "use", (power,), ("alone", USES[power]), unit[1 << bit]
        for where in (*_WORTH, *_GAME):
            yield "shapley", (power,), where, shapley_weights(len(POWERS), bit)
            yield "single", (power,), where, unit[1 << bit] - unit[0]
            yield "last", (power,), where, unit[_ALL] - unit[_ALL ^ 1 << bit]
    for one, other in combinations(range(len(POWERS)), 2):
        pair = POWERS[one], POWERS[other]
        for where in _WORTH:
            yield "interaction", pair, where, interaction_weights(len(POWERS), one, other)
            apart = shapley_weights(len(POWERS), one) - shapley_weights(len(POWERS), other)
            yield "difference", pair, where, apart
