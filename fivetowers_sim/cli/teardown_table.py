"""What teardowns and their costs do as tables of at most 100 columns, and what they say in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fivetowers_sim.bench.question import describe_precision
from fivetowers_sim.cli.check import describe_check
from fivetowers_sim.cli.console import make_table
from fivetowers_sim.cli.refit import describe_tables
from fivetowers_sim.cli.summary_table import write_estimate
from fivetowers_sim.cli.teardown_worth_table import describe_branching, show_worth
from fivetowers_sim.rules.described import describe_powers

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from fivetowers_sim.experiments.teardown_costs import TeardownOutcome
    from fivetowers_sim.experiments.teardown_figures import Finding
    from fivetowers_sim.experiments.teardown_question import TeardownQuestion

_RESPONSES: Final = {
    "torn": "torn",
    "penalty": "VP, pile",
    "total": "VP",
    "margin": "gap",
    "rounds": "rounds",
}
_WORTH: Final = {"total": "VP", "lead": "VP ahead", "win_share": "win share", "others": "others' VP"}
_SHARES: Final = ("none_torn", "win_share", "shared")


def show_teardown_costs(outcome: TeardownOutcome, out: Path | None = None) -> RenderableType:
    """Show what never tearing down costs and what schedules do, and the verdict.

    Parameters
    ----------
    outcome : TeardownOutcome
        The figures.
    out : Path, optional
        The folder in which they are.

    Returns
    -------
    rich.console.RenderableType
        For the console.
    """
    from rich.console import Group

    asked = outcome.asked
    parts: list[RenderableType] = []
    for strategy, label in zip(asked.strategies, asked.labels, strict=True):
        parts += [f"All seats {label}. What one seat loses that never tears down, by schedule of costs:", ""]
        parts += [_show_worth(outcome, strategy), "", "What the schedules do where all may tear down:", ""]
        parts += [_show_responses(outcome, strategy), "", _show_seats(outcome, strategy), ""]
        parts += [*show_worth(outcome, strategy, label)]
        parts += [*describe_verdict(outcome, strategy, label), ""]
    if outcome.check:
        parts += _show_check(outcome.check)
    if len(asked.strategies) > 1 or outcome.check:
        parts += [_describe_flips(outcome), ""]
    return Group(*parts, *_describe(outcome), *([f"All figures are in {out}."] if out else []))


def _show_check(check: TeardownOutcome) -> list[RenderableType]:
    """Show what a stronger player loses by never tearing down, under the rules' own schedule."""
    (strategy,), (label,) = check.asked.strategies, check.asked.labels
    parts = [describe_check(check, f"{check.deals:,} deals, the rules' own costs"), "", _show_worth(check, strategy)]
    return [*parts, "", *describe_verdict(check, strategy, label), ""]


def name_schedules(asked: TeardownQuestion) -> dict[str, str]:
    """Return what to call each schedule, the cheapest first: its name and what the first cards cost."""
    from fivetowers_sim.experiments.teardown_games import write_costs

    def price(name: str) -> tuple[int, ...]:
        paid = write_costs(schedules[name]).split("-")
        return sum(map(int, paid)), *map(int, paid)

    schedules = dict(asked.schedules)
    return {name: f"{name} ({write_costs(schedules[name])})" for name in sorted(schedules, key=price)}


def _write(finding: Finding, signed: bool = True) -> str:
    scale = 100 if finding.figure in _SHARES else 1
    text = write_estimate(finding.estimate, scale, "" if signed else "%" if scale == 100 else "")
    mark = "~" if finding.p is not None and not finding.certain else ""
    return mark + (f"+{text}" if signed and finding.estimate.value > 0 else text)


def _make_table(headings: Sequence[str]) -> Table:
    table = make_table(padding=0)
    table.add_column("schedule", style="cyan", overflow="fold", max_width=24)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _show_worth(outcome: TeardownOutcome, strategy: str) -> Table:
    table = _make_table(list(_WORTH.values()))
    found = [outcome.figures.find(strategy, "worth", name) for name in _WORTH]
    for name, label in name_schedules(outcome.asked).items():
        table.add_row(label, *(_write(rows[name]) for rows in found))
    return table


def _show_responses(outcome: TeardownOutcome, strategy: str) -> Table:
    base, *_ = outcome.asked.schedule_names
    table = _make_table(list(_RESPONSES.values()))
    levels = [outcome.figures.find(strategy, "level", name)[base] for name in _RESPONSES]
    changes = [outcome.figures.find(strategy, "change", name) for name in _RESPONSES]
    labels = name_schedules(outcome.asked)
    table.add_row(labels[base], *(_write(one, signed=False) for one in levels))
    for name, label in labels.items():
        if name != base:
            table.add_row(label, *(_write(rows[name]) for rows in changes))
    return table


def _show_seats(outcome: TeardownOutcome, strategy: str) -> Table:
    seats = range(outcome.asked.players)
    table = _make_table([f"seat {seat}" for seat in seats])
    found = [outcome.figures.find(strategy, "level", "win_share", seat) for seat in seats]
    changes = [outcome.figures.find(strategy, "change", "win_share", seat) for seat in seats]
    base = outcome.asked.schedule_names[0]
    for name, label in name_schedules(outcome.asked).items():
        marks = ["" if name == base or not rows[name].certain else " *" for rows in changes]
        shares = [_write(rows[name], signed=False) for rows in found]
        table.add_row(label, *(share + mark for share, mark in zip(shares, marks, strict=True)))
    return table


def describe_verdict(outcome: TeardownOutcome, strategy: str, label: str) -> list[str]:
    """Say in sentences what tearing down is worth to a strategy, and what other schedules would do."""
    figures, (base, *others) = outcome.figures, outcome.asked.schedule_names
    names = name_schedules(outcome.asked)
    vp, share = (figures.find(strategy, "worth", name)[base] for name in ("total", "win_share"))
    torn = figures.find(strategy, "level", "torn")[base]
    first = (
        f"With {label} in all seats and costs {names[base]}, never tearing down {_say_worth(vp, share)}. Where all "
        f"may, a seat tears down {_write(torn, signed=False)} cards a game ({outcome.deals:,} deals)."
    )
    changes = [f"{names[name]} {_describe_changes(outcome, strategy, name)}" for name in others]
    return [first] if not others else [first, f"Compared with {names[base]}: {'; '.join(changes)}."]


def _say_worth(vp: Finding, share: Finding) -> str:
    """Say what the one loses who never tears down; the more certain in words, the less in figures."""
    signs = {vp.sign, share.sign}
    figures = f"{_write(vp)} VP and {_write(share)} points of win share".replace("+", "")
    if signs == {0}:
        return f"is not shown to cost the one who holds to it anything ({figures})"
    if len(signs - {0}) == 2:
        return f"costs the one who holds to it {figures}: one is a loss, the other a gain"
    verb = "costs" if 1 in signs else "brings"
    written = (
        figures
        if verb == "costs"
        else f"{_write_back(vp)} VP and {_write_back(share)} points of win share".replace("+", "")
    )
    return f"{verb} the one who holds to it {written}"


def _write_back(finding: Finding) -> str:
    """Write a loss as the gain that it is."""
    estimate = finding.estimate
    turned = replace(estimate, value=-estimate.value, low=-estimate.high, high=-estimate.low)
    return _write(replace(finding, estimate=turned))


def _describe_changes(outcome: TeardownOutcome, strategy: str, name: str) -> str:
    """Say what a schedule changes for certain of use, scores, closeness and seats, and what not."""
    figures, players = outcome.figures, outcome.asked.players
    told = {"cards torn down by a seat": "torn", "VP of a seat": "total", "gap to the second": "margin"}
    found = {words: figures.find(strategy, "change", figure)[name] for words, figure in told.items()}
    seats = {f"seat {seat}'s win share": seat for seat in range(players)}
    found |= {words: figures.find(strategy, "change", "win_share", seat)[name] for words, seat in seats.items()}
    certain = [f"{words} {_write(one)}" for words, one in found.items() if one.certain]
    left = [words for words, one in found.items() if not one.certain and words not in seats]
    left += ["win shares by seat"] if not any(found[words].certain for words in seats) else []
    changed = f"changes {', '.join(certain)}" if certain else "changes nothing for certain"
    return f"{changed} (not shown to change: {', '.join(left)})" if left and certain else changed


def _describe_flips(outcome: TeardownOutcome) -> str:
    from fivetowers_sim.experiments.check import join_figures, join_labels

    labels = join_labels(outcome)
    flips = join_figures(outcome).flips(list(labels))
    if not flips:
        return (
            "Between these strategies no verdict flips: no figure is certainly above 0 under one of them and below "
            "under another."
        )
    said = [
        f"{_name_figure(one)} under {one.schedule}: {_write(one)} with {labels[one.strategy]}, {_write(other)} with "
        f"{labels[other.strategy]}"
        for one, other in flips
    ]
    return f"Verdicts flip between strategies: {'; '.join(said)}."


def _name_figure(finding: Finding) -> str:
    from fivetowers_sim.experiments.teardown_games import FREE, HELD

    if finding.kind == "worth":
        return f"loss by never tearing down, {HELD[finding.figure]}"
    return f"win share, seat {finding.seat}" if finding.seat is not None else FREE[finding.figure]


def describe_games(outcome: TeardownOutcome) -> str:
    """Say how much was played, by which rules, without a full stop."""
    asked = outcome.asked
    powers = describe_powers(asked.named_arms[0].powers_by_seat)
    return (
        f"{outcome.games:,} games ({outcome.deals:,} deals); {asked.players} players; rules {asked.rules.name}; "
        f"{powers}; seed {asked.seed}"
    )


def _describe(outcome: TeardownOutcome) -> list[RenderableType]:
    from fivetowers_sim.experiments.check import join_labels

    asked = outcome.asked
    tested = sum(one.p is not None for one in outcome.figures.findings)
    rules = {name: asked.rules_of(number) for number, name in enumerate(asked.schedule_names)}
    seat = "loss of a seat that never tears down"
    return [
        f"{describe_games(outcome)}. Every deal is played by each strategy under each schedule, with all seats free "
        "and with each seat in turn held to never tearing down.",
        "First table: what that seat lacks compared with itself on the same deals; VP ahead of the best other; win "
        "share in points; and what each of the others gains. Second: the game as it is, and changes from it; torn: "
        "cards torn down by a seat; gap: VP between winner and second. Third: win share by seat; * marks certain "
        "changes.",
        f"~ marks what isn't certain, by false-discovery control over the {tested} figures tested: of the others, at "
        "most 5% are false.",
        *describe_branching(outcome),
        describe_precision(asked.budget, outcome.deals, outcome.look, outcome.reached, seat),
        *describe_tables(join_labels(outcome), rules, asked.players, asked.learned),
        f"Again: {asked.command}",
    ]
