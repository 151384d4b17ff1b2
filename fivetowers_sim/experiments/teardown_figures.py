"""The figures on teardown costs: what schedules do, what never tearing down costs, and what differs for certain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from fivetowers_sim.analysis.discoveries import adjust_p_values, p_value
from fivetowers_sim.analysis.estimates import CONFIDENCE, Estimate
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.bench.budget import Budget
from fivetowers_sim.dataset.schema import encode_parquet
from fivetowers_sim.experiments.teardown_games import FREE, HELD, TeardownGames

if TYPE_CHECKING:
    import polars as pl

BASE: Final = 0
"""Number of the schedule that the others are compared with."""

_JUDGED: Final = {
    "change": ("torn", "total", "margin", "win_share"),
    "worth": ("total", "win_share"),
}
"""What a schedule is judged by; a verdict flips if one of these is certainly on another side of 0."""

Weights = Mapping[tuple[int, str, str], int]


@dataclass(frozen=True, slots=True)
class Finding:
    """A figure about a schedule.

    Attributes
    ----------
    strategy, schedule : str
        Who played in all seats, and by which schedule.
    kind : str
        ``level`` of a figure where everybody may tear down; its ``change`` from the schedule that all others are
        compared with; ``worth``: what a seat that never tears down lacks, compared with itself; ``worth_change`` of
        that.
    figure : str
        What was measured.
    seat : int or None
        Of which seat, if of one.
    estimate : Estimate
        The figure.
    p, adjusted_p : float or None
        How probable it is by chance if the truth is 0, and the same among all that are tested; None if it isn't tested.
    """

    strategy: str
    schedule: str
    kind: str
    figure: str
    seat: int | None
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
        about = {"strategy": self.strategy, "schedule": self.schedule, "kind": self.kind}
        where = {"figure": self.figure, "seat": self.seat}
        tested = {"p": self.p, "adjusted_p": self.adjusted_p}
        return {**about, **where, **self.estimate.to_dict(), **tested}


@dataclass(frozen=True, slots=True)
class TeardownFigures:
    """All figures.

    Attributes
    ----------
    findings : tuple of Finding
        Strategy by strategy, schedule by schedule.
    """

    findings: tuple[Finding, ...]

    def find(self, strategy: str, kind: str, figure: str, seat: int | None = None) -> dict[str, Finding]:
        """Return the findings of a kind by schedule."""
        wanted = strategy, kind, figure, seat
        return {one.schedule: one for one in self.findings if (one.strategy, one.kind, one.figure, one.seat) == wanted}

    def flips(self, strategies: Sequence[str]) -> list[tuple[Finding, Finding]]:
        """List figures, of those that schedules are judged by, that certainly have another sign under another strategy.

        Parameters
        ----------
        strategies : sequence of str
            The strategies.

        Returns
        -------
        list of (Finding, Finding)
            The figure under either.
        """
        found = {
            (one.strategy, one.kind, one.schedule, one.figure, one.seat): one
            for one in self.findings
            if one.figure in _JUDGED.get(one.kind, ())
        }
        keys = dict.fromkeys(key[1:] for key in found)
        return [
            (found[first, *key], found[second, *key])
            for first, second in combinations(strategies, 2)
            for key in keys
            if {(first, *key), (second, *key)} <= found.keys()
            and found[first, *key].sign * found[second, *key].sign < 0
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return them as plain JSON values."""
        tested = sum(one.p is not None for one in self.findings)
        return {"family": tested, "findings": [one.to_row() for one in self.findings]}


def worth_weights(schedule: int, figure: str) -> dict[tuple[int, str, str], int]:
    """Return the weights of what a seat that never tears down lacks under a schedule, compared with itself."""
    # Who gains what the held seat loses is told from the others' side.
    side = -1 if figure == "others" else 1
    return {(schedule, "free", figure): side, (schedule, "held", figure): -side}


def estimate_teardowns(
    measure: TeardownGames, names: tuple[Sequence[str], Sequence[str]], moments: Moments, budget: Budget
) -> TeardownFigures:
    """Work out all figures from what was measured.

    Parameters
    ----------
    measure : TeardownGames
        What the columns are.
    names : tuple of (sequence of str, sequence of str)
        The strategies, and the schedules, of which the first is what all others are compared with.
    moments : Moments
        What was measured.
    budget : Budget
        For intervals that account for looking often.

    Returns
    -------
    TeardownFigures
        The figures.
    """
    strategies, schedules = names
    findings = []
    for number, strategy in enumerate(strategies):
        for schedule, kind, (figure, seat), weights in _list_contrasts(measure):
            estimate = measure.contrast(moments, number, weights, budget.confidence)
            p = None if kind == "level" else p_value(estimate, budget.confidence, budget.looks)
            findings.append(Finding(strategy, schedules[schedule], kind, figure, seat, estimate, p))
    adjusted = iter(adjust_p_values([one.p for one in findings if one.p is not None]))
    return TeardownFigures(tuple(one if one.p is None else replace(one, adjusted_p=next(adjusted)) for one in findings))


def _list_contrasts(measure: TeardownGames) -> Iterator[tuple[int, str, tuple[str, int | None], Weights]]:
    """List schedule, kind, figure and seat, and weights, of all that is worked out."""
    figures: list[tuple[str, int | None, str]] = [(name, None, name) for name in FREE]
    figures += [("win_share", seat, f"win_share {seat}") for seat in range(measure.players)]
    for schedule in range(measure.schedules):
        for name, seat, column in figures:
            level = {(schedule, "everyone", column): 1}
            yield schedule, "level", (name, seat), level
            if schedule != BASE:
                yield schedule, "change", (name, seat), {**level, (BASE, "everyone", column): -1}
        for name in HELD:
            worth = worth_weights(schedule, name)
            yield schedule, "worth", (name, None), worth
            if schedule != BASE:
                base = {key: -weight for key, weight in worth_weights(BASE, name).items()}
                yield schedule, "worth_change", (name, None), {**worth, **base}


def make_findings_frame(figures: TeardownFigures) -> pl.DataFrame:
    """Return the figures as a frame, a row for each."""
    import polars as pl

    kinds = dict.fromkeys(("strategy", "schedule", "kind", "figure"), pl.String) | {"seat": pl.Int64}
    rows = [one.to_row() for one in figures.findings]
    return pl.DataFrame(rows, schema={name: kinds.get(name, pl.Float64) for name in rows[0]})


def encode_teardown_tables(figures: TeardownFigures) -> dict[str, bytes]:
    """Return the figures as Parquet files, by file name."""
    return {"findings.parquet": encode_parquet(make_findings_frame(figures), {})}
