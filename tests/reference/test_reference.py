"""The reference engine against the rulebook's worked examples and the rules that people get wrong."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from fivetowers_sim.rules.cards import card_name
from fivetowers_sim.rules.ruleset import RuleSet
from tests.reference.audit import full_deck
from tests.reference.builds import all_builds, carry_out, fits_on, fits_under
from tests.reference.game import ends_bidding
from tests.reference.greedy import best_builds
from tests.reference.scoring import openness, score, teardown_vp_lost

BASE = RuleSet()


def builds(towers, display, powers=(), pile=(), rules=BASE, **only):
    return all_builds(rules, powers, towers, pile, display.split(), **only)


def takes_all(towers, display, powers=(), pile=(), rules=BASE):
    """Return the builds that take the whole display and pay nothing."""
    return {build for build in builds(towers, display, powers, pile, rules) if len(build.take) == len(display.split())}


def towers_after(found, kind):
    index = ("candy", "scary", "tree", "scrap", "sand").index(kind)
    return {build.towers[index] for build in found}


# Rule 1: cards


@pytest.mark.parametrize(("players", "cards"), [(2, 80), (3, 80), (4, 110), (5, 110)])
def test_two_and_three_players_use_80_cards_four_and_five_110(players, cards):
    deck = full_deck(BASE, players)
    assert deck.total() == cards
    assert deck == Counter(card_name(code) for code in BASE.deck(players))


def test_extra_copies_are_of_0_2_5_7_10_and_12():
    deck = full_deck(BASE, 5)
    assert {card for card, copies in deck.items() if copies == 2} == {
        f"{kind}-{value}" for kind in ("candy", "scary", "tree", "scrap", "sand") for value in (0, 2, 5, 7, 10, 12)
    }


# Rule 2: towers


def test_a_card_must_be_lower_than_the_top_card_equal_is_not_lower():
    assert [value for value in (5, 6, 7) if fits_on(BASE, value, 6)] == [5]


def test_any_value_may_go_on_an_8():
    assert all(fits_on(BASE, value, 8) for value in range(16))


def test_a_9_may_go_on_anything_but_0_and_then_only_lower_values_follow():
    assert all(fits_on(BASE, 9, top) for top in range(1, 16))
    assert not fits_on(BASE, 9, 0)
    assert [value for value in range(16) if fits_on(BASE, value, 9)] == list(range(10))  # another 9 included


def test_nothing_goes_on_a_0():
    assert not any(fits_on(BASE, value, 0) for value in range(16))


def test_the_dials_change_what_goes_on_what():
    rules = RuleSet(anything_goes_on=(3, 12), goes_on_anything=())
    assert all(fits_on(rules, value, top) for value, top in [(15, 3), (12, 12)])
    assert not any(fits_on(rules, 9, top) for top in (8, 4))


def test_the_rule_set_agrees_on_every_placement():
    for rules in (BASE, RuleSet(anything_goes_on=(1, 9), goes_on_anything=(8, 15))):
        for value, top in itertools.product(range(16), repeat=2):
            assert fits_on(rules, value, top) == rules.fits_on(value, top)


def test_a_tower_holds_one_type_and_a_player_has_one_tower_of_each():
    (build,) = takes_all({}, "candy-3 sand-3")
    assert build.towers == ((3,), (), (), (), (3,))


# Rule 3: bidding and building


@pytest.mark.parametrize(
    ("bid", "position", "powers", "ends"),
    [
        (3, 1, [[], [], []], False),
        (5, 0, [[], [], []], True),
        (4, 2, [[], [], []], True),
        (None, 2, [[], [], []], True),
        (5, 0, [[], [], ["tree"]], False),
        (6, 1, [["tree"], ["tree"], ["sand"]], True),
        (None, 1, [["tree"], ["tree"], []], False),
    ],
)
def test_a_bid_of_the_displays_size_ends_the_bidding_unless_a_later_seat_has_the_tree_power(
    bid, position, powers, ends
):
    assert ends_bidding(bid, position, 0, 5, powers) is ends


def test_anni_tears_down_the_6_to_build_the_7_and_the_whole_display():
    display = "sand-7 candy-5 candy-3 scary-9 tree-12"
    assert {build.torn for build in takes_all({"sand": [6]}, display)} == {("sand-6",)}


def test_anni_cannot_build_all_five_if_her_sand_tower_is_6_4_but_can_build_four():
    display = "sand-7 candy-5 candy-3 scary-9 tree-12"
    found = builds({"sand": [6, 4]}, display)
    assert max(build.bid for build in found) == 4


def test_all_taken_cards_must_be_built():
    assert not takes_all({"candy": [5, 4]}, "candy-6 candy-7")
    assert takes_all({"candy": [8]}, "candy-6 candy-7")


def test_the_builder_chooses_which_cards_to_take_and_builds_them_in_any_order():
    found = builds({}, "candy-1 candy-2 candy-3", only_bid=2)
    assert {build.take for build in found} == {
        ("candy-1", "candy-2"), ("candy-1", "candy-3"), ("candy-2", "candy-3")
    }  # fmt: skip
    assert {tuple(sorted(build.towers[0], reverse=True)) for build in found} == {build.towers[0] for build in found}


def test_only_one_card_may_be_torn_down_and_it_is_a_top_card():
    found = builds({"candy": [9, 4, 2], "sand": [3]}, "candy-7")
    assert {build.torn for build in found} == set()
    found = builds({"candy": [9, 4], "sand": [3]}, "candy-7")
    assert {(build.torn, build.towers[0], build.pile) for build in found} == {(("candy-4",), (9, 7), ("candy-4",))}


def test_tearing_down_is_optional_and_any_tower_will_do():
    assert {build.torn for build in builds({"candy": [9], "sand": [3]}, "tree-7")} == {(), ("candy-9",), ("sand-3",)}


def test_a_0_can_not_be_torn_down():
    assert not builds({"candy": [5, 0]}, "candy-3")
    assert {build.torn for build in builds({"candy": [5, 0]}, "sand-3")} == {()}


def test_the_teardown_limit_is_a_dial():
    towers = {"candy": [9, 4, 2]}
    assert not builds(towers, "candy-7", rules=RuleSet(teardown_limit=0))
    assert {build.torn for build in builds(towers, "candy-7", rules=RuleSet(teardown_limit=3))} == {
        ("candy-2", "candy-4"), ("candy-2", "candy-4", "candy-9")
    }  # fmt: skip


def test_two_copies_of_a_card_are_the_same_card():
    assert len(builds({}, "candy-5 candy-5")) == 1
    assert takes_all({"candy": [8]}, "candy-7 candy-7") == set()
    assert towers_after(takes_all({}, "candy-8 candy-8"), "candy") == {(8, 8)}
    assert towers_after(takes_all({"candy": [2]}, "candy-9 candy-9"), "candy") >= {(2, 9, 9)}


# Rule 5: scoring


def test_a_topped_main_tower_of_six_scores_12_and_6_and_two_torn_cards_cost_3():
    found = score(BASE, (), {"candy": [9, 8, 7, 6, 5, 0]}, ["sand-3", "sand-2"])
    assert found == {"cards": 6, "tops": 6, "main": 6, "pairs": 0, "teardown": -3, "total": 15}


def test_a_card_scores_1_without_and_2_with_a_tower_top():
    assert score(BASE, (), {"candy": [9, 8, 7, 6]}, [])["cards"] == 4
    found = score(BASE, (), {"candy": [9, 8, 0]}, [])
    assert found["cards"] + found["tops"] == 6


def test_the_main_tower_counts_once_also_when_tied():
    assert score(BASE, (), {"candy": [9, 8], "sand": [7, 5]}, [])["main"] == 2


@pytest.mark.parametrize(
    ("costs", "lost"),
    [((1, 2), [0, 1, 3, 6, 10]), ((1,), [0, 1, 2, 3, 4]), ((0,), [0, 0, 0, 0, 0]), ((5, 3), [0, 5, 8, 9, 9]),
     ((2, 2, 7), [0, 2, 4, 11, 23])],
)  # fmt: skip
def test_the_penalty_grows_by_its_last_step(costs, lost):
    rules = RuleSet(teardown_costs=costs)
    assert [teardown_vp_lost(rules, torn) for torn in range(5)] == lost
    assert [rules.teardown_cost(torn) for torn in range(5)] == lost


def test_openness_counts_the_values_that_could_go_next():
    assert openness(BASE, {"candy": [5], "scary": [8], "tree": [5, 0], "scrap": [9]}) == (6, 16, 0, 10, 16)


# Rule 6: Great Powers


def test_a_bid_of_6_takes_four_cards_and_pays_two_from_the_top_of_the_tree_tower():
    found = builds({"tree": [12, 7, 3]}, "candy-1 candy-2 candy-3 candy-4 sand-1", {"tree"}, only_bid=6)
    assert (4, 2) in {(len(build.take), build.pay) for build in found}
    assert {build.towers[2] for build in found if build.pay == 2} == {(12,), ()}  # the 12 may be torn down after
    assert not any("tree-3" in build.pile or "tree-7" in build.pile for build in found if build.pay == 2)


def test_without_the_tree_power_or_with_a_topped_tree_tower_nobody_pays():
    assert all(build.pay == 0 for build in builds({"tree": [12, 7]}, "candy-1"))
    assert all(build.pay == 0 for build in builds({"tree": [12, 0]}, "candy-1", {"tree"}))


def test_who_pays_takes_no_tree_card_from_the_display():
    found = builds({"tree": [12, 7]}, "candy-1 tree-3", {"tree"})
    assert all("tree-3" not in build.take for build in found if build.pay)
    assert any("tree-3" in build.take for build in found)


def test_paying_the_whole_bid_is_allowed_unless_the_dial_forbids_it():
    found = builds({"tree": [12, 7], "sand": [3]}, "candy-1", {"tree"}, only_bid=1)
    whole = {(build.torn, build.towers[2]) for build in found if build.pay == 1}
    assert whole == {((), (12,)), (("tree-12",), ()), (("sand-3",), (12,))}
    found = builds({"tree": [12, 7]}, "candy-1", {"tree"}, rules=RuleSet(tree_min_take=1))
    assert {(len(build.take), build.pay) for build in found} == {(1, 0), (1, 1), (1, 2)}


def test_a_scrap_card_fetches_the_card_torn_down_this_round():
    found = takes_all({"candy": [14, 10]}, "candy-11 scrap-15", {"scrap"})
    assert ((14, 11, 10), ("candy-10",), ()) in {(build.towers[0], build.fetched, build.pile) for build in found}
    assert not any(build.fetched for build in takes_all({"candy": [14, 10]}, "candy-11 scrap-15"))


def test_a_fetched_scrap_card_gives_the_right_again():
    found = builds({}, "scrap-9", {"scrap"}, ["scrap-4", "candy-3", "sand-2"], only_bid=1)
    assert {build.fetched for build in found} == {
        (), ("scrap-4",), ("candy-3",), ("sand-2",), ("candy-3", "scrap-4"), ("sand-2", "scrap-4")
    }  # fmt: skip


def test_a_fetch_follows_its_scrap_card_at_once():
    found = takes_all({"candy": [8]}, "candy-7 scrap-5", {"scrap"}, ["candy-3"], RuleSet(teardown_limit=0))
    assert towers_after({build for build in found if build.fetched}, "candy") == {(8, 7, 3)}
    found = takes_all({"candy": [8]}, "candy-2 scrap-5", {"scrap"}, ["candy-3"], RuleSet(teardown_limit=0))
    (build,) = (build for build in found if build.fetched)
    steps = carry_out(BASE, {"scrap"}, {"candy": [8]}, ["candy-3"], build)["placements"]
    assert [step["card"] for step in steps] == ["scrap-5", "candy-3", "candy-2"]


def test_sand_cards_go_to_the_top_or_the_bottom_but_not_to_both_in_one_round():
    towers = {"sand": [11, 7, 6]}
    found = builds(towers, "sand-4 sand-8 sand-12", {"sand"}, rules=RuleSet(teardown_limit=0))
    assert {(build.take, build.towers[4]) for build in found if build.bid > 1} == {
        (("sand-12", "sand-8"), (8, 12, 11, 7, 6)),
        (("sand-12", "sand-8"), (12, 8, 11, 7, 6)),
    }
    assert (11, 7, 6, 4) in towers_after(found, "sand")
    assert max(build.bid for build in found) == 2


@pytest.mark.parametrize(("card", "lowest", "legal"), [
    (12, 11, True), (11, 12, False), (8, 15, True), (2, 9, True), (0, 9, False), (0, 8, False), (7, 7, False),
    (8, 8, True), (9, 9, True), (9, 12, False),
])  # fmt: skip
def test_a_card_goes_under_the_lowest_if_the_lowest_could_lie_on_it(card, lowest, legal):
    assert fits_under(BASE, card, lowest) is legal


def test_nothing_goes_under_a_sand_tower_with_a_top():
    assert not builds({"sand": [5, 0]}, "sand-12", {"sand"})


def test_the_first_card_of_a_new_sand_tower_commits_to_neither_end():
    found = takes_all({}, "sand-5 sand-4 sand-12", {"sand"}, rules=RuleSet(teardown_limit=0))
    assert towers_after(found, "sand") == {(12, 5, 4)}
    assert towers_after(takes_all({"sand": [4]}, "sand-12", {"sand"}), "sand") == {(12, 4), (12,)}


def test_a_fetched_sand_card_counts_for_the_end():
    found = takes_all({"sand": [7]}, "sand-12 scrap-5", {"sand", "scrap"}, ["sand-3"], RuleSet(teardown_limit=0))
    assert towers_after(found, "sand") == {(12, 7)}
    found = takes_all({"sand": [7]}, "sand-12 scrap-5", {"sand", "scrap"}, ["sand-14"], RuleSet(teardown_limit=0))
    assert (14, 12, 7) in towers_after(found, "sand")


def test_scary_and_candy_score_3_for_each_pair_and_each_card_pairs_once():
    towers = {"scary": [12, 11, 7, 3], "candy": [14, 11, 8, 12, 0]}
    assert score(BASE, {"pairs"}, towers, [])["pairs"] == 6
    assert score(BASE, set(), towers, [])["pairs"] == 0
    assert score(BASE, {"pairs"}, {"scary": [9, 9], "candy": [9]}, [])["pairs"] == 3


# The greedy policy


def test_greedy_takes_the_highest_score_then_the_most_open_towers():
    best, found = best_builds(BASE, (), {}, [], ["candy-5", "candy-7", "sand-0"], 0)
    # All three cards score 3, the sand top 1 more, the main tower 2; 0 to 4 and the 9 may go on the 5.
    assert best == (6, 6 + 0 + 48)
    assert {build.bid for build in found} == {3}
    assert best_builds(BASE, (), {}, [], ["candy-5"], 1) == (None, set())
