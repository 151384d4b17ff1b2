"""A sweep over dials as tables of at most 100 columns, and what it says in sentences."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from fivetowers_sim.cli.console import make_table
from fivetowers_sim.cli.summary_table import write_estimate
from fivetowers_sim.cli.variants_table import describe_basis, write_signed
from fivetowers_sim.rules.described import describe_powers

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from fivetowers_sim.experiments.variants import Change, VariantsOutcome

SHOWN: Final = {
    "total": "VP of a seat",
    "win_share": "win share, seat 0, %",
    "rounds": "rounds",
    "margin": "VP ahead of the second",
    "torn_cards": "cards in the pile",
    "untaken": "cards left untaken",
}
"""Figures in pictures, and their headings; the table has room for the first of them, the folder has all."""
_HEADINGS: Final = ("VP", "1st wins", "rounds", "margin", "torn")
_LONGEST: Final = 34


def show_sweep(outcome: VariantsOutcome, out: Path | None = None) -> RenderableType:
    """Show how headline figures respond, and which changes are certain.

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

    legend = (
        f"The first row is {outcome.asked.names[0]}; the others are what each value changes, shares in points. VP is "
        "that of a seat on average, 1st wins the win share of seat 0, margin the VP ahead of the second, torn the "
        "cards in a teardown pile. ~ marks changes that aren't certain: by "
        f"false-discovery control over all {len(outcome.changes)} figures, at most 5% of the others are false."
    )
    verdict = [_describe_variant(outcome, variant) for variant in outcome.asked.names[1:]]
    kept = [f"All figures are in {out}."] if out else []
    return Group(_show_responses(outcome), "", *verdict, legend, *describe_basis(outcome), *kept)


def list_shown(outcome: VariantsOutcome, variant: str) -> list[Change]:
    """Return a variant's changes of the figures that are shown, in their order."""
    found = {
        change.headline.name: change
        for change in outcome.changes
        if change.variant == variant and change.headline.seat == (0 if change.headline.name == "win_share" else None)
    }
    return [found[name] for name in SHOWN]


def _show_responses(outcome: VariantsOutcome) -> Table:
    base, *variants = outcome.asked.names
    table = make_table(padding=0)
    table.add_column("rules", style="cyan", overflow="fold", max_width=_LONGEST)
    for heading in _HEADINGS:
        table.add_column(heading, justify="right", no_wrap=True)
    before = []
    for change in list_shown(outcome, variants[0]):
        scale, unit = (100, "%") if change.headline.is_share else (1, "")
        before.append(write_estimate(change.before, scale, unit))
    table.add_row(base, *before[: len(_HEADINGS)])
    for variant in variants:
        changes = list_shown(outcome, variant)[: len(_HEADINGS)]
        table.add_row(variant, *(("" if one.certain else "~") + write_signed(one) for one in changes))
    return table


def _describe_variant(outcome: VariantsOutcome, variant: str) -> str:
    changes = [change for change in outcome.changes if change.variant == variant]
    certain = [change for change in changes if change.certain]
    if not certain:
        return f"{variant} is not shown to change any figure."
    certain.sort(key=lambda change: -abs(change.difference.value) / max(change.difference.margin, 1e-12))
    said = "; ".join(f"{change.headline.label} {write_signed(change)}" for change in certain[:3])
    return f"{variant} changes {len(certain)} of {len(changes)} figures for certain, most clearly {said}."


def describe_games(outcome: VariantsOutcome) -> str:
    """Say how much was played and by whom, without a full stop."""
    setup = outcome.asked.setups[0]
    who = ", ".join(setup.distinct_strategies)
    powers = describe_powers(setup.powers_by_seat)
    return (
        f"{outcome.games:,} games ({outcome.deals:,} deals, each under all {len(outcome.asked.setups)} rule sets); "
        f"{setup.players} players; {who}; {powers}; seed {setup.seed}"
    )
