"""A section on an experiment that has no page of its own here: what it says itself, its pictures and its figures."""

from __future__ import annotations

from typing import Final

from fivetowers_sim.bench.content import Section, Table, Verdict
from fivetowers_sim.bench.finished import Finished, is_certain
from fivetowers_sim.bench.numbers import write_estimate, write_interval
from fivetowers_sim.bench.pictures import list_pictures
from fivetowers_sim.rules.described import describe_rules

_FIGURES: Final = ("value", "low", "high", "p", "adjusted_p", "certain")
_MOST_ROWS: Final = 60


def write_any(finished: Finished, title: str = "", question: str = "") -> Section:
    """Write a section.

    Parameters
    ----------
    finished : Finished
        Any experiment whose results have ``findings``, each with ``value``, ``low`` and ``high``.
    title, question : str
        Its heading and what it answers; the experiment's name if not given.

    Returns
    -------
    Section
        The section. Certain findings come first on its table, which is cut off.
    """
    rows = sorted(finished.findings.rows, key=lambda row: not is_certain(row))[:_MOST_ROWS]
    names = [name for name in (rows[0] if rows else ()) if name not in _FIGURES]
    body = tuple(
        (
            *("" if row[name] is None else str(row[name]) for name in names),
            write_estimate(finished.findings.estimate_of(row)),
            "yes" if is_certain(row) else "",
        )
        for row in rows
    )
    caption = f"{len(rows)} of {len(finished.findings.rows)} figures; all are in the experiment's folder."
    table = [Table(caption, (*names, "figure", "certain"), body)] if rows else []
    said = [str(sentence) for sentence in finished.results.get("verdict", ())]
    name = finished.experiment
    shown = [*list_pictures(finished), *table]
    return Section(name, title or name.replace("-", " ").capitalize(), question, _judge(finished, said), said, shown)


def _judge(finished: Finished, said: list[str]) -> list[Verdict]:
    if not said or not finished.findings.rows:
        return []
    first = finished.findings.rows[0]
    estimate = finished.findings.estimate_of(first)
    about = " ".join(str(first[name]) for name in first if name not in _FIGURES and first[name] is not None)
    rules = describe_rules(finished.plan["rules"]) if "rules" in finished.plan else ""
    figure = f"{about}: {write_estimate(estimate)}"
    seed = finished.seed
    return [Verdict(said[0], figure, write_interval(estimate), "", finished.counted, rules, seed, finished.command)]
