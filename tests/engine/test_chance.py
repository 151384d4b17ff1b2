"""All chance follows from seed and game number: the same game wherever it is played, and fair deals."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from fivetowers_sim.engine import setup as engine_setup
from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.engine.trace import trace_game
from fivetowers_sim.rules.state import new_games
from tests.kernels import deal, end_round
from tests.positions import BASE, RuleSet, spot

LEAST_P = 1e-5
SETTINGS = {
    "greedy": (["greedy", "greedy:max_bid=3"], None),
    "random": (["random:misjudge=0.2", "greedy"], None),
    "powers": (["random:misjudge=0.2", "greedy"], [["tree", "scrap"], ["sand", "pairs"]]),
}


def setup_of(name, seed=100):
    strategies, powers = SETTINGS[name]
    return make_setup(BASE, 2, strategies, seed, powers)


def first_deck(rules=BASE, players=3, seed=100, number=4, strategies=("greedy",), powers=None):
    """Return the names of a game's first deck in drawing order."""
    return trace_game(make_setup(rules, players, list(strategies), seed, powers), number)["deck"]


def assert_same(tables, others):
    assert tables.keys() == others.keys()
    for name in tables:
        assert tables[name].tobytes() == others[name].tobytes(), name


@pytest.mark.parametrize("name", SETTINGS)
def test_a_game_alone_is_the_same_as_in_a_batch(name):
    setup = setup_of(name)
    batch = setup.play(0, 40, "bids")
    for number in (0, 1, 17, 39):
        alone = setup.play(number, 1, "bids")
        assert_same(alone, {table: rows[rows["game"] == number] for table, rows in batch.items()})


@pytest.mark.parametrize("name", SETTINGS)
def test_games_are_the_same_whatever_the_size_of_blocks(name, monkeypatch):
    whole = setup_of(name).play(5, 60, "bids")
    pieces = [setup_of(name).play(first, 20, "bids") for first in (5, 25, 45)]
    assert_same(whole, {table: np.concatenate([piece[table] for piece in pieces]) for table in whole})
    # Room for few words makes play() cut its blocks short.
    monkeypatch.setattr(engine_setup, "_USUAL_WORDS", 1)
    assert_same(whole, setup_of(name).play(5, 60, "bids"))


@pytest.mark.parametrize("name", SETTINGS)
def test_less_detail_changes_no_game(name):
    everything = setup_of(name).play(0, 40, "bids")
    for detail in ("games", "rounds"):
        tables = setup_of(name).play(0, 40, detail)
        assert_same(tables, {table: everything[table] for table in tables})


def test_games_are_the_same_twice_and_differ_by_number_and_seed():
    setup = setup_of("greedy")
    tables = setup.play(0, 50, "games")
    assert_same(tables, setup.play(0, 50, "games"))
    other = setup_of("greedy", seed=101).play(0, 50, "games")
    assert (tables["seats"]["total"] != other["seats"]["total"]).mean() > 0.5
    decks = [tuple(first_deck(seed=seed, number=number)) for seed in (100, 101) for number in (0, 1, 2)]
    assert len(set(decks)) == len(decks)


def test_the_same_cards_are_dealt_under_different_strategies_powers_and_rules():
    deck = first_deck()
    assert deck == first_deck(strategies=("random",))
    assert deck == first_deck(powers=[["tree"], ["scrap", "sand"], []])
    assert deck == first_deck(RuleSet(display_size=3, teardown_limit=0, deck_passes=3, teardown_costs=(0,)))
    assert deck == first_deck(players=2)


def test_decks_that_differ_in_a_few_cards_keep_the_others_in_the_same_order():
    deck = first_deck()
    lower = first_deck(RuleSet(highest_value=12))
    assert lower == [card for card in deck if int(card.partition("-")[2]) <= 12]
    more = first_deck(players=5)
    extra = list(more)
    for card in reversed(deck):
        # One of the two copies is the card of the smaller deck, and it keeps its place among the others.
        assert card in extra
    shared = [card for card in more if more.count(card) == 1]
    assert shared == [card for card in deck if card in set(shared)]


def test_who_plays_what_does_not_change_the_luck_of_another_seat():
    # Seat 1 passes in both games; seat 0's own draws are the same, and with them its whole game.
    games = [
        trace_game(make_setup(BASE, 2, ["random", other], 100, seating="fixed"), 3)
        for other in ("random:max_bid=0", "greedy:max_bid=0")
    ]
    assert games[0]["rounds"] == games[1]["rounds"]


# Fair deals


def deals(count, seed=102):
    """Deal games and return their decks, as the position of each card."""
    rules = spot("candy-1").compile_rules()[0]
    games = new_games()
    places = np.empty((count, 80), np.int64)
    codes = np.array([kind * 32 + value for kind in range(5) for value in range(16)])
    where = np.empty(160, np.int64)
    for number in range(count):
        deal(rules, games[0], seed, number)
        where[games[0]["deck"][:80]] = np.arange(80)
        places[number] = where[codes]
    return places


@pytest.fixture(scope="module")
def places():
    return deals(16_000)


def test_every_card_lies_in_every_place_of_the_deck_equally_often(places):
    counts = np.stack([np.bincount(places[:, card], minlength=80) for card in range(80)])
    expected = len(places) / 80
    chi_square = ((counts - expected) ** 2 / expected).sum()
    assert LEAST_P < stats.chi2.sf(chi_square, 79 * 79) < 1 - LEAST_P


def test_cards_come_in_every_order_equally_often(places):
    for cards in ([0, 1, 2, 3], [0, 16, 32, 48], [15, 64, 79, 40]):
        orders = np.argsort(places[:, cards], axis=1) @ [64, 16, 4, 1]
        _, counts = np.unique(orders, return_counts=True)
        assert len(counts) == 24
        assert stats.chisquare(counts).pvalue > LEAST_P


def test_a_card_does_not_follow_another_more_often_than_chance_has_it(places):
    for step in (1, 2):
        following = [
            (places[:, second] - places[:, first] == step).sum() for first, second in itertools.pairwise(range(80))
        ]
        expected = len(places) * (80 - step) / (80 * 79)
        chi_square = sum((count - expected) ** 2 / expected for count in following)
        assert LEAST_P < stats.chi2.sf(chi_square, 79) < 1 - LEAST_P


def test_consecutive_games_and_seeds_have_nothing_in_common(places):
    assert abs(stats.pearsonr(places[:-1].ravel(), places[1:].ravel())[0]) < 0.004
    other = deals(2_000, seed=103)
    assert abs(stats.pearsonr(places[:2_000].ravel(), other.ravel())[0]) < 0.01


def test_the_discard_pile_is_shuffled_as_fairly_as_the_first_deck():
    position = spot("candy-1 candy-2 candy-3 candy-4")
    rules, game = position.compile_rules()[0], position.games()
    orders = []
    for number in range(6_000):
        copy = game.copy()
        copy[0]["seed"], copy[0]["number"] = 104, number
        assert end_round(rules, copy[0], -1, 0)
        orders.append(tuple(copy[0]["deck"][:4].tolist()))
    _, counts = np.unique(orders, axis=0, return_counts=True)
    assert len(counts) == 24
    assert stats.chisquare(counts).pvalue > LEAST_P


def test_the_second_deck_is_not_the_first_one_again():
    trace = trace_game(make_setup(BASE, 3, ["greedy:max_bid=0"], 105), 0)
    # Nobody builds, so that all cards come back.
    (reshuffle,) = trace["reshuffles"]
    assert sorted(reshuffle["deck"]) == sorted(trace["deck"])
    assert sum(map(str.__eq__, reshuffle["deck"], trace["deck"])) < 10
