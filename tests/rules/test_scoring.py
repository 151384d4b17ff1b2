"""Rules 5 and 6.4: victory points."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivetowers_sim.engine.setup import make_setup
from tests.kernels import score_of
from tests.positions import BASE, RuleSet, random_rules, random_spot, spot
from tests.reference.scoring import score

PILE = "sand-3 sand-2 scary-5 scary-6 tree-9"


def points(towers=None, pile="", powers=(), **more):
    return score_of(spot("candy-1", towers, pile, powers, **more))


def test_a_card_in_a_tower_without_a_top_is_worth_1():
    assert points({"candy": (9, 8, 7, 6), "sand": (5,)})["cards"] == 5
    assert points({"candy": (9, 8, 7, 6), "sand": (5,)})["tops"] == 0


def test_a_card_in_a_tower_with_a_top_is_worth_2_the_top_included():
    found = points({"candy": (9, 8, 0)})
    assert found["cards"] + found["tops"] == 6


def test_a_single_0_is_a_tower_with_a_top():
    found = points({"candy": (0,)})
    assert (found["cards"] + found["tops"], found["main"]) == (2, 1)


def test_each_card_of_the_highest_tower_is_worth_1_more():
    assert points({"candy": (9, 8, 7), "sand": (7, 5)})["main"] == 3


def test_only_one_tower_is_the_main_tower_also_when_tied():
    assert points({"candy": (9, 8), "sand": (7, 5)})["main"] == 2


@pytest.mark.parametrize(("torn", "lost"), [(0, 0), (1, 1), (2, 3), (3, 6), (4, 10), (5, 15)])
def test_n_torn_cards_cost_n_times_n_plus_1_by_2(torn, lost):
    assert points(pile=" ".join(PILE.split()[:torn]))["teardown"] == -lost


@pytest.mark.parametrize(
    ("costs", "lost"),
    [((1,), [0, 1, 2, 3]), ((0,), [0, 0, 0, 0]), ((5, 3), [0, 5, 8, 9]), ((2, 2, 7), [0, 2, 4, 11])],
)
def test_the_dial_lists_the_cost_of_each_torn_card_and_its_last_step_goes_on(costs, lost):
    rules = RuleSet(teardown_costs=costs)
    assert [points(pile=" ".join(PILE.split()[:torn]), rules=rules)["teardown"] for torn in range(4)] == [
        -cost for cost in lost
    ]


def test_a_topped_main_tower_of_six_scores_12_and_6_and_two_torn_cards_cost_3():
    found = points({"candy": (9, 8, 7, 6, 5, 0)}, "sand-3 sand-2")
    assert found == {"cards": 6, "tops": 6, "main": 6, "pairs": 0, "teardown": -3, "total": 15}


def test_an_empty_table_scores_0():
    assert set(points().values()) == {0}


def test_the_most_vp_win_and_tied_players_share_the_victory():
    tables = make_setup(BASE, 4, ["greedy"], seed=3).play(0, 400, "games")
    games, seats = tables["games"], tables["seats"].reshape(-1, 4)
    best = seats["total"].max(axis=1, keepdims=True)
    wins = seats["total"] == best
    assert (games["winners"] == wins.sum(axis=1)).all()
    assert (games["winners"] > 1).any()
    assert (games["winning_total"] == best[:, 0]).all()
    assert seats["win_share"] == pytest.approx(wins / wins.sum(axis=1, keepdims=True))
    assert (seats["rank"] == 1 + (seats["total"][:, None, :] > seats["total"][:, :, None]).sum(axis=2)).all()


# Rule 6.4: pairs


def test_each_pair_of_equal_values_in_the_scary_and_candy_towers_is_worth_3():
    towers = {"scary": (12, 11, 7, 3), "candy": (14, 11, 8, 12, 0)}
    assert points(towers, powers=["pairs"])["pairs"] == 6


def test_without_the_power_pairs_are_worth_nothing():
    assert points({"scary": (12,), "candy": (12,)}, powers=["tree", "scrap", "sand"])["pairs"] == 0


@pytest.mark.parametrize(
    ("candy", "scary", "pairs"),
    [((9, 9), (9,), 1), ((9,), (9, 9), 1), ((9, 9), (9, 9), 2), ((8, 9, 5), (9, 8, 5), 3), ((5,), (7,), 0)],
)
def test_with_double_cards_the_smaller_count_of_each_value_pairs(candy, scary, pairs):
    assert points({"candy": candy, "scary": scary}, powers=["pairs"], players=5)["pairs"] == 3 * pairs


def test_other_towers_make_no_pairs():
    assert points({"candy": (7,), "sand": (7,), "tree": (7,), "scrap": (7,)}, powers=["pairs"])["pairs"] == 0


def test_what_a_pair_is_worth_is_a_dial():
    assert points({"candy": (7,), "scary": (7,)}, powers=["pairs"], rules=RuleSet(pair_vp=5))["pairs"] == 5


@given(st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_every_part_of_a_score_is_what_counting_on_paper_gives(chance):
    position = random_spot(chance, random_rules(chance), most_cards=30)
    for seat in range(position.players):
        assert score_of(position, seat) == score(position.rules, *position.seat(seat))
