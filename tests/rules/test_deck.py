"""Rule 4: the deck and the end of the game."""

from __future__ import annotations

from collections import Counter

import pytest

from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.engine.trace import trace_games
from fivetowers_sim.rules.cards import card_name
from tests.kernels import end_round
from tests.positions import BASE, RuleSet, spot


def ended_round(take, rules=BASE, deck_pass=0, winner=0):
    """End the round in which the deck runs out, with these display positions (bits) taken."""
    position = spot("candy-1 candy-2 candy-3", rules=rules)
    game = position.games()[0]
    game["deck_pass"] = deck_pass
    game["discard_size"] = 1
    game["discard"][0] = 64
    has_new_deck = end_round(position.compile_rules()[0], game, winner, take)
    return game, has_new_deck


def test_when_the_deck_runs_out_the_discard_pile_becomes_the_new_deck_at_the_end_of_the_round():
    game, has_new_deck = ended_round(take=0b001)
    assert has_new_deck
    assert not game["over"]
    assert (game["deck_size"], game["deck_next"], game["discard_size"], game["deck_pass"]) == (3, 0, 0, 1)
    assert {card_name(card) for card in game["deck"][:3]} == {"candy-2", "candy-3", "tree-0"}


def test_the_game_ends_at_the_end_of_the_round_in_which_the_deck_runs_out_for_the_second_time():
    game, has_new_deck = ended_round(take=0, deck_pass=1)
    assert game["over"]
    assert not has_new_deck


def test_if_there_is_nothing_to_shuffle_the_game_ends_there():
    position = spot("candy-1")
    game = position.games()[0]
    assert not end_round(position.compile_rules()[0], game, 0, 1)
    assert game["over"]


@pytest.mark.parametrize("passes", [1, 2, 3])
@pytest.mark.parametrize("players", [2, 5])
def test_how_often_the_deck_runs_out_is_a_dial(players, passes):
    setup = make_setup(RuleSet(deck_passes=passes), players, ["greedy"], seed=70)
    for trace in trace_games(setup, 0, 5):
        assert len(trace["reshuffles"]) == passes - 1
        last = [reshuffle["after_round"] for reshuffle in trace["reshuffles"]] + [len(trace["rounds"])]
        shown = Counter(card for played in trace["rounds"][: last[0]] for card in played["display"])
        assert shown == Counter(trace["deck"])
        for number, reshuffle in enumerate(trace["reshuffles"]):
            rounds = trace["rounds"][last[number] : last[number + 1]]
            assert Counter(card for played in rounds for card in played["display"]) == Counter(reshuffle["deck"])


def test_the_last_display_of_a_pass_may_be_short_and_the_highest_bid_shrinks_with_it():
    setup = make_setup(BASE, 4, ["random:misjudge=0.3"], seed=71)
    rounds = setup.play(0, 300, "bids")["rounds"]
    assert set(rounds["display_size"]) == {1, 2, 3, 4, 5}
    assert (rounds["bid"] <= rounds["display_size"]).all()


def test_a_reshuffle_holds_what_was_discarded_and_what_was_paid_and_nothing_that_was_built_or_torn_down():
    setup = make_setup(BASE, 3, ["random"], seed=72, powers_by_seat=[["tree", "scrap"]] * 3)
    for trace in trace_games(setup, 0, 10):
        (reshuffle,) = trace["reshuffles"]
        discarded = Counter()
        for played in trace["rounds"][: reshuffle["after_round"]]:
            discarded += Counter(played["display"]) - Counter(played["taken"])
            discarded += Counter(played["paid"])
        assert discarded == Counter(reshuffle["deck"])
