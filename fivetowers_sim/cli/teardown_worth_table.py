"""What teardowns are worth at decisions as tables of at most 100 columns, and what they say in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fivetowers_sim.cli.console import make_table
from fivetowers_sim.cli.summary_table import write_estimate

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from fivetowers_sim.experiments.teardown_costs import TeardownOutcome
    from fivetowers_sim.experiments.teardown_worth import WorthFinding

_COLUMNS: Final = {
    "cost": "cost",
    "before_cost": "VP before it",
    "vp": "VP",
    "lead": "VP ahead",
    "win_share": "win share",
    "right": "right",
}
_GROUPS: Final = {"all": "", "pile": "torn: ", "stage": "", "card": "card: "}


def show_worth(outcome: TeardownOutcome, strategy: str, label: str) -> list[RenderableType]:
    """Show what teardowns are worth to a strategy, at those that it chose and at all that were possible.

    Parameters
    ----------
    outcome : TeardownOutcome
        The figures.
    strategy, label : str
        Whose decisions, and what to call it.

    Returns
    -------
    list of rich.console.RenderableType
        For the console; empty if its decisions weren't looked into.
    """
    from fivetowers_sim.experiments.teardown_branches import CHOSEN, POSSIBLE

    if outcome.worth is None or strategy not in outcome.asked.branched:
        return []
    headings = {
        CHOSEN: f"Decisions at which {label} chose a bid with a teardown: it, less the best without one:",
        POSSIBLE: "All decisions at which such a bid was possible: the best with a teardown, less the best without:",
    }
    parts: list[RenderableType] = []
    for population, heading in headings.items():
        if outcome.worth.find(strategy, (population, "all", "all")):
            parts += [heading, "", _show_decisions(outcome, strategy, population), ""]
        else:
            parts += [f"{heading} there were none.", ""]
    return [*parts, describe_worth(outcome, strategy, label), ""]


def _show_decisions(outcome: TeardownOutcome, strategy: str, population: str) -> Table:
    from fivetowers_sim.experiments.teardown_branches import CLASSES

    table = make_table(padding=0)
    table.add_column("decisions", style="cyan", no_wrap=True)
    table.add_column("number", justify="right", no_wrap=True)
    for heading in _COLUMNS.values():
        table.add_column(heading, justify="right", no_wrap=True)
    for by, names in CLASSES.items():
        for name in names:
            found = outcome.worth.find(strategy, (population, by, name))
            if found:
                figures = [_write(found[figure]) for figure in _COLUMNS]
                table.add_row(f"{_GROUPS[by]}{name}", f"{found['vp'].decisions:,}", *figures)
    return table


def _write(finding: WorthFinding) -> str:
    if finding.figure == "cost":
        return f"{finding.estimate.value:.1f}"
    if finding.figure == "right":
        return write_estimate(finding.estimate, 100, "%")
    text = write_estimate(finding.estimate, 100 if finding.figure == "win_share" else 1)
    mark = "~" if finding.p is not None and not finding.certain else ""
    return mark + (f"+{text}" if finding.estimate.value > 0 else text)


def describe_worth(outcome: TeardownOutcome, strategy: str, label: str) -> str:
    """Say in sentences what teardowns are worth to a strategy at decisions, against their cost, and how often right."""
    from fivetowers_sim.experiments.teardown_branches import CHOSEN, POSSIBLE

    chosen, possible = (outcome.worth.find(strategy, (name, "all", "all")) for name in (CHOSEN, POSSIBLE))
    text = ""
    if chosen:
        text = (
            f"Where {label} itself chose to tear down ({chosen['vp'].decisions:,} decisions), that "
            f"{_say_sign(chosen)}, against the best that it could do without; it was right in "
            f"{_write(chosen['right'])} of them. "
        )
    if possible:
        text += (
            f"Where a bid with a teardown was possible ({possible['vp'].decisions:,} decisions), the best one "
            f"{_say_sign(possible)}, against the best without; the costs make it right in "
            f"{_write(possible['right'])} of them: {_say_piles(outcome, strategy, POSSIBLE)}."
        )
    return text.strip() or f"With {label}, no decision with a possible teardown was drawn."


def _say_sign(found: dict[str, WorthFinding]) -> str:
    lead = found["lead"]
    verb = {1: "gains", -1: "loses", 0: "isn't shown to gain or lose anything:"}[lead.sign]
    size = _write(lead).lstrip("+-") if lead.sign else _write(lead)
    own = f"own VP {_write(found['vp'])}, win share {_write(found['win_share'])} points"
    return f"{verb} {size} VP ahead of the best other ({own})"


def _say_piles(outcome: TeardownOutcome, strategy: str, population: str) -> str:
    from fivetowers_sim.experiments.teardown_branches import PILES

    piles = {name: outcome.worth.find(strategy, (population, "pile", name)) for name in PILES}
    said = [
        f"{_write(found['right'])} with {name} torn before (cost {_write(found['cost'])}, worth "
        f"{_write(found['before_cost'])} VP before it)"
        for name, found in piles.items()
        if found
    ]
    return "; ".join(said)


def describe_branching(outcome: TeardownOutcome) -> list[str]:
    """Say how decisions were looked into, and whether the verdict on them flips between strategies."""
    from fivetowers_sim.experiments.teardown_branches import POPULATIONS, POSSIBLE

    asked = outcome.asked
    if outcome.worth is None or not outcome.worth.findings:
        return []
    tested = sum(one.p is not None for one in outcome.worth.findings)
    agreed = [outcome.worth.find(name, (POSSIBLE, "all", "all")) for name in asked.branched]
    said = [write_estimate(found["agreed"].estimate, 100, "%") for found in agreed if found]
    lines = [
        f"Decisions: one word of each of {asked.branching.decisions:,} games of each strategy under the rules' own "
        "costs, each word of a seat that could bid as likely as any other. Every bid, with and without a teardown, and "
        "the pass are played on to the end by all seats in the same "
        f"{asked.branching.futures} futures, in which what the seat can't know is redrawn; half of them choose the "
        "best by VP ahead of the best other, the others judge it, and the other way round. torn: cards in the pile "
        "before; cost: what the next one costs; right: it gives more VP ahead in these futures. In "
        f"{' and '.join(said)} of all such decisions both halves agree on that, so the true shares are somewhat "
        f"further from 50%. ~ is by false-discovery control over these {tested} figures.",
    ]
    flips = [name for name in POPULATIONS if outcome.worth.flips(asked.branched, name)]
    if len(asked.branched) > 1:
        lines += [_describe_flips(flips)]
    return lines


def _describe_flips(populations: Sequence[str]) -> str:
    if not populations:
        return "Whether a teardown at a decision gains or loses doesn't flip between these strategies."
    named = {"chosen": "that they chose", "possible": "that were possible"}
    said = " and ".join(named[name] for name in populations)
    return f"Between these strategies it flips whether teardowns {said} gain or lose."
