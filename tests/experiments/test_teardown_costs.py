"""What tearing down costs: nothing where nobody may, and figures that are those of the games."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import numpy as np
import polars as pl
import pytest

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.bench.arms import Crew
from fivetowers_sim.bench.folder import begin_experiment
from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.experiments.question import QuestionError
from fivetowers_sim.experiments.refit import Refit, RefitError
from fivetowers_sim.experiments.teardown_costs import run_teardown_costs
from fivetowers_sim.experiments.teardown_figures import Finding, TeardownFigures
from fivetowers_sim.experiments.teardown_games import OWN, lead_of, list_schedules, write_costs
from fivetowers_sim.experiments.teardown_question import (
    hold_back,
    make_teardown_question,
)
from fivetowers_sim.rules.ruleset import RuleSet

NO_TEARDOWN = RuleSet(teardown_limit=0)
HELD = "greedy:never_tear_down=1"
# With two players: five schedules, each with nobody held back and either of two.
ARMS = 5 * 3


def question(strategies=("greedy",), deals=60, rules=None, **options):
    games = ARMS * len(strategies) * deals
    return make_teardown_question(rules or RuleSet(), 2, strategies, 1, games, **options)


@cache
def outcome():
    return run_teardown_costs(question(), Crew(2))


def find(kind, figure, seat=None):
    return outcome().figures.find("greedy", kind, figure, seat)


def test_where_nobody_may_tear_down_it_costs_nothing_never_to():
    found = run_teardown_costs(question(deals=20, rules=NO_TEARDOWN), Crew(2)).figures.findings
    for one in found:
        if one.kind != "level":
            assert (one.estimate.value, one.estimate.margin, one.certain) == (0, 0, False)


@pytest.mark.parametrize("strategy", ["greedy", "value"])
def test_who_is_held_back_plays_the_same_games_where_nobody_may_tear_down(strategy):
    free = make_setup(NO_TEARDOWN, 2, [strategy], 1).play(0, 40, "rounds")
    held = make_setup(NO_TEARDOWN, 2, [hold_back(strategy), strategy], 1, seating="fixed").play(0, 40, "rounds")
    held["seats"]["strategy"] = free["seats"]["strategy"]
    for name, table in free.items():
        assert table.tobytes() == held[name].tobytes()


def test_free_teardowns_are_used_more_than_doubling_ones():
    torn = find("change", "torn")
    assert torn["free"].sign == 1
    levels = find("level", "torn")
    assert levels["free"].estimate.low > levels["doubling"].estimate.high


def test_what_is_torn_down_for_free_costs_nothing():
    assert find("level", "penalty")["free"].estimate.value == 0
    flat, torn = find("level", "penalty")["flat 2"].estimate, find("level", "torn")["flat 2"].estimate
    # Two VP a card, without powers to fetch any back.
    assert flat.value == pytest.approx(-2 * torn.value)


def test_levels_are_those_of_the_games_themselves():
    tables = make_setup(RuleSet(teardown_costs=(1, 2, 4, 8, 16, 32, 64)), 2, ["greedy"], 1).play(0, 60, "rounds")
    seats, games = tables["seats"], tables["games"]
    means = {
        "torn": seats["cards_torn_down"].mean(),
        "none_torn": (seats["cards_torn_down"] == 0).mean(),
        "penalty": seats["teardown"].mean(),
        "total": seats["total"].mean(),
        "shared": (games["winners"] > 1).mean(),
        **{name: games[name].mean() for name in ("winning_total", "margin", "rounds")},
        "untaken": (tables["rounds"]["display_size"] - tables["rounds"]["taken"].astype(int)).sum() / 60,
    }
    for figure, mean in means.items():
        assert find("level", figure)["doubling"].estimate.value == pytest.approx(mean), figure
    for seat in range(2):
        mean = seats["win_share"][seat::2].mean()
        assert find("level", "win_share", seat)["doubling"].estimate.value == pytest.approx(mean)


def test_what_never_tearing_down_costs_is_the_difference_between_the_same_seats():
    rules = RuleSet(teardown_costs=(0,))
    free = make_setup(rules, 2, ["greedy"], 1).play(0, 60, "games")["seats"]
    lost = {"total": [], "win_share": [], "lead": [], "others": []}
    for seat in range(2):
        names = ["greedy", "greedy"]
        names[seat] = HELD
        held = make_setup(rules, 2, names, 1, seating="fixed").play(0, 60, "games")["seats"]
        own, other = (
            {name: (free[name].astype(float) - held[name])[which::2] for name in ("total", "win_share")}
            for which in (seat, 1 - seat)
        )
        for name in ("total", "win_share"):
            lost[name].append(own[name])
        lost["lead"].append(own["total"] - other["total"])
        lost["others"].append(-other["total"])
    for figure, by_seat in lost.items():
        each = np.mean(by_seat, axis=0)
        found = find("worth", figure)["free"].estimate
        assert found.value == pytest.approx(each.mean())
        # Student's t with 59 degrees of freedom reaches 2.00100 standard errors.
        assert found.margin == pytest.approx(2.00100 * each.std(ddof=1) / np.sqrt(60), rel=1e-4)


def test_a_lead_is_over_the_best_of_the_others_and_0_for_a_tie():
    assert lead_of(np.array([[30, 20, 25], [9, 9, 1], [-5, -5, -5]])).tolist() == [[5, -10, -5], [0, 0, -8], [0, 0, 0]]


def test_the_schedule_of_the_rules_comes_first_and_none_comes_twice():
    assert list(list_schedules(RuleSet())) == ["printed", "free", "flat 1", "flat 2", "doubling"]
    # 1,2 goes on as 3, 4, and 2,2 stays at 2.
    again = list_schedules(RuleSet(teardown_costs=(1, 2, 3)), [(2, 2), (1, 2, 3, 4), (3,)])
    assert again == {"printed": (1, 2, 3), "flat 2": (2, 2), "costs 3": (3,)}
    own = list_schedules(RuleSet(teardown_costs=(5,)))
    assert list(own) == [OWN, "free", "flat 1", "flat 2", "printed", "doubling"]
    assert write_costs((1, 2)) == "1-2-3-4"


def finding(strategy, figure, value, adjusted_p=0.01, kind="worth"):
    ends = Estimate(value, value - 1, value + 1, 9)
    return Finding(strategy, "free", kind, figure, None, ends, 0, adjusted_p)


def test_a_verdict_flips_only_where_both_sides_are_certain_and_it_is_judged_by_it():
    def flips(*others):
        return TeardownFigures((finding("a", "total", 2.0), *others)).flips(["a", "b"])

    assert len(flips(finding("b", "total", -2.0))) == 1
    assert flips(finding("b", "total", -2.0, 0.2)) == []
    assert flips(finding("b", "total", 2.0)) == []
    rounds = [finding(name, "rounds", value, kind="change") for name, value in (("a", 2.0), ("b", -2.0))]
    assert TeardownFigures(tuple(rounds)).flips(["a", "b"]) == []


def test_workers_change_nothing():
    asked = question(deals=6)
    assert run_teardown_costs(asked, Crew(1)).to_dict() == run_teardown_costs(asked, Crew(2)).to_dict()


@pytest.mark.slow
def test_an_interrupted_experiment_goes_on_to_the_same_files(tmp_path):
    asked = question(deals=8, strategies=("value", "greedy"), refit=Refit(500), costs=[(0,)])

    def stop(state):
        if state.games_done >= state.games // 2:
            raise KeyboardInterrupt

    with begin_experiment(tmp_path / "whole", asked.asked()) as folder:
        whole = run_teardown_costs(asked, Crew(2), folder)
    with pytest.raises(KeyboardInterrupt), begin_experiment(tmp_path / "stopped", asked.asked()) as folder:
        run_teardown_costs(asked, Crew(1, watch=stop), folder)
    with begin_experiment(tmp_path / "stopped", asked.asked(), resume=True) as folder:
        run_teardown_costs(asked, Crew(2), folder)
    for name in ("results.json", "findings.parquet"):
        assert (tmp_path / "stopped" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    results = json.loads((tmp_path / "whole" / "results.json").read_bytes())
    assert pl.read_parquet(tmp_path / "whole" / "findings.parquet").to_dicts() == results["findings"]
    # Every arm is played by the tables of its own schedule, greedy by none.
    for arm, setup in zip(whole.asked.measure.arms, whole.asked.arms, strict=True):
        files = dict(setup.strategy_files)
        learned = whole.asked.learned[arm.schedule]
        assert list(files.values()) == ([learned.sha256] if arm.strategy == 0 else [])


@pytest.mark.parametrize(
    ("strategies", "options", "message"),
    [
        ((), {}, "accepted is 1 to 4 different ones"),
        (("greedy", "greedy"), {}, "accepted is 1 to 4 different ones"),
        ((HELD,), {}, "which never tears down; accepted are strategies that may"),
        (("greedy",), {"costs": [(1, 2, 3)]}, "costs names 0 schedules other than that of the rules"),
        (("greedy",), {"costs": [(cost,) for cost in range(3, 12)]}, "costs names 9 schedules"),
    ],
)
def test_questions_that_make_no_sense_are_refused(strategies, options, message):
    with pytest.raises(QuestionError, match=message):
        make_teardown_question(RuleSet(), 2, strategies, 1, 60, **options)


def test_who_plays_by_no_tables_cannot_be_refitted():
    with pytest.raises(RefitError, match="greedy can't be refitted"):
        question(refit=Refit())
    assert replace(question(), refit=None) == question()
