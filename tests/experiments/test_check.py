"""A check asks the same of one more player: its figures are those that a question to that player alone would give."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from fivetowers_sim.bench.arms import Crew
from fivetowers_sim.bench.finished import read_finished
from fivetowers_sim.bench.folder import begin_experiment
from fivetowers_sim.experiments.check import USUAL_CHECK, Check, join_figures, join_labels
from fivetowers_sim.experiments.game_shape import make_shape_question, run_shape
from fivetowers_sim.experiments.teardown_costs import run_teardown_costs
from fivetowers_sim.experiments.teardown_question import Branching, make_teardown_question
from fivetowers_sim.report.sections.game_shape import write_game_shape
from fivetowers_sim.rules.ruleset import RuleSet
from fivetowers_sim.strategies.families import read_strategy

CAREFUL = "greedy:max_bid=2"
RULES = RuleSet()


def shape(strategies, games, check=None):
    return make_shape_question(RULES, [2], strategies, 1, games, check=check)


@pytest.mark.slow
def test_a_checks_figures_are_those_of_asking_that_player_alone():
    checked = run_shape(shape(["greedy"], 120, Check(CAREFUL, 90)), Crew())
    alone = run_shape(shape([CAREFUL], 90), Crew())
    assert checked.check.figures == alone.figures
    assert checked.figures == run_shape(shape(["greedy"], 120), Crew()).figures
    assert list(join_labels(checked)) == ["greedy", CAREFUL]
    assert join_figures(checked).findings == checked.figures.findings + alone.figures.findings


def test_teardowns_are_checked_under_the_rules_own_costs():
    costs, branching = [(0,)], Branching(40, 2)
    asked = make_teardown_question(RULES, 2, ["greedy"], 1, 60, None, costs, branching, check=Check(CAREFUL, 30))
    outcome = run_teardown_costs(asked, Crew())
    assert outcome.worth is not None
    assert outcome.check.worth is None
    assert outcome.check.asked.schedule_names == asked.schedule_names[:1]
    assert outcome.check.deals == 10
    own = run_teardown_costs(replace(asked.check, branching=Branching(40, 2)), Crew())
    assert own.figures == outcome.check.figures


def test_an_interrupted_check_goes_on_where_it_was(tmp_path):
    asked = shape(["greedy"], 300, Check(CAREFUL, 120))
    whole = run_shape(asked, Crew()).to_dict()

    def stop(what, done, games):
        assert what == f"played by {CAREFUL}"
        if done > 40:
            raise KeyboardInterrupt

    with begin_experiment(tmp_path / "new", asked.asked()) as folder, pytest.raises(KeyboardInterrupt):
        run_shape(asked, Crew(watch_step=stop), folder)
    steps = []
    with begin_experiment(tmp_path / "new", asked.asked(), resume=True) as folder:
        outcome = run_shape(asked, Crew(watch_step=lambda what, done, games: steps.append(done)), folder)
    assert outcome.to_dict() == whole
    assert steps[0] > 40
    manifest = json.loads((tmp_path / "new" / "manifest.json").read_bytes())
    assert manifest["plan"]["check"] == {"strategies": [CAREFUL], "games": 120, "precision": None, "looks": [120]}
    section = write_game_shape(read_finished(tmp_path / "new"))
    assert section.said[0] == (
        f"As a check the same was asked of {CAREFUL} in all seats, a slower player: 120 games (120 deals)."
    )
    assert CAREFUL in section.verdicts[0].holds


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
        shape(["greedy"], 10, check)


def test_the_usual_check_is_a_strategy():
    assert read_strategy(USUAL_CHECK).family == "rollout"
