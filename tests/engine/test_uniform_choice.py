"""``random`` picks uniformly: its word among what it can say, its build among all different results."""

from __future__ import annotations

from collections import Counter

import pytest
from scipy import stats

from tests.positions import EACH_POWER_SET, RuleSet, seeded_spots, spot
from tests.reference.builds import all_builds
from tests.rounds import Rounds

ROUNDS = 4_000
LEAST_P = 1e-5
"""Every test has fixed luck; this only says how strange it may have been when the luck was chosen."""

SILENT = "random:max_bid=0"

POSITIONS = {
    "base": spot("candy-5 scary-9 tree-12 sand-7 candy-3", {"sand": (6,), "candy": (8, 4)}),
    "double cards": spot("candy-5 candy-5 scary-8", {"candy": (12, 10, 7), "scary": (14,)}, players=4),
    "nothing fits": spot("candy-5 candy-6 sand-3", {"candy": (9, 0), "sand": (2, 0)}),
    "tree": spot("candy-1 tree-3 sand-4", {"tree": (12, 7), "sand": (5,)}, powers=["tree"]),
    "scrap": spot("scrap-9 candy-11", {"candy": (14, 10)}, "scrap-4 candy-3 sand-2", powers=["scrap"]),
    "sand": spot("sand-4 sand-8 sand-12", {"sand": (11, 7, 6)}, powers=["sand"]),
    "all powers": spot(
        "scrap-9 sand-12", {"tree": (12, 7), "sand": (7,), "candy": (4,)}, "sand-3", ["tree", "scrap", "sand", "pairs"]
    ),
    "two teardowns": spot("candy-7 scary-5", {"candy": (9, 4, 2), "scary": (4, 3)}, rules=RuleSet(teardown_limit=2)),
}


def play_often(position, strategy="random", rounds=ROUNDS):
    """Play a position again and again; count the bids of seat 0 and its builds by bid."""
    table = Rounds(position, [strategy, *[SILENT] * (position.players - 1)])
    bids, builds = Counter(), Counter()
    for luck in range(rounds):
        table.play(luck)
        bid = max(table.words()[0].bid, 0)
        bids[bid] += 1
        if bid:
            builds[table.build()] += 1
    return bids, builds


def assert_uniform(counts, among):
    """Assert that exactly these things were picked, and that a chi-square test finds them equally likely."""
    assert set(counts) <= set(among)
    observed = [counts[thing] for thing in among]
    if len(observed) > 1:
        assert stats.chisquare(observed).pvalue > LEAST_P, observed


def reference_results(position):
    powers, towers, pile = position.seat(0)
    return all_builds(position.rules, powers, towers, pile, position.display)


@pytest.mark.slow
@pytest.mark.parametrize("name", POSITIONS)
def test_random_bids_uniformly_and_builds_uniformly_among_all_results_with_its_bid(name):
    position = POSITIONS[name]
    results = reference_results(position)
    bids, builds = play_often(position)
    assert_uniform(bids, {0} | {build.bid for build in results})
    for bid in bids.keys() - {0}:
        wanted = {build for build in results if build.bid == bid}
        assert len(wanted) < ROUNDS
        assert_uniform(Counter({build: count for build, count in builds.items() if build.bid == bid}), wanted)


@pytest.mark.parametrize("powers", EACH_POWER_SET)
def test_whatever_random_builds_is_among_all_results(powers):
    for position in seeded_spots(50, 8, powers=[powers], most_cards=10):
        _, builds = play_often(position, rounds=40)
        assert set(builds) <= reference_results(position)


@pytest.mark.parametrize("powers", EACH_POWER_SET)
def test_whatever_random_builds_is_among_all_results_by_edited_rules(powers):
    for position in seeded_spots(51, 8, edited=True, powers=[powers], most_cards=10):
        _, builds = play_often(position, rounds=40)
        assert set(builds) <= reference_results(position)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("restriction", "keeps"),
    [
        ("never_tear_down=1", lambda build, before: not build.torn),
        ("max_bid=2", lambda build, before: build.bid <= 2),
        ("never_close=1", lambda build, before: closed(build.towers) == before),
        ("ignore_power=tree", lambda build, before: build.pay == 0),
        ("ignore_power=scrap+tree", lambda build, before: build.pay == 0 and not build.fetched),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_restricted_random_player_picks_uniformly_among_what_it_allows_itself(restriction, keeps):
    position = spot(
        "candy-0 scrap-9 sand-4", {"tree": (12, 7), "candy": (3,), "sand": (6,)}, "candy-2", ["tree", "scrap"]
    )
    before = closed([*position.towers[0].values()])
    results = {build for build in reference_results(position) if keeps(build, before)}
    bids, builds = play_often(position, f"random:{restriction}")
    assert_uniform(bids, {0} | {build.bid for build in results})
    for bid in bids.keys() - {0}:
        wanted = {build for build in results if build.bid == bid}
        assert_uniform(Counter({build: count for build, count in builds.items() if build.bid == bid}), wanted)


def closed(towers):
    return sum(tower[-1:] == (0,) for tower in towers)
