"""What may be taken, and how many different results that has, as a search through everything finds it."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from fivetowers_sim.rules.cards import card_name
from fivetowers_sim.rules.takes import legal_takes
from tests.kernels import results_by_bid
from tests.positions import BASE, EACH_POWER_SET, POWER_SETS, RuleSet, Spot, seeded_spots, spots
from tests.reference.builds import Build, all_builds


def reference_builds(spot: Spot, seat: int = 0) -> set[Build]:
    """Return every result of the seat's builds, found by trying everything."""
    powers, towers, pile = spot.seat(seat)
    return all_builds(spot.rules, powers, towers, pile, spot.display)


def compare(spot: Spot, seat: int = 0) -> None:
    """Assert that the kernels list the takes and count the results that the reference finds."""
    builds = reference_builds(spot, seat)
    listed = legal_takes(spot.compile_rules()[0], spot.games()[0], seat)
    takes = [(bid, tuple(sorted(card_name(card) for card in cards)), paid) for bid, cards, paid in listed]
    assert sorted(takes) == sorted({(build.bid, build.take, build.pay) for build in builds}), spot
    counted, highest = results_by_bid(spot, seat)
    assert counted == Counter(build.bid for build in builds), spot
    if not spot.powers[seat]:
        assert highest == max((build.bid for build in builds), default=0), spot


@pytest.mark.parametrize("powers", EACH_POWER_SET)
def test_what_can_be_taken_is_what_some_build_carries_out_under_every_power_set(powers):
    for spot in seeded_spots(1, 25, powers=[powers]):
        compare(spot)


@pytest.mark.parametrize("powers", EACH_POWER_SET)
def test_what_can_be_taken_is_what_some_build_carries_out_in_edited_decks(powers):
    for spot in seeded_spots(2, 20, edited=True, powers=[powers], most_cards=10):
        compare(spot)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_what_can_be_taken_is_what_some_build_carries_out_for_every_seat(players):
    for spot in seeded_spots(3, 6, players=players):
        for seat in range(players):
            compare(spot, seat)


@pytest.mark.slow
@pytest.mark.parametrize("size", [3, 4, 6, 7])
def test_what_can_be_taken_is_what_some_build_carries_out_for_every_display_size(size):
    rules = RuleSet(display_size=size)
    for spot in seeded_spots(4, 12 if size < 6 else 4, rules=rules, most_cards=8):
        compare(spot)


@pytest.mark.parametrize("limit", [0, 1, 2, 3])
def test_what_can_be_taken_is_what_some_build_carries_out_for_every_teardown_limit(limit):
    rules = RuleSet(teardown_limit=limit, display_size=4)
    for spot in seeded_spots(5, 20, rules=rules, most_cards=10):
        compare(spot)


@pytest.mark.parametrize("fewest", [0, 1, 2, 3])
def test_who_pays_takes_at_least_as_many_cards_as_the_dial_says(fewest):
    rules = RuleSet(tree_min_take=fewest)
    payments = set()
    for spot in seeded_spots(6, 15, rules=rules, powers=[frozenset({"tree"})]):
        compare(spot)
        payments |= {len(build.take) for build in reference_builds(spot) if build.pay}
    assert min(payments) == fewest


@given(spots(powers=POWER_SETS[:6]))
@settings(max_examples=40, deadline=None)
def test_a_bid_that_can_be_carried_out_can_be_lowered_by_one(spot):
    # Without the last card built, or the last card paid. A fetch may end with the scrap card that is left out.
    bids = {bid for bid, _, _ in legal_takes(spot.compile_rules()[0], spot.games()[0], 0)}
    assert bids == set(range(1, max(bids, default=0) + 1))


def test_only_bids_above_the_high_bid_are_listed():
    for spot in seeded_spots(7, 10):
        rules, game = spot.compile_rules()[0], spot.games()[0]
        takes = legal_takes(rules, game, 0)
        assert legal_takes(rules, game, 0, 2) == [take for take in takes if take[0] > 2]


def test_a_set_of_cards_is_listed_once_however_many_copies_are_shown():
    display = ("candy-5", "candy-5", "sand-7", "candy-8")
    spot = Spot(BASE, (frozenset(),) * 4, display, ({},) * 4, ((),) * 4)
    takes = legal_takes(spot.compile_rules()[0], spot.games()[0], 0)
    assert len(set(takes)) == len(takes)
    compare(spot)
