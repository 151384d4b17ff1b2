"""The figures on a game's shape, and which seats certainly win more or less than their share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from fivetowers_sim.analysis.discoveries import adjust_p_values, p_value
from fivetowers_sim.analysis.estimates import CONFIDENCE, Estimate
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.analysis.variance_split import split_variance
from fivetowers_sim.bench.budget import Budget
from fivetowers_sim.dataset.schema import encode_parquet
from fivetowers_sim.experiments.shape_games import OF_A_TENTH, OF_A_TYPE, RESULTS, TENTHS, Key, ShapeGames
from fivetowers_sim.rules.cards import TOWER_TYPES

if TYPE_CHECKING:
    import polars as pl

CROSSED: Final = "crossed"
"""Stands for the strategy where each is crossed with each seat."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A figure about the game.

    Attributes
    ----------
    players : int
        How many play.
    strategy : str
        Who has all seats; :data:`CROSSED` in splits of variance.
    figure : str
        What was measured.
    place : str
        Of which seat, tower type, part of the game or part of the variance; empty for the game as a whole.
    estimate : Estimate
        The figure.
    p, adjusted_p : float or None
        How probable it is by chance if all seats win alike, and the same among all that are tested; None if it isn't
        tested.
    """

    players: int
    strategy: str
    figure: str
    place: str
    estimate: Estimate
    p: float | None = None
    adjusted_p: float | None = None

    @property
    def certain(self) -> bool:
        """Whether the seat doesn't win its equal share, with no more than 5% of such findings false."""
        return self.adjusted_p is not None and self.adjusted_p <= 1 - CONFIDENCE

    def to_row(self) -> dict[str, Any]:
        """Return it as a row of a table."""
        about = {"players": self.players, "strategy": self.strategy, "figure": self.figure, "place": self.place}
        return {**about, **self.estimate.to_dict(), "p": self.p, "adjusted_p": self.adjusted_p}


@dataclass(frozen=True, slots=True)
class ShapeFigures:
    """All figures.

    Attributes
    ----------
    findings : tuple of Finding
        By number of players, then by strategy.
    """

    findings: tuple[Finding, ...]

    def find(self, players: int, strategy: str, figure: str) -> dict[str, Finding]:
        """Return the findings on a figure by place."""
        wanted = players, strategy, figure
        return {one.place: one for one in self.findings if (one.players, one.strategy, one.figure) == wanted}

    def value(self, players: int, strategy: str, figure: str) -> Estimate:
        """Return a figure of the game as a whole."""
        return self.find(players, strategy, figure)[""].estimate

    def to_dict(self) -> dict[str, Any]:
        """Return them as plain JSON values."""
        tested = sum(one.p is not None for one in self.findings)
        return {"family": tested, "findings": [one.to_row() for one in self.findings]}


def estimate_shape(measure: ShapeGames, strategies: Sequence[str], moments: Moments, budget: Budget) -> ShapeFigures:
    """Work out all figures from what was measured.

    Parameters
    ----------
    measure : ShapeGames
        What the columns are.
    strategies : sequence of str
        The strategies' names.
    moments : Moments
        What was measured.
    budget : Budget
        For intervals that account for looking often.

    Returns
    -------
    ShapeFigures
        The figures. Variances are split from two deals on.
    """
    findings = []
    for key in measure.figures():
        estimate = measure.estimate(moments, key, budget.confidence)
        tested = None
        if key.figure == "win_share":
            above = less_fair_share(estimate, key.players)
            tested = p_value(above, budget.confidence, budget.looks) if moments.games > 1 else 1.0
        findings.append(Finding(key.players, strategies[key.strategy], key.figure, name_place(key), estimate, tested))
    if moments.games > 1:
        findings += _split_variances(measure, moments, budget)
    adjusted = iter(adjust_p_values([one.p for one in findings if one.p is not None]))
    return ShapeFigures(tuple(one if one.p is None else replace(one, adjusted_p=next(adjusted)) for one in findings))


def less_fair_share(share: Estimate, players: int) -> Estimate:
    """Return by how much a win share is above an equal one."""
    fair = 1 / players
    return Estimate(share.value - fair, share.low - fair, share.high - fair, share.games)


def name_place(key: Key) -> str:
    """Return the seat, tower type or part of the game that a figure is about; nothing for the game as a whole."""
    if key.figure in OF_A_TYPE:
        return TOWER_TYPES[key.place]
    if key.figure in OF_A_TENTH:
        return f"{10 * TENTHS[key.place]}%"
    return str(key.place) if key.is_of_a_seat else ""


def _split_variances(measure: ShapeGames, moments: Moments, budget: Budget) -> Iterator[Finding]:
    for players in measure.players:
        for result in RESULTS:
            cells, quadratics = measure.split_columns(players, result)
            own = moments.select(slice(cells.start, quadratics.stop))
            for part in split_variance(own, measure.crossing(players), budget.confidence):
                yield Finding(players, CROSSED, f"{result}_variance", part.name, part.variance)
                yield Finding(players, CROSSED, f"{result}_share", part.name, part.share)


def make_findings_frame(figures: ShapeFigures) -> pl.DataFrame:
    """Return the figures as a frame, a row for each."""
    import polars as pl

    kinds = {"players": pl.Int64} | dict.fromkeys(("strategy", "figure", "place"), pl.String)
    rows = [one.to_row() for one in figures.findings]
    return pl.DataFrame(rows, schema={name: kinds.get(name, pl.Float64) for name in rows[0]})


def encode_shape_tables(figures: ShapeFigures) -> dict[str, bytes]:
    """Return the figures as Parquet files, by file name."""
    return {"findings.parquet": encode_parquet(make_findings_frame(figures), {})}
