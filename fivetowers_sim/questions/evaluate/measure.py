"""What is measured of a future: how each word ends for the seat that speaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

import numpy as np

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.analysis.moments import Moments, estimate_contrast
from fivetowers_sim.engine.branch_record import BRANCH_DETAIL, SHARE_UNITS

FIGURES: Final = ("vp", "margin", "win_share")
"""The speaking seat's final score, how far it is above the best other one, and its share of the victory."""


@dataclass(frozen=True)
class WordsOfPosition:
    """The three figures of every word.

    Attributes
    ----------
    words : int
        How many words there are, the pass among them.
    """

    words: int
    detail: ClassVar[str] = BRANCH_DETAIL

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return self.words * len(FIGURES)

    def column(self, word: int, figure: str) -> int:
        """Return the column of a word's figure."""
        return word * len(FIGURES) + FIGURES.index(figure)

    def add(self, arm: int, tables: Mapping[str, np.ndarray], into: np.ndarray) -> None:
        """Add what futures gave."""
        rows = tables["options"].reshape(-1, self.words)
        totals = rows["total_0"].astype(np.int64)
        for word in range(self.words):
            into[:, self.column(word, "vp")] = totals[:, word]
            into[:, self.column(word, "margin")] = totals[:, word] - rows["best_other"][:, word]
            into[:, self.column(word, "win_share")] = rows["share_0"][:, word]

    def estimate(self, moments: Moments, weights: Mapping[int, int], figure: str, confidence: float) -> Estimate:
        """Estimate a weighted sum of words' figures."""
        columns = [self.column(word, figure) for word in weights]
        scale = SHARE_UNITS if figure == "win_share" else 1
        scaled = [Fraction(weight, scale) for weight in weights.values()]
        return estimate_contrast(moments.select(columns), scaled, confidence)
