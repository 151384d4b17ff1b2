"""Put sections in order: a question each, then who played, the rules, and limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from fivetowers_sim.bench.content import Picture, Section, Table
from fivetowers_sim.bench.finished import Finished, find_all
from fivetowers_sim.bench.pictures import read_section
from fivetowers_sim.questions.bid_values import BidValues
from fivetowers_sim.questions.game_shape import GameShape
from fivetowers_sim.questions.powers import Powers
from fivetowers_sim.report.sections.any_experiment import write_any
from fivetowers_sim.report.sections.limits import write_limits
from fivetowers_sim.report.sections.rules import write_rules
from fivetowers_sim.report.sections.strategies import write_strategies
from fivetowers_sim.report.sections.teardown_costs import write_teardown_costs

QUESTIONS: Final[Mapping[str, tuple[str, Callable[[Finished], Section]]]] = {
    "bid-values": (BidValues.title, read_section),
    "teardown-costs": ("Teardown costs", write_teardown_costs),
    "powers": (Powers.title, read_section),
    "game-shape": (GameShape.title, read_section),
}
"""Title and section of each question, by the experiment that answers it."""

_OTHERS: Final = ("compare", "sweep", "tournament")


def write_sections(finished: Sequence[Finished]) -> list[Section]:
    """Write all sections of a report.

    Parameters
    ----------
    finished : sequence of Finished
        The experiments, in any order.

    Returns
    -------
    list of Section
        In the order of the page. A question without an experiment has a section that says how to have it answered.
    """
    order = [*QUESTIONS, *_OTHERS]
    found = sorted(finished, key=lambda one: order.index(one.experiment) if one.experiment in order else len(order))
    sections = []
    for experiment, (title, write) in QUESTIONS.items():
        asked = find_all(found, experiment)
        sections += [write(one) for one in asked]
        if not asked:
            missing = f"fivetowers {experiment} --out data/{experiment}"
            sections.append(Section(experiment, title, "This question was not asked for this report.", missing=missing))
    others = [one for one in found if one.experiment not in QUESTIONS]
    sections += [read_section(one) if "section" in one.results else write_any(one) for one in others]
    questions = [one for one in found if one.experiment in QUESTIONS]
    sections.append(write_strategies(find_all(found, "tournament"), questions))
    rule_sets = [one.plan["rules"] for one in found if "rules" in one.plan]
    rule_sets += [arm["rules"] for one in found for arm in one.plan.get("arms", ())]
    return _tell_apart([*sections, write_rules(rule_sets), write_limits()])


def _tell_apart(sections: Sequence[Section]) -> list[Section]:
    """Give sections and pictures of the same name numbers, from the second on."""
    anchors, names = Counter[str](), Counter[str]()
    apart = []
    for section in sections:
        anchors[section.anchor] += 1
        nth = anchors[section.anchor]
        if nth > 1:
            section = replace(section, anchor=f"{section.anchor}-{nth}", title=f"{section.title} ({nth})")
        shown: list[Picture | Table] = []
        for one in section.shown:
            if isinstance(one, Picture):
                names[one.name] += 1
                again = names[one.name]
                one = one if again == 1 else replace(one, name=f"{one.name}-again-{again}")
            shown.append(one)
        apart.append(replace(section, shown=shown))
    return apart
