"""Positions evaluated: figures that can be worked out, and what stays known in every future."""

from __future__ import annotations

import json

import numpy as np
import pytest

from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.bench.arms import Crew
from fivetowers_sim.engine.branch_record import BRANCH_DETAIL
from fivetowers_sim.questions.evaluate import Evaluate
from fivetowers_sim.questions.evaluate.content import describe_others
from tests.experiments.toy_game import TOY

TYPES = ("candy", "scary", "tree", "scrap", "sand")


def toy_position(seat=1, high_bid=0, start=1):
    """The second round of the toy game: seat 0 has candy and scary whole, and a 1 of tree."""
    towers = {"candy": [1, 0], "scary": [1, 0], "tree": [1]}
    return {
        "format": "fivetowers-position/1",
        "players": 2,
        "rules": TOY.to_dict(),
        "display": ["tree-0", "scrap-0", "scrap-1", "sand-0", "sand-1"],
        "start": start,
        "seats": [{"towers": towers}, {}],
        "turn": {"seat": seat, "high_bid": high_bid},
    }


@pytest.fixture
def ask(tmp_path):
    """Return what makes the question about a position."""

    def ask(position, strategies="greedy", futures=20, **given):
        file = tmp_path / "position.json"
        file.write_text(json.dumps(position), "utf-8")
        return Evaluate({"position": file, "strategies": strategies, "futures": futures, **given}, "fivetowers …")

    return ask


@pytest.fixture
def evaluate(ask):
    """Return what finds out about a position."""
    return lambda position, **given: ask(position, **given).answer(Crew(1)).to_dict()


def read(word, *names):
    return [word[name]["value"] for name in names]


def test_each_word_is_worth_what_it_leads_to(evaluate):
    # All five cards fit on seat 0's towers. If seat 1 leaves less than all to it, seat 0 takes 5 and has 10.
    found = evaluate(toy_position())
    words = found["words"]
    assert [word["bid"] for word in words] == [None, 1, 2, 3, 4, 5]
    assert [read(word, "vp", "margin", "win_share") for word in words] == [[0, -10, 0]] * 5 + [[5, 0, 0.5]]
    assert found["best_bid"] == 5
    assert [word["against_best"]["vp"]["value"] for word in words] == [-5] * 5 + [0]


def test_the_verdict_says_what_is_best_and_what_is_not_told_apart_from_it(ask, middle):
    results = ask(toy_position()).answer(Crew(1)).finish().results
    assert results["verdicts"][0]["claim"] == (
        "Best: bid 5, with a win share of 50.000% ± 0.000; it is ahead of every other word for certain."
    )
    claim = ask(middle, futures=40).answer(Crew(1)).finish().results["verdicts"][0]["claim"]
    assert "; not told apart from it: " in claim
    assert claim.endswith(" points).")


def test_the_seat_that_has_the_high_bid_builds_if_nobody_says_more(evaluate):
    # Seat 0 speaks over a 4 of seat 1: by passing it leaves four cards, and the fifth to nobody.
    found = evaluate(toy_position(seat=0, high_bid=4))
    assert [word["bid"] for word in found["words"]] == [None, 5]
    assert [read(word, "vp", "margin") for word in found["words"]] == [[5, 1], [10, 10]]
    assert found["leader"] == 1


def test_what_is_built_is_told(evaluate):
    build = evaluate(toy_position())["words"][5]["build"]
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
    return {
        "format": "fivetowers-position/1",
        "players": 3,
        "rules": "base",
        "display": ["candy-3", "candy-12", "scrap-7", "sand-0", "sand-9"],
        "discard": ["tree-1", "tree-2"],
        "start": 2,
        "seats": [{"towers": {"candy": [14, 10], "sand": [6]}}, {"towers": {"scrap": [15, 8]}}, {}],
        "turn": {"seat": 2, "high_bid": 0},
    }


def test_in_every_future_known_cards_stay_and_unseen_cards_are_the_same_in_another_order(ask, middle):
    from fivetowers_sim.engine.branch_setup import branch_games
    from fivetowers_sim.engine.watch import FUTURE_BEGUN

    setup = ask(middle, "value").setup
    decks = []
    for number in range(3):
        branches = setup._lay_branches()
        branch_games(setup.game, setup._task(number, 1), branches)
        future, game = branches.watch.games[FUTURE_BEGUN], setup.position.game[0]
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


def test_a_future_is_the_same_wherever_it_is_played(ask, middle):
    setup = ask(middle, "value,greedy,value").setup
    whole = setup.play(0, 30, BRANCH_DETAIL)["options"]
    pieces = [setup.play(first, 10, BRANCH_DETAIL)["options"] for first in (0, 10, 20)]
    assert np.array_equal(whole, np.concatenate(pieces))


def test_words_that_come_to_the_same_are_known_to_differ_by_nothing(ask):
    # Seat 0 outbids every word of seat 1 but the 5, in each future alike.
    asked = ask(toy_position())
    found = asked.measure.estimate(measured(asked), {1: 1, 2: -1}, "vp", 0.95)
    assert (found.value, found.margin) == (0, 0)


def test_a_seat_that_can_only_pass_has_nothing_to_compare(ask):
    asked = ask(toy_position(seat=0, high_bid=5), check="random")
    outcome = asked.answer(Crew(1))
    found = outcome.finish().results
    assert [word["bid"] for word in found["words"]] == [None]
    assert (found["futures"], found["best_bid"], found["verdicts"]) == (0, None, [])
    assert asked.ask_others(outcome, Crew(1)) == []
    assert found["section"]["said"][-1] == "It can only pass."


def test_those_who_are_asked_besides_are_who_does_not_play_on_anyway(ask, middle):
    def told(**given):
        return [(other.labels[0], other.budget.looks) for other in ask(middle, **given).others]

    assert told() == []
    assert told(futures=None) == [("rollout:rollouts=20:ahead=2", (200,))]
    assert told(strategies="value", futures=None) == [
        ("greedy", (2000,)),
        ("rollout:rollouts=20:ahead=2", (200,)),
    ]
    assert told(check="random") == [("random", (200,))]
    assert told(check="random", check_futures=60) == [("random", (60,))]
    assert told(strategies="value", check_futures=60) == [("greedy", (60,)), ("rollout:rollouts=20:ahead=2", (60,))]


def test_it_is_said_who_refutes_the_best_word_and_who_tells_it_apart(ask, middle):
    asked = ask(middle, "value", 60, check="random", check_futures=40)
    (check,) = asked.ask_others(asked.answer(Crew(1)), Crew(1))
    less = {"value": -0.2, "low": -0.3, "high": -0.1}
    refuted = {**check, "bid_before": 3, "best_bid": 1, "less_best": less}
    first, then = describe_others([refuted])
    assert first == "That bid 3 is best was asked of other players, in all seats: it does not hold with random."
    assert "; bid 3 brings -20.0 ± 10.0 points against it (40 futures)." in then
    level = {**refuted, "less_best": {**less, "high": 0.1}}
    first, then = describe_others([level])
    assert first.endswith(": none of them refutes it.")
    assert then.endswith(" points against it, so the two are not told apart (40 futures).")


def test_looks_are_those_by_which_a_share_is_precise_enough_at_the_last(ask, middle):
    assert ask(middle, futures=None, precision=0.2).budget.looks == (500,)
    assert ask(middle, futures=None, precision=0.005).budget.looks[-1] == 108_900
