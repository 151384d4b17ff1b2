"""Cancelled builds in the reference game and its audit (rule 3.6)."""

from __future__ import annotations

from tests.reference.audit import audit_trace
from tests.reference.choosers import action, assert_named, play_script

# Seat 0 has a candy top, and so can build two cards of the third display.
VOID_FRONT = (
    "candy-0 scary-1 tree-1 scrap-1 sand-1 scary-3 tree-5 scrap-3 sand-5 candy-2 candy-4 candy-5 candy-6 tree-3 sand-3"
)


def cancelled(words, *third_builds):
    """Play a third round with these words; seat 2 starts it, then come seats 0 and 1."""
    builds = [action("candy-0"), action("scary-3"), *third_builds]
    return play_script(VOID_FRONT, [1, None, None, 1, None, None, *words], builds)


def test_after_a_cancelled_build_bidding_resumes_at_that_player():
    trace = cancelled([1, 3, None, 2, None], None, action("tree-3 sand-3"))
    assert trace["rounds"][2]["bids"] == [
        {"seat": 2, "bid": 1}, {"seat": 0, "bid": 3, "void": True}, {"seat": 1, "bid": None, "void": True},
        {"seat": 0, "bid": 2}, {"seat": 1, "bid": None},
    ]  # fmt: skip
    assert audit_trace(trace) == []


def test_after_a_cancelled_build_the_player_may_pass_and_later_players_speak_again():
    trace = cancelled([1, 4, None, None, 5], None, action("candy-6 candy-5 candy-4 tree-3 sand-3"))
    assert audit_trace(trace) == []
    assert trace["rounds"][2]["winner"] == 1


def test_a_starting_player_may_say_0_after_a_cancelled_build():
    words, builds = [1, None, 1, None, 3, None, 0, None], [action("candy-0"), action("scary-3"), None]
    trace = play_script(VOID_FRONT, words, builds, ((), ()))
    assert trace["rounds"][2]["bids"][0] == {"seat": 0, "bid": 3, "void": True}
    assert trace["rounds"][2]["winner"] is None
    assert trace["rounds"][3]["start"] == 0
    assert audit_trace(trace) == []


def test_a_buildable_bid_must_not_be_undone():
    trace = cancelled([1, 2, None, None, None], None, action("candy-4"))
    assert_named(audit_trace(trace), "round 3: seat 0's bid of 2 was undone, but can be carried out")


def test_a_revised_bid_must_be_lower_and_still_above_the_bids_before_it():
    trace = cancelled([1, 3, None, 4, None], None, action("candy-4"))
    assert_named(audit_trace(trace), "round 3", "revised bid 4 is not below the undone bid of 3")
    trace = cancelled([2, 3, None, 2, None], None, action("candy-6 candy-5"))
    assert_named(audit_trace(trace), "round 3", "bid 2 does not raise the bid of 2")


def test_undone_words_must_be_marked_and_no_others():
    trace = cancelled([1, 3, None, 2, None], None, action("tree-3 sand-3"))
    del trace["rounds"][2]["bids"][2]["void"]
    assert_named(audit_trace(trace), "round 3", "word 3 is not marked void")
    trace = cancelled([1, None, 2], action("tree-3 sand-3"))
    trace["rounds"][2]["bids"][1]["void"] = True
    assert_named(audit_trace(trace), "round 3", "word 2 is marked void")
