"""A narrated game says everything that its trace does, in lines that fit a terminal."""

from __future__ import annotations

import pytest

from fivetowers_sim.engine.narrate import WIDTH, draw_tower, narrate_game
from fivetowers_sim.rules.ruleset import POWERS, RuleSet
from tests.reference.choosers import action, play_script, play_wild_game


def test_a_tower_is_drawn_from_bottom_to_top_and_its_top_is_marked():
    assert draw_tower([14, 11, 8, 12, 0]) == "14-11-8-12-0^"
    assert draw_tower([14, 10]) == "14-10"
    assert draw_tower([]) == "–"


def test_a_round_tells_display_words_and_deeds():
    front = "candy-14 candy-10 sand-6 tree-7 scrap-4 candy-11 scrap-15 sand-9 sand-12 sand-4"
    builds = [action("candy-14 candy-10 sand-6"), action("candy-11", teardown="candy-10")]
    told = narrate_game(play_script(front, [3, None, None, 0, None, 1], builds))
    second = told.partition("Round 2")[2].partition("Round 3")[0].splitlines()
    assert second[1].split() == ["display", *front.split()[5:]]
    assert second[2].strip().startswith("bidding    seat 1: 0 · seat 2: pass · seat 0: 1")
    assert [line.strip() for line in second[3:-1]] == [
        "seat 0     takes candy-11 for a bid of 1",
        "tears down candy-10",
        "builds candy-11",
        "towers     candy 14-11   sand 6",
        "torn down: candy-10",
    ]


def test_a_round_that_nobody_wins_says_so():
    assert "nobody     builds; the display is discarded" in narrate_game(play_script("", [], []))


@pytest.mark.parametrize("seed", range(3))
def test_no_line_is_too_long_and_powers_are_told(seed):
    trace = play_wild_game(RuleSet(), [list(POWERS)] * 5, seed=seed)
    trace["strategies"][0] = "value:" + ":".join(f"parameter_{number}=0.12345" for number in range(12))
    told = narrate_game(trace)
    assert max(len(line) for line in told.splitlines()) <= WIDTH
    for text in ("powers: tree, scrap, sand, pairs", "(fetched)", "(at the bottom)", " pays tree-", "(undone)"):
        assert text in told
    assert all(str(line["total"]) in told for line in trace["scores"])


def test_towers_higher_than_a_line_are_broken():
    rules = RuleSet(copies=3, extra_copies_4=(), extra_copies_5=(), anything_goes_on=tuple(range(1, 16)))
    told = narrate_game(play_wild_game(rules, [[], []], seed=1))
    assert max(len(line) for line in told.splitlines()) <= WIDTH


@pytest.mark.parametrize(
    ("winners", "sentence"),
    [([1], "Seat 1 wins with 7 VP."), ([0, 2], "Seats 0 and 2 share the victory with 7 VP.")],
)
def test_the_last_line_names_the_winners(winners, sentence):
    trace = play_script("", [], [])
    trace["winners"] = winners
    trace["scores"][winners[0]]["total"] = 7
    assert narrate_game(trace).splitlines()[-1] == sentence
