"""What sections say of results, case by case."""

from __future__ import annotations

from pathlib import Path

import pytest

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.cli.bid_verdict import _describe_height
from fivetowers_sim.experiments.bid_figures import FEWEST, BidFigures, BidFinding
from fivetowers_sim.experiments.bid_strata import EVERY
from fivetowers_sim.report.sections.any_experiment import write_any
from fivetowers_sim.report.sections.bid_values import write_bid_values
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


def bids(decisions=500):
    rows = []
    for strategy in STRATEGIES:
        for kind, about, value in (
            ("against pass", "1", 1.0),
            ("against pass", "2", 2.0),
            ("higher", "", -1.0),
            ("begun", "11", 0.2),
            ("passing", "0", 1.5),
            ("naive", "1", 4.0),
        ):
            for name in ("vp", "margin", "win_share"):
                where = {"strategy": strategy, "kind": kind, "by": "all", "class": "all", "about": about}
                rows.append({**where, "figure": name, **figure(value), "decisions": decisions})
    return finished("bid-values", rows, decisions=decisions)


def test_bids_are_told_against_the_pass_and_claims_by_their_sign():
    first, higher, eleven = write_bid_values(bids()).verdicts
    assert first.claim == "What bids bring in VP against passing, all value: 1 +1.00 ± 0.50, 2 +2.00 ± 0.50."
    assert first.figure == "VP that a bid of 2 brings against the pass: +2.00 ± 0.50 VP"
    assert first.counted == "500 decisions of each strategy, each of a game of its own"
    assert "against what it said: costs -1.00 ± 0.50 VP" in higher.claim
    assert "isn't shown to bring or cost anything, +0.20 ± 0.50 VP" in eleven.claim
    assert higher.claim.endswith("all value. So 'beginners bid too low' does not hold.")
    assert eleven.holds == "Under greedy +0.20 ± 0.50 (is not refuted)."


@pytest.mark.parametrize(
    ("higher", "rather", "verdict"),
    [
        (1.0, -1.0, "holds"),
        (-1.0, 1.0, "holds only in that it passes too often"),
        (0.0, 1.0, "holds only in that it passes too often"),
        (-1.0, 0.0, "does not hold"),
        (0.0, -1.0, "is not shown"),
        (None, 1.0, "too few decisions"),
    ],
)
def test_the_report_and_the_terminal_judge_by_one_rule_whether_bids_are_too_low(higher, rather, verdict):
    worth = {"higher": higher, "rather bid": rather}
    kinds = {("against pass", "1"): 1.0, ("begun", "11"): 0.2} | {(kind, ""): worth[kind] for kind in worth}
    rows, findings = [], []
    for (kind, about), value in kinds.items():
        ends = figure(0.0 if value is None else value)
        estimate = Estimate(**ends, games=FEWEST - 1 if value is None else 500)
        for name in ("vp", "margin", "win_share"):
            findings.append(BidFinding("value", kind, EVERY, about, name, estimate))
            rows.append(findings[-1].to_row())
    reported = write_bid_values(finished("bid-values", rows, ["value"], decisions=500)).verdicts
    said = _describe_height(BidFigures(tuple(findings)), "value", "value")
    assert verdict in said
    told = [one.claim for one in reported if "bid too low" in one.claim]
    assert told == [] if higher is None else told[0].endswith(f"'beginners bid too low' {verdict}.")
    if higher is not None:
        assert f"'beginners bid too low' {verdict} with value" in said


def test_figures_of_few_decisions_are_left_out():
    section = write_bid_values(bids(FEWEST - 1))
    assert section.verdicts == []
    assert all(cell in ("", "too few decisions") for table in section.shown for row in table.rows for cell in row[1:])


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
