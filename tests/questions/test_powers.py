"""What Great Powers are worth: planted differences are found, and figures are those of the games."""

from __future__ import annotations

import json
from functools import cache
from itertools import combinations

import polars as pl
import pytest

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.bench.arms import Crew
from fivetowers_sim.bench.findings import Finding, Findings
from fivetowers_sim.bench.folder import begin_experiment
from fivetowers_sim.bench.question import find_out
from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.questions.powers import Powers
from fivetowers_sim.questions.powers.figures import Flip, find, is_ahead, list_flips, rank
from fivetowers_sim.rules.ruleset import POWERS, RuleSet

HOLDS_BACK = "greedy:ignore_power=sand"
# With two players there are 16 sets for everyone and 15 for each seat.
ARMS = 16 + 2 * 15


def question(strategies=(HOLDS_BACK,), games=ARMS * 60):
    return Powers({"players": 2, "strategies": ",".join(strategies), "games": games, "set": ["pair_vp=8"]})


@cache
def outcome():
    return find_out(question(), Crew(2))


def worth(kind, figure="total", holder="alone"):
    return find(outcome().findings, HOLDS_BACK, kind, holder, figure)


def test_pairs_that_are_worth_8_vp_are_found_and_ranked_first():
    assert rank(outcome().findings, HOLDS_BACK)[0] == "pairs"
    for power in ("tree", "scrap", "sand"):
        assert is_ahead(outcome().findings, HOLDS_BACK, "pairs", power)
    assert worth("shapley")["pairs"].certain
    assert worth("shapley")["pairs"].estimate.low > 3


def test_a_power_that_is_never_used_is_worth_nothing_at_all():
    sand = worth("shapley")["sand"]
    assert (sand.estimate.value, sand.estimate.margin, sand.certain) == (pytest.approx(0), pytest.approx(0), False)
    assert worth("use", "cards_built_below")["sand"].estimate.value == 0
    for pair, found in worth("interaction").items():
        assert "sand" not in pair.split("+") or found.estimate.value == pytest.approx(0)


def test_shares_add_up_to_what_all_four_bring():
    for holder, figure in (("alone", "total"), ("alone", "win_share"), ("everyone", "total"), ("everyone", "rounds")):
        shares = worth("shapley", figure, holder)
        total = worth("gain", figure, holder)["+".join(POWERS)]
        assert sum(one.estimate.value for one in shares.values()) == pytest.approx(total.estimate.value)


def test_levels_are_those_of_the_games_themselves():
    def play(*by_seat):
        return make_setup(RuleSet(pair_vp=8), 2, [HOLDS_BACK], 1, by_seat).play(0, 60, "games")

    chosen = ("scrap", "pairs")
    held = play(chosen, ()), play((), chosen)
    own = [tables["seats"][seat::2] for seat, tables in enumerate(held)]
    for figure in ("total", "win_share", "cards_fetched", "pairs"):
        mean = sum(seats[figure].mean() for seats in own) / 2
        assert worth("level", figure)["+".join(chosen)].estimate.value == pytest.approx(mean)
    rounds = sum(tables["games"]["rounds"].mean() for tables in held) / 2
    assert worth("level", "rounds")["+".join(chosen)].estimate.value == pytest.approx(rounds)
    everyone = play(chosen, chosen)
    for figure in ("total", "pairs", "candy_height"):
        mean = everyone["seats"][figure].mean()
        assert worth("level", figure, "everyone")["+".join(chosen)].estimate.value == pytest.approx(mean)
    first = everyone["seats"]["win_share"][::2].mean()
    assert worth("level", "first_share", "everyone")["+".join(chosen)].estimate.value == pytest.approx(first)
    nobody = play((), ())
    assert worth("level")["none"].estimate.value == pytest.approx(nobody["seats"]["total"].mean())
    assert worth("level", "win_share")["none"].estimate.value == pytest.approx(1 / 2)


def finding(strategy, pair, value, adjusted_p):
    about = {"strategy": strategy, "kind": "difference", "powers": "+".join(pair), "holder": "alone", "figure": "total"}
    return Finding(about, Estimate(value, value - 1, value + 1, 9), 0, adjusted_p)


def test_a_ranking_flips_only_where_both_sides_are_certain():
    def figures(second_p):
        pairs = list(combinations(POWERS, 2))
        one = [finding("a", pair, 2.0, 0.01) for pair in pairs]
        other = [finding("b", pair, -2.0 if pair == ("tree", "pairs") else 2.0, second_p) for pair in pairs]
        return Findings((*one, *other))

    assert list_flips(figures(0.01), ["a", "b"]) == [Flip("tree", ("pairs",), ("a",), ("b",))]
    assert list_flips(figures(0.2), ["a", "b"]) == []
    assert list_flips(figures(0.01), ["a"]) == []


def test_workers_change_nothing():
    asked = question(games=ARMS * 6)
    assert find_out(asked, Crew(1)).to_dict() == find_out(asked, Crew(2)).to_dict()


@pytest.mark.slow
def test_an_interrupted_comparison_goes_on_to_the_same_files(tmp_path):
    asked = question(games=ARMS * 8)

    def stop(state):
        if state.games_done >= 4 * ARMS:
            raise KeyboardInterrupt

    with begin_experiment(tmp_path / "whole", asked.asked()) as folder:
        find_out(asked, Crew(2), folder)
    with pytest.raises(KeyboardInterrupt), begin_experiment(tmp_path / "stopped", asked.asked()) as folder:
        find_out(asked, Crew(1, watch=stop), folder)
    with begin_experiment(tmp_path / "stopped", asked.asked(), resume=True) as folder:
        find_out(asked, Crew(2), folder)
    for name in ("results.json", "findings.parquet"):
        assert (tmp_path / "stopped" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    results = json.loads((tmp_path / "whole" / "results.json").read_bytes())
    assert pl.read_parquet(tmp_path / "whole" / "findings.parquet").to_dicts() == results["findings"]


@pytest.mark.parametrize("strategies", [("greedy", "greedy"), tuple(f"greedy:max_bid={n}" for n in range(5))])
def test_strategies_must_differ_and_be_few(strategies):
    with pytest.raises(match="accepted is 1 to 4 different ones"):
        question(strategies)
