"""What a search found against a field is measured on fresh deals, against the field's own mix."""

from __future__ import annotations

import numpy as np
import pytest

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.batch.staff import Staff
from fivetowers_sim.bench.arms import Crew
from fivetowers_sim.bench.question import find_out
from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.experiments.tuning_plan import Budget
from fivetowers_sim.questions.tournament import Tournament
from fivetowers_sim.questions.tournament.best_response import Field, find_best_response, measure_gain
from fivetowers_sim.questions.tournament.tuned_reply import TunedReply
from fivetowers_sim.rules.ruleset import RuleSet

WEAK = ("greedy:max_bid=2", "greedy:max_bid=1")


def field_of(mix, strategies=WEAK, players=3):
    return Field(make_setup(RuleSet(), players, ["greedy"], 1), strategies, np.array(mix, float))


def test_a_mix_is_told_by_opponents_in_its_numbers():
    names = ("a", "b", "c")
    assert field_of([0, 1, 0], names).opponents() == ("b",)
    assert field_of([0.5, 0.5, 0], names).opponents() == ("a", "a", "a", "b", "b", "b")
    assert field_of([1 / 3, 1 / 3, 1 / 3], names).opponents() == ("a", "a", "b", "b", "c", "c")
    # 3.6, 1.5 and 0.9 of six: the places left over go to the largest remainders.
    assert field_of([0.6, 0.25, 0.15], names).opponents() == ("a", "a", "a", "a", "b", "c")
    assert field_of([0.25, 0.6, 0.15], names).by_weight() == ("b", "a", "c")


def test_a_search_is_told_the_field_and_its_answer_is_measured():
    asked = []

    def find(strategies, opponents):
        asked.append((strategies, opponents))
        return "greedy"

    found = find_best_response(field_of([1, 0]), find, 600, Crew(2))
    assert asked == [(WEAK, (WEAK[0],))]
    assert found.strategy == "greedy"
    assert found.gain.low > 0.2
    assert found.games == 600
    assert found.to_dict()["opponents"] == [WEAK[0]]


def test_who_is_the_field_gains_nothing():
    gain, games = measure_gain(field_of([1, 0]), WEAK[0], 600, Crew(2))
    assert (gain.value, games) == (0, 0)


def test_the_gain_is_weighted_by_how_often_each_table_occurs():
    # By hand, at a table for two: a quarter of the games against itself, which bring nothing.
    strategies = ("greedy:max_bid=2", "greedy")
    gain, games = measure_gain(field_of([0.75, 0.25], strategies, players=2), "greedy", 400, Crew(1))
    duel = make_setup(RuleSet(), 2, ["greedy:max_bid=2", "greedy"], 2, seating="rotate").play(0, 400, "games")["seats"]
    won = duel["win_share"][duel["strategy"] == 1].mean()
    assert games == 400
    assert gain.value == pytest.approx(0.75 * (won - 0.5))


def test_the_deals_are_not_those_of_the_tournament(monkeypatch):
    # A reply that is in the tournament already gains there by the tournament's own deals; here it is played again.
    strategies = ("greedy", "greedy:max_bid=3")
    monkeypatch.setattr(TunedReply, "__call__", lambda *given: "greedy:max_bid=3")
    asked = Tournament({"strategies": ",".join(strategies), "games": 300, "best_response": True})
    results = find_out(asked, Crew(2)).to_dict()
    row = next(row for row in results["strategies"] if row["strategy"] == "greedy:max_bid=3")
    found = results["best_response"]
    measured, again = Estimate.read(row["reply"], results["deals"]), Estimate.read(found["gain"], found["deals"])
    assert again.value != measured.value
    assert abs(again.value - measured.value) < again.margin + measured.margin
    assert found["strategy"] == "greedy:max_bid=3"


def test_tuning_finds_what_beats_a_field_that_holds_back(tmp_path):
    field = field_of([1, 0])
    seen = []
    budget = Budget(generations=5, points=6, games=90, restarts=1, fresh_games=120)
    search = TunedReply(field.table, budget, Staff(2), tmp_path / "search.journal", seen.append)
    found = find_best_response(field, search, 900, Crew(2))
    assert found.strategy.startswith("greedy")
    assert found.gain.low > 0
    assert seen[-1].games_done == seen[-1].games
    # What the journal has isn't played again, and says the same.
    del seen[:]
    assert search(field.by_weight(), field.opponents()) == found.strategy
    assert not seen
