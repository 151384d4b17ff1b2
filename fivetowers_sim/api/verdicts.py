"""What comparisons and sweeps say in a sentence each, from their finished folders."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.bench.content import Section, Verdict
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.bench.numbers import join, write_interval, write_signed
from fivetowers_sim.bench.pictures import read_section
from fivetowers_sim.experiments.headlines import list_headlines
from fivetowers_sim.report.outline import QUESTIONS
from fivetowers_sim.report.sections.any_experiment import write_any
from fivetowers_sim.report.sections.dials import write_dials
from fivetowers_sim.rules.described import describe_population


def write_section(finished: Finished) -> tuple[Section, Sequence[Verdict]]:
    """Write what an experiment found as a report would, with a verdict of every kind of experiment.

    Parameters
    ----------
    finished : Finished
        The experiment.

    Returns
    -------
    tuple of Section, sequence of Verdict
        The section, and its verdicts.
    """
    experiment = finished.experiment
    if "section" in finished.results:
        section = read_section(finished)
        return section, section.verdicts
    if experiment in QUESTIONS:
        section = QUESTIONS[experiment][1](finished)
        return section, section.verdicts
    if experiment in ("compare", "sweep"):
        return write_dials([finished]), [judge_variant(finished, name) for name in finished.plan["names"][1:]]
    section = write_any(finished)
    return section, section.verdicts


def judge_variant(finished: Finished, variant: str) -> Verdict:
    """Say which figures a rule set changes, those first that stand out most from their intervals.

    Parameters
    ----------
    finished : Finished
        A ``compare`` or ``sweep`` experiment.
    variant : str
        One of its rule sets, apart from the first.

    Returns
    -------
    Verdict
        It rests on the figure that stands out most.
    """
    plan, deals = finished.plan, int(finished.results["deals"])
    base, first = plan["names"][0], plan["arms"][0]
    labels = {(one.name, one.seat): one for one in list_headlines(first["players"])}
    rows = [row for row in finished.results["changes"] if row["variant"] == variant]
    rows.sort(key=_conspicuousness, reverse=True)
    said = []
    for row in rows:
        headline, change = labels[row["figure"], row["seat"]], _read(row, "difference", deals)
        scale, unit = (100, " points") if headline.is_share else (1, "")
        written = f"{headline.label} {write_signed(change, scale, unit if headline.is_share else '')}"
        said.append((row["certain"], written, write_interval(change, scale, unit)))
    certain = [written for is_certain, written, _ in said if is_certain]
    what, against = (_name_rules(finished, name) for name in (variant, base))
    if certain:
        claim = f"{what} changes {len(certain)} of {len(rows)} figures of {against} for certain: {join(certain[:3])}"
        claim += f", and {len(certain) - 3} more." if len(certain) > 3 else "."
    elif all(row["difference"] == row["difference_low"] == row["difference_high"] == 0 for row in rows):
        claim = f"{what} changes no figure of {against}: on every deal both are the same."
    else:
        claim = f"{what} is not shown to change any figure of {against}."
    rules = {**first, "rules": {"name": "as named"}}
    family = len(finished.results["changes"])
    holds = f"Among {family} figures looked at together, at most 5% of such findings are false."
    return Verdict(
        claim,
        f"change in {said[0][1]}",
        said[0][2],
        holds,
        finished.counted,
        _drop_seed(rules),
        first["seed"],
        finished.command,
    )


def _name_rules(finished: Finished, name: str) -> str:
    """Name a rule set as people know it: in a comparison they are A and B."""
    if finished.experiment != "compare":
        return name
    rules = finished.plan["arms"][finished.plan["names"].index(name)]["rules"]["name"]
    return f"{name} ({rules})"


def _conspicuousness(row: Mapping[str, Any]) -> tuple[bool, float]:
    change = _read(row, "difference", 0)
    return bool(row["certain"]), 0.0 if math.isnan(change.margin) else abs(change.value) / max(change.margin, 1e-12)


def _drop_seed(setup: Mapping[str, Any]) -> str:
    """Describe a population without its seed, which verdicts have beside it."""
    return describe_population(setup).rpartition("; seed ")[0]


def _read(row: Mapping[str, Any], name: str, deals: int) -> Estimate:
    value, low, high = (math.nan if row[key] is None else row[key] for key in (name, f"{name}_low", f"{name}_high"))
    return Estimate(value, low, high, deals)
