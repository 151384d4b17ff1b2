"""Put sections in order: a question each, then who played, the rules, and limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from fivetowers_sim.report.content import Section
from fivetowers_sim.report.finished import Finished, find_all
from fivetowers_sim.report.sections.any_experiment import write_any
from fivetowers_sim.report.sections.bid_values import write_bid_values
from fivetowers_sim.report.sections.dials import write_dials
from fivetowers_sim.report.sections.game_shape import write_game_shape
from fivetowers_sim.report.sections.limits import write_limits
from fivetowers_sim.report.sections.powers import write_powers
from fivetowers_sim.report.sections.rules import write_rules
from fivetowers_sim.report.sections.strategies import write_strategies
from fivetowers_sim.report.sections.teardown_costs import write_teardown_costs

QUESTIONS: Final[Mapping[str, tuple[str, Callable[[Finished], Section]]]] = {
    "bid-values": ("Bid values", write_bid_values),
    "teardown-costs": ("Teardown costs", write_teardown_costs),
    "powers": ("Great Powers", write_powers),
    "game-shape": ("The game itself", write_game_shape),
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
    sections = []
    for experiment, (title, write) in QUESTIONS.items():
        asked = find_all(finished, experiment)
        sections += [_number(write(one), nth) for nth, one in enumerate(asked, 1)]
        if not asked:
            missing = f"fivetowers {experiment} --out data/{experiment}"
            sections.append(Section(experiment, title, "This question was not asked for this report.", missing=missing))
    sections += [write_any(one) for one in finished if one.experiment not in (*QUESTIONS, *_OTHERS)]
    changed = [one for one in finished if one.experiment in ("compare", "sweep")]
    if changed:
        sections.append(write_dials(changed))
    asked = [one for one in finished if one.experiment in QUESTIONS]
    sections.append(write_strategies(find_all(finished, "tournament"), asked))
    rule_sets = [one.plan["rules"] for one in finished if "rules" in one.plan]
    rule_sets += [arm["rules"] for one in changed for arm in one.plan["arms"]]
    return [*sections, write_rules(rule_sets), write_limits()]


def _number(section: Section, nth: int) -> Section:
    """Tell several sections on a question apart."""
    from dataclasses import replace

    from fivetowers_sim.report.content import Picture

    if nth == 1:
        return section
    shown = [replace(one, name=f"{one.name}-again-{nth}") if isinstance(one, Picture) else one for one in section.shown]
    return replace(section, anchor=f"{section.anchor}-{nth}", title=f"{section.title} ({nth})", shown=shown)
