"""What questions without a section of their own say in a sentence each, from their finished folders."""

from __future__ import annotations

from collections.abc import Sequence

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.bench.content import Picture, Section, Table, Verdict
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.bench.numbers import join, write_estimate, write_interval
from fivetowers_sim.bench.pictures import list_pictures, read_section
from fivetowers_sim.report.outline import QUESTIONS
from fivetowers_sim.report.sections.any_experiment import write_any
from fivetowers_sim.report.sections.strategies import tabulate_tournament, write_command
from fivetowers_sim.rules.described import describe_powers


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
    if experiment == "tournament":
        shown: list[Picture | Table] = [*list_pictures(finished), tabulate_tournament(finished)]
        return Section(experiment, "Tournament", "Which strategy is stronger?", shown=shown), [judge_field(finished)]
    section = write_any(finished)
    return section, section.verdicts


def judge_field(finished: Finished) -> Verdict:
    """Say who of a tournament wins most, and who can't be told from it by win shares."""
    plan, deals = finished.plan, int(finished.results["deals"])
    labels = finished.results["labels"]
    shares = {
        labels.get(row["strategy"], row["strategy"]): Estimate.read(row["win_share"], deals)
        for row in finished.results["strategies"]
    }
    ranked = sorted(shares, key=lambda name: -shares[name].value)
    best, others = ranked[0], ranked[1:]
    near = [name for name in others if not shares[name].high < shares[best].low]
    behind = [f"{name} {write_estimate(shares[name], 100, '%')}" for name in others]
    powers = describe_powers(plan["powers_by_seat"])
    population = f"{plan['players']} players; line-ups of {join(ranked)}; rules {plan['rules']['name']}; {powers}"
    return Verdict(
        f"{best} wins most: {write_estimate(shares[best], 100, '%')} of the games for each of its seats.",
        f"win share of {best}: {write_estimate(shares[best], 100, '%')}",
        write_interval(shares[best], 100, "%"),
        f"{join(near)} may win as much. " * bool(near) + f"The others: {join(behind)}.",
        finished.counted,
        population,
        plan["seed"],
        write_command(finished),
    )
