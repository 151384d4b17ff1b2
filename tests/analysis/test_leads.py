"""Who leads as a game goes on, in games worked out by hand."""

from __future__ import annotations

import numpy as np

from fivetowers_sim.analysis.leads import count_lead_changes, find_decided, find_leaders, scores_after, share_out

# Two games of three seats; the second is over after round 2, and its scores go on.
SCORES = np.array(
    [
        [[0, 0, 0], [4, 0, 0], [4, 4, 0], [4, 9, 0], [10, 9, 0]],
        [[0, 0, 0], [0, -1, 0], [0, -1, 6], [0, -1, 6], [0, -1, 6]],
    ]
)
ROUNDS = np.array([4, 2])
WON = np.array([[True, False, False], [False, False, True]])


def test_all_who_have_most_lead():
    leading = find_leaders(SCORES)
    assert leading[0, 2].tolist() == [True, True, False]
    assert leading[1, 1].tolist() == [True, False, True]
    assert leading[:, 0].all()


def test_a_tie_is_no_change_of_the_lead_and_the_first_lead_is_none():
    assert count_lead_changes(find_leaders(SCORES)).tolist() == [2, 0]


def test_a_game_is_decided_from_where_the_winner_leads_to_the_end():
    assert find_decided(find_leaders(SCORES), WON).tolist() == [4, 1]


def test_with_a_shared_victory_it_is_enough_that_one_of_the_winners_leads():
    scores = np.array([[[0, 0, 0], [1, 0, 0], [1, 2, 0], [2, 2, 0]]])
    assert find_decided(find_leaders(scores), np.array([[True, True, False]])).tolist() == [1]


def test_the_scores_after_a_part_of_the_game_are_those_of_its_own_rounds():
    assert scores_after(SCORES, ROUNDS, (1, 2)).tolist() == [[4, 4, 0], [0, -1, 0]]
    assert scores_after(SCORES, ROUNDS, (1, 1)).tolist() == [[10, 9, 0], [0, -1, 6]]
    assert scores_after(SCORES, ROUNDS, (3, 10)).tolist() == [[4, 0, 0], [0, 0, 0]]


def test_several_who_lead_share_what_they_win():
    shares = np.array([[6, 0, 0], [0, 3, 3]])
    chosen = np.array([[True, True, False], [True, True, True]])
    # Of a victory worth 6, times 6: one of two leaders won it; all three lead, two share it.
    assert share_out(shares, chosen, 6).tolist() == [18, 12]
