"""What sections say of results, case by case."""

from __future__ import annotations

from pathlib import Path

import pytest

from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.report.sections.any_experiment import write_any
from fivetowers_sim.report.sections.rules import write_rules
from fivetowers_sim.report.sections.strategies import write_strategies
from fivetowers_sim.report.sections.teardown_costs import write_teardown_costs
from fivetowers_sim.rules.ruleset import RuleSet
from fivetowers_sim.strategies.families import read_strategy
from fivetowers_sim.strategies.presets import list_presets

STRATEGIES = ["value", "greedy"]
CAUTIOUS = read_strategy("cautious").name


def figure(value, margin=0.5):
    return {"value": value, "low": value - margin, "high": value + margin}


def finished(experiment, findings, strategies=STRATEGIES, **results):
    plan = {"rules": RuleSet().to_dict(), "players": 3, "strategies": strategies, "seed": 5}
    plan |= {"schedules": {"printed": [1, 2], "free": [0]}}
    results = {"findings": findings, "command": f"fivetowers {experiment}", **results}
    return Finished(Path(experiment), {"experiment": experiment, "plan": plan, "versions": {}}, results, {})


def teardown(signs=(1, 1)):
    rows = []
    for strategy, sign in zip(STRATEGIES, signs, strict=True):
        for schedule in ("printed", "free"):
            for kind, name in (("worth", "total"), ("worth", "win_share"), ("change", "torn")):
                about = {"strategy": strategy, "schedule": schedule, "kind": kind, "figure": name, "seat": None}
                rows.append({**about, **figure(3.0 * sign), "p": 0.001, "adjusted_p": 0.001 if sign else 0.4})
    return finished("teardown-costs", rows, games=900, deals=100)


def test_never_tearing_down_costs_what_the_results_say():
    (verdict,) = write_teardown_costs(teardown()).verdicts
    assert verdict.claim == "Under the costs printed, never tearing down costs a player (+3.00 ± 0.50 VP lost)."
    assert (verdict.interval, verdict.counted) == ("95% interval 2.50 to 3.50", "900 games (100 deals)")
    assert verdict.holds == "Under greedy +3.00 ± 0.50 VP."


@pytest.mark.parametrize(
    ("signs", "said"), [((1, -1), "It flips under greedy."), ((0, 1), "Under greedy +3.00 ± 0.50 VP.")]
)
def test_a_verdict_flips_only_where_both_sides_are_certain(signs, said):
    (verdict,) = write_teardown_costs(teardown(signs)).verdicts
    assert verdict.holds == said
    assert ("isn't shown" in verdict.claim) == (signs[0] == 0)


def test_a_strategy_is_called_as_tables_call_it_and_written_in_full_once():
    rows = [{"strategy": name, "figure": "vp", **figure(1.0), "adjusted_p": 0.5} for name in ("value", CAUTIOUS)]
    labels = {"value": "value", CAUTIOUS: "cautious"}
    experiment = finished("new-thing", rows, games=10, deals=5, labels=labels, strategies=["value", CAUTIOUS])
    assert [row[0] for row in write_any(experiment).shown[0].rows] == ["value", "cautious"]
    players = write_strategies([], [experiment]).shown[0]
    assert [(row[0], row[2]) for row in players.rows] == [("value", ""), ("cautious", CAUTIOUS)]
    assert list_presets()["cautious"].intent in players.rows[1][1]


def test_an_experiment_without_a_page_of_its_own_is_shown_all_the_same():
    rows = [{"strategy": "value", "figure": "vp", **figure(1.0), "adjusted_p": p} for p in (0.5, 0.01)]
    section = write_any(finished("new-thing", rows, games=10, deals=5, verdict=["It is so."]))
    (table,) = section.shown
    assert table.rows[0] == ("value", "vp", "1.00 ± 0.50", "yes")
    assert (section.title, section.verdicts[0].claim) == ("New thing", "It is so.")


def test_rule_sets_that_differ_from_the_printed_game_are_told_dial_by_dial():
    changed = RuleSet(name="six", display_size=6).with_powers(["tree"])
    dials, differing = write_rules([RuleSet().to_dict(), changed.to_dict(), changed.to_dict()]).shown
    assert ("3.1", "display_size", "5") in [row[:3] for row in dials.rows]
    assert differing.rows == (("six", "display_size", "6"),)
