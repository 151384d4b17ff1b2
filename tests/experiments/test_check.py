"""A check asks the same of one more player: its figures are those that a question to that player alone would give."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fivetowers_sim.bench.arms import Crew
from fivetowers_sim.experiments.check import USUAL_CHECK, Check, join_figures, join_labels
from fivetowers_sim.experiments.teardown_costs import run_teardown_costs
from fivetowers_sim.experiments.teardown_question import Branching, make_teardown_question
from fivetowers_sim.rules.ruleset import RuleSet
from fivetowers_sim.strategies.families import read_strategy

CAREFUL = "greedy:max_bid=2"
RULES = RuleSet()


def teardowns(check):
    costs, branching = [(0,)], Branching(40, 2)
    return make_teardown_question(RULES, 2, ["greedy"], 1, 60, None, costs, branching, check=check)


def test_teardowns_are_checked_under_the_rules_own_costs():
    asked = teardowns(Check(CAREFUL, 30))
    outcome = run_teardown_costs(asked, Crew())
    assert outcome.worth is not None
    assert outcome.check.worth is None
    assert outcome.check.asked.schedule_names == asked.schedule_names[:1]
    assert outcome.check.deals == 10
    assert list(join_labels(outcome)) == ["greedy", CAREFUL]
    assert join_figures(outcome).findings == outcome.figures.findings + outcome.check.figures.findings
    own = run_teardown_costs(replace(asked.check, branching=Branching(40, 2)), Crew())
    assert own.figures == outcome.check.figures


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (Check("greedy", 10), "check is greedy; accepted is a strategy that isn't among strategies"),
        (Check("nobody", 10), "check: there is no strategy 'nobody'"),
        (Check(CAREFUL, 0), "check_games is 0; accepted is 1 to 1000000000"),
    ],
)
def test_a_check_that_cannot_be_made_names_its_field(check, message):
    with pytest.raises(match=f"^{message}"):
        teardowns(check)


def test_the_usual_check_is_a_strategy():
    assert read_strategy(USUAL_CHECK).family == "rollout"
