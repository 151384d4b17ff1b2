"""Rules 1 and 2: cards and towers."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivetowers_sim.rules.cards import EMPTY, TOWER_TYPES, card_code, card_name, parse_card
from fivetowers_sim.rules.state import BUILD, new_games
from fivetowers_sim.rules.takes import legal_takes
from tests.kernels import carry_out, deal, may_lie_on, may_tear_down, write_fits
from tests.positions import BASE, RuleSet, rule_sets, spot

VALUES = range(16)


def fitting(top, rules=BASE):
    """Return the values that may go on a top card."""
    record = spot("candy-1", rules=rules).compile_rules()[0]
    return [value for value in range(rules.highest_value + 1) if may_lie_on(record, value, top)]


def takes(display, towers=None, rules=BASE, **more):
    """Return the sets of cards that seat 0 could take and build."""
    position = spot(display, towers, rules=rules, **more)
    found = legal_takes(position.compile_rules()[0], position.games()[0], 0)
    return {" ".join(card_name(card) for card in cards) for _, cards, _ in found}


def dealt(players, rules=BASE):
    """Count the cards of a dealt deck."""
    game = new_games()[0]
    deal(spot("candy-1", rules=rules, players=players).compile_rules()[0], game, 1, 0)
    return Counter(card_name(code) for code in game["deck"][: game["deck_size"]])


# Rule 1: cards


def test_there_are_five_tower_types_in_this_order():
    assert TOWER_TYPES == ("candy", "scary", "tree", "scrap", "sand")


@pytest.mark.parametrize("players", [2, 3])
def test_two_and_three_players_have_one_card_of_each_value_and_type(players):
    assert dealt(players) == {f"{kind}-{value}": 1 for kind in TOWER_TYPES for value in VALUES}


@pytest.mark.parametrize("players", [4, 5])
def test_four_and_five_players_have_a_second_0_2_5_7_10_and_12_of_each_type(players):
    deck = dealt(players)
    assert deck.total() == 110
    assert deck == {
        f"{kind}-{value}": 2 if value in (0, 2, 5, 7, 10, 12) else 1 for kind in TOWER_TYPES for value in VALUES
    }


@given(rule_sets(), st.integers(2, 5))
@settings(max_examples=50, deadline=None)
def test_the_dials_make_the_deck(rules, players):
    extra = getattr(rules, f"extra_copies_{players}")
    assert dealt(players, rules) == {
        f"{kind}-{value}": rules.copies + extra.count(value)
        for kind in TOWER_TYPES
        for value in range(rules.highest_value + 1)
    }


def test_a_card_is_written_type_and_value():
    for kind, value in itertools.product(range(5), VALUES):
        assert parse_card(card_name(card_code(kind, value))) == card_code(kind, value)
    assert (card_name(11), card_name(128)) == ("candy-11", "sand-0")


@pytest.mark.parametrize(
    "name", ["", "candy", "candy-", "candy-x", "candy--1", "candy-31", "Candy-3", "gold-3", "candy-³"]
)
def test_what_is_no_card_is_refused_in_one_line(name):
    with pytest.raises(
        ValueError, match=r"not a card; cards are written type-value, .* for example candy-11"
    ) as caught:
        parse_card(name)
    assert "\n" not in str(caught.value)


# Rule 2: towers


def test_a_tower_holds_one_type_and_a_player_has_one_of_each():
    games = new_games()
    build = np.zeros(1, BUILD)[0]
    cards = ["candy-3", "sand-3", "candy-1"]
    build["placed_size"] = len(cards)
    build["placed_card"][: len(cards)] = [parse_card(card) for card in cards]
    carry_out(games[0], 0, build)
    assert games[0]["height"][0].tolist() == [2, 0, 0, 0, 1]
    assert games[0]["tower"][0, 0, :3].tolist() == [EMPTY, 3, 1]
    assert games[0]["tower"][0, 4, :2].tolist() == [EMPTY, 3]


@pytest.mark.parametrize("top", [value for value in VALUES if value not in (0, 8)])
def test_a_new_card_must_be_lower_than_the_top_card_unless_it_is_a_9_equal_is_not_lower(top):
    assert fitting(top) == sorted({*range(top), 9})


def test_any_value_may_go_on_an_8():
    assert fitting(8) == list(VALUES)


def test_a_9_may_go_on_any_value_except_0():
    record = spot("candy-1").compile_rules()[0]
    assert [top for top in VALUES if may_lie_on(record, 9, top)] == list(range(1, 16))


def test_any_value_starts_a_tower():
    assert fitting(EMPTY) == list(VALUES)


def test_nothing_goes_on_a_0():
    assert fitting(0) == []


def test_a_0_can_not_be_torn_down():
    game = spot("candy-1", {"candy": (5, 0), "sand": (5, 4)}).games()[0]
    assert not may_tear_down(game, 0, 0, 1)
    assert [may_tear_down(game, 0, 4, cards) for cards in (0, 1, 2, 3)] == [True, True, True, False]


def test_an_8_on_an_8_and_a_9_on_a_9_are_as_the_rules_are_written():
    assert 8 in fitting(8)
    assert 9 in fitting(9)


@given(rule_sets())
@settings(max_examples=60, deadline=None)
def test_the_dials_say_what_goes_on_what(rules):
    values = range(rules.highest_value + 1)
    fits = np.zeros((len(values), len(values)), np.bool_)
    write_fits(spot("candy-1", rules=rules).compile_rules()[0], fits)
    for value, top in itertools.product(values, values):
        special = top in rules.anything_goes_on or value in rules.goes_on_anything
        assert fits[value, top] == (top != 0 and (value < top or special))


def test_the_order_of_a_tower_stays_cards_are_only_added_on_top():
    games = spot("candy-1", {"candy": (14, 9, 3)}).games()
    build = np.zeros(1, BUILD)[0]
    build["placed_size"] = 2
    build["placed_card"][:2] = [parse_card("candy-2"), parse_card("candy-1")]
    carry_out(games[0], 0, build)
    assert games[0]["tower"][0, 0, 1:6].tolist() == [14, 9, 3, 2, 1]


def test_all_orders_of_building_are_tried():
    assert "candy-12 candy-8 candy-15 candy-9" in takes("candy-12 candy-8 candy-15 candy-9", {"candy": (13,)})
    assert "candy-12 candy-15" not in takes("candy-12 candy-15", {"candy": (13,)}, rules=RuleSet(teardown_limit=0))
