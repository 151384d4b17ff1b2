"""What figures on bids say of claims about bidding: by which of them each claim holds or doesn't."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

Told = Callable[[str, str], int | None]
"""Given a kind of figure and what it is about, what it tells in VP over all decisions: 1 or -1 if its interval is on
one side of 0, else 0; None if too few decisions are behind it."""

UNTOLD: Final = "can't be told from so few decisions"


def judge_height(told: Told) -> str:
    """Say whether a strategy bids too low: one more would bring it something, or a bid where it passes."""
    higher = told("higher", "")
    if higher is None:
        return UNTOLD
    if higher > 0:
        return "holds"
    if told("rather bid", "") == 1:
        return "holds only in that it passes too often"
    return "does not hold" if higher < 0 else "is not shown"


def judge_eleven(told: Told) -> str:
    """Say whether beginning a tower on an 11 is fine: better than passing, or not shown to be worse."""
    begun = told("begun", "11")
    return UNTOLD if begun is None else {1: "holds", -1: "does not hold", 0: "is not refuted"}[begun]


CLAIMS: Final[Mapping[tuple[str, str], tuple[str, Callable[[Told], str]]]] = {
    ("higher", ""): ("beginners bid too low", judge_height),
    ("begun", "11"): ("starting a tower on an 11 is fine", judge_eleven),
}
"""Each claim and how it is judged, by kind and subject of the figure that it is mainly about."""
