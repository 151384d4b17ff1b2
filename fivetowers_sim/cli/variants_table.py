"""A comparison of rule sets as a table of at most 100 columns, and what it says in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fivetowers_sim.analysis.estimates import CONFIDENCE
from fivetowers_sim.cli.console import make_table
from fivetowers_sim.cli.refit import describe_tables
from fivetowers_sim.cli.summary_table import write_estimate
from fivetowers_sim.rules.described import describe_population

if TYPE_CHECKING:
    from rich.console import RenderableType

    from fivetowers_sim.bench.budget import Budget
    from fivetowers_sim.experiments.variants import Change, VariantsOutcome


def show_comparison(outcome: VariantsOutcome, out: Path | None = None) -> RenderableType:
    """Show every figure of two rule sets, and which differ.

    Parameters
    ----------
    outcome : VariantsOutcome
        The figures.
    out : Path, optional
        The folder in which they are.

    Returns
    -------
    rich.console.RenderableType
        For the console.
    """
    from rich.console import Group

    table = make_table()
    table.add_column("figure", style="cyan", no_wrap=True)
    for heading in ("A", "B", "B less A"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("")
    for change in outcome.changes:
        scale, unit = (100, "%") if change.headline.is_share else (1, "")
        figures = [write_estimate(change.before, scale, unit), write_estimate(change.after, scale, unit)]
        mark = "differs" if change.certain else "~"
        table.add_row(change.headline.label, *figures, write_signed(change), mark)
    setups = outcome.asked.setups
    rules = [f"{name} is {setup.rules.name}" for name, setup in zip(outcome.asked.names, setups, strict=True)]
    lines = [describe_verdict(outcome.changes), f"{'; '.join(rules)}.", *describe_basis(outcome)]
    return Group(table, "", *lines, *([f"All figures are in {out}."] if out else []))


def write_signed(change: Change) -> str:
    """Write a difference with its sign and margin; in points where it is one of shares."""
    scale = 100 if change.headline.is_share else 1
    text = write_estimate(change.difference, scale)
    return text if text.startswith("-") or change.difference.value == 0 else f"+{text}"


def describe_verdict(changes: Sequence[Change]) -> str:
    """Say which figures differ for certain, the largest differences in terms of their intervals first."""
    found = sorted(
        (change for change in changes if change.certain),
        key=lambda change: -abs(change.difference.value) / max(change.difference.margin, 1e-12),
    )
    family = f"among {len(changes)} figures looked at together, at most 5% of such findings false"
    if not found:
        exact = all(change.difference.value == change.difference.margin == 0 for change in changes)
        return (
            "No figure differs: on every deal both are the same."
            if exact
            else f"No figure is shown to differ ({family})."
        )
    said = "; ".join(f"{change.headline.label} {write_signed(change)}" for change in found)
    return f"{len(found)} of {len(changes)} figures differ for certain ({family}): {said}."


def describe_basis(outcome: VariantsOutcome) -> list[RenderableType]:
    """Say what the figures rest on: games, population, intervals, how it was played, and what to type again."""
    asked = outcome.asked
    population = describe_population({**asked.setups[0].to_dict(), "rules": {"name": "as named"}})
    powers = {arm.powers_by_seat for arm in asked.setups}
    strategies = [name for arm in asked.setups for name in arm.strategies]
    rules = {name: arm.rules for name, arm in zip(asked.names, asked.setups, strict=True)}
    mixed = " (Great Powers as the rules of each say)" if len(powers) > 1 else ""
    return [
        f"{outcome.games:,} games: {outcome.deals:,} deals, each played by all {len(asked.setups)} rule sets. "
        f"Population: {population}{mixed}.",
        describe_precision(asked.budget, outcome.deals, outcome.look, outcome.reached, "difference in a seat's VP"),
        *describe_tables(strategies, rules, asked.setups[0].players, asked.learned),
        f"Again: {asked.command}",
    ]


def describe_precision(budget: Budget, deals: int, look: int, reached: float, figure: str) -> str:
    """Say what the intervals are, and whether the precision asked for was reached."""
    basis = f"± is half of a {CONFIDENCE:.0%} interval over deals"
    if budget.precision is None:
        return f"{basis}."
    came = "reached" if reached <= budget.precision else "not reached"
    return (
        f"{basis}. Asked for ± {budget.precision:g} {budget.unit.name} in every {figure}: {came} at look {look + 1} of "
        f"{len(budget.looks)}, for which all intervals are {budget.widening(deals):.2f} times as wide."
    )
