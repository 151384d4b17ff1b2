"""Rule sets on the same deals: differences that are those of the games, and none where there is nothing."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import polars as pl
import pytest

from fivetowers_sim.bench.arms import Crew
from fivetowers_sim.bench.budget import BudgetError, make_budget
from fivetowers_sim.bench.folder import begin_experiment
from fivetowers_sim.bench.params import RefusedError
from fivetowers_sim.bench.question import find_out
from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.questions.variants import Compare, Sweep
from fivetowers_sim.questions.variants.dials import split_values
from fivetowers_sim.questions.variants.figures import read_changes
from fivetowers_sim.rules.ruleset import RuleSet
from tests.stopping import stop_after

SIX, FREE = "display_size=6", "teardown_costs=0"


def compare(*dials, games=400, **options):
    return Compare(
        {"rules_a": "base", "rules_b": "base", "set_b": dials, "strategies": "greedy", "games": games, **options}
    )


def sweep(*dials, games=400, **options):
    return Sweep({"set": dials, "strategies": "greedy", "games": games, **options})


@cache
def outcome_of(*dials, **options):
    return find_out(compare(*dials, **options), Crew(2))


def changes_of(outcome):
    return read_changes(outcome.finish())


def by_figure(outcome, variant="B"):
    changes = (change for change in changes_of(outcome) if change.variant == variant)
    return {(change.headline.name, change.headline.seat): change for change in changes}


def test_a_rule_set_compared_with_itself_differs_in_nothing_at_all():
    for change in changes_of(outcome_of()):
        assert (change.difference.value, change.difference.low, change.difference.high) == (0, 0, 0)
        assert not change.certain
        assert change.before == change.after


def test_figures_are_those_of_the_games_themselves():
    outcome = outcome_of(SIX, games=180)
    assert outcome.to_dict()["deals"] == outcome.deals == 90
    assert outcome.to_dict()["games"] == 180
    tables = [
        make_setup(rules, 3, ["greedy"], 1).play(0, 90, "rounds") for rules in (RuleSet(), RuleSet(display_size=6))
    ]
    found = by_figure(outcome)
    for name in ("total", "cards", "tops", "main", "pairs", "teardown", "torn_cards"):
        before, after = (table["seats"][name].mean() for table in tables)
        change = found[name, None]
        assert (change.before.value, change.after.value) == (pytest.approx(before), pytest.approx(after))
    for name in ("rounds", "winning_total", "margin"):
        games = [table["games"][name].astype(float) for table in tables]
        change = found[name, None]
        assert change.difference.value == pytest.approx((games[1] - games[0]).mean())
        error = (games[1] - games[0]).std(ddof=1) / np.sqrt(90)
        # Student's t with 89 degrees of freedom reaches 1.98698 standard errors.
        assert change.difference.margin == pytest.approx(1.98698 * error, rel=1e-5)
    left = [(table["rounds"]["display_size"] - table["rounds"]["taken"].astype(int)).sum() / 90 for table in tables]
    assert found["untaken", None].before.value == pytest.approx(left[0])
    assert found["untaken", None].after.value == pytest.approx(left[1])
    for seat in range(3):
        share = tables[1]["seats"]["win_share"].reshape(-1, 3)[:, seat].mean()
        assert found["win_share", seat].after.value == pytest.approx(share)
        assert found["total", seat].after.value == pytest.approx(tables[1]["seats"]["total"][seat::3].mean())


def test_larger_displays_make_shorter_games_for_certain():
    change = by_figure(outcome_of(SIX))["rounds", None]
    assert change.certain
    assert change.difference.high < 0


def test_all_variants_are_one_family():
    one, both = outcome_of(FREE), find_out(sweep(FREE, SIX, games=600), Crew(2))
    rows = both.to_dict()["changes"]
    assert len(rows) == 2 * len(one.to_dict()["changes"])
    assert all(row["p"] <= row["adjusted_p"] for row in rows)
    assert by_figure(both, SIX)["rounds", None].certain


def test_workers_change_nothing():
    asked = compare(FREE, games=240)
    assert find_out(asked, Crew(1)).to_dict() == find_out(asked, Crew(2)).to_dict()


@pytest.mark.parametrize("options", [{"games": 400}, {"games": None, "precision": 1.0}])
def test_an_interrupted_comparison_goes_on_to_the_same_files(options, tmp_path):
    asked = compare(FREE, **options)
    with begin_experiment(tmp_path / "whole", asked.asked()) as folder:
        whole = find_out(asked, Crew(2), folder)
    with pytest.raises(KeyboardInterrupt), begin_experiment(tmp_path / "stopped", asked.asked()) as folder:
        find_out(asked, Crew(1, watch=stop_after(whole.deals)), folder)
    with begin_experiment(tmp_path / "stopped", asked.asked(), resume=True) as folder:
        find_out(asked, Crew(2), folder)
    for name in ("results.json", "changes.parquet"):
        assert (tmp_path / "stopped" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    results = json.loads((tmp_path / "whole" / "results.json").read_bytes())
    rows = pl.read_parquet(tmp_path / "whole" / "changes.parquet").to_dicts()
    assert rows == results["changes"]
    assert results["family"] == len(rows) == 18


def test_the_precision_that_was_asked_for_is_reached():
    outcome = outcome_of(FREE, games=None, precision=1.0)
    assert outcome.reached <= 1.0
    assert outcome.look < len(outcome.asked.budget.looks) - 1
    margins = [
        change.difference.margin
        for change in changes_of(outcome)
        if change.headline.name == "total" and change.headline.seat is not None
    ]
    assert outcome.reached == max(margins)


@pytest.mark.parametrize(
    ("games", "precision", "message"),
    [
        (0, None, "games is 0; accepted is 1 to"),
        (None, 0.001, "precision is 0.001; accepted is 0.01 to 10 VP"),
        (None, None, "both left out"),
        (5, 1.0, "both given"),
    ],
)
def test_budgets_that_make_no_sense_are_refused(games, precision, message):
    with pytest.raises(BudgetError, match=message):
        make_budget(games, precision, 2, 3)


def test_too_many_variants_are_refused():
    low, high = (",".join(map(str, values)) for values in (range(1, 10), range(2, 12)))
    with pytest.raises(RefusedError, match="there are 90 variants; accepted is 1 to 64"):
        sweep(f"pair_vp={low}", f"vp_main_tower={high}", grid=True)


def names_of(*dials, grid=False):
    return tuple(sweep(*dials, grid=grid).setups)


def test_one_dial_is_turned_at_a_time_and_the_value_that_is_there_already_is_left_out():
    assert names_of("display_size=4,5,6", "vp_main_tower=2") == (
        "base",
        "display_size=4",
        "display_size=6",
        "vp_main_tower=2",
    )


def test_a_grid_has_every_combination_but_the_rules_as_they_are():
    assert names_of("display_size=5,6", "teardown_limit=0,1", grid=True) == (
        "base",
        "display_size=5 teardown_limit=0",
        "display_size=6 teardown_limit=0",
        "display_size=6 teardown_limit=1",
    )


def test_values_that_are_lists_are_separated_by_semicolons():
    assert split_values("teardown_costs=0;1,1;1,2") == ("teardown_costs", ["0", "1,1", "1,2"])
    assert split_values("display_size=4, 6") == ("display_size", ["4", "6"])
    assert [arm.rules.teardown_costs for arm in sweep("teardown_costs=0;1,1").arms] == [(1, 2), (0,), (1, 1)]


@pytest.mark.parametrize("text", ["display_size", "display_size=", "display_size=4,4", "display_size=4,,5"])
def test_values_that_can_not_be_told_are_refused(text):
    with pytest.raises(RefusedError, match="accepted is dial=value,value"):
        split_values(text)
