"""The rules that players, and programs, most often get wrong: one test for each."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.engine.trace import trace_games
from fivetowers_sim.rules.cards import EMPTY, card_name
from fivetowers_sim.rules.takes import legal_takes
from tests.kernels import may_lie_on, score_of
from tests.positions import BASE, RuleSet, spot

NO_TEARDOWN = RuleSet(teardown_limit=0)


@pytest.fixture(scope="module")
def rounds():
    """Return the rounds of many games of three random players."""
    setup = make_setup(BASE, 3, ["random:misjudge=0.1"], seed=110)
    return [played for trace in trace_games(setup, 0, 60) for played in trace["rounds"]]


def takes(display, towers, rules=BASE):
    """Return the sets of cards that can be taken and built."""
    position = spot(display, towers, rules=rules)
    found = legal_takes(position.compile_rules()[0], position.games()[0], 0)
    return {" ".join(card_name(card) for card in cards) for _, cards, _ in found}


def fits(value, top):
    return bool(may_lie_on(spot("candy-1").compile_rules()[0], value, top))


def test_all_taken_cards_must_be_built(rounds):
    assert takes("candy-6 candy-7 sand-3", {"candy": (5, 4)}, NO_TEARDOWN) == {"sand-3"}
    for played in rounds:
        assert Counter(played["taken"]) == Counter(step["card"] for step in played["placements"])


def test_each_player_has_one_word_in_the_bidding(rounds):
    for played in rounds:
        seats = [word["seat"] for word in played["bids"] if "void" not in word]
        assert len(set(seats)) == len(seats)


def test_at_most_one_card_is_torn_down_by_the_builder_before_building(rounds):
    torn_down = 0
    for played in rounds:
        assert played["teardown"] is None or isinstance(played["teardown"], str)
        assert played["winner"] is not None or played["teardown"] is None
        torn_down += played["teardown"] is not None
    assert torn_down > 100
    # Before building: the 6 makes way for the 7, but a 7 once built does not make way for the 12.
    assert takes("candy-7", {"candy": (9, 6)}) == {"candy-7"}
    assert "candy-7 candy-12" not in takes("candy-7 candy-12", {"candy": (9, 6)})


def test_each_further_card_in_the_teardown_pile_costs_more():
    piles = ["", "sand-3", "sand-3 sand-4", "sand-3 sand-4 sand-5", "sand-3 sand-4 sand-5 sand-6"]
    costs = [-score_of(spot("candy-1", {}, pile))["teardown"] for pile in piles]
    assert np.diff(costs).tolist() == [1, 2, 3, 4]


def test_nothing_goes_on_a_0_not_even_a_9():
    assert not any(fits(value, 0) for value in range(16))


def test_anything_goes_on_an_8():
    assert all(fits(value, 8) for value in range(16))


def test_a_9_goes_on_anything_but_a_0_and_then_only_lower_cards_go_on_the_9():
    assert [top for top in range(16) if fits(9, top)] == list(range(1, 16))
    assert [value for value in range(16) if fits(value, 9)] == [*range(9), 9]
    assert fits(9, EMPTY)


def test_left_of_the_builder_starts_next_and_without_a_builder_the_same_player(rounds):
    for played, following in itertools.pairwise(rounds):
        if following["round"] == played["round"] + 1:
            builder = played["winner"]
            assert following["start"] == (played["start"] if builder is None else (builder + 1) % 3)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_deck_runs_twice(players):
    for trace in trace_games(make_setup(BASE, players, ["random"], seed=111), 0, 5):
        assert len(trace["reshuffles"]) == 1
        shown = sum(len(played["display"]) for played in trace["rounds"])
        assert shown == len(trace["deck"]) + len(trace["reshuffles"][0]["deck"])


def test_the_main_tower_counts_extra_so_that_topped_it_is_worth_3_a_card():
    assert score_of(spot("candy-1", {"candy": (9, 7, 4, 0)}))["total"] == 3 * 4
    assert score_of(spot("candy-1", {"candy": (9, 7, 4)}))["total"] == 2 * 3
    assert score_of(spot("candy-1", {"candy": (9, 7, 4), "sand": (5, 0)}))["total"] == 2 * 3 + 2 * 2


@pytest.mark.parametrize("players", [2, 3])
def test_two_and_three_players_play_with_80_cards(players):
    (trace,) = trace_games(make_setup(BASE, players, ["random"], seed=112), 0, 1)
    assert len(trace["deck"]) == len(set(trace["deck"])) == 80


# What another program got wrong


@pytest.mark.parametrize("players", [4, 5])
def test_the_extra_copies_are_of_0_2_5_7_10_and_12(players):
    (trace,) = trace_games(make_setup(BASE, players, ["random"], seed=113), 0, 1)
    double = {int(card.split("-")[1]) for card, copies in Counter(trace["deck"]).items() if copies == 2}
    assert (len(trace["deck"]), double) == (110, {0, 2, 5, 7, 10, 12})


def test_a_teardown_takes_one_card_not_the_tower():
    assert takes("candy-7", {"candy": (9, 6, 4)}) == set()


def test_the_builder_chooses_any_cards_not_the_first_ones(rounds):
    firsts = sum(played["taken"] == played["display"][: len(played["taken"])] for played in rounds if played["taken"])
    assert firsts < len(rounds) / 2


def test_a_game_ends():
    games = make_setup(BASE, 2, ["greedy:max_bid=0"], seed=114).play(0, 20, "games")["games"]
    assert set(games["rounds"]) == {32}
