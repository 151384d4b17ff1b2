"""Circles among players: found where they are, and only if every pair of them is decided."""

from __future__ import annotations

import numpy as np
import pytest

from fivetowers_sim.analysis.cycles import CYCLE, OPEN, ORDER, describe_cycle, find_cycle
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.analysis.pairs import AHEAD, Pairs


def meet(chances, deals=2000, seed=1):
    """Duels in which, by pair in order, the first finishes ahead with this chance."""
    players = int((1 + np.sqrt(1 + 8 * len(chances))) / 2)
    points = AHEAD * (np.random.default_rng(seed).random((deals, len(chances))) < chances)
    return Pairs(tuple("abcde"[:players]), 1 - np.eye(players, dtype=int), Moments.of(points))


def test_rock_paper_scissors_is_a_circle():
    verdict = find_cycle(meet([0.6, 0.4, 0.6]))
    assert (verdict.kind, verdict.cycle, verdict.undecided) == (CYCLE, (0, 1, 2), ())
    said = describe_cycle(verdict, "abc")
    assert said.startswith("The order goes round in a circle: a ahead of b ahead of c ahead of a (")
    assert said.endswith("(95% confidence for all 3 pairs together).")


def test_an_order_is_no_circle():
    verdict = find_cycle(meet([0.6, 0.7, 0.6]))
    assert (verdict.kind, verdict.cycle, verdict.undecided) == (ORDER, (), ())
    assert describe_cycle(verdict, "abc").startswith("The order has no circle (95%")


def test_a_circle_with_an_undecided_pair_is_not_claimed():
    verdict = find_cycle(meet([0.6, 0.5, 0.6]))
    assert (verdict.kind, verdict.undecided) == (OPEN, ((0, 2),))
    assert "1 pair is too close to call" in describe_cycle(verdict, "abc")


def test_two_equals_above_a_third_leave_no_room_for_a_circle():
    verdict = find_cycle(meet([0.5, 0.7, 0.7]))
    assert (verdict.kind, verdict.undecided) == (ORDER, ((0, 1),))


def test_three_equals_leave_room():
    verdict = find_cycle(meet([0.5, 0.5, 0.5]))
    assert (verdict.kind, len(verdict.undecided)) == (OPEN, 3)
    assert "3 pairs are too close to call" in describe_cycle(verdict, "abc")


def test_a_circle_below_a_better_player_is_found():
    # Pairs in order: ab ac ad bc bd cd. a beats all; b, c and d go round.
    verdict = find_cycle(meet([0.8, 0.8, 0.8, 0.6, 0.4, 0.6]))
    assert (verdict.kind, verdict.cycle) == (CYCLE, (1, 2, 3))


def test_a_circle_of_four_is_found_where_none_is_shorter():
    # a > b > c > d > a, while a and c, b and d are level.
    verdict = find_cycle(meet([0.6, 0.5, 0.4, 0.6, 0.5, 0.6], deals=5000, seed=2))
    assert (verdict.kind, verdict.cycle) == (CYCLE, (0, 1, 2, 3))
    assert verdict.undecided == ((0, 2), (1, 3))


def test_equal_players_are_seldom_said_to_go_round():
    found = [find_cycle(meet([0.5] * 10, 200, seed)) for seed in range(300)]
    decided = np.mean([len(verdict.undecided) < 10 for verdict in found])
    # All ten pairs together are wrong once in twenty at most.
    assert decided <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 300)
    assert not any(verdict.kind == CYCLE for verdict in found)


@pytest.mark.parametrize("share", [0, 1])
def test_a_pair_that_always_ends_the_same_is_decided(share):
    assert find_cycle(meet([float(share)] * 3, deals=20)).undecided == ()
