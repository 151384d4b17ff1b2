"""Strengths: known ones are recovered, as often as the intervals say, and as an independent program fits them."""

from __future__ import annotations

import choix
import numpy as np
import pytest

from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.analysis.pairs import AHEAD, Pairs
from fivetowers_sim.analysis.ratings import estimate_ratings
from tests.analysis.tables import count_pairs, play_lineups

STRENGTHS = np.array([1.0, 0.3, -0.4, -0.9])


def rate(random, deals, players=3, strengths=STRENGTHS):
    return estimate_ratings(count_pairs(*play_lineups(random, strengths, deals, players), len(strengths)))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_known_strengths_are_recovered_within_their_intervals(players):
    ratings = rate(np.random.default_rng(1), 1500, players)
    for player, truth in enumerate(STRENGTHS):
        estimate = ratings.estimate(player)
        assert estimate.low < truth < estimate.high
        assert estimate.margin < 0.1


def test_pairs_of_rankings_give_the_strengths_that_whole_rankings_give():
    lineups, results = play_lineups(np.random.default_rng(2), STRENGTHS, 1500, 3)
    rankings = [
        [lineup[seat] for seat in order]
        for lineup, result in zip(lineups, results, strict=True)
        if len(set(lineup)) == 3
        for order in np.argsort(-result, axis=1)
    ]
    by_rankings = choix.ilsr_rankings(4, rankings)
    ratings = estimate_ratings(count_pairs(lineups, results, 4))
    assert ratings.strengths == pytest.approx(by_rankings, abs=0.04)


def test_two_players_have_the_strength_of_their_share():
    # 30 of 40 meetings are 75%, and the logarithm of 3 lies between the two; half a meeting more on either side.
    points = np.repeat([AHEAD, 0], [30, 10])[:, None]
    ratings = estimate_ratings(Pairs(("a", "b"), np.array([[0, 1], [1, 0]]), Moments.of(points)))
    assert ratings.strengths[0] - ratings.strengths[1] == pytest.approx(np.log(30.5 / 10.5))
    assert ratings.expected(0, 1) == pytest.approx(30.5 / 41)
    # The logit of a share p of n games has the standard error 1 / sqrt(n p (1 - p)).
    difference = ratings.difference(0, 1)
    share = 30.5 / 41
    assert difference.margin / 2.0227 == pytest.approx(
        np.sqrt(40 / 39 * 0.75 * 0.25 / 40) / (share * (1 - share)), rel=1e-3
    )


@pytest.mark.slow
@pytest.mark.parametrize("common", [0.0, 2.0])
def test_intervals_cover_the_truth_as_often_as_they_say(common):
    random, strengths, repetitions = np.random.default_rng(3), np.array([0.5, 0.0, -0.5]), 500
    covered = []
    for _ in range(repetitions):
        lineups, results = play_lineups(random, strengths, 80, 3, common)
        if common:
            # The seats' common luck shrinks how much strength tells; only equal players keep their truth.
            results = [result - strengths[list(lineup)] for lineup, result in zip(lineups, results, strict=True)]
        ratings = estimate_ratings(count_pairs(lineups, results, 3))
        truth = np.zeros(3) if common else strengths
        covered.append([ratings.estimate(one).low <= truth[one] <= ratings.estimate(one).high for one in range(3)])
    assert np.mean(covered) == pytest.approx(0.95, abs=4 * np.sqrt(0.95 * 0.05 / repetitions))


def test_counting_games_of_one_deal_as_if_they_were_independent_would_promise_too_much():
    # The first of each line-up sits in the same seat in all of them, so its luck is the same luck.
    lineups, results = play_lineups(np.random.default_rng(4), np.zeros(3), 400, 3, common=2.0)
    ratings = estimate_ratings(count_pairs(lineups, results, 3))
    shuffled = [np.random.default_rng(seed).permutation(result) for seed, result in enumerate(results)]
    independent = estimate_ratings(count_pairs(lineups, shuffled, 3))
    assert ratings.estimate(0).margin > 1.3 * independent.estimate(0).margin


def test_equal_players_have_equal_strengths_within_their_intervals():
    ratings = rate(np.random.default_rng(5), 800, 3, np.array([0.4, 0.4, -0.8]))
    difference = ratings.difference(0, 1)
    assert difference.low < 0 < difference.high
    assert difference.margin < 0.1
    assert ratings.difference(0, 2).low > 1


def test_strengths_are_about_the_average_player():
    ratings = rate(np.random.default_rng(6), 300)
    assert ratings.strengths.mean() == pytest.approx(0, abs=1e-9)
    average = ratings.against_average(0)
    strength = ratings.estimate(0)
    assert average.value == pytest.approx(1 / (1 + np.exp(-strength.value)))
    assert average.low < average.value < average.high


def test_shared_places_count_half():
    meetings = np.array([[0, 1], [1, 0]])
    level = estimate_ratings(Pairs(("a", "b"), meetings, Moments.of(np.full((20, 1), AHEAD // 2))))
    assert level.strengths == pytest.approx([0, 0])


def test_who_never_finished_ahead_has_a_finite_strength_and_no_interval():
    meetings = np.ones((3, 3), int) - np.eye(3, dtype=int)
    random = np.random.default_rng(7)
    points = np.column_stack([AHEAD * random.integers(0, 2, 50), np.full(50, AHEAD), np.full(50, AHEAD)])
    ratings = estimate_ratings(Pairs(("a", "b", "last"), meetings, Moments.of(points)))
    assert np.isfinite(ratings.strengths).all()
    assert ratings.strengths[2] < -2
    assert np.isnan(ratings.estimate(2).low)


def test_one_deal_has_strengths_without_intervals():
    ratings = rate(np.random.default_rng(8), 1)
    assert np.isfinite(ratings.strengths).all()
    assert np.isnan(ratings.estimate(0).low)
