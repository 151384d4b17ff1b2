"""What a variant of the rules does to a figure, and a table of all such changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fivetowers_sim.analysis.estimates import CONFIDENCE, Estimate
from fivetowers_sim.experiments.headlines import Headline

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Change:
    """What a variant does to a figure.

    Attributes
    ----------
    variant : str
        The variant's name.
    headline : Headline
        The figure.
    before, after : Estimate
        The figure in the game that is compared with, and in the variant.
    difference : Estimate
        After less before, deal by deal.
    p : float
        How probable a difference this large is by chance, at any of the looks.
    adjusted_p : float
        The same among all figures of all variants: of those at or below a share, no more than that share are false.
    """

    variant: str
    headline: Headline
    before: Estimate
    after: Estimate
    difference: Estimate
    p: float
    adjusted_p: float

    @property
    def certain(self) -> bool:
        """Whether the figures differ, with no more than 5% of such findings false."""
        return self.adjusted_p <= 1 - CONFIDENCE

    def to_row(self) -> dict[str, Any]:
        """Return it as a row of a table; what isn't known is None."""
        row: dict[str, Any] = {"variant": self.variant, "figure": self.headline.name, "seat": self.headline.seat}
        for name in ("before", "after", "difference"):
            ends = getattr(self, name).to_dict()
            row |= {name: ends["value"], f"{name}_low": ends["low"], f"{name}_high": ends["high"]}
        return {**row, "p": self.p, "adjusted_p": self.adjusted_p, "certain": self.certain}


def make_changes_frame(changes: tuple[Change, ...]) -> pl.DataFrame:
    """Return the changes as a frame, a row for each variant and figure."""
    import polars as pl

    kinds = {"variant": pl.String, "figure": pl.String, "seat": pl.Int64, "certain": pl.Boolean}
    rows = [change.to_row() for change in changes]
    return pl.DataFrame(rows, schema={name: kinds.get(name, pl.Float64) for name in rows[0]})
