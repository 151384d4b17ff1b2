"""The figures on teardowns at decisions: what one is worth, against its cost, and how often it is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from fivetowers_sim.analysis.discoveries import adjust_p_values, p_value
from fivetowers_sim.analysis.estimates import CONFIDENCE, Estimate
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.dataset.schema import encode_parquet
from fivetowers_sim.experiments.teardown_branches import Key, TeardownWorth

if TYPE_CHECKING:
    import polars as pl

FIGURES: Final = {
    "vp": ("vp",),
    "lead": ("lead",),
    "win_share": ("win_share",),
    "cost": ("cost",),
    "before_cost": ("vp", "cost"),
    "right": ("right",),
    "agreed": ("agreed",),
}
"""Figure to what it adds up; ``before_cost`` is the worth in VP without what the card itself costs."""

_TESTED: Final = ("vp", "lead", "win_share")


@dataclass(frozen=True, slots=True)
class WorthFinding:
    """A figure about teardowns at decisions.

    Attributes
    ----------
    strategy : str
        Who played in all seats.
    key : Key
        Population, what tells decisions apart, and the class.
    figure : str
        One of :data:`FIGURES`.
    decisions : int
        Decisions behind it.
    estimate : Estimate
        The figure.
    p, adjusted_p : float or None
        How probable it is by chance if the truth is 0, and the same among all that are tested; None if it isn't tested.
    """

    strategy: str
    key: Key
    figure: str
    decisions: int
    estimate: Estimate
    p: float | None = None
    adjusted_p: float | None = None

    @property
    def certain(self) -> bool:
        """Whether it isn't 0, with no more than 5% of such findings false."""
        return self.adjusted_p is not None and self.adjusted_p <= 1 - CONFIDENCE

    @property
    def sign(self) -> int:
        """Whether it is certainly above 0 (1), certainly below (-1), or neither (0)."""
        return 0 if not self.certain else 1 if self.estimate.value > 0 else -1

    def to_row(self) -> dict[str, Any]:
        """Return it as a row of a table."""
        population, by, name = self.key
        about = {"strategy": self.strategy, "population": population, "by": by, "class": name}
        tested = {"p": self.p, "adjusted_p": self.adjusted_p}
        return {**about, "figure": self.figure, "decisions": self.decisions, **self.estimate.to_dict(), **tested}


@dataclass(frozen=True, slots=True)
class WorthFigures:
    """All figures.

    Attributes
    ----------
    findings : tuple of WorthFinding
        Strategy by strategy.
    """

    findings: tuple[WorthFinding, ...]

    def find(self, strategy: str, key: Key) -> dict[str, WorthFinding]:
        """Return the findings about some decisions by figure."""
        return {one.figure: one for one in self.findings if (one.strategy, one.key) == (strategy, key)}

    def flips(self, strategies: Sequence[str], population: str) -> bool:
        """Say whether teardowns certainly gain a lead under one strategy and certainly lose one under another."""
        found = [self.find(name, (population, "all", "all")) for name in strategies]
        return {-1, 1} <= {one["lead"].sign for one in found if one}

    def to_dict(self) -> dict[str, Any]:
        """Return them as plain JSON values."""
        tested = sum(one.p is not None for one in self.findings)
        return {"decisions_family": tested, "decision_findings": [one.to_row() for one in self.findings]}


def estimate_worths(measure: TeardownWorth, strategies: Sequence[str], moments: Moments) -> WorthFigures:
    """Work out all figures from what was measured.

    Parameters
    ----------
    measure : TeardownWorth
        What the columns are.
    strategies : sequence of str
        The strategies that were branched.
    moments : Moments
        What was measured.

    Returns
    -------
    WorthFigures
        The figures; classes without decisions are left out.
    """
    findings = []
    for number, strategy in enumerate(strategies):
        for key in measure.keys:
            decisions = measure.decisions(moments, number, key)
            for figure, parts in FIGURES.items() if decisions else ():
                estimate = measure.estimate(moments, number, key, parts, CONFIDENCE)
                p = p_value(estimate, CONFIDENCE, (moments.games,)) if figure in _TESTED else None
                findings.append(WorthFinding(strategy, key, figure, decisions, estimate, p))
    adjusted = iter(adjust_p_values([one.p for one in findings if one.p is not None]))
    return WorthFigures(tuple(one if one.p is None else replace(one, adjusted_p=next(adjusted)) for one in findings))


def make_worth_frame(figures: WorthFigures) -> pl.DataFrame:
    """Return the figures as a frame, a row for each."""
    import polars as pl

    texts = dict.fromkeys(("strategy", "population", "by", "class", "figure"), pl.String)
    kinds = {**texts, "decisions": pl.Int64}
    numbers = dict.fromkeys(("value", "low", "high", "p", "adjusted_p"), pl.Float64)
    return pl.DataFrame([one.to_row() for one in figures.findings], schema={**kinds, **numbers})


def encode_worth_table(figures: WorthFigures) -> dict[str, bytes]:
    """Return the figures as a Parquet file, by file name."""
    return {"decisions.parquet": encode_parquet(make_worth_frame(figures), {})}
