"""The section on changed rules: what comparisons and sweeps found to differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.bench.content import Picture, Section, Table
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.bench.numbers import write_estimate, write_signed
from fivetowers_sim.bench.pictures import list_pictures
from fivetowers_sim.experiments.headlines import list_headlines

ANCHOR: Final = "dials"


def write_dials(experiments: Sequence[Finished]) -> Section:
    """Write the section.

    Parameters
    ----------
    experiments : sequence of Finished
        ``compare`` and ``sweep`` experiments, at least one.

    Returns
    -------
    Section
        The section.
    """
    shown: list[Picture | Table] = []
    said = ["Each value is played on the same deals as the game that it is compared with."]
    for finished in experiments:
        shown += list_pictures(finished)
        shown += [_tabulate(finished, variant) for variant in finished.plan["names"][1:]]
        said.append(f"{finished.counted}: {finished.command}")
    return Section(ANCHOR, "Dials", "What do other rules change?", (), said, shown)


def _tabulate(finished: Finished, variant: str) -> Table:
    players = finished.plan["arms"][0]["players"]
    headlines = {(one.name, one.seat): one for one in list_headlines(players)}
    rows = []
    for row in finished.results["changes"]:
        if row["variant"] == variant and row["certain"]:
            headline = headlines[row["figure"], row["seat"]]
            scale, unit = (100, "%") if headline.is_share else (1, "")
            before, change = (_estimate(row, name, finished.results["deals"]) for name in ("before", "difference"))
            rows.append((headline.label, write_estimate(before, scale, unit), write_signed(change, scale)))
    base = finished.plan["names"][0]
    caption = f"What certainly differs with {variant}" if rows else f"Nothing is shown to differ with {variant}"
    return Table(f"{caption}, against {base}; shares in points.", ("figure", base, variant), tuple(rows))


def _estimate(row: Mapping[str, Any], name: str, deals: int) -> Estimate:
    ends = (float("nan") if row[key] is None else row[key] for key in (name, f"{name}_low", f"{name}_high"))
    return Estimate(*ends, deals)
