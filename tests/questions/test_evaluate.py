"""Positions evaluated: figures that can be worked out, and what stays known in every future."""

from __future__ import annotations

import numpy as np
import pytest

from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.bench.arms import Crew
from fivetowers_sim.engine.branch_record import BRANCH_DETAIL
from fivetowers_sim.experiments.evaluate import make_evaluation, run_evaluation
from fivetowers_sim.rules.position import position_from_dict
from tests.experiments.toy_game import TOY

TYPES = ("candy", "scary", "tree", "scrap", "sand")


def toy_position(seat=1, high_bid=0, start=1):
    """The second round of the toy game: seat 0 has candy and scary whole, and a 1 of tree."""
    towers = {"candy": [1, 0], "scary": [1, 0], "tree": [1]}
    return position_from_dict(
        {
            "format": "fivetowers-position/1",
            "players": 2,
            "rules": TOY.to_dict(),
            "display": ["tree-0", "scrap-0", "scrap-1", "sand-0", "sand-1"],
            "start": start,
            "seats": [{"towers": towers}, {}],
            "turn": {"seat": seat, "high_bid": high_bid},
        }
    )


def evaluate(position, strategies=("greedy",), futures=20, **how):
    return run_evaluation(make_evaluation(position, strategies, 1, (futures, None), **how), Crew(1))


def test_each_word_is_worth_what_it_leads_to():
    # All five cards fit on seat 0's towers. If seat 1 leaves less than all to it, seat 0 takes 5 and has 10.
    found = evaluate(toy_position())
    assert [word.bid for word in found.words] == [None, 1, 2, 3, 4, 5]
    figures = [[word.figures[name].value for name in ("vp", "margin", "win_share")] for word in found.words]
    assert figures == [[0, -10, 0]] * 5 + [[5, 0, 0.5]]
    assert found.words[found.best].bid == 5
    assert found.rivals == []
    assert [word.against_best["vp"].value for word in found.words] == [-5] * 5 + [0]


def test_the_seat_that_has_the_high_bid_builds_if_nobody_says_more():
    # Seat 0 speaks over a 4 of seat 1: by passing it leaves four cards, and the fifth to nobody.
    found = evaluate(toy_position(seat=0, high_bid=4))
    assert [word.bid for word in found.words] == [None, 5]
    assert [word.figures["vp"].value for word in found.words] == [5, 10]
    assert [word.figures["margin"].value for word in found.words] == [1, 10]
    assert found.asked.setup.leader == 1


def test_what_is_built_is_told():
    build = evaluate(toy_position()).words[5].build
    assert build["taken"] == ["tree-0", "scrap-0", "scrap-1", "sand-0", "sand-1"]
    placed = [step["card"] for step in build["placements"]]
    assert placed.index("scrap-1") < placed.index("scrap-0")


def measured(asked):
    rows = np.zeros((40, asked.measure.columns), np.int64)
    asked.measure.add(0, asked.setup.play(0, 40, BRANCH_DETAIL), rows)
    return Moments.of(rows)


@pytest.fixture(scope="module")
def middle():
    """A position in the middle of a game of three, with many cards unseen."""
    return position_from_dict(
        {
            "format": "fivetowers-position/1",
            "players": 3,
            "rules": "base",
            "display": ["candy-3", "candy-12", "scrap-7", "sand-0", "sand-9"],
            "discard": ["tree-1", "tree-2"],
            "start": 2,
            "seats": [{"towers": {"candy": [14, 10], "sand": [6]}}, {"towers": {"scrap": [15, 8]}}, {}],
            "turn": {"seat": 2, "high_bid": 0},
        }
    )


def test_in_every_future_known_cards_stay_and_unseen_cards_are_the_same_in_another_order(middle):
    from fivetowers_sim.engine.branch_setup import branch_games
    from fivetowers_sim.engine.watch import FUTURE_BEGUN

    setup = make_evaluation(middle, ("value",), 1, (10, None)).setup
    decks = []
    for number in range(3):
        branches = setup._lay_branches()
        branch_games(setup.game, setup._task(number, 1), branches)
        future, game = branches.watch.games[FUTURE_BEGUN], middle.game[0]
        for field in (
            "tower",
            "height",
            "pile",
            "pile_size",
            "display",
            "discard",
            "discard_size",
            "start",
            "deck_pass",
        ):
            assert np.array_equal(future[field], game[field]), field
        unseen = future["deck"][int(future["deck_next"]) : int(future["deck_size"])]
        assert sorted(unseen) == sorted(game["deck"][: int(game["deck_size"])])
        decks.append(unseen.tolist())
    assert decks[0] != decks[1] != decks[2]


def test_a_future_is_the_same_wherever_it_is_played(middle):
    setup = make_evaluation(middle, ("value", "greedy", "value"), 1, (10, None)).setup
    whole = setup.play(0, 30, BRANCH_DETAIL)["options"]
    pieces = [setup.play(first, 10, BRANCH_DETAIL)["options"] for first in (0, 10, 20)]
    assert np.array_equal(whole, np.concatenate(pieces))


def test_words_that_come_to_the_same_are_known_to_differ_by_nothing():
    # Seat 0 outbids every word of seat 1 but the 5, in each future alike.
    found = evaluate(toy_position())
    found = found.asked.estimate(measured(found.asked), {1: 1.0, 2: -1.0}, "vp")
    assert (found.value, found.margin) == (0, 0)


def test_a_seat_that_can_only_pass_has_nothing_to_compare():
    found = evaluate(toy_position(seat=0, high_bid=5))
    assert [word.bid for word in found.words] == [None]
    assert found.futures == 0
