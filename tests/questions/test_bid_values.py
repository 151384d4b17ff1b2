"""What bids are worth: figures that can be counted, intervals that hold, and results that don't depend on how."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.bench.arms import Crew
from fivetowers_sim.bench.folder import begin_experiment
from fivetowers_sim.bench.params import RefusedError
from fivetowers_sim.bench.question import find_out
from fivetowers_sim.engine.branch_record import BRANCH_DETAIL
from fivetowers_sim.questions.bid_values import BidValues
from fivetowers_sim.questions.bid_values.strata import EVERY, find_strata, list_strata
from fivetowers_sim.rules.ruleset import RuleSet
from tests.experiments.toy_game import TOY, count_worths


def question(strategies=("greedy",), **given):
    asked = {"players": 3, "strategies": ",".join(strategies), "games": 60, "seed": 3, "check": "none"}
    return BidValues({**asked, **given})


@pytest.fixture(scope="module")
def toy_rules(tmp_path_factory):
    path = tmp_path_factory.mktemp("rules") / "toy.toml"
    path.write_text(TOY.to_toml(), "utf-8")
    return str(path)


@pytest.fixture(scope="module")
def toy(toy_rules):
    return find_out(question(rules=toy_rules, players=2, games=6000, futures=2), Crew(2))


def find(outcome, kind, figure="vp"):
    """Return a strategy's figures over all decisions by what they are about, however few decisions they are of."""
    return outcome.findings.by("about", strategy="greedy", kind=kind, figure=figure, by="all")


def test_the_worth_of_each_bid_in_a_game_that_can_be_counted_is_found(toy):
    worths = count_worths()
    assert worths["vp", 5] == 2.5
    assert worths["margin", 5] == pytest.approx((5 + 65 / 18) / 2)
    for (figure, bid), worth in worths.items():
        found = find(toy, "against pass", figure)[str(bid)].estimate
        # Fifteen intervals of 95% are looked at; one and a half times as wide, all hold.
        assert abs(found.value - worth) <= 1.5 * found.margin + 1e-9, (figure, bid)
        assert found.games == 6000


def test_a_game_that_can_be_counted_answers_the_other_questions(toy):
    def told(kind, about=""):
        return find(toy, kind)[about].estimate

    # Greedy always says 5: nothing is higher, and one less is worth what a 4 is.
    worths = count_worths()
    assert told("higher").games == told("rather bid").games == 0
    assert abs(told("lower").value - (worths["vp", 4] - 2.5)) <= 1.5 * told("lower").margin
    assert abs(told("passing", "0").value + 2.5) <= 1.5 * told("passing", "0").margin
    gained = worths["margin", 5] - 2.5
    assert abs(told("passing", "1").value - gained) <= 1.5 * told("passing", "1").margin
    # Nobody passes, so a naive look has nothing to compare with.
    assert told("naive", "5").games == 0


@pytest.mark.slow
def test_intervals_hold_in_19_of_20_repetitions(toy_rules):
    asked = question(rules=toy_rules, players=2, futures=1)
    measure, blocks, size = asked.measure, 400, 80
    tables = asked.arms[0].play(0, blocks * size, BRANCH_DETAIL)
    measured = np.zeros((blocks * size, measure.columns), np.int64)
    measure.add(0, tables, measured)
    worth, covered = count_worths()["margin", 4], 0
    key = {("against pass", EVERY, 4): 1.0}
    for block in measured.reshape(blocks, size, -1):
        found = measure.estimate(Moments.of(block), 0, "margin", key, 0.95)
        covered += found.low <= worth <= found.high
    # 95% ± 3 standard errors of 1.1%; means of 80 are not quite normal.
    assert 0.91 < covered / blocks < 0.99


def test_kinds_of_decisions_divide_all_of_them():
    asked = question(("value",), futures=1)
    decisions = asked.arms[0].play(0, 300, BRANCH_DETAIL)["decisions"]
    masks = find_strata(decisions, 3)
    assert tuple(masks) == list_strata(3)
    for by in ("stage", "place", "high_bid", "top", "fits"):
        own = [mask for (what, _), mask in masks.items() if what == by]
        assert np.array_equal(np.sum(own, 0), np.ones(300)), by
    late = decisions[masks["stage", "last third"]]
    assert late["rounds_to_come"].max() < 0.5 * (late["round"].astype(int) + late["rounds_to_come"]).max()
    assert (decisions[masks["place", "second"]]["place"] == 1).all()
    assert (decisions[masks["high_bid", "4 or more"]]["high_bid"] >= 4).all()


def test_workers_change_nothing():
    asked = question(games=80, futures=2)
    assert find_out(asked, Crew(1)).to_dict() == find_out(asked, Crew(2)).to_dict()


@pytest.mark.slow
def test_an_interrupted_valuation_goes_on_to_the_same_files(tmp_path):
    asked = question(games=160, futures=1)

    def stop(state):
        if state.games_done >= 80:
            raise KeyboardInterrupt

    with begin_experiment(tmp_path / "whole", asked.asked()) as folder:
        find_out(asked, Crew(2), folder)
    with pytest.raises(KeyboardInterrupt), begin_experiment(tmp_path / "stopped", asked.asked()) as folder:
        find_out(asked, Crew(1, watch=stop), folder)
    with begin_experiment(tmp_path / "stopped", asked.asked(), resume=True) as folder:
        find_out(asked, Crew(2), folder)
    for name in ("results.json", "bids.parquet"):
        assert (tmp_path / "stopped" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    results = json.loads((tmp_path / "whole" / "results.json").read_bytes())
    assert pl.read_parquet(tmp_path / "whole" / "bids.parquet").height == len(results["findings"])


def test_the_tree_power_adds_bids_beyond_the_display():
    asked = question(powers="tree", games=2)
    assert asked.measure.slots == RuleSet().display_size + 2


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"strategies": ("greedy", "greedy")}, "strategies names greedy, greedy; accepted is 1 to 4 different ones"),
        ({"futures": 0}, "futures is 0; accepted is 1 to 1000"),
        ({"precision": 0.1}, "games is 60 and --precision is 0.1; accepted is one of them"),
        ({"players": 7}, "players is 7"),
        ({"powers": "wood"}, "--powers wood: there is no power 'wood'"),
    ],
)
def test_what_cannot_be_valued_is_refused(given, said):
    with pytest.raises(RefusedError) as refused:
        question(**given)
    assert str(refused.value).startswith(said)


def test_each_game_gives_one_decision_however_many_are_asked():
    asked = question(("greedy", "cautious"), games=70)
    assert asked.budget.looks == (70,)
    assert asked.count(70) == {"decisions": 70}


def test_a_users_own_class_is_refused_before_anything_is_played(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text("class Mine:\n    def speak(self, view):\n        return None\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    said = "strategies names mine.py:Mine; accepted are built-in families and presets"
    with pytest.raises(RefusedError) as refused:
        question(("mine.py:Mine",))
    assert str(refused.value) == said
    with pytest.raises(RefusedError) as refused:
        question(check="mine.py:Mine", check_games=5)
    assert str(refused.value) == f"check is mine.py:Mine: {said}"
