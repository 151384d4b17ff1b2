"""Rule 3: a round, its bidding and its build."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest

from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.rules.cards import card_name
from fivetowers_sim.rules.state import new_games
from fivetowers_sim.rules.takes import legal_takes
from tests.kernels import deal, end_round, is_last_word, reveal, who_speaks
from tests.positions import BASE, RuleSet, spot
from tests.rounds import Rounds

SILENT = "random:max_bid=0"
PASS = 255
"""What a pass is in a table of bids."""


@pytest.fixture(scope="module", params=[2, 3, 4, 5])
def bids(request):
    """Return the words of many rounds in which players often misjudge, round by round."""
    setup = make_setup(BASE, request.param, ["random:misjudge=0.3"], seed=60)
    tables = setup.play(0, 60, "bids")
    keys = zip(tables["bids"]["game"], tables["bids"]["round"], strict=True)
    ends = np.cumsum([len(list(group)) for _, group in groupby(keys)])
    words = np.split(tables["bids"], ends[:-1])
    return request.param, list(zip(tables["rounds"], words, strict=True))


def standing(words):
    """Return the words that no cancelled build undid."""
    return words[~words["void"]]


def best_bid(words):
    """Return the row of the highest bid, None if there is none."""
    spoken = words[(words["bid"] != PASS) & (words["bid"] > 0)]
    return max(spoken, key=lambda word: word["bid"]) if len(spoken) else None


# Rules 3.1 and 3.7: display and clean-up


@pytest.mark.parametrize("size", [3, 4, 5, 6, 7])
def test_as_many_cards_are_revealed_as_the_dial_says_from_the_top_of_the_deck(size):
    rules = spot("candy-1", rules=RuleSet(display_size=size)).compile_rules()[0]
    game = new_games()[0]
    deal(rules, game, 7, 0)
    deck = game["deck"][:80].tolist()
    for start in (0, size):
        reveal(rules, game)
        assert game["display"][: game["display_size"]].tolist() == deck[start : start + size]


def test_fewer_cards_are_revealed_only_if_the_deck_holds_fewer():
    position = spot("candy-1 candy-2 candy-3")
    game = position.games(revealed=False)[0]
    reveal(position.compile_rules()[0], game)
    assert game["display_size"] == 3


def test_what_is_not_taken_goes_to_the_discard_pile():
    position = spot("candy-1 candy-2 candy-3 candy-4 candy-5")
    game = position.games()[0]
    game["deck_size"], game["deck_next"] = 20, 5
    end_round(position.compile_rules()[0], game, 1, 0b01010)
    assert [card_name(card) for card in game["discard"][: game["discard_size"]]] == ["candy-1", "candy-3", "candy-5"]
    assert game["display_size"] == 0


def test_the_next_starting_player_is_left_of_the_builder():
    position = spot("candy-1", players=4)
    for winner, start in [(0, 1), (2, 3), (3, 0)]:
        game = position.games()[0]
        game["start"], game["deck_size"] = 2, 9
        end_round(position.compile_rules()[0], game, winner, 1)
        assert game["start"] == start


def test_if_all_pass_the_display_is_discarded_and_the_starting_player_stays():
    position = spot("candy-1 candy-2", {"candy": (5, 0)})
    table = Rounds(position, [SILENT], start=2)
    assert table.play() == -1
    assert [word.bid for word in table.words()] == [0, -1, -1]
    assert table.table.game["start"] == 2
    assert sorted(table.table.game["deck"][:2].tolist()) == [1, 2]  # shuffled into a new deck at once
    assert table.table.game["pile_size"].sum() == 0


# Rule 3.2: bidding


def test_players_speak_clockwise_from_the_starting_player():
    position = spot("candy-1", players=5)
    game = position.games()[0]
    game["start"] = 3
    assert [who_speaks(position.compile_rules()[0], game, place) for place in range(5)] == [3, 4, 0, 1, 2]


def test_nobody_speaks_twice(bids):
    for _, words in bids[1]:
        seats = standing(words)["seat"].tolist()
        assert len(set(seats)) == len(seats)


def test_everybody_has_a_word_unless_a_bid_of_the_displays_size_ends_the_bidding(bids):
    players, rounds = bids
    cut_short = 0
    for played, words in rounds:
        said = standing(words)
        assert said["seat"].tolist() == [(played["start"] + place) % players for place in range(len(said))]
        ended = said["bid"][-1] == played["display_size"]
        assert len(said) == players or ended
        assert not (said["bid"][:-1] == played["display_size"]).any()
        cut_short += len(said) < players
    assert cut_short > 10


def test_each_bid_is_higher_than_those_before_it_and_no_higher_than_the_display(bids):
    for played, words in bids[1]:
        spoken = words[(words["bid"] != PASS) & (words["bid"] > 0)]
        assert (spoken["bid"] > spoken["high_bid_before"]).all()
        assert (spoken["bid"] <= played["display_size"]).all()


def test_only_the_starting_player_says_0(bids):
    for played, words in bids[1]:
        assert (words["seat"][words["bid"] == 0] == played["start"]).all()
        assert (words["bid"][words["seat"] == played["start"]] != PASS).all()


def test_a_bid_of_the_displays_size_ends_the_bidding_also_with_a_short_display():
    position = spot("candy-1 candy-2 candy-3")
    rules, game = position.compile_rules()[0], position.games()[0]
    assert [is_last_word(rules, game, 0, bid) for bid in (1, 2, 3)] == [False, False, True]


# Rules 3.3 to 3.5: the build


def test_the_highest_bidder_builds_and_takes_exactly_as_many_cards(bids):
    for played, words in bids[1]:
        best = best_bid(standing(words))
        assert (played["winner"], played["bid"]) == ((PASS, 0) if best is None else (best["seat"], best["bid"]))
        assert played["taken"] == played["bid"]


def test_the_builder_chooses_which_cards_to_take():
    table = Rounds(spot("candy-1 candy-2 sand-3"), ["random", SILENT, SILENT])
    taken = {table.build().take for luck in range(300) if table.play(luck) == 0 and table.log["bid"] == 2}
    assert taken == {("candy-1", "candy-2"), ("candy-1", "sand-3"), ("candy-2", "sand-3")}


def test_anni_tears_down_the_6_to_build_the_whole_display():
    position = spot("sand-7 candy-5 candy-3 scary-9 tree-12", {"sand": (6,)})
    table = Rounds(position, ["random", SILENT, SILENT])
    whole = {table.build() for luck in range(300) if table.play(luck) == 0 and table.log["bid"] == 5}
    assert {build.torn for build in whole} == {("sand-6",)}
    assert {build.pile for build in whole} == {("sand-6",)}
    assert {build.towers[4] for build in whole} == {(7,)}


def test_anni_can_not_build_all_five_on_a_sand_tower_of_6_and_4():
    position = spot("sand-7 candy-5 candy-3 scary-9 tree-12", {"sand": (6, 4)})
    assert max(bid for bid, _, _ in legal_takes(position.compile_rules()[0], position.games()[0], 0)) == 4


@pytest.mark.parametrize(("limit", "highest"), [(0, 0), (1, 0), (2, 1), (3, 1)])
def test_how_many_cards_may_be_torn_down_is_a_dial(limit, highest):
    position = spot("candy-7", {"candy": (9, 4, 2)}, rules=RuleSet(teardown_limit=limit))
    takes = legal_takes(position.compile_rules()[0], position.games()[0], 0)
    assert max((bid for bid, _, _ in takes), default=0) == highest


@pytest.mark.parametrize("limit", [0, 1, 2, 3])
def test_no_build_tears_down_more_than_the_limit(limit):
    setup = make_setup(RuleSet(teardown_limit=limit), 3, ["random"], seed=61)
    assert setup.play(0, 60, "bids")["rounds"]["torn"].max() == limit


def test_only_the_builder_tears_down(bids):
    for played, _ in bids[1]:
        assert played["winner"] != PASS or played["torn"] == 0


# Rule 3.6: builds that can't be carried out


def test_a_bid_that_can_not_be_carried_out_is_undone_and_no_other(bids):
    _, rounds = bids
    for played, words in rounds:
        undone = [tuple(word) for word in words[words["void"]]]
        assert bool(undone) == (played["cancelled"] > 0)
        best = best_bid(standing(words))
        assert best is None or best["bid"] <= best["highest_feasible_bid"]


def test_bidding_resumes_at_that_players_word_and_the_players_after_it_speak_again(bids):
    players, rounds = bids
    resumed = 0
    for played, words in rounds:
        held, sent_back = [], None
        for word in words:
            assert word["seat"] == (played["start"] + len(held)) % players
            if sent_back is not None:
                # Lower than what was undone, still above what was said before, or a pass (a start's 0).
                assert word["bid"] in (PASS, 0) or word["high_bid_before"] < word["bid"] < sent_back
                sent_back = None
            assert word["high_bid_before"] == max((w["bid"] for w in held if w["bid"] != PASS), default=0)
            held.append(word)
            best = best_bid(np.array(held))
            is_last = len(held) == players or word["bid"] == played["display_size"]
            if is_last and best is not None and best["bid"] > best["highest_feasible_bid"]:
                back_to = [tuple(w) for w in held].index(tuple(best))
                assert all(w["void"] for w in held[back_to:])
                held, sent_back = held[:back_to], best["bid"]
                resumed += 1
        assert not any(w["void"] for w in held)
    assert resumed > 100


def test_a_cancelled_build_leaves_towers_and_display_as_they_were():
    position = spot("candy-5 candy-6 sand-1", {"candy": (4, 0), "sand": (7,)})
    table = Rounds(position, ["random:misjudge=1", SILENT, SILENT])
    sent_back = 0
    for luck in range(100):
        winner = table.play(luck)
        first = table.words()[0]
        assert first.void
        assert first.bid in (2, 3)
        sent_back += 1
        if winner == -1:
            assert table.table.game["height"][0].tolist() == [2, 0, 0, 0, 1]
            assert table.table.game["pile_size"][0] == 0
        else:
            assert table.build().take == ("sand-1",)
    assert sent_back == 100
