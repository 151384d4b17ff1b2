"""The section on teardown costs: what tearing down is worth, and what other schedules would do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from fivetowers_sim.bench.content import Picture, Section, Table, Verdict
from fivetowers_sim.bench.finished import Finished, Rows, is_certain
from fivetowers_sim.bench.numbers import join, write_estimate, write_interval, write_signed
from fivetowers_sim.bench.pictures import find_picture
from fivetowers_sim.rules.described import describe_rules

ANCHOR: Final = "teardown-costs"
_WORTH: Final = {
    "total": "VP",
    "lead": "VP ahead of the best other",
    "win_share": "win share, points",
    "others": "VP that each other gains",
}
_AT_DECISIONS: Final = {
    "vp": "VP",
    "lead": "VP ahead of the best other",
    "win_share": "win share, points",
    "cost": "cost by the rules, VP",
    "right": "how often it is right, %",
}
_BY: Final = {"all": "all", "pile": "cards torn down before", "stage": "stage of the game", "card": "card torn down"}
_CHANGES: Final = {
    "torn": "cards torn down by a seat",
    "total": "VP of a seat",
    "margin": "VP ahead of the second",
    "rounds": "rounds",
}


def write_teardown_costs(finished: Finished) -> Section:
    """Write the section.

    Parameters
    ----------
    finished : Finished
        A ``teardown-costs`` experiment.

    Returns
    -------
    Section
        The section.
    """
    strategies: Sequence[str] = finished.plan["strategies"]
    shown: list[Picture | Table] = []
    for nth, strategy in enumerate(strategies, 1):
        own = finished.findings.where(strategy=strategy, seat=None)
        shown += find_picture(finished, _number("schedules", nth), f"What schedules of costs do, all {strategy}")
        worth = f"What a seat that never tears down lacks, compared with itself, all {strategy}; ~ isn't certain."
        shown.append(_tabulate(own.where(kind="worth"), _WORTH, worth))
        changes = f"What other schedules change where all may tear down, all {strategy}; ~ isn't certain."
        shown.append(_tabulate(own.where(kind="change"), _CHANGES, changes))
    decisions = Rows(tuple(finished.results.get("decision_findings", ())), finished.findings.games)
    for nth, strategy in enumerate(dict.fromkeys(row["strategy"] for row in decisions.rows), 1):
        caption = f"What a teardown is worth against what it costs, all {strategy}"
        shown += find_picture(finished, _number("worth", nth), caption)
        populations = dict.fromkeys(row["population"] for row in decisions.where(strategy=strategy).rows)
        shown += [_tabulate_decisions(decisions, strategy, population) for population in populations]
    said = (
        _describe_learned(finished),
        *finished.describe_check(),
        "Each schedule of costs is played on the same deals, with all seats free to tear down and with each seat in "
        "turn held to never doing so. What that seat lacks, compared with itself, is what tearing down is worth to it.",
    )
    question = "What is tearing down worth, and what would other costs do?"
    return Section(ANCHOR, "Teardown costs", question, [_judge(finished)], said, shown)


def _number(name: str, nth: int) -> str:
    return name if nth == 1 else f"{name}-{nth}"


def _describe_learned(finished: Finished) -> str:
    if finished.plan.get("refit"):
        return "Players who play by prices learned them anew for each schedule of costs, with equal effort."
    return "Prices that players go by were learned on the printed costs, and not anew for other schedules."


def _judge(finished: Finished) -> Verdict:
    schedule, first = next(iter(finished.plan["schedules"])), finished.plan["strategies"][0]
    about = {"kind": "worth", "schedule": schedule, "figure": "total", "seat": None}
    worths = {name: one.findings.where(strategy=name, **about) for name, one in finished.askers.items()}
    signs = {name: _sign(worth) for name, worth in worths.items()}
    losses = {name: worth.estimate() for name, worth in worths.items()}
    loss = losses.pop(first)
    doing = {1: "costs a player", -1: "brings a player something", 0: "isn't shown to cost a player anything"}
    claim = f"Under the costs {schedule}, never tearing down {doing[signs[first]]} ({write_signed(loss)} VP lost)."
    opposed = [name for name in losses if signs[name] * signs[first] < 0]
    others = [f"{name} {write_signed(other)} VP" for name, other in losses.items()]
    held = f"Under {join(others)}." if others else f"Asked of {first} alone."
    return Verdict(
        claim,
        f"VP that a seat lacks that never tears down: {write_signed(loss)}",
        write_interval(loss),
        f"It flips under {join(opposed)}." if opposed else held,
        finished.counted,
        f"{finished.plan['players']} players; all seats {first}; {describe_rules(finished.plan['rules'])}",
        finished.plan["seed"],
        finished.command,
    )


def _sign(rows: Rows) -> int:
    (row,) = rows.rows
    return 0 if not is_certain(row) else 1 if row["value"] > 0 else -1


def _tabulate(rows: Rows, figures: dict[str, str], caption: str) -> Table:
    found: dict[str, dict[str, str]] = {}
    for row in rows.rows:
        found.setdefault(row["schedule"], {})[row["figure"]] = _write(rows, row)
    shown = {name: label for name, label in figures.items() if any(name in cells for cells in found.values())}
    body = tuple((schedule, *(cells.get(name, "") for name in shown)) for schedule, cells in found.items())
    return Table(caption, ("costs", *shown.values()), body)


def _tabulate_decisions(rows: Rows, strategy: str, population: str) -> Table:
    own = rows.where(strategy=strategy, population=population)
    body = []
    for by, name in dict.fromkeys((row["by"], row["class"]) for row in own.rows):
        found = {row["figure"]: row for row in own.where(by=by, **{"class": name}).rows}
        cells = [_write(own, found[figure]) if figure in found else "" for figure in _AT_DECISIONS]
        label = "all" if by == "all" else f"{_BY.get(by, by)}: {name}"
        body.append((label, *cells, f"{next(iter(found.values()))['decisions']:,}"))
    caption = (
        f"What the best build with a teardown brings more than the best without, at the same decisions, all "
        f"{strategy}, where a teardown was {population}; ~ isn't certain."
    )
    return Table(caption, ("", *_AT_DECISIONS.values(), "decisions"), tuple(body))


def _write(rows: Rows, row: Any) -> str:
    scale = 100 if row["figure"] in ("win_share", "right") else 1
    if row.get("p") is None:
        return write_estimate(rows.estimate_of(row), scale)
    return write_signed(rows.estimate_of(row), scale) + ("" if is_certain(row) else " ~")
