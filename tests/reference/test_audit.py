"""The audit passes games played by the rules and names every fault planted in one."""

from __future__ import annotations

import copy
import itertools
import json

import pytest

from fivetowers_sim.rules.ruleset import POWERS, RuleSet
from tests.reference.audit import audit_trace, main
from tests.reference.choosers import action, assert_named, play_script, play_wild_game

ALL_POWER_SETS = [list(chosen) for size in range(5) for chosen in itertools.combinations(POWERS, size)]
FRONT = "candy-14 candy-10 sand-6 tree-7 scrap-4 candy-11 scrap-15 sand-9 sand-12 sand-4"
SMALL = {
    "highest_value": 5, "anything_goes_on": (3,), "goes_on_anything": (4,), "extra_copies_4": (), "extra_copies_5": ()
}  # fmt: skip


def planted(words, builds, powers=((), (), ()), front=FRONT, rules=None):
    """Return what the audit says of a scripted game."""
    return audit_trace(play_script(front, words, builds, powers, rules))


# Legal games


@pytest.mark.parametrize("powers", ALL_POWER_SETS, ids=lambda powers: "+".join(powers) or "none")
def test_a_game_played_by_the_rules_passes_under_every_power_set(powers):
    trace = play_wild_game(RuleSet(), [powers] * 3, seed=len(powers))
    assert audit_trace(json.loads(json.dumps(trace))) == []


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_game_with_different_powers_per_seat_passes(players):
    powers = [["tree"], [], ["scrap", "sand"], ["tree", "pairs"], list(POWERS)][:players]
    assert audit_trace(play_wild_game(RuleSet(), powers, seed=players)) == []


OTHER_DIALS = [
    {"display_size": 3},
    {"display_size": 7, "highest_value": 9, "extra_copies_4": (), "extra_copies_5": ()},
    {"deck_passes": 1},
    {"deck_passes": 3, **SMALL},
    {"teardown_limit": 0},
    {"teardown_limit": 3, "display_size": 4},
    {"tree_min_take": 2},
    {"copies": 2, "anything_goes_on": (8, 3), "goes_on_anything": (9, 14), "deck_passes": 1},
    {"teardown_costs": (4, 3), "vp_per_card": 2, "vp_per_topped_card": 1, "vp_main_tower": 0, "pair_vp": 5},
]


@pytest.mark.parametrize("dials", OTHER_DIALS, ids=str)
def test_a_game_with_other_dials_passes(dials):
    assert audit_trace(play_wild_game(RuleSet(**dials), [list(POWERS), ["tree"], []], seed=4)) == []


def test_greedy_seats_pass_the_strategy_check_and_others_do_not():
    trace = play_wild_game(RuleSet(deck_passes=1), [["scrap"], ["sand"]], seed=1, greedy_seats=[0])
    assert audit_trace(trace, check_strategies=True) == []
    trace["strategies"] = ["greedy", "greedy"]
    assert_named(audit_trace(trace, check_strategies=True), "greedy seat 1 says")


# Planted faults in the record of a legal game


@pytest.fixture
def trace():
    return play_wild_game(RuleSet(), [list(POWERS), ["tree"], []], seed=11)


def won_round(trace, accepts=lambda played: True):
    return next(played for played in trace["rounds"] if played["winner"] is not None and accepts(played))


def test_the_fixture_is_legal(trace):
    assert audit_trace(trace) == []


def test_the_wrong_seat_starting_is_named(trace):
    trace["rounds"][3]["start"] = (trace["rounds"][3]["start"] + 1) % 3
    assert_named(audit_trace(trace), "round 4", "starts, but seat")


def test_the_next_start_is_left_of_the_builder_not_of_the_last_start():
    trace = play_script(FRONT, [0, None, 1], [action("candy-14")])
    assert [played["start"] for played in trace["rounds"][:3]] == [0, 0, 0]
    trace = play_script(FRONT, [0, 1, None], [action("candy-14")])
    assert [played["start"] for played in trace["rounds"][:3]] == [0, 2, 2]
    assert audit_trace(trace) == []


def test_a_wrong_winner_is_named(trace):
    played = won_round(trace)
    played["winner"] = (played["winner"] + 1) % 3
    assert_named(audit_trace(trace), f"round {played['round']}", "winner is")


def test_a_missing_placement_is_named(trace):
    played = won_round(trace)
    card = played["placements"].pop()["card"]
    assert_named(audit_trace(trace), f"round {played['round']}", f"takes {card} but does not build it")


def test_a_display_that_is_not_the_decks_next_cards_is_named(trace):
    trace["deck"][0], trace["deck"][-1] = trace["deck"][-1], trace["deck"][0]
    assert_named(audit_trace(trace), "round 1: display is")


def test_a_deck_of_the_wrong_cards_is_named(trace):
    trace["deck"][-1] = trace["deck"][0]
    assert_named(audit_trace(trace), "header: the deck is not made of the cards in play")


def test_a_reshuffle_that_is_not_the_discard_pile_is_named(trace):
    deck = trace["reshuffles"][0]["deck"]
    deck[-1] = "candy-3" if deck[-1] != "candy-3" else "candy-4"
    assert_named(audit_trace(trace), "the reshuffled deck is not made of the discard pile's cards")


def test_a_game_that_ends_early_is_named(trace):
    trace["rounds"].pop()
    assert_named(audit_trace(trace), "end: the trace stops early")


def test_a_round_after_the_end_is_named(trace):
    trace["rounds"].append(copy.deepcopy(trace["rounds"][-1]))
    assert_named(audit_trace(trace), "is played after the game was over")


def test_a_missing_or_second_reshuffle_is_named(trace):
    trace["reshuffles"].append({"after_round": len(trace["rounds"]), "deck": []})
    assert_named(audit_trace(trace), "a reshuffle after round")
    trace["reshuffles"] = []
    assert_named(audit_trace(trace), "the discard pile is not reshuffled")


@pytest.mark.parametrize("part", ["cards", "tops", "main", "pairs", "teardown", "total"])
def test_a_wrong_score_is_named(trace, part):
    trace["scores"][1][part] += 1
    assert_named(audit_trace(trace), f"end: seat 1: {part} is")


def test_wrong_winners_are_named(trace):
    trace["winners"] = [(trace["winners"][0] + 1) % 3]
    assert_named(audit_trace(trace), "end: winners are")


def test_a_malformed_trace_is_named_not_raised(trace):
    del trace["rounds"][2]["display"]
    assert_named(audit_trace(trace), "round 3: malformed trace")
    assert_named(audit_trace({}), "header: malformed trace")


# Planted faults in the play itself


@pytest.mark.parametrize(
    ("words", "builds", "named"),
    [
        ([2, 2, None], [action("candy-14 candy-10")], "bid 2 does not raise the bid of 2"),
        ([2, 1, None], [action("candy-14 candy-10")], "bid 1 does not raise the bid of 2"),
        ([6], [action("candy-14 candy-10 sand-6 tree-7 scrap-4")], "above the highest possible bid of 5"),
        ([1], [action("candy-14 candy-10")], "takes 2 and pays 0 for a bid of 1"),
        ([1], [action("candy-11")], "takes candy-11, which is not in the display"),
        ([2], [action("candy-10 candy-14")], "adds candy-14 on a 10"),
        ([1], [action("candy-14", "candy-14/bottom")], "which only the sand power allows"),
        ([1], [action("candy-14", teardown="sand-6")], "tears down sand-6, which is not the top of its tower"),
        ([1], [action("candy-14", "candy-14 sand-3<teardown")], "fetches sand-3 without the scrap power"),
        ([2], [action("candy-14", paid="tree-7")], "pays with tree cards without the tree power"),
        ([1], [action("candy-14", "candy-14 candy-10")], "builds candy-10, which is not in hand"),
    ],
)  # fmt: skip
def test_a_rule_broken_in_the_first_round_is_named(words, builds, named):
    # The others pass; a bid of 5 or more leaves them no word.
    others = [] if words[0] >= 5 else [None] * (3 - len(words))
    assert_named(planted([*words, *others], builds), "round 1", named)


def second_round(first, second, powers=((), ()), front=FRONT, rules=None):
    """Let seat 0 of two make both builds and return what the audit says of the second.

    Seat 1 starts the second round with 0, so seat 0 wins it with its bid.
    """
    bids = [len(build["taken"]) + len(build["paid"]) for build in (first, second)]
    return planted([bids[0], None, 0, bids[1]], [first, second], powers, front, rules)


def test_a_card_of_equal_value_is_named():
    front = "sand-12 tree-1 tree-2 tree-3 tree-4 sand-12 tree-5 tree-6 tree-8 tree-9"
    rules = RuleSet(copies=2, extra_copies_4=(), extra_copies_5=())
    problems = second_round(action("sand-12"), action("sand-12"), front=front, rules=rules)
    assert_named(problems, "round 2", "sand-12 on a 12")


def test_a_card_on_a_0_is_named_even_a_9():
    front = "sand-0 tree-1 tree-2 tree-3 tree-4 sand-9 tree-5 tree-6 tree-8 tree-9"
    assert_named(second_round(action("sand-0"), action("sand-9"), front=front), "round 2", "to a tower that has a top")


def test_a_torn_tower_top_is_named():
    front = "sand-0 tree-1 tree-2 tree-3 tree-4 sand-9 tree-5 tree-6 tree-8 tree-9"
    problems = second_round(action("sand-0"), action("sand-9", teardown="sand-0"), front=front)
    assert_named(problems, "round 2", "tears down the tower top sand-0")


def test_two_torn_cards_are_named():
    first, torn = action("candy-14 candy-10 sand-6"), ["candy-10", "sand-6"]
    assert_named(second_round(first, action("candy-11", teardown=torn)), "round 2", "tears down 2 cards; at most 1")
    assert second_round(first, action("candy-11", teardown=torn), rules=RuleSet(teardown_limit=2)) == []
    assert second_round(first, action("candy-11", teardown="candy-10")) == []


def test_a_fetch_is_right_only_after_a_scrap_card():
    first = action("candy-14 candy-10")
    good = action("candy-11 scrap-15", "candy-11 scrap-15 candy-10<teardown", "candy-10")
    late = action("scrap-15 candy-11", "scrap-15 candy-11 candy-10<teardown", "candy-10")
    twice = action("scrap-15", "scrap-15 candy-10<teardown candy-10<teardown", "candy-10")
    powers = (["scrap"], [])
    assert second_round(first, good, powers) == []
    assert_named(second_round(first, late, powers), "fetches candy-10 without having just added a scrap card")
    assert_named(second_round(first, twice, powers), "fetches candy-10, which is not in the teardown pile")
    assert_named(second_round(first, good, ([], ["scrap"])), "fetches candy-10 without the scrap power")


def test_sand_cards_at_both_ends_are_named():
    first, powers = action("sand-6"), (["sand"], [])
    both = action("sand-4 sand-12", "sand-4 sand-12/bottom")
    assert_named(second_round(first, both, powers), "sand-12 at the bottom of the sand tower after adding at the top")
    assert second_round(first, action("sand-12", "sand-12/bottom"), powers) == []
    assert_named(second_round(first, action("sand-4", "sand-4/bottom"), powers), "slides sand-4 under a 6")


def test_tree_payments_follow_their_rules():
    powers = (["tree"], [])
    front = "tree-7 tree-4 sand-1 sand-2 sand-3 tree-2 candy-5 candy-4 tree-0 scary-9"
    first = action("tree-7 tree-4")

    def pays(second, first=first, rules=None):
        return second_round(first, second, powers, front, rules)

    assert pays(action("candy-5", paid="tree-4 tree-7")) == []
    assert pays(action(paid="tree-4", teardown="tree-7")) == []
    assert_named(pays(action("tree-2", paid="tree-4")), "takes a tree card from the display while paying")
    assert_named(pays(action("candy-5", paid="tree-7")), "pays tree-7, which is not the top of the tree tower")
    assert_named(pays(action(paid="tree-4"), rules=RuleSet(tree_min_take=1)), "at least 1 must be taken")
    front = "tree-7 tree-0 sand-1 sand-2 sand-3 tree-2 candy-5 candy-4 tree-4 scary-9"
    topped = pays(action("candy-5", paid="tree-0"), action("tree-7 tree-0"))
    assert_named(topped, "pays from a tree tower that has a top")


def test_with_the_tree_power_a_full_bid_may_be_outbid_and_bidding_goes_on():
    front = "tree-7 tree-4 sand-1 sand-2 sand-3 candy-6 candy-5 candy-4 scary-9 scrap-9"
    second = action("candy-6 candy-5 candy-4 scary-9", paid="tree-4 tree-7")
    words, builds = [2, None, 5, 6], [action("tree-7 tree-4"), second]
    assert audit_trace(play_script(front, words, builds, (["tree"], []))) == []
    trace = play_script(front, words, builds, (["tree"], []))
    trace["powers_by_seat"] = [[], ["tree"]]
    assert_named(audit_trace(trace), "round 2", "speaks after the bidding was over")


def test_speaking_twice_or_out_of_turn_is_named():
    trace = play_script(FRONT, [1, 2, None], [action("candy-14 candy-10")])
    trace["rounds"][0]["bids"].append({"seat": 0, "bid": 3})
    assert_named(audit_trace(trace), "round 1", "seat 0 speaks after the bidding was over")
    trace["rounds"][0]["bids"][2] = {"seat": 0, "bid": 3}
    assert_named(audit_trace(trace), "round 1", "seat 0 speaks, but it is seat 2's turn")


def test_an_unfinished_bidding_or_a_passing_starting_player_is_named():
    trace = play_script(FRONT, [], [])
    trace["rounds"][0]["bids"].pop()
    trace["rounds"][1]["bids"][0]["bid"] = None
    problems = audit_trace(trace)
    assert_named(problems, "round 1", "stops before everyone has spoken")
    assert_named(problems, "round 2", "the starting player passes instead of saying 0")


def test_actions_in_a_round_that_nobody_won_are_named():
    trace = play_script(FRONT, [], [])
    trace["rounds"][4]["teardown"] = "candy-3"
    assert audit_trace(trace) == ["round 5: nobody won, but there is teardown"]


def test_a_game_ends_at_the_first_empty_deck_if_the_discard_pile_is_empty():
    rules = RuleSet(**{**SMALL, "highest_value": 1, "anything_goes_on": (), "goes_on_anything": ()})
    front = "candy-1 scary-1 tree-1 scrap-1 sand-1 candy-0 scary-0 tree-0 scrap-0 sand-0"
    names = front.split()
    builds = [action(" ".join(names[:5])), action(" ".join(names[5:]))]
    trace = play_script(front, [5, 5], builds, ((), ()), rules)
    assert (len(trace["rounds"]), trace["reshuffles"]) == (2, [])
    assert audit_trace(trace) == []


def test_the_last_display_may_be_short_and_the_highest_bid_shrinks_with_it():
    rules = RuleSet(deck_passes=1, display_size=6)
    trace = play_script("", [], [], rules=rules)
    assert len(trace["rounds"][-1]["display"]) == 2
    assert audit_trace(trace) == []
    trace["rounds"][-1]["bids"][1]["bid"] = 3
    assert_named(audit_trace(trace), "round 14", "above the highest possible bid of 2")


def test_the_command_prints_problems_and_fails(tmp_path, capsys, trace):
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(trace) + "\n")
    assert main([str(file)]) == 0
    trace["winners"] = []
    file.write_text(json.dumps(trace) + "\nnonsense\n")
    assert main([str(file)]) == 1
    printed = capsys.readouterr().out
    for text in ("winners are []", "line 2: not JSON", "2 games, 2 problems"):
        assert text in printed
