"""Rules 6.1 to 6.3: the tree, scrap and sand powers."""

from __future__ import annotations

import numpy as np
import pytest

from fivetowers_sim.rules.cards import TREE, card_name, parse_card
from fivetowers_sim.rules.state import BOTTOM_END, BUILD, FROM_TEARDOWN
from fivetowers_sim.rules.takes import legal_takes
from tests.kernels import carry_out, is_last_word, may_lie_under, may_pay
from tests.positions import BASE, RuleSet, Spot, spot
from tests.reference.builds import as_towers
from tests.rounds import Rounds

NO_TEARDOWN = RuleSet(teardown_limit=0)
SILENT = "random:max_bid=0"


def takes(display, towers=None, pile="", powers=(), rules=BASE, bid=None, **more):
    """Return what seat 0 could take and how many tree cards it would pay: {("candy-1 sand-3", 2), …}."""
    position = spot(display, towers, pile, powers, rules, **more)
    found = legal_takes(position.compile_rules()[0], position.games()[0], 0)
    return {(" ".join(card_name(c) for c in cards), pay) for said, cards, pay in found if bid in (None, said)}


def results(display, towers=None, pile="", powers=(), rules=BASE, rounds=250):
    """Return all that `random` ever builds from a position."""
    table = Rounds(spot(display, towers, pile, powers, rules), ["random", SILENT, SILENT])
    return {table.build() for luck in range(rounds) if table.play(luck) == 0}


def after(found, kind):
    """Return what a tower comes to in some results."""
    return {build.towers[("candy", "scary", "tree", "scrap", "sand").index(kind)] for build in found}


def carried_out(position: Spot, pay=0, torn=(), placed=()):
    """Carry a build of seat 0 out card by card: (card, end, origin)."""
    games = position.games()
    build = np.zeros(1, BUILD)[0]
    build["pay"], build["torn_size"], build["placed_size"] = pay, len(torn), len(placed)
    build["torn_kind"][: len(torn)] = torn
    for place, (card, end, origin) in enumerate(placed):
        build["placed_card"][place] = parse_card(card)
        build["placed_end"][place] = end
        build["placed_from"][place] = origin
    carry_out(games[0], 0, build)
    return games[0], build


# Rule 6.1: tree


def test_a_bid_of_6_takes_four_cards_and_pays_two():
    display = "candy-1 candy-2 candy-3 candy-4 sand-1"
    found = takes(display, {"tree": (12, 7, 3)}, powers=["tree"], bid=6)
    assert ("candy-1 candy-2 candy-3 candy-4", 2) in found
    assert {pay for _, pay in found} == {1, 2, 3}


def test_trees_are_paid_from_the_top_to_the_discard_pile():
    game, build = carried_out(spot("candy-1", {"tree": (12, 7, 3)}), pay=2)
    assert game["height"][0, TREE] == 1
    assert [card_name(card) for card in build["paid_card"][:2]] == ["tree-3", "tree-7"]
    assert [card_name(card) for card in game["discard"][: game["discard_size"]]] == ["tree-3", "tree-7"]
    assert game["pile_size"][0] == 0


@pytest.mark.parametrize(
    ("tower", "powers", "most"),
    [((12, 7, 3), ["tree"], 3), ((12, 7, 3), ["sand"], 0), ((12, 0), ["tree"], 0), ((), ["tree"], 0)],
)
def test_only_a_tree_tower_without_a_top_pays_and_only_with_the_power(tower, powers, most):
    position = spot("candy-1", {"tree": tower}, powers=powers)
    assert may_pay(position.compile_rules()[0], position.games()[0], 0) == most


def test_who_pays_takes_no_tree_card_from_the_display():
    found = takes("candy-1 tree-3", {"tree": (12, 7)}, powers=["tree"])
    assert {take for take, pay in found if pay == 0} == {"candy-1", "tree-3", "candy-1 tree-3"}
    assert {take for take, pay in found if pay > 0} == {"", "candy-1"}


def test_with_the_tree_power_after_it_a_bid_of_5_does_not_end_the_bidding():
    position = spot("candy-1 candy-2 candy-3 candy-4 candy-5")
    game = position.games()[0]
    for powers, ends in [
        ([(), (), ()], [True, True, True]),
        ([(), ("tree",), ()], [False, True, True]),
        ([(), (), ("tree",)], [False, False, True]),
        ([("tree",), ("sand",), ("scrap", "pairs")], [True, True, True]),
    ]:
        rules = Spot(BASE, tuple(map(frozenset, powers)), position.display, position.towers, position.piles)
        record = rules.compile_rules()[0]
        assert [is_last_word(record, game, place, 5) for place in range(3)] == ends
        assert not any(is_last_word(record, game, place, 4) for place in range(3))
        assert [is_last_word(record, game, place, 7) for place in range(3)] == ends


def test_paying_the_whole_bid_is_allowed_and_the_payer_counts_as_the_builder():
    assert ("", 2) in takes("candy-1", {"tree": (12, 7)}, powers=["tree"])
    table = Rounds(spot("candy-0", {"tree": (12, 7), "candy": (5, 0)}, powers=["tree"]), ["random", SILENT, SILENT])
    paid = [luck for luck in range(200) if table.play(luck) == 0 and table.build().take == ()]
    assert paid
    assert table.play(paid[0]) == 0
    assert table.table.game["start"] == 1


@pytest.mark.parametrize("fewest", [0, 1, 2, 3])
def test_how_many_cards_a_payer_must_take_is_a_dial(fewest):
    rules = RuleSet(tree_min_take=fewest)
    found = takes("candy-1 candy-2 sand-3", {"tree": (12, 7)}, powers=["tree"], rules=rules)
    assert min(len(take.split()) for take, pay in found if pay) == fewest
    assert min(len(take.split()) for take, pay in found if not pay) == 1


def test_after_paying_the_new_top_tree_card_may_be_torn_down():
    found = results("candy-1", {"tree": (12, 7)}, powers=["tree"])
    torn = {(build.pay, build.torn, build.towers[TREE]) for build in found}
    assert (1, ("tree-12",), ()) in torn
    assert (1, ("tree-7",), (12,)) not in torn
    assert (0, ("tree-7",), (12,)) in torn


def test_who_pays_may_still_fetch_a_tree_card():
    found = results("scrap-5", {"tree": (12, 7)}, "tree-3", ["tree", "scrap"])
    assert (12, 3) in after({build for build in found if build.pay == 1 and build.fetched}, "tree")


# Rule 6.2: scrap


def test_a_scrap_card_fetches_the_card_torn_down_this_very_round():
    found = results("candy-11 scrap-15", {"candy": (14, 10)}, powers=["scrap"], rounds=400)
    assert ((14, 11, 10), ("candy-10",), ()) in {(build.towers[0], build.fetched, build.pile) for build in found}


def test_without_the_scrap_power_nothing_is_fetched():
    found = results("candy-11 scrap-15", {"candy": (14, 10)}, "candy-3", ["tree", "sand", "pairs"])
    assert not any(build.fetched for build in found)


def test_each_scrap_card_fetches_one_card_and_a_fetched_scrap_card_gives_the_right_again():
    pile = "scrap-4 candy-3 sand-2"
    found = {build.fetched for build in results("scrap-9", {}, pile, ["scrap"]) if not build.torn}
    assert found == {
        (), ("scrap-4",), ("candy-3",), ("sand-2",), ("candy-3", "scrap-4"), ("sand-2", "scrap-4")
    }  # fmt: skip


def test_fetched_cards_may_lie_under_cards_from_the_hand_so_that_more_can_be_taken():
    assert ("candy-7 scrap-5", 0) not in takes("candy-7 scrap-5", {"candy": (6,)}, "candy-8", rules=NO_TEARDOWN)
    assert ("candy-7 scrap-5", 0) not in takes(
        "candy-7 scrap-5", {"candy": (6,)}, "candy-8", ["scrap"], rules=NO_TEARDOWN
    )
    assert ("candy-7 scrap-5", 0) in takes("candy-7 scrap-5", {"candy": (6,)}, "candy-9 ", ["scrap"], rules=NO_TEARDOWN)


def test_no_fetch_without_a_scrap_card_from_the_display():
    found = results("candy-7", {"candy": (10,)}, "candy-3 scrap-4", ["scrap"])
    assert not any(build.fetched for build in found)


def test_a_9_is_fetched_onto_anything_but_a_0():
    found = results("scrap-5", {"candy": (3,)}, "candy-9", ["scrap"], NO_TEARDOWN)
    assert (3, 9) in after(found, "candy")
    found = results("scrap-5", {"candy": (3, 0)}, "candy-9", ["scrap"], NO_TEARDOWN)
    assert after(found, "candy") == {(3, 0)}


def test_a_fetched_card_is_placed_by_the_usual_rules():
    found = results("scrap-5", {"candy": (3,)}, "candy-4 candy-2", ["scrap"], NO_TEARDOWN)
    assert after(found, "candy") == {(3,), (3, 2)}


def test_a_fetch_takes_the_card_out_of_the_teardown_pile():
    position = spot("candy-1", {"scrap": (5,)}, "candy-3 sand-2")
    game, _ = carried_out(position, placed=[("candy-3", 0, FROM_TEARDOWN)])
    assert game["pile_size"][0] == 1
    assert card_name(game["pile"][0, 0]) == "sand-2"
    assert game["tower"][0, 0, 1] == 3


# Rule 6.3: sand


@pytest.mark.parametrize(
    ("card", "lowest", "legal"),
    [
        (12, 11, True), (11, 12, False), (7, 7, False),
        (8, 15, True), (8, 8, True),
        (2, 9, True), (9, 9, True), (9, 12, False), (9, 8, True),
        (0, 9, False), (0, 8, False), (0, 5, False),
    ],
)  # fmt: skip
def test_a_card_slides_under_the_lowest_if_the_lowest_could_lie_on_it(card, lowest, legal):
    assert may_lie_under(spot("sand-1").compile_rules()[0], card, lowest) == legal


def test_12_and_8_can_go_under_an_11_or_4_on_top_but_not_all_three():
    towers = {"sand": (11, 7, 6)}
    found = takes("sand-4 sand-8 sand-12", towers, powers=["sand"], rules=NO_TEARDOWN)
    assert {take for take, _ in found} == {"sand-4", "sand-8", "sand-12", "sand-8 sand-12"}
    built = results("sand-4 sand-8 sand-12", towers, powers=["sand"], rules=NO_TEARDOWN)
    assert {build.towers[4] for build in built if build.bid == 2} == {(8, 12, 11, 7, 6), (12, 8, 11, 7, 6)}
    assert {build.towers[4] for build in built if build.take == ("sand-4",)} == {(11, 7, 6, 4)}


def test_without_the_sand_power_nothing_goes_under():
    assert takes("sand-12", {"sand": (11,)}, powers=["tree", "scrap", "pairs"], rules=NO_TEARDOWN) == set()


def test_nothing_is_added_to_either_end_of_a_sand_tower_with_a_top():
    assert takes("sand-12 sand-4", {"sand": (5, 0)}, powers=["sand"]) == set()


def test_other_towers_are_only_added_to_on_top():
    assert takes("scary-12 candy-12", {"scary": (5,), "candy": (5,)}, powers=["sand"], rules=NO_TEARDOWN) == set()


def test_the_first_card_of_a_new_sand_tower_commits_to_neither_end():
    found = results("sand-12 sand-5 sand-4", {}, powers=["sand"], rules=NO_TEARDOWN)
    assert {build.towers[4] for build in found if build.bid == 3} == {(12, 5, 4)}


def test_a_sand_card_torn_down_leaves_the_choice_of_the_end():
    found = results("sand-12 sand-14", {"sand": (11, 4)}, powers=["sand"])
    whole = {build.towers[4] for build in found if build.bid == 2 and build.torn}
    assert whole == {(14, 12, 11)}
    assert {build.towers[4] for build in results("sand-9", {"sand": (11, 4)}, powers=["sand"]) if build.torn} == {
        (11, 9)
    }


def test_a_fetched_sand_card_may_go_under_and_counts_for_the_end_of_the_round():
    found = results("sand-12 scrap-5", {"sand": (7,)}, "sand-14", ["sand", "scrap"], NO_TEARDOWN)
    assert (14, 12, 7) in after(found, "sand")
    found = results("sand-12 scrap-5", {"sand": (7,)}, "sand-3", ["sand", "scrap"], NO_TEARDOWN)
    assert not any(build.fetched and "sand-12" in build.take for build in found)
    assert (7, 3) in after(found, "sand")


def test_a_card_slid_under_moves_the_others_up():
    game, _ = carried_out(
        spot("sand-1", {"sand": (11, 7)}), placed=[("sand-12", BOTTOM_END, 0), ("sand-8", BOTTOM_END, 0)]
    )
    assert game["tower"][0, 4, 1:5].tolist() == [8, 12, 11, 7]
    assert as_towers({"sand": (8, 12, 11, 7)})[4] == (8, 12, 11, 7)
