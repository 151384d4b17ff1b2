"""Figures with their intervals, each with what it is about, and which of them are certain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fivetowers_sim.analysis.discoveries import adjust_p_values, p_value
from fivetowers_sim.analysis.estimates import CONFIDENCE, Estimate
from fivetowers_sim.bench.budget import Budget

if TYPE_CHECKING:
    import polars as pl

_NUMBERS = ("value", "low", "high", "p", "adjusted_p")


@dataclass(frozen=True, slots=True)
class Finding:
    """A figure.

    Attributes
    ----------
    about : mapping of str to object
        What it is of: texts, whole numbers, or None.
    estimate : Estimate
        The figure.
    p, adjusted_p : float or None
        How probable it is by chance if the truth is what it is tested against, and the same among all that are tested;
        None if it isn't tested.
    """

    about: Mapping[str, Any]
    estimate: Estimate
    p: float | None = None
    adjusted_p: float | None = None

    def __getitem__(self, name: str) -> Any:
        """Return one of the things that it is about."""
        return self.about[name]

    @property
    def certain(self) -> bool:
        """Whether it isn't what it is tested against, with no more than 5% of such findings false."""
        return self.adjusted_p is not None and self.adjusted_p <= 1 - CONFIDENCE

    @property
    def sign(self) -> int:
        """1 if it is certainly above 0, -1 if it is certainly below, else 0."""
        return 0 if not self.certain else 1 if self.estimate.value > 0 else -1

    def to_row(self) -> dict[str, Any]:
        """Return it as a row of a table."""
        return {**self.about, **self.estimate.to_dict(), "p": self.p, "adjusted_p": self.adjusted_p}


@dataclass(frozen=True, slots=True)
class Found:
    """A figure before it is tested.

    Attributes
    ----------
    about : mapping of str to object
        What it is of.
    estimate : Estimate
        The figure.
    tested : Estimate or None
        What is tested against 0: the figure itself, or by how much it is above what it is compared with; None for a
        figure that nothing is claimed of.
    """

    about: Mapping[str, Any]
    estimate: Estimate
    tested: Estimate | None = None


@dataclass(frozen=True, slots=True)
class Findings:
    """The figures of an experiment, or some of them.

    Attributes
    ----------
    findings : tuple of Finding
        In the order in which they are shown.
    """

    findings: tuple[Finding, ...]

    def __iter__(self) -> Iterator[Finding]:
        """Iterate over the findings."""
        return iter(self.findings)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.findings)

    def where(self, **equal: Any) -> Findings:
        """Return those that are about these things."""
        items = equal.items()
        return Findings(tuple(one for one in self.findings if all(one.about.get(name) == own for name, own in items)))

    def by(self, name: str, **equal: Any) -> dict[Any, Finding]:
        """Return those that are about these things, by one more thing."""
        return {one[name]: one for one in self.where(**equal)}

    def one(self, **equal: Any) -> Finding:
        """Return the one that is about these things; KeyError if there isn't exactly one."""
        found = self.where(**equal).findings
        if len(found) != 1:
            raise KeyError(f"{len(found)} findings are about {equal}")
        return found[0]

    def to_dict(self) -> dict[str, Any]:
        """Return them as plain JSON values."""
        tested = sum(one.p is not None for one in self.findings)
        return {"family": tested, "findings": [one.to_row() for one in self.findings]}

    def frame(self) -> pl.DataFrame:
        """Return them as a frame, a row for each."""
        import polars as pl

        rows = [one.to_row() for one in self.findings]
        kinds = {name: _find_kind(rows, name) for name in rows[0]} if rows else {}
        return pl.DataFrame(rows, schema=kinds)

    @classmethod
    def read(cls, rows: Iterable[Mapping[str, Any]], games: int) -> Findings:
        """Return the findings that rows are of, with so many games behind each."""
        return cls(tuple(_read(row, games) for row in rows))


def _find_kind(rows: Sequence[Mapping[str, Any]], name: str) -> Any:
    import polars as pl

    if name in _NUMBERS:
        return pl.Float64
    value = next((row[name] for row in rows if row[name] is not None), "")
    return pl.Int64 if isinstance(value, int) else pl.String


def _read(row: Mapping[str, Any], games: int) -> Finding:
    about = {name: value for name, value in row.items() if name not in _NUMBERS}
    return Finding(about, Estimate.read(row, games), row.get("p"), row.get("adjusted_p"))


def judge_findings(found: Iterable[Found], budget: Budget) -> Findings:
    """Say which of some figures are certain when all of them are looked at, at every look of a budget."""
    listed = list(found)
    p_values = [None if one.tested is None else p_value(one.tested, budget.confidence, budget.looks) for one in listed]
    adjusted = iter(adjust_p_values([p for p in p_values if p is not None]))
    findings = (Finding(one.about, one.estimate, p) for one, p in zip(listed, p_values, strict=True))
    return Findings(tuple(one if one.p is None else replace(one, adjusted_p=next(adjusted)) for one in findings))
