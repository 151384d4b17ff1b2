"""Branching a game: what is forced, what is redrawn, and what stays as it was."""

from __future__ import annotations

import numpy as np
import pytest

from fivetowers_sim.engine.branch_record import BRANCH_DETAIL, SHARE_UNITS
from fivetowers_sim.engine.branch_setup import BranchSetup
from fivetowers_sim.engine.record import NOBODY
from fivetowers_sim.engine.setup import SetupError, make_setup
from fivetowers_sim.rules.ruleset import POWERS, RuleSet

PLAYERS = 3


def branch(strategies, tried="words", games=120, powers=(), rules=None, **how):
    """Branch some games; return their tables, and the same games played by themselves."""
    setup = make_setup(rules or RuleSet(), PLAYERS, strategies, 5, [powers] * PLAYERS)
    return BranchSetup(setup, tried, **how).play(0, games, BRANCH_DETAIL), setup.play(0, games, "bids")


def check_unchanged(branched, played):
    """Check that branching leaves the games as they are, and that forcing what was done anyway leads to them."""
    for table in ("games", "seats"):
        assert np.array_equal(branched[table], played[table])
    done = branched["options"][branched["options"]["said"]]
    seat = branched["decisions"]["seat"][done["game"]].astype(int)
    scores = played["seats"].reshape(-1, PLAYERS)
    assert len(done) > 0.9 * len(scores)
    for place in range(PLAYERS):
        there = scores[done["game"], (seat + place) % PLAYERS]
        assert np.array_equal(done[f"total_{place}"], there["total"])
        assert np.array_equal(done[f"share_{place}"], np.rint(there["win_share"] * SHARE_UNITS))


SAME = [
    ("greedy",),
    ("value",),
    ("value", "greedy", "cautious"),
    ("value:max_bid=3", "greedy:never_tear_down=1", "value:never_close=1"),
    ("value:foresight=0.5:denial=0", "value", "bold"),
    ("value:misjudge=0.1", "greedy:misjudge=0.1", "value"),
    ("expert", "expert", "value"),
]


@pytest.mark.parametrize("tried", ["words", "words by teardown", "builds", "starts"])
@pytest.mark.parametrize("strategies", SAME, ids=" ".join)
def test_forcing_what_would_be_done_anyway_changes_nothing(strategies, tried):
    check_unchanged(*branch(strategies, tried, futures=1, redrawn=False))


@pytest.mark.slow
@pytest.mark.parametrize("strategies", [("value",), ("greedy:ignore_power=tree", "value", "greedy")], ids=" ".join)
def test_forcing_what_would_be_done_anyway_changes_nothing_with_great_powers(strategies):
    check_unchanged(*branch(strategies, games=60, powers=POWERS, futures=1, redrawn=False))


@pytest.mark.slow
def test_forcing_what_would_be_done_anyway_changes_nothing_where_futures_are_tried():
    strategies = ("rollout:rollouts=3:ahead=1", "value", "greedy")
    check_unchanged(*branch(strategies, games=6, futures=1, redrawn=False))


def test_what_the_seat_does_by_itself_is_always_an_option():
    branched, _ = branch(("value",), games=200, futures=1)
    said = np.bincount(branched["options"]["game"], branched["options"]["said"], 200)
    assert np.array_equal(said, np.ones(200))


def test_decisions_are_drawn_evenly_from_the_words_of_seats_that_could_bid():
    branched, played = branch(("greedy",), games=600, futures=1)
    bids, decisions = played["bids"], branched["decisions"]
    could = bids[(bids["highest_feasible_bid"] > bids["high_bid_before"]) & ~bids["void"]]
    assert np.array_equal(decisions["drawn_from"], np.bincount(could["game"], minlength=600))
    ranks = []
    for row in decisions:
        own = could[could["game"] == row["game"]]
        at = np.flatnonzero((own["round"] == row["round"]) & (own["seat"] == row["seat"]))
        assert len(at) == 1
        word = own[at[0]]
        for column in ("high_bid", "highest_feasible_bid"):
            assert row[column] == word[{"high_bid": "high_bid_before"}.get(column, column)]
        assert row["said"] == (word["bid"] if word["bid"] > 0 else NOBODY)
        ranks.append((at[0] + 0.5) / len(own))
    # Uniform on 0 to 1: mean 1/2, variance 1/12; five standard errors.
    assert abs(np.mean(ranks) - 1 / 2) < 5 / np.sqrt(12 * 600)
    assert abs(np.var(ranks) - 1 / 12) < 5 * np.sqrt(1 / 180 / 600)


def test_every_bid_that_can_be_carried_out_is_an_option():
    branched, _ = branch(("value",), games=300, futures=1)
    rows, decisions = branched["options"], branched["decisions"]
    for row in decisions:
        bids = rows["bid"][rows["game"] == row["game"]].tolist()
        assert bids == [NOBODY, *range(row["high_bid"] + 1, row["highest_feasible_bid"] + 1)]
        assert row["options"] == len(bids)


def test_the_tree_power_gives_options_beyond_the_display():
    branched, _ = branch(("greedy",), games=150, powers=("tree",), futures=1)
    bids = branched["options"]["bid"]
    assert bids[bids != NOBODY].max() > RuleSet().display_size


def test_a_game_is_branched_alike_in_any_block():
    setup = BranchSetup(make_setup(RuleSet(), PLAYERS, ["value"], 5), futures=2)
    whole = setup.play(0, 40, BRANCH_DETAIL)
    pieces = [setup.play(first, 8, BRANCH_DETAIL) for first in range(0, 40, 8)]
    for table, rows in whole.items():
        assert np.array_equal(rows, np.concatenate([piece[table] for piece in pieces]))


def test_in_the_last_round_of_all_nothing_is_hidden():
    branched, _ = branch(("value",), games=900, futures=4)
    decisions, rows = branched["decisions"], branched["options"]
    last = (decisions["rounds_to_come"] == 0)[rows["game"]]
    assert last.sum() > 20
    columns = ("total_0", "total_1", "total_2", "best_other", "won", "starts_next", "share_0")
    assert all((rows[column][last] % 4 == 0).all() for column in columns)
    assert (rows["total_0"][~last] % 4 != 0).any()


def test_a_seat_that_wins_is_said_to_have_won_and_the_next_seat_starts():
    branched, _ = branch(("value",), games=200, futures=2)
    rows = branched["options"]
    assert not rows["won"][rows["bid"] == NOBODY].any()
    # A bid of the whole display ends the bidding, and a bid that can be carried out is.
    assert (rows["won"][rows["bid"] == RuleSet().display_size] == 2).all()
    assert not (rows["starts_next"] * (rows["won"] == 2)).any()


def test_each_seat_starts_a_round_in_turn():
    branched, _ = branch(("value",), "starts", games=100, futures=2)
    rows = branched["options"]
    assert np.array_equal(rows["starts"], np.tile(np.arange(PLAYERS), 100))
    assert np.array_equal(rows["starts"][rows["said"]], branched["decisions"]["start"])


def test_builds_keep_to_their_constraint():
    for tried in ("words by teardown", "builds"):
        branched, _ = branch(("value",), tried, games=300, futures=1)
        rows = branched["options"]
        assert not rows["torn"][rows["constraint"] == 1].any()
        assert (rows["torn"][rows["constraint"] == 2] == 1).all()
        assert (rows["constraint"] == 2).sum() > 50


def test_the_better_of_the_best_with_and_without_a_teardown_is_the_best():
    # In the last round, greedy's worth is the final score: nobody's build changes what others score.
    branched, _ = branch(("greedy",), "words by teardown", games=1500, futures=1)
    free, _ = branch(("greedy",), "words", games=1500, futures=1)
    last = set(np.flatnonzero(free["decisions"]["rounds_to_come"] == 0).tolist())
    best = {}
    for row in branched["options"]:
        if row["game"] in last and row["bid"] != NOBODY and row["won"]:
            key = int(row["game"]), int(row["bid"])
            best[key] = max(best.get(key, -99), row["total_0"])
    found = {(int(row["game"]), int(row["bid"])): row["total_0"] for row in free["options"] if row["won"]}
    compared = [key for key in best if key in found]
    assert len(compared) > 20
    assert all(best[key] == found[key] for key in compared)


def test_what_cannot_be_branched_is_refused():
    setup = make_setup(RuleSet(), PLAYERS, ["greedy"], 1)
    with pytest.raises(SetupError, match="tried is 'bids'; accepted are words"):
        BranchSetup(setup, "bids")
    with pytest.raises(SetupError, match="futures is 0; accepted is 1 to"):
        BranchSetup(setup, futures=0)
    with pytest.raises(ValueError, match="accepted is branches"):
        BranchSetup(setup).layouts("games")
