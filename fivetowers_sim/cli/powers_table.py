"""What Great Powers are worth as tables of at most 100 columns, and what they say in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fivetowers_sim.cli.check import describe_check
from fivetowers_sim.cli.listing import make_table
from fivetowers_sim.cli.refit import describe_tables, play_by_shipped_tables
from fivetowers_sim.cli.summary_table import write_estimate
from fivetowers_sim.cli.variants_table import describe_precision
from fivetowers_sim.rules.ruleset import POWERS

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from fivetowers_sim.experiments.power_figures import Finding, PowerFigures
    from fivetowers_sim.experiments.powers import PowersOutcome

_USES: Final = {"tree": "paid", "scrap": "fetched", "sand": "below", "pairs": "VP"}


def show_powers(outcome: PowersOutcome, out: Path | None = None) -> RenderableType:
    """Show what powers are worth, and the verdict.

    Parameters
    ----------
    outcome : PowersOutcome
        The figures.
    out : Path, optional
        The folder in which they are.

    Returns
    -------
    rich.console.RenderableType
        For the console.
    """
    from rich.console import Group

    asked, figures = outcome.asked, outcome.figures
    parts: list[RenderableType] = []
    for strategy, label in zip(asked.strategies, asked.labels, strict=True):
        parts += [f"All seats {label}:" if len(asked.strategies) > 1 else "Each power, largest share first:", ""]
        parts += [_show_powers(figures, strategy), "", _show_pairs(figures, strategy), ""]
        parts += [_show_sets(figures, strategy), "", describe_ranking(figures, strategy, label), ""]
    if outcome.check:
        parts += _show_check(outcome.check)
    if len(asked.strategies) > 1 or outcome.check:
        parts += [_describe_flips(outcome), ""]
    return Group(*parts, *_describe(outcome), *([f"All figures are in {out}."] if out else []))


def _show_check(check: PowersOutcome) -> list[RenderableType]:
    """Show what a stronger player found, as far as the verdict rests on it."""
    (strategy,), (label,) = check.asked.strategies, check.asked.labels
    parts = [describe_check(check, f"{check.deals:,} deals"), "", _show_powers(check.figures, strategy), ""]
    return [*parts, describe_ranking(check.figures, strategy, label), ""]


def name_set(powers: Sequence[str]) -> str:
    """Return a short name of a set of powers."""
    missing = [power for power in POWERS if power not in powers]
    if not powers or not missing:
        return "all four" if powers else "none"
    return f"all but {missing[0]}" if len(missing) == 1 else "+".join(powers)


def _write(finding: Finding) -> str:
    scale = 100 if finding.figure.endswith("share") else 1
    text = write_estimate(finding.estimate, scale)
    return text if text.startswith("-") or finding.estimate.value == 0 else f"+{text}"


def _make_table(first: str, headings: Sequence[str]) -> Table:
    table = make_table(padding=0)
    table.add_column(first, style="cyan", no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _show_powers(figures: PowerFigures, strategy: str) -> Table:
    table = _make_table("power", ("VP, share", "VP, by itself", "VP, last of 4", "win share", "used", ""))
    kinds = (("shapley", "total"), ("single", "total"), ("last", "total"), ("shapley", "win_share"))
    found = [figures.find(strategy, kind, "alone", figure) for kind, figure in kinds]
    uses = {one.powers[0]: one for one in figures.findings if one.strategy == strategy and one.kind == "use"}
    for power in figures.ranking(strategy):
        table.add_row(
            power, *(_write(rows[power,]) for rows in found), write_estimate(uses[power].estimate), _USES[power]
        )
    return table


def _show_pairs(figures: PowerFigures, strategy: str) -> Table:
    table = _make_table("two powers", ("VP, interaction", "", "win share", "VP, first less second", ""))
    interactions, shares = (figures.find(strategy, "interaction", "alone", name) for name in ("total", "win_share"))
    apart = figures.find(strategy, "difference", "alone", "total")
    for pair in combinations(POWERS, 2):
        marks = ["" if found[pair].certain else "~" for found in (interactions, apart)]
        figure = _write(interactions[pair]), marks[0], _write(shares[pair]), _write(apart[pair]), marks[1]
        table.add_row(" and ".join(pair), *figure)
    return table


def _show_sets(figures: PowerFigures, strategy: str) -> Table:
    headings = ("1 seat: VP", "win share", "all: VP", "rounds", "margin", "1st wins")
    table = _make_table("set", headings)
    where = (
        ("alone", "total"),
        ("alone", "win_share"),
        ("everyone", "total"),
        ("everyone", "rounds"),
        ("everyone", "margin"),
        ("everyone", "first_share"),
    )
    found = [figures.find(strategy, "gain", *one) for one in where]
    for powers in sorted(found[0], key=lambda powers: -found[0][powers].estimate.value):
        table.add_row(name_set(powers), *(_write(rows[powers]) for rows in found))
    none = [figures.find(strategy, "level", *one)[()] for one in where]
    scales = [(100, "%") if one.figure.endswith("share") else (1, "") for one in none]
    levels = [write_estimate(one.estimate, *scale) for one, scale in zip(none, scales, strict=True)]
    # With every seat in turn it is an equal share, by design.
    levels[1] = f"{100 * none[1].estimate.value:.1f}%"
    table.add_row("(none)", *levels)
    return table


def describe_ranking(figures: PowerFigures, strategy: str, label: str) -> str:
    """Rank the powers in a sentence that says which can't be told apart."""
    ranking = figures.ranking(strategy)
    shares = figures.find(strategy, "shapley", "alone", "total")
    said = [f"{power} ({_write(shares[power,])} VP)" for power in ranking]
    text = said[0]
    for (one, other), written in zip(pairwise(ranking), said[1:], strict=True):
        text += f"{' before ' if figures.is_ahead(strategy, one, other) else ' not told apart from '}{written}"
    level = [power for power in ranking if not shares[power,].certain]
    null = f" Not shown to be worth anything: {', '.join(level)}." if level else ""
    equal = [
        f"{one} and {other}"
        for one, other in combinations(ranking, 2)
        if not figures.is_ahead(strategy, one, other) and not figures.is_ahead(strategy, other, one)
    ]
    blurred = f" Can't be told apart: {'; '.join(equal)}." if equal else " All can be told apart."
    return f"To the one seat that has it, with {label} in all seats: {text}.{blurred}{null}"


def _describe_flips(outcome: PowersOutcome) -> str:
    from fivetowers_sim.experiments.check import join_figures, join_labels

    labels = join_labels(outcome)
    flips = join_figures(outcome).flips(list(labels))
    if not flips:
        return "Between these strategies the ranking doesn't flip: no two powers are certainly the other way round."
    said = (
        f"{one.power} is ahead of {' and '.join(one.others)} with {' and '.join(labels[name] for name in one.ahead)}, "
        f"behind with {' and '.join(labels[name] for name in one.behind)}"
        for one in flips
    )
    return f"The ranking flips between strategies: {'; '.join(said)}."


def describe_games(outcome: PowersOutcome) -> str:
    """Say how much was played, by which rules, without a full stop."""
    asked = outcome.asked
    return (
        f"{outcome.games:,} games ({outcome.deals:,} deals); {asked.players} players; rules {asked.rules.name}; "
        f"seed {asked.seed}"
    )


def _describe(outcome: PowersOutcome) -> list[RenderableType]:
    from fivetowers_sim.experiments.check import join_labels

    asked = outcome.asked
    tested = sum(one.p is not None for one in outcome.figures.findings)
    tables = (
        "value's tables were learned without powers and with all four; for other sets it puts the two together, so "
        "differences between sets are partly its own."
    )
    return [
        f"{describe_games(outcome)}. Every deal is played with each of the 16 sets for everyone and for each seat "
        "alone; the last table shows what a set changes, for its one holder and for games in which all have it.",
        "VP, share is the Shapley share: what a power adds to a set, averaged over orders; shares add up to what all "
        "four bring. Interaction: how much more two bring together than each by itself (Shapley interaction). Win "
        "shares are in points. used: in a game in which a seat has that power only, tree cards paid, cards fetched, "
        "cards built below, VP for pairs.",
        f"~ and 'told apart' are by false-discovery control over the {tested} figures tested: of the findings, at most "
        "5% are false.",
        describe_precision(asked.budget, outcome.deals, outcome.look, outcome.reached, "Shapley share"),
        *([tables] if play_by_shipped_tables(join_labels(outcome)) else []),
        *describe_tables(join_labels(outcome), {asked.rules.name: asked.rules}, asked.players),
        f"Again: {asked.command}",
    ]
