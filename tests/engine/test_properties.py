"""What holds in every game: cards are conserved, rounds end, scores recount."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fivetowers_sim.engine.log import MAX_WORDS, ROUND_LOG
from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.engine.step import SCORE_PARTS, step_round, step_scores, step_start
from fivetowers_sim.rules.cards import TOWER_TYPES, card_name
from fivetowers_sim.rules.state import TYPES
from tests.positions import BASE, POWER_SETS, random_rules
from tests.reference.scoring import score

STRATEGIES = ["random", "greedy", "random:misjudge=0.3", "greedy:misjudge=0.3"]


def cards_in(game, players):
    """Count every card that lies somewhere between two rounds."""
    codes = [game["deck"][game["deck_next"] : game["deck_size"]], game["discard"][: game["discard_size"]]]
    for seat in range(players):
        codes.append(game["pile"][seat, : game["pile_size"][seat]])
        for kind in range(TYPES):
            codes.append(kind * 32 + tower_of(game, seat, kind).astype(np.int64))
    return Counter(np.concatenate(codes).tolist())


def tower_of(game, seat, kind):
    return game["tower"][seat, kind, 1 : game["height"][seat, kind] + 1]


def played_rounds(setup, number):
    """Play a game round by round; yield the table and the log after the deal and after each round."""
    table, log = setup.lay_table(), np.zeros(1, ROUND_LOG)[0]
    setup.seat_players(table, number)
    step_start(table, log, setup.seed, number)
    yield table, log
    while not table.game["over"]:
        step_round(table, log)
        yield table, log


@st.composite
def setups(draw):
    """Generate games of any rule set, players, powers and strategies."""
    chance = draw(st.randoms(use_true_random=False))
    rules = chance.choice([BASE, random_rules(chance)])
    players = chance.randint(2, 5)
    powers = [chance.choice(POWER_SETS) for _ in range(players)]
    # Somebody has a power and somebody counts, so that all these games are played by the same compiled code.
    powers[0] |= {"pairs"}
    strategies = [chance.choice(STRATEGIES) for _ in range(players)]
    return make_setup(rules, players, strategies, chance.randint(0, 1 << 40), powers)


@given(setups())
@settings(max_examples=60, deadline=None)
def test_no_card_is_lost_or_made_in_any_round(setup):
    deck = Counter(setup.rules.deck(setup.players))
    for table, _ in played_rounds(setup, 0):
        assert cards_in(table.game, setup.players) == deck


@given(setups())
@settings(max_examples=40, deadline=None)
def test_every_round_ends_after_few_words_and_every_game_after_as_many_rounds_as_the_deck_allows(setup):
    rounds = -1
    for table, log in played_rounds(setup, 1):
        rounds += 1
        assert table.game["round"] == rounds
        assert log["words"] <= MAX_WORDS
        assert rounds <= setup.most_rounds
    assert table.game["deck_pass"] <= setup.rules.deck_passes


@given(setups())
@settings(max_examples=40, deadline=None)
def test_every_score_recounts_and_every_tower_is_one_that_the_rules_allow(setup):
    for table, _ in played_rounds(setup, 2):
        game = table.game
    scores = np.zeros((setup.players, len(SCORE_PARTS)), np.int64)
    step_scores(table, scores)
    for seat in range(setup.players):
        towers = [tower_of(game, seat, kind).tolist() for kind in range(TYPES)]
        pile = [card_name(code) for code in game["pile"][seat, : game["pile_size"][seat]]]
        counted = score(setup.rules, setup.powers_by_seat[seat], towers, pile)
        assert dict(zip(SCORE_PARTS, scores[seat].tolist(), strict=True)) == counted
        for tower in towers:
            assert all(setup.rules.fits_on(above, below) for below, above in itertools.pairwise(tower))
        assert not any(card.endswith("-0") for card in pile)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_recorded_parts_of_a_score_add_up_and_follow_from_the_recorded_towers(players):
    seats = make_setup(BASE, players, ["greedy"], seed=90).play(0, 500, "games")["seats"]
    heights = np.stack([seats[f"{kind}_height"] for kind in TOWER_TYPES]).astype(int)
    topped = np.stack([seats[f"{kind}_topped"] for kind in TOWER_TYPES])
    torn = seats["torn_cards"].astype(int)
    assert (seats["cards"] == heights.sum(axis=0)).all()
    assert (seats["tops"] == (heights * topped).sum(axis=0)).all()
    assert (seats["main"] == heights.max(axis=0)).all()
    assert (seats["teardown"] == -torn * (torn + 1) // 2).all()
    parts = seats["cards"] + seats["tops"] + seats["main"] + seats["pairs"] + seats["teardown"]
    assert (seats["total"] == parts).all()
    assert (heights.sum(axis=0) == seats["cards_taken"] - seats["cards_torn_down"]).all()


def test_the_tables_of_a_game_agree_with_each_other():
    powers = [["tree", "scrap"], ["sand", "pairs"], []]
    tables = make_setup(BASE, 3, ["random"], 91, powers).play(0, 80, "bids")
    games, seats, rounds, bids = (tables[name] for name in ("games", "seats", "rounds", "bids"))
    assert np.bincount(rounds["game"]).tolist() == games["rounds"].tolist()
    assert (np.bincount(rounds["game"], rounds["cancelled"]) == games["builds_cancelled"]).all()
    assert (np.bincount(rounds["game"], rounds["winner"] == 255) == games["rounds_without_builder"]).all()
    builders = rounds[rounds["winner"] != 255]
    rows = builders["game"].astype(int) * 3 + builders["winner"]
    for column, total in [
        ("taken", "cards_taken"), ("torn", "cards_torn_down"), ("paid", "trees_paid"), ("fetched", "cards_fetched"),
        ("built_below", "cards_built_below"),
    ]:  # fmt: skip
        assert (np.bincount(rows, builders[column], len(seats)) == seats[total]).all()
        assert seats[total].any()
    assert (np.bincount(rows, minlength=len(seats)) == seats["bids_won"]).all()
    above = builders["bid"] > builders["display_size"]
    assert (np.bincount(rows, above, len(seats)) == seats["bids_above_display"]).all()
    assert (builders["taken"] + builders["paid"] == builders["bid"]).all()
    assert len(np.unique(bids[["game", "round"]])) == len(rounds)
    # Only who has a power uses it.
    assert not seats["trees_paid"][seats["seat"] != 0].any()
    assert not seats["cards_fetched"][seats["seat"] != 0].any()
    assert not seats["cards_built_below"][seats["seat"] != 1].any()
    assert not seats["pairs"][seats["seat"] != 1].any()
