"""What a teardown is worth at a decision: chosen in one half of the futures, judged in the other."""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl
import pytest

from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.bench.arms import Crew
from fivetowers_sim.bench.folder import begin_experiment
from fivetowers_sim.engine.branch_record import BRANCH_DETAIL, DECISIONS, OPTIONS
from fivetowers_sim.engine.branch_setup import BranchSetup
from fivetowers_sim.engine.record import NOBODY
from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.experiments.teardown_branches import BY_TEARDOWN, TeardownWorth, TwiceBranched
from fivetowers_sim.experiments.teardown_costs import run_teardown_costs
from fivetowers_sim.experiments.teardown_question import Branching, make_teardown_question
from fivetowers_sim.experiments.teardown_worth import estimate_worths, make_worth_frame
from fivetowers_sim.rules.ruleset import RuleSet

ALL_CHOSEN, ALL_POSSIBLE = ("chosen", "all", "all"), ("possible", "all", "all")
FUTURES = 2


def branched(rules=RuleSet(), strategy="greedy"):  # noqa: B008 - rule sets are frozen
    return TwiceBranched(BranchSetup(make_setup(rules, 2, [strategy], 1), BY_TEARDOWN, FUTURES))


@cache
def worth_of(costs, games=80):
    rules = RuleSet(teardown_costs=costs)
    measure = TeardownWorth(1, 2 * FUTURES, rules)
    measured = np.zeros((games, measure.columns), np.int64)
    measure.add(0, branched(rules).play(0, games, BRANCH_DETAIL), measured)
    return estimate_worths(measure, ["greedy"], Moments.of(measured))


def test_the_halves_branch_the_same_decisions_in_other_futures():
    tables = branched().play(0, 12, BRANCH_DETAIL)
    whole = BranchSetup(branched().first.game, BY_TEARDOWN, 2 * FUTURES).play(0, 12, BRANCH_DETAIL)["options"]
    one, other = tables["options"], tables["other_options"]
    for field in ("game", "bid", "constraint", "said", "torn", "torn_types"):
        assert np.array_equal(one[field], other[field])
    for field in ("total_0", "total_1", "share_0", "best_other", "futures", "won"):
        assert np.array_equal(one[field].astype(int) + other[field], whole[field])
    assert not np.array_equal(one["total_0"], other["total_0"])


def test_an_option_says_from_which_towers_it_tears_down():
    options = branched().play(0, 40, BRANCH_DETAIL)["options"]
    counts = np.array([int(bits).bit_count() for bits in options["torn_types"]])
    # One card at most by the printed rules.
    assert np.array_equal(counts, options["torn"])
    assert counts.max() == 1


def decisions_with(*worths, pile=0, said=1):
    """Decisions of a pass, a bid without and a bid with a teardown; `worths` has VP of each, half by half."""
    rows = len(worths)
    decisions = np.zeros(rows, DECISIONS.dtype)
    decisions["game"], decisions["options"], decisions["pile"] = np.arange(rows), 3, pile
    decisions["round"], decisions["rounds_to_come"], decisions["candy_top"] = 1, 20, 12
    halves = []
    for half in range(2):
        options = np.zeros(3 * rows, OPTIONS.dtype)
        options["game"] = np.repeat(np.arange(rows), 3)
        options["torn"], options["torn_types"] = np.tile([0, 0, 1], rows), np.tile([0, 0, 1], rows)
        options["said"] = np.tile(np.arange(3) == said, rows)
        options["total_0"] = np.array([worth[half] for worth in worths]).ravel()
        halves.append(options)
    return {"decisions": decisions, "options": halves[0], "other_options": halves[1]}


def found(tables):
    measure = TeardownWorth(1, 2, RuleSet())
    measured = np.zeros((len(tables["decisions"]), measure.columns), np.int64)
    measure.add(0, tables, measured)
    return estimate_worths(measure, ["greedy"], Moments.of(measured))


def test_what_is_chosen_in_one_half_is_judged_in_the_other():
    # The pass is best in the first half, the bid without a teardown in the second.
    figures = found(decisions_with(([5, 2, 9], [1, 6, 4])))
    # 4 for the teardown, less 1 for the pass; 9 less 2.
    worth = figures.find("greedy", ALL_POSSIBLE)
    assert worth["vp"].estimate.value == (3 + 7) / 2
    assert worth["lead"].decisions == 1
    assert (worth["right"].estimate.value, worth["agreed"].estimate.value) == (1, 1)
    assert (worth["cost"].estimate.value, worth["before_cost"].estimate.value) == (1, 6)
    # It said something else.
    assert figures.find("greedy", ALL_CHOSEN) == {}
    chosen = found(decisions_with(([5, 2, 9], [1, 6, 4]), said=2)).find("greedy", ALL_CHOSEN)
    assert chosen["vp"].estimate.value == (3 + 7) / 2


def test_decisions_are_told_apart_by_the_pile_and_the_card():
    figures = found(decisions_with(([0, 0, 4], [0, 0, 4]), ([0, 0, -2], [0, 0, -2]), pile=[1, 5]))
    for key, value, cost in ((("pile", "1"), 4, 2), (("pile", "3 or more"), -2, 6), (("card", "12 to 10"), 1, 4)):
        worth = figures.find("greedy", ("possible", *key))
        assert (worth["vp"].estimate.value, worth["cost"].estimate.value) == (value, cost)
    assert figures.find("greedy", ("possible", "pile", "0")) == {}
    assert figures.find("greedy", ("possible", "stage", "first third"))["right"].estimate.value == 1 / 2


def test_luck_alone_makes_no_worth():
    # With the best of two by chance against one by chance, the naive difference is below 0.
    random = np.random.default_rng(1)
    worths = random.integers(-20, 21, (4000, 2, 3))
    lead = found(decisions_with(*worths)).find("greedy", ALL_POSSIBLE)["lead"]
    assert lead.estimate.low < 0 < lead.estimate.high
    naive = worths.sum(1)[:, 2] - worths.sum(1)[:, :2].max(1)
    assert naive.mean() + 5 * naive.std() / np.sqrt(4000) < 0


def test_games_without_a_decision_add_nothing():
    tables = decisions_with(([5, 2, 9], [1, 6, 4]))
    tables["decisions"]["seat"] = NOBODY
    tables = {**tables, "options": tables["options"][:0], "other_options": tables["other_options"][:0]}
    assert found(tables).findings == ()


def test_a_ruinous_cost_makes_teardowns_wrong_and_none_makes_them_worth_more():
    ruinous, free = (worth_of(costs, 240).find("greedy", ALL_POSSIBLE) for costs in ((100,), (0,)))
    # Who is outbid pays nothing.
    assert ruinous["lead"].estimate.high < -20
    assert ruinous["right"].estimate.high < free["right"].estimate.low
    assert ruinous["cost"].estimate.value == 100
    assert free["lead"].estimate.low > ruinous["lead"].estimate.high
    assert free["vp"].estimate == free["before_cost"].estimate


def question(rules=RuleSet(), **options):  # noqa: B008 - rule sets are frozen
    branching = Branching(30, 2 * FUTURES)
    return make_teardown_question(rules, 2, ["greedy"], 1, 60, costs=[(0,)], branching=branching, **options)


def test_where_nobody_may_tear_down_no_decision_is_found():
    outcome = run_teardown_costs(question(RuleSet(teardown_limit=0)), Crew(2))
    assert outcome.worth.findings == ()


def test_an_interrupted_experiment_goes_on_to_the_same_decisions(tmp_path):
    asked = question()

    def stop(what, done, games):
        if done >= games // 2:
            raise KeyboardInterrupt

    with begin_experiment(tmp_path / "whole", asked.asked()) as folder:
        outcome = run_teardown_costs(asked, Crew(2), folder)
    with pytest.raises(KeyboardInterrupt), begin_experiment(tmp_path / "stopped", asked.asked()) as folder:
        run_teardown_costs(asked, Crew(1, watch_step=stop), folder)
    with begin_experiment(tmp_path / "stopped", asked.asked(), resume=True) as folder:
        run_teardown_costs(asked, Crew(1), folder)
    for name in ("results.json", "decisions.parquet", "findings.parquet"):
        assert (tmp_path / "stopped" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    rows = pl.read_parquet(tmp_path / "whole" / "decisions.parquet").to_dicts()
    assert rows == outcome.to_dict()["decision_findings"] == make_worth_frame(outcome.worth).to_dicts()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((-1,), "decisions is -1; accepted is 0 to"),
        ((5, 3), "futures is 3; accepted is an even number from 2 to"),
        ((5, 0), "futures is 0; accepted is an even number"),
    ],
)
def test_branchings_that_make_no_sense_are_refused(given, message):
    with pytest.raises(match=message):
        Branching(*given)
