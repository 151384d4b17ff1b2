"""Tables learned anew for changed rules: who gets them, what they are worth, and that they belong to the plan."""

from __future__ import annotations

from pathlib import Path

import pytest

from fivetowers_sim.bench.arms import Crew
from fivetowers_sim.bench.folder import begin_experiment
from fivetowers_sim.bench.question import find_out
from fivetowers_sim.dataset.errors import RunError
from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.experiments.refit import (
    Refit,
    RefitError,
    check_refit,
    has_tables_to_refit,
    learn_for_arms,
    refit_arms,
)
from fivetowers_sim.questions.variants import Compare
from fivetowers_sim.questions.variants.figures import read_changes
from fivetowers_sim.rules.ruleset import RuleSet
from fivetowers_sim.strategies.value_files import load_shipped, write_tables

LITTLE = Refit(500)
# A tower with a top is worth nothing here, which no table learned on the printed rules expects.
TOPS_ARE_BAD = RuleSet(name="tops are bad", vp_per_topped_card=0)


def arm(rules=RuleSet(), strategies=("value",), seed=1):  # noqa: B008 - rule sets are frozen
    return make_setup(rules, 2, strategies, seed)


def compare(**options):
    given = {"set_b": ["vp_per_topped_card=0"], "players": 2, "games": 40, "refit": True, "refit_games": LITTLE.games}
    return Compare({"rules_a": "base", "rules_b": "base", **given, **options})


@pytest.mark.slow
def test_tables_learned_for_a_changed_game_beat_the_shipped_ones_there():
    with learn_for_arms(LITTLE, {"changed": arm(TOPS_ARE_BAD)}, Crew(2), None) as (learned,):
        assert learned.against_shipped.low > 1 / 2
        assert learned.against_shipped.games == LITTLE.trial_games
        assert Path(learned.path).exists()
    assert not Path(learned.path).exists()


@pytest.mark.slow
def test_only_shipped_tables_are_replaced_and_parameters_stay(tmp_path):
    own = tmp_path / "own.json"
    own.write_text(write_tables(load_shipped(2, with_powers=False), 15))
    asked = [arm(strategies=("value:closing=3", str(own))), arm(strategies=("greedy", "rollout"))]
    with learn_for_arms(LITTLE, {"a": asked[0], "b": asked[1]}, Crew(2), None) as learned:
        played = refit_arms(asked, learned)
        path = learned[0].path
        # The same game was learned once.
        assert learned[0] == learned[1]
    assert played[0].strategies == (f"{path}:closing=3", str(own))
    assert (path, learned[0].sha256) in played[0].strategy_files
    assert played[1] == asked[1]


@pytest.mark.slow
def test_a_comparison_is_played_by_the_new_tables():
    outcome, plain = find_out(compare(), Crew(2)), find_out(compare(refit=False, refit_games=None), Crew(2))
    found, before = (
        {(one.headline.name, one.headline.seat): one.after.value for one in read_changes(which.finish())}
        for which in (outcome, plain)
    )
    assert found["total", None] > before["total", None] + 2
    assert [one.file for one in outcome.asked.learned] == ["01-A.json", "02-B.json"]


@pytest.mark.slow
def test_learning_that_was_interrupted_goes_on_to_the_same_files(tmp_path):
    asked = compare()

    def stop(what, done, games):
        if what.startswith("played to learn tables 2 of 2"):
            raise KeyboardInterrupt

    with begin_experiment(tmp_path / "whole", asked.asked()) as folder:
        find_out(asked, Crew(2), folder)
    with pytest.raises(KeyboardInterrupt), begin_experiment(tmp_path / "stopped", asked.asked()) as folder:
        find_out(asked, Crew(1, watch_step=stop), folder)
    with begin_experiment(tmp_path / "stopped", asked.asked(), resume=True) as folder:
        find_out(asked, Crew(1), folder)
    for name in ("results.json", "manifest.json", "tables/01-A.json", "tables/02-B.json"):
        assert (tmp_path / "stopped" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.slow
def test_tables_that_were_changed_since_are_refused(tmp_path):
    asked = compare()
    with begin_experiment(tmp_path / "new", asked.asked()) as folder:
        find_out(asked, Crew(2), folder)
    file = tmp_path / "new" / "tables" / "01-A.json"
    whole = file.read_text()
    for text, message in (
        (whole + " ", "tables.A.sha256"),
        ("{}", "is damaged"),
        (whole.replace('"seed": 1,', '"seed": 2,'), "another plan"),
    ):
        file.write_text(text)
        with pytest.raises(RunError, match=message), begin_experiment(tmp_path / "new", asked.asked(), True) as folder:
            find_out(asked, Crew(2), folder)


def test_who_plays_by_no_tables_cannot_be_refitted():
    assert has_tables_to_refit(["greedy", "hoarder"])
    assert not has_tables_to_refit(["greedy", "rollout", "random"])
    with pytest.raises(RefitError, match="greedy can't be refitted; accepted are value and"):
        check_refit([arm(strategies=("greedy",))], LITTLE)
    mixed = make_setup(RuleSet(), 2, ["value"], 1, [("tree",), ()])
    with pytest.raises(RefitError, match="seats differ in their Great Powers"):
        check_refit([mixed], LITTLE)
    with pytest.raises(RefitError, match="refit_games is 1; accepted is 500 to"):
        Refit(1)
