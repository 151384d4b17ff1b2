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
from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.experiments.variants import VariantsError, make_variants, run_variants
from fivetowers_sim.rules.ruleset import RuleSet
from tests.stopping import stop_after

BASE, SIX, FREE = RuleSet(), RuleSet(display_size=6), RuleSet(teardown_costs=(0,))


def variants_of(*rules, games=400, precision=None, players=3):
    arms = {f"arm {number}": make_setup(one, players, ["greedy"], 1) for number, one in enumerate(rules)}
    return make_variants("compare", arms, games, precision, "fivetowers compare")


@cache
def outcome_of(*rules, **options):
    return run_variants(variants_of(*rules, **options), Crew(2))


def by_figure(outcome, variant="arm 1"):
    return {
        (change.headline.name, change.headline.seat): change for change in outcome.changes if change.variant == variant
    }


def test_a_rule_set_compared_with_itself_differs_in_nothing_at_all():
    for change in outcome_of(BASE, BASE).changes:
        assert (change.difference.value, change.difference.low, change.difference.high) == (0, 0, 0)
        assert not change.certain
        assert change.before == change.after


def test_figures_are_those_of_the_games_themselves():
    outcome = outcome_of(BASE, SIX, games=180)
    assert (outcome.deals, outcome.games) == (90, 180)
    tables = [make_setup(rules, 3, ["greedy"], 1).play(0, 90, "rounds") for rules in (BASE, SIX)]
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
    change = by_figure(outcome_of(BASE, SIX))["rounds", None]
    assert change.certain
    assert change.difference.high < 0


def test_all_variants_are_one_family():
    one, both = outcome_of(BASE, FREE), outcome_of(BASE, FREE, SIX, games=600)
    assert len(both.changes) == 2 * len(one.changes)
    assert all(change.p <= change.adjusted_p for change in both.changes)
    assert by_figure(both, "arm 2")["rounds", None].certain


def test_workers_change_nothing():
    asked = variants_of(BASE, FREE, games=240)
    assert run_variants(asked, Crew(1)).to_dict() == run_variants(asked, Crew(2)).to_dict()


@pytest.mark.parametrize("options", [{"games": 400}, {"games": None, "precision": 1.0}])
def test_an_interrupted_comparison_goes_on_to_the_same_files(options, tmp_path):
    asked = variants_of(BASE, FREE, **options)
    with begin_experiment(tmp_path / "whole", asked.asked()) as folder:
        whole = run_variants(asked, Crew(2), folder)
    with pytest.raises(KeyboardInterrupt), begin_experiment(tmp_path / "stopped", asked.asked()) as folder:
        run_variants(asked, Crew(1, watch=stop_after(whole.games // 2)), folder)
    with begin_experiment(tmp_path / "stopped", asked.asked(), resume=True) as folder:
        run_variants(asked, Crew(2), folder)
    for name in ("results.json", "changes.parquet"):
        assert (tmp_path / "stopped" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    results = json.loads((tmp_path / "whole" / "results.json").read_bytes())
    rows = pl.read_parquet(tmp_path / "whole" / "changes.parquet").to_dicts()
    assert rows == results["changes"]
    assert results["family"] == len(rows) == 18


def test_the_precision_that_was_asked_for_is_reached():
    outcome = outcome_of(BASE, FREE, games=None, precision=1.0)
    assert outcome.reached <= 1.0
    assert outcome.look < len(outcome.asked.budget.looks) - 1
    margins = [
        change.difference.margin
        for change in outcome.changes
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


def test_games_that_have_nothing_in_common_are_refused():
    with pytest.raises(VariantsError, match="accepted is 1 to 64"):
        variants_of(BASE)
    arms = {"A": make_setup(BASE, 3, ["greedy"], 1), "B": make_setup(BASE, 3, ["greedy"], 2)}
    with pytest.raises(VariantsError, match="differ in players or seed"):
        make_variants("compare", arms, 10)
