"""What is said of bids: one verdict on each claim, and nothing of too few decisions."""

from __future__ import annotations

from pathlib import Path

import pytest

from fivetowers_sim.bench.content import PictureOf
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.questions.bid_values import BidValues
from fivetowers_sim.questions.bid_values.figures import FEWEST
from fivetowers_sim.rules.ruleset import RuleSet

STRATEGIES = ["value", "greedy"]
WORTHS = {
    ("against pass", "1"): 1.0,
    ("against pass", "2"): 2.0,
    ("higher", ""): -1.0,
    ("begun", "11"): 0.2,
    ("passing", "0"): 1.5,
    ("naive", "1"): 4.0,
}


def list_rows(strategy, worths, decisions=500, few=()):
    """Rows of results over all decisions; those of some kinds are of too few."""
    rows = []
    for (kind, about), value in worths.items():
        for figure in ("vp", "margin", "win_share"):
            where = {"strategy": strategy, "kind": kind, "by": "all", "class": "all", "about": about, "figure": figure}
            ends = {"value": value, "low": value - 0.5, "high": value + 0.5}
            rows.append({**where, **ends, "decisions": FEWEST - 1 if kind in few else decisions})
    return rows


def section(rows, strategies=STRATEGIES, check=None):
    plan = {"rules": RuleSet().to_dict(), "players": 3, "strategies": strategies, "seed": 5, "futures": 8}
    results = {"findings": rows, "command": "fivetowers bid-values", "decisions": 500}
    if check:
        asked = {**plan, "strategies": list({row["strategy"] for row in check})}
        results["check"] = {"asked": asked, "findings": check, "decisions": 90}
    manifest = {"experiment": "bid-values", "plan": plan, "versions": {}}
    return BidValues.content(Finished(Path("bid-values"), manifest, results, {}))


def both(worths=None, **how):
    return [row for name in STRATEGIES for row in list_rows(name, worths or WORTHS, **how)]


def test_bids_are_told_against_the_pass_and_claims_by_their_sign():
    first, higher, eleven = section(both()).verdicts
    assert first.claim == (
        "Better than passing: 1 (+1.00 ± 0.50) and 2 (+2.00 ± 0.50). In VP, forced against a forced pass at the very "
        "same decisions, all value."
    )
    assert first.figure == "VP that a forced bid of 2 brings against a forced pass: +2.00 ± 0.50 VP"
    assert first.interval == "95% interval 1.50 to 2.50"
    assert first.counted == "500 decisions of each strategy, each of a game of its own"
    assert first.population == "3 players; all seats value; 8 futures of each decision; rules base; no Great Powers"
    assert first.holds.startswith("The same bid under greedy +2.00 ± 0.50. Nothing flips: ")
    assert higher.claim == (
        "The claim 'beginners bid too low' does not hold, all value: one more than the seat said costs something "
        "(-1.00 ± 0.50 VP)."
    )
    assert eleven.claim.endswith("a tower begun on 11 isn't shown to matter (+0.20 ± 0.50 VP).")
    assert eleven.holds == "Under greedy +0.20 ± 0.50 (is not refuted)."


def test_bids_are_better_worse_or_not_told_apart_and_a_rare_one_is_not_the_best():
    worths = {("against pass", str(bid)): value for bid, value in enumerate((0.7, -0.6, 0.1), 1)}
    rows = list_rows("value", worths)
    rare = {"value": 3.0, "low": -1.0, "high": 7.0}
    rows += [{**row, **rare} for row in list_rows("value", {("against pass", "4"): 3.0})]
    (verdict,) = section(rows, ["value"]).verdicts
    assert verdict.claim.startswith(
        "Better than passing: 1 (+0.70 ± 0.50). Worse than passing: 2 (-0.60 ± 0.50). Not told apart from passing: 3 "
        "(+0.10 ± 0.50) and 4 (+3.0 ± 4.0). In VP"
    )
    assert "a forced bid of 1 brings" in verdict.figure
    assert verdict.holds == ""


@pytest.mark.parametrize(
    ("higher", "rather", "verdict"),
    [
        (1.0, -1.0, "holds"),
        (-1.0, 1.0, "holds only in that it passes too often"),
        (0.0, 1.0, "holds only in that it passes too often"),
        (-1.0, 0.0, "does not hold"),
        (0.0, -1.0, "is not shown"),
        (None, 1.0, "can't be told from so few decisions"),
    ],
)
def test_there_is_one_verdict_on_whether_bids_are_too_low(higher, rather, verdict):
    worths = {
        ("against pass", "1"): 1.0,
        ("begun", "11"): 0.2,
        ("higher", ""): higher or 0.0,
        ("rather bid", ""): rather,
    }
    found = section(list_rows("value", worths, few=("higher",) if higher is None else ()), ["value"])
    told = [one.claim for one in found.verdicts if "bid too low" in one.claim]
    if higher is None:
        assert told == []
    else:
        assert told[0].startswith(f"The claim 'beginners bid too low' {verdict}, all value: ")
    assert found.said[0].startswith(f"All value: 'beginners bid too low' {verdict}; ")


def test_a_sign_flips_only_where_both_sides_are_certain_and_of_enough_decisions():
    other = {**WORTHS, ("against pass", "1"): -1.0, ("begun", "11"): 0.2}
    rows = list_rows("value", WORTHS)
    flipped = section(rows + list_rows("greedy", other)).verdicts[0].holds
    assert "The sign flips between players, in VP: bid 1 against passing (+1.00 ± 0.50 with value, -1.00" in flipped
    unsure = {**other, ("against pass", "1"): -0.4}
    assert "Nothing flips" in section(rows + list_rows("greedy", unsure)).verdicts[0].holds
    few = list_rows("greedy", other, few=("against pass",))
    assert "Nothing flips" in section(rows + few).verdicts[0].holds
    checked = section(rows, ["value"], check=list_rows("careful", other))
    assert "-1.00 ± 0.50 with careful)" in checked.verdicts[0].holds
    assert any(line.startswith("As a check the same was asked of careful in all seats") for line in checked.said)


def test_figures_of_few_decisions_are_left_out():
    found = section(both(decisions=FEWEST - 1))
    assert found.verdicts == []
    tables = [one for one in found.shown if not isinstance(one, PictureOf)]
    assert tables
    assert not any("±" in cell for table in tables for row in table.rows for cell in row)
    assert "±" not in " ".join(found.said)


def test_it_says_that_bids_are_forced_and_shows_a_picture_and_tables_for_each_strategy():
    found = section(both())
    assert "a forced bid against a forced pass at the very same decisions" in " ".join(found.said)
    assert [one.name for one in found.shown if isinstance(one, PictureOf)] == ["bid-values", "bid-values-2"]
    captions = " ".join(one.caption for one in found.shown)
    for name in STRATEGIES:
        assert f"against a forced pass at the same decisions, all {name}" in captions
    for about in ("What claims about bidding", "Who gains when a seat passes", "How far a naive look"):
        assert about in captions
