"""What a tournament measures of a deal is what a reader of its games would count."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from fivetowers_sim.analysis.estimates import CONFIDENCE
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.engine.record import SEATS
from fivetowers_sim.questions.tournament.measure import Places

CIRCLES = ((0, 1, 2), (2, 1, 0), (1, 1, 2), (0, 2, 2))


def record(circle, totals):
    """Rows of seats as the engine records them: seats rotate, and tied players share."""
    rows = np.zeros((len(totals), len(circle)), SEATS.dtype)
    codes = list(dict.fromkeys(circle))
    for game, row in enumerate(totals):
        for seat, total in enumerate(row):
            here = rows[game, seat]
            here["strategy"] = codes.index(circle[(seat - game) % len(circle)])
            here["total"] = total
            here["rank"] = 1 + sum(other > total for other in row)
    return {"seats": rows.reshape(-1)}


def recount(places, circle, game, totals):
    """Count one game the long way: by line-up and strategy its share, by strategy its VP, by pair its points."""
    seated = [circle[(seat - game) % len(circle)] for seat in range(len(circle))]
    winners = [seat for seat, total in enumerate(totals) if total == max(totals)]
    counted = np.zeros(places.columns, int)
    for seat, own in enumerate(seated):
        if seat in winners:
            counted[places.share_columns[tuple(sorted(circle)), own]] += Fraction(places.scale, len(winners))
        counted[places.total_columns[own]] += totals[seat]
    pairs = list(combinations(range(places.strategies), 2))
    for one, other in combinations(range(len(circle)), 2):
        first, second = sorted((one, other), key=lambda seat: seated[seat])
        pair = seated[first], seated[second]
        if pair in pairs:
            points = 2 if totals[first] > totals[second] else 1 if totals[first] == totals[second] else 0
            counted[places.pair_columns[pairs.index(pair)]] += points
    return counted


@pytest.fixture
def places():
    return Places(3, CIRCLES)


def test_each_game_is_counted_as_one_would_by_hand(places):
    random = np.random.default_rng(1)
    # Few different totals, and some below zero, so that places are shared.
    for arm, circle in enumerate(CIRCLES):
        totals = random.integers(-2, 3, (60, 3))
        into = np.zeros((60, places.columns), np.int64)
        places.add(arm, record(circle, totals), into)
        for game in range(60):
            assert (into[game] == recount(places, circle, game, totals[game])).all()


def test_seats_and_meetings_are_those_of_all_circles(places):
    assert places.seats_of(places.tables_of(0)) == 3
    assert places.seats_of(places.tables_of(1)) == 4
    assert places.seats_of(places.tables_of(2)) == 5
    meetings = places.pairs("abc", Moments.zero(places.columns)).meetings
    # 0 and 2 meet once in either order, and twice where 2 has two seats.
    assert meetings.tolist() == [[0, 2, 4], [2, 0, 4], [4, 4, 0]]


def test_shares_of_a_line_up_add_up_to_the_victory(places):
    random = np.random.default_rng(2)
    into = np.zeros((60, places.columns), np.int64)
    for arm, circle in enumerate(CIRCLES):
        places.add(arm, record(circle, random.integers(0, 30, (60, 3))), into)
    moments = Moments.of(into)
    two = places.share([((1, 1, 2), 1)], moments, CONFIDENCE)
    one = places.share([((1, 1, 2), 2)], moments, CONFIDENCE)
    assert 2 * two.value + one.value == pytest.approx(1)
    # Each knows what the other knows, so their intervals say the same.
    assert 2 * two.margin == pytest.approx(one.margin)


def test_who_always_wins_with_two_seats_still_has_an_interval(places):
    circle = (1, 1, 2)
    totals = [[0 if (seat - game) % 3 == 2 else 10 + seat for seat in range(3)] for game in range(30)]
    into = np.zeros((30, places.columns), np.int64)
    places.add(CIRCLES.index(circle), record(circle, totals), into)
    share = places.share([((1, 1, 2), 1)], Moments.of(into), CONFIDENCE)
    assert share.value == 0.5
    # Clopper and Pearson: of 30 games without exception, at least 88.4% at 95% confidence.
    assert (share.low, share.high) == (pytest.approx(0.025 ** (1 / 30) / 2), 0.5)
