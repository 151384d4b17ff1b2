"""Where there is nothing to find, nothing is found, and on every deal the difference is 0 exactly.

Each question is asked about arms that are equal by construction: not nearly, and not within an interval.
"""

from __future__ import annotations

import json

import pytest

from fivetowers_sim.cli.main import run

PLAYERS = pytest.mark.parametrize("strategy", ["greedy", "value"])

# The same player as greedy, under another name, and by way of Python.
COPY = """
class Copy:
    def speak(self, view):
        return view.ask("greedy")
"""
# Nothing scores, so no word, no card and no teardown makes a difference.
WORTHLESS = [f"--set={dial}=0" for dial in ("vp_per_card", "vp_per_topped_card", "vp_main_tower", "teardown_costs")]


@pytest.fixture
def ask(capsys):
    """Ask a question, and return its figures."""

    def call(*arguments):
        code = run([*map(str, arguments), "--json", "--quiet", "--workers", "1"])
        output, errors = capsys.readouterr()
        assert code == 0, errors
        return json.loads(output)

    return call


def differences(changes):
    return [tuple(change[f"difference{end}"] for end in ("", "_low", "_high")) for change in changes]


@PLAYERS
def test_two_equal_rule_sets_differ_in_nothing(ask, strategy):
    found = ask("compare", "base", "base", "--strategies", strategy, "--games", 300)
    assert len(found["changes"]) == 18
    assert set(differences(found["changes"])) == {(0, 0, 0)}
    assert not any(change["certain"] for change in found["changes"])
    assert {change["p"] for change in found["changes"]} == {1}


@PLAYERS
@pytest.mark.parametrize("dial", ["tree_min_take=1", "pair_vp=5"])
def test_a_dial_of_powers_that_nobody_has_changes_nothing(ask, strategy, dial):
    found = ask("compare", "base", "base", "--set-b", dial, "--strategies", strategy, "--games", 300)
    assert set(differences(found["changes"])) == {(0, 0, 0)}
    assert not any(change["certain"] for change in found["changes"])


def test_a_sweep_finds_nothing_at_values_that_come_to_the_base_game(ask):
    # The printed costs go on by one a card, so written out they are the same costs.
    values = "1,2,3,4;1,2"
    found = ask(
        "sweep", f"--set=teardown_costs={values}", "--set=pair_vp=3,4", "--strategies", "greedy", "--games", 600
    )
    assert found["changes"]
    assert set(differences(found["changes"])) == {(0, 0, 0)}
    assert not any(change["certain"] for change in found["changes"])


def test_two_schedules_that_cost_the_same_are_worth_the_same(ask):
    # Nobody tears down thirteen cards.
    asked = ("teardown-costs", "--costs=1,2,3,4,5,6,7,8,9,10,11,12,99", "--strategies", "greedy", "--decisions", 0)
    found = ask(*asked, "--games", 600, "--check", "none")
    printed, other = (
        {(one["kind"], one["figure"], one["seat"]): one for one in found["findings"] if one["schedule"] == schedule}
        for schedule in found["asked"]["schedules"]
    )
    changes = [one for one in other.values() if one["kind"] == "change"]
    assert changes
    for one in changes:
        assert (one["value"], one["low"], one["high"]) == (0, 0, 0), one
        assert one["p"] in (None, 1)
    for where, one in other.items():
        if where in printed:
            assert one["value"] == printed[where]["value"]


def test_a_strategy_and_its_exact_copy_share_everything(ask, tmp_path):
    file = tmp_path / "copy.py"
    file.write_text(COPY, encoding="utf-8")
    found = ask("tournament", "--strategies", f"greedy,{file}:Copy", "--games", 60)
    own, copy = ({**row, "strategy": None} for row in found["strategies"])
    assert own == copy
    assert own["strength"]["value"] == 0
    assert own["win_share"] == {
        "value": pytest.approx(1 / 3),
        "low": pytest.approx(1 / 3),
        "high": pytest.approx(1 / 3),
    }
    assert {pair["ahead"]["value"] for pair in found["pairs"]} == {0.5}
    assert found["order"]["verdict"] != "cycle"


@pytest.mark.slow
@PLAYERS
def test_a_power_that_scores_nothing_is_worth_nothing(ask, strategy):
    found = ask("powers", "--set=pair_vp=0", "--strategies", strategy, "--games", 400, "--check", "none")
    worth = {
        (one["kind"], one["powers"], one["holder"], one["figure"]): (one["value"], one["low"], one["high"])
        for one in found["findings"]
        if one["kind"] in ("shapley", "single", "last") and one["powers"] == "pairs"
    }
    assert len(worth) >= 6
    assert set(worth.values()) == {(0, 0, 0)}
    assert any(one["kind"] == "single" and one["powers"] == "scrap" and one["value"] > 1 for one in found["findings"])


def test_where_nothing_scores_every_bid_is_worth_as_much_as_passing(ask):
    found = ask("bid-values", *WORTHLESS, "--strategies", "greedy", "--games", 150, "--check", "none")
    # What a seat gets in a place of speaking is no difference.
    worth = [one for one in found["findings"] if one["kind"] not in ("pass", "place") and one["decisions"] > 1]
    assert len(worth) > 50
    assert {(one["value"], one["low"] or 0, one["high"] or 0) for one in worth} == {(0, 0, 0)}


def test_where_nothing_scores_no_seat_wins_more_than_another(ask):
    found = ask("game-shape", *WORTHLESS, "--strategies", "greedy", "--games", 300, "--check", "none")
    shares = [one for one in found["findings"] if one["figure"] == "win_share" and one["strategy"] == "greedy"]
    assert {round(one["value"], 12) for one in shares} == {round(1 / 3, 12)}
    assert all(one["low"] == pytest.approx(1 / 3) and one["high"] == pytest.approx(1 / 3) for one in shares)


def test_where_nothing_scores_no_word_of_a_position_is_better_than_another(ask, tmp_path):
    position = {
        "format": "fivetowers-position/1",
        "players": 3,
        "rules": {"vp_per_card": 0, "vp_per_topped_card": 0, "vp_main_tower": 0, "teardown_costs": [0]},
        "display": ["candy-3", "candy-12", "scrap-7", "sand-0", "sand-9"],
        "seats": [{}, {}, {}],
        "turn": {"seat": 0, "high_bid": 0},
    }
    file = tmp_path / "position.json"
    file.write_text(json.dumps(position), encoding="utf-8")
    found = ask("evaluate", file, "--strategies", "greedy", "--futures", 40, "--check", "none")
    assert len(found["words"]) == 6
    others = [word["against_best"] for word in found["words"] if word["bid"] != found["best_bid"]]
    assert {tuple(figure.values()) for word in others for figure in word.values()} == {(0, 0, 0)}
