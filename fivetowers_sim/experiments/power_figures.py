"""The figures on Great Powers: each set, each power's Shapley share, each two powers, and which differ for certain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from fivetowers_sim.analysis.discoveries import adjust_p_values, p_value
from fivetowers_sim.analysis.estimates import CONFIDENCE, Estimate
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.analysis.shapley import interaction_weights, shapley_weights
from fivetowers_sim.bench.budget import Budget
from fivetowers_sim.dataset.schema import encode_parquet
from fivetowers_sim.experiments.power_games import HOLDERS, SETS, USES, PowerGames, powers_of
from fivetowers_sim.rules.ruleset import POWERS

if TYPE_CHECKING:
    import polars as pl

_ALL: Final = SETS - 1
# The figures that a power is judged by, and the figures of the game as a whole.
_WORTH: Final = (("alone", "total"), ("alone", "win_share"))
_GAME: Final = (("everyone", "total"), ("everyone", "rounds"), ("everyone", "margin"), ("everyone", "first_share"))


@dataclass(frozen=True, slots=True)
class Finding:
    """A figure about powers.

    Attributes
    ----------
    strategy : str
        Who played.
    kind : str
        ``level`` of a set; ``gain`` of a set over no powers; ``shapley`` share, worth ``single`` (over no powers) and
        worth ``last`` (of all four, over the other three) of a power; ``interaction`` of two; ``difference`` of two
        powers' Shapley shares, the first less the second; ``use`` of a power where one seat has it and no other.
    powers : tuple of str
        What it is about.
    holder : str
        ``alone``: one seat has the powers, ``everyone``: all have.
    figure : str
        What was measured.
    estimate : Estimate
        The figure.
    p, adjusted_p : float or None
        How probable it is by chance if the truth is 0, and the same among all that are tested; None if it isn't tested.
    """

    strategy: str
    kind: str
    powers: tuple[str, ...]
    holder: str
    figure: str
    estimate: Estimate
    p: float | None = None
    adjusted_p: float | None = None

    @property
    def certain(self) -> bool:
        """Whether it isn't 0, with no more than 5% of such findings false."""
        return self.adjusted_p is not None and self.adjusted_p <= 1 - CONFIDENCE

    def to_row(self) -> dict[str, Any]:
        """Return it as a row of a table."""
        ends = self.estimate.to_dict()
        about = {"strategy": self.strategy, "kind": self.kind, "powers": "+".join(self.powers) or "none"}
        where = {"holder": self.holder, "figure": self.figure}
        return {**about, **where, **ends, "p": self.p, "adjusted_p": self.adjusted_p}


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


@dataclass(frozen=True, slots=True)
class PowerFigures:
    """All figures.

    Attributes
    ----------
    findings : tuple of Finding
        Strategy by strategy.
    """

    findings: tuple[Finding, ...]

    def find(self, strategy: str, kind: str, holder: str, figure: str) -> dict[tuple[str, ...], Finding]:
        """Return the findings of a kind by powers."""
        wanted = strategy, kind, holder, figure
        return {one.powers: one for one in self.findings if (one.strategy, one.kind, one.holder, one.figure) == wanted}

    def ranking(self, strategy: str) -> list[str]:
        """Return the powers, those first whose Shapley share of the holder's VP is largest."""
        shares = self.find(strategy, "shapley", "alone", "total")
        return sorted(POWERS, key=lambda power: -shares[power,].estimate.value)

    def is_ahead(self, strategy: str, one: str, other: str) -> bool:
        """Say whether a power is worth more to its holder than another for certain."""
        found = self.find(strategy, "difference", "alone", "total")
        if (one, other) in found:
            return found[one, other].certain and found[one, other].estimate.value > 0
        return found[other, one].certain and found[other, one].estimate.value < 0

    def flips(self, strategies: Sequence[str]) -> list[Flip]:
        """List powers that are certainly ahead of others under some strategies, and behind them under others.

        Parameters
        ----------
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
                tuple(name for name in strategies if self.is_ahead(name, *pair))
                for pair in ((one, other), (other, one))
            ]
            if all(sides):
                # The strategy that is named first says who is ahead.
                turned = strategies.index(sides[1][0]) < strategies.index(sides[0][0])
                ahead, behind = sides[::-1] if turned else sides
                found.setdefault((other if turned else one, ahead, behind), []).append(one if turned else other)
        return [Flip(power, tuple(others), ahead, behind) for (power, ahead, behind), others in found.items()]

    def to_dict(self) -> dict[str, Any]:
        """Return them as plain JSON values."""
        tested = sum(one.p is not None for one in self.findings)
        return {"family": tested, "findings": [one.to_row() for one in self.findings]}


def estimate_powers(measure: PowerGames, strategies: Sequence[str], moments: Moments, budget: Budget) -> PowerFigures:
    """Work out all figures from what was measured.

    Parameters
    ----------
    measure : PowerGames
        What the columns are.
    strategies : sequence of str
        The strategies' names.
    moments : Moments
        What was measured.
    budget : Budget
        For intervals that account for looking often.

    Returns
    -------
    PowerFigures
        The figures.
    """
    findings = []
    for number, strategy in enumerate(strategies):
        for kind, powers, (holder, figure), weights in _list_contrasts():
            estimate = measure.contrast(moments, (number, holder, figure), weights, budget.confidence)
            tested = kind in ("interaction", "difference", "shapley") and figure != "win_share"
            p = p_value(estimate, budget.confidence, budget.looks) if tested else None
            findings.append(Finding(strategy, kind, powers, holder, figure, estimate, p))
    adjusted = iter(adjust_p_values([one.p for one in findings if one.p is not None]))
    return PowerFigures(tuple(one if one.p is None else replace(one, adjusted_p=next(adjusted)) for one in findings))


def _list_contrasts() -> Iterator[tuple[str, tuple[str, ...], tuple[str, str], np.ndarray]]:
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


def make_findings_frame(figures: PowerFigures) -> pl.DataFrame:
    """Return the figures as a frame, a row for each."""
    import polars as pl

    texts = ("strategy", "kind", "powers", "holder", "figure")
    rows = [one.to_row() for one in figures.findings]
    return pl.DataFrame(rows, schema={name: pl.String if name in texts else pl.Float64 for name in rows[0]})


def encode_power_tables(figures: PowerFigures) -> dict[str, bytes]:
    """Return the figures as Parquet files, by file name."""
    return {"findings.parquet": encode_parquet(make_findings_frame(figures), {})}
