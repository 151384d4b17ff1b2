"""Who sits at which table: every line-up, in every order, or a fair selection."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest

from fivetowers_sim.questions.tournament.circles import list_circles

CASES = [(2, 2), (6, 2), (3, 3), (4, 3), (6, 3), (3, 4), (4, 4), (3, 5), (4, 5)]


def turns(circle):
    return {circle[start:] + circle[:start] for start in range(len(circle))}


@pytest.mark.parametrize(("strategies", "players"), CASES)
def test_with_seats_rotating_every_seating_of_two_or_more_strategies_occurs_once(strategies, players):
    circles = list_circles(strategies, players)
    assert circles.every_lineup
    assert circles.every_order
    seatings = Counter(seating for circle in circles.played for seating in turns(circle))
    expected = [seating for seating in product(range(strategies), repeat=players) if len(set(seating)) > 1]
    assert seatings == Counter(expected)
    assert circles.lineups == circles.lineups_played == len({tuple(sorted(seating)) for seating in expected})


@pytest.mark.parametrize(("strategies", "players"), CASES)
def test_on_each_deal_every_strategy_sits_in_every_seat_about_equally_often(strategies, players):
    played = list_circles(strategies, players).played
    sat = Counter((own, seat) for circle in played for seat, own in enumerate(circle))
    counts = [sat[own, seat] for own in range(strategies) for seat in range(players)]
    assert max(counts) - min(counts) <= max(1, 0.1 * max(counts))


def test_where_all_orders_are_too_many_each_lineup_has_one_and_its_opposite():
    circles = list_circles(6, 5)
    assert (circles.every_lineup, circles.every_order) == (True, False)
    assert circles.lineups == circles.lineups_played == 246
    known = {turn for circle in circles.played for turn in turns(circle)}
    assert all(circle[::-1] in known for circle in circles.played)


@pytest.mark.parametrize(("strategies", "players"), [(15, 3), (10, 4), (12, 5), (26, 5)])
def test_where_all_lineups_are_too_many_strategies_play_and_meet_evenly(strategies, players):
    circles = list_circles(strategies, players)
    assert not circles.every_lineup
    assert circles.lineups_played < circles.lineups
    assert 500 < len(circles.played) <= 1000 or circles.lineups_played == len({*combinations(range(10), 4)})
    seats = Counter(own for circle in circles.played for own in circle)
    assert len(seats) == strategies
    assert len(set(seats.values())) == 1
    meetings = Counter(pair for circle in circles.played for pair in combinations(sorted(circle), 2))
    counts = [meetings[pair] for pair in combinations(range(strategies), 2)]
    assert max(counts) - min(counts) <= max(2, 0.15 * max(counts))


def test_no_circle_is_played_twice():
    for strategies, players in [*CASES, (6, 5), (15, 3), (26, 5)]:
        played = list_circles(strategies, players).played
        assert len({min(turns(circle)) for circle in played}) == len(played)


def test_the_smallest_selection_is_one_family():
    circles = list_circles(30, 3, most=10)
    assert circles.lineups_played == 30
