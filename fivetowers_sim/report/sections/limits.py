"""The section on what the report can't say."""

from __future__ import annotations

from typing import Final

from fivetowers_sim.bench.content import Section

ANCHOR: Final = "limits"
LIMITS: Final = (
    "Programs play, not people. A verdict that holds under several of them is one about the game as far as they can "
    "tell; stronger or other players may find what none of these did.",
    "Intervals are about chance alone: what more games with the same players would give. They say nothing about other "
    "players. What one deal gives is one number, whatever is played on it, since the seats of a game depend on each "
    "other.",
    "Among many figures some differ by chance. 'Certain' and 'told apart' mean that among all figures tested in an "
    "experiment no more than 5% of such findings are false (Benjamini and Yekutieli, 2001).",
    "Strategies that learned did so on the printed rules unless an experiment says that they learned anew. Where rules "
    "differ, they play worse than people would who know those rules.",
    "Experiments that play until they are precise enough have intervals widened for looking often, so that stopping "
    "early keeps their promise.",
)


def write_limits() -> Section:
    """Return the section."""
    return Section(ANCHOR, "Limits", "What can't be concluded from this?", (), LIMITS)
