"""What ``value`` and ``rollout`` say, where it can be worked out on paper."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fivetowers_sim.strategies.mind import NO_ZERO, ONE_ZERO, ZEROS_UNCOUNTED
from tests.positions import BASE, spot
from tests.rounds import Rounds
from tests.strategies.hand_made import hand_made, save

SILENT = "value:max_bid=0"
LAST_ROUND = replace(BASE, deck_passes=1)


def first_word(position, strategies, start=0):
    """Play a round and return the first word of seat 0: a bid, or None for a pass."""
    rounds = Rounds(position, strategies, start)
    rounds.play()
    bid = next(word.bid for word in rounds.words() if word.seat == 0)
    return bid if bid > 0 else None


def with_rivals(display, towers, *rivals, rules=BASE):
    """Describe a position in which other seats have towers as well."""
    position = spot(display, towers, rules=rules, players=1 + len(rivals))
    return replace(position, towers=(position.towers[0], *rivals))


# The gain of its own build


def test_it_bids_as_many_cards_as_gain_it_most(tmp_path):
    by_hand = save(hand_made({}), tmp_path)
    assert first_word(spot("candy-5 candy-3 sand-7"), [by_hand, SILENT, SILENT]) == 3
    # A candy tower with a 3 on top costs 4 VP: the 5 alone and the sand card gain 2, all three would lose 1.
    by_hand = save(hand_made({3: -4}), tmp_path)
    assert first_word(spot("candy-5 candy-3 sand-7"), [by_hand, SILENT, SILENT]) == 2


@pytest.mark.parametrize(("threshold", "bid"), [(2.9, 3), (3.1, None)])
def test_it_passes_where_winning_gains_less_than_it_asks_for(tmp_path, threshold, bid):
    by_hand = save(hand_made({}), tmp_path)
    assert first_word(spot("candy-5 candy-3 sand-7"), [f"{by_hand}:threshold={threshold}", SILENT, SILENT]) == bid


def test_in_the_last_round_only_the_score_counts(tmp_path):
    by_hand = save(hand_made({3: -4, 7: -9}), tmp_path)
    assert first_word(spot("candy-5 candy-3 sand-7", rules=LAST_ROUND), [by_hand, SILENT, SILENT]) == 3


@pytest.mark.parametrize(("closing", "bid"), [(0, 2), (-5, 1)])
def test_liking_tower_tops_changes_what_it_builds(tmp_path, closing, bid):
    # The 5 gains 1 VP; the 0 on it doubles both cards: 3 more. To who dislikes tops by 5 VP that is a loss.
    by_hand = save(hand_made({}), tmp_path)
    assert first_word(spot("candy-5 candy-0"), [f"{by_hand}:closing={closing}", SILENT, SILENT]) == bid


@pytest.mark.parametrize(("pairing", "bid"), [(0, None), (0.3, None), (0.4, 1), (1, 1)])
def test_pairs_count_in_part_before_the_last_round(tmp_path, pairing, bid):
    # The 7 on the empty scary tower costs 1 VP, and makes a pair of 3 VP with the candy tower's.
    by_hand = save(hand_made({7: -2}), tmp_path)
    strategies = [f"{by_hand}:pairing={pairing}", SILENT, SILENT]
    assert first_word(spot("scary-7", {"candy": (7,)}, powers=["pairs"]), strategies) == bid
    assert first_word(spot("scary-7", {"candy": (7,)}), strategies) is None


def test_in_the_last_round_pairs_count_in_full(tmp_path):
    by_hand = save(hand_made({}), tmp_path)
    # Two cards without a pair gain 2 VP, a third that has to be torn down for the 7 costs more than a third of a pair.
    position = spot("scary-7", {"candy": (7,), "scary": (9, 5)}, powers=["pairs"], rules=LAST_ROUND)
    assert first_word(position, [f"{by_hand}:pairing=0", SILENT, SILENT]) == 1


# Cards still to come


def zero_tables(folder):
    """Save tables in which a 3 on top is good if the 0 can still come, and bad if it can't; it is bad on average."""
    tables = hand_made({})
    tables.top[:, :, NO_ZERO, 3] = -3
    tables.top[:, :, ONE_ZERO, 3] = 3
    tables.top[:, :, ZEROS_UNCOUNTED, 3] = -2
    return save(tables, folder)


def test_it_looks_whether_the_0_is_still_to_come(tmp_path):
    strategies = [zero_tables(tmp_path), SILENT, SILENT]
    open_game = with_rivals("candy-3", {"candy": (9, 7)}, {}, {})
    closed = with_rivals("candy-3", {"candy": (9, 7)}, {}, {"candy": (5, 0)})
    assert first_word(open_game, strategies) == 1
    assert first_word(closed, strategies) is None


def test_without_counting_it_goes_by_the_average(tmp_path):
    strategies = [f"{zero_tables(tmp_path)}:counting=0", SILENT, SILENT]
    assert first_word(with_rivals("candy-3", {"candy": (9, 7)}, {}, {}), strategies) is None


def test_cards_to_come_that_fit_make_a_top_card_better(tmp_path):
    # On a 5 fit 4, 3, 2, 1 and the 9; each is worth 0.5 VP. That outweighs the price of -3 for a 5 on top, unless a
    # rival has built two of them.
    tables = hand_made({5: -3})
    tables.fit[..., 5] = 0.5
    strategies = [save(tables, tmp_path), SILENT, SILENT]
    assert first_word(with_rivals("candy-5", {}, {}, {}), strategies) == 1
    assert first_word(with_rivals("candy-5", {}, {}, {"candy": (9, 4)}), strategies) is None


# The others

OUTBID = ("sand-7 scary-9 candy-5", {"scary": (2,)}, {"sand": (9,), "candy": (1,)})
"""Seat 0 gains 4 with one card, 2 with two. Seat 1 gains 7 with one and 5 with two; it has no use for three."""

OUTBID_PRICES = {7: 3.0, 9: -3.0, 5: -3.0, 2: 0.0}


@pytest.mark.parametrize(("foresight", "bid"), [(0, 1), (1, 2)])
def test_it_foresees_who_would_outbid_it(tmp_path, foresight, bid):
    by_hand = save(hand_made(OUTBID_PRICES), tmp_path)
    strategies = [f"{by_hand}:foresight={foresight}", by_hand]
    assert first_word(with_rivals(*OUTBID), strategies) == bid


@pytest.mark.parametrize(("denial", "bid"), [(0.5, None), (2, 2)])
def test_it_may_take_a_loss_to_keep_cards_from_a_rival(tmp_path, denial, bid):
    # Seat 1 speaks first and gains 7 with the sand card. Seat 0 can outbid it with two bad cards, at a loss of 4. There
    # are two others, so a denial of 2 counts the 7 in full, one of 0.5 a quarter of it.
    by_hand = save(hand_made(OUTBID_PRICES), tmp_path)
    position = with_rivals("sand-7 candy-5 tree-5", {"sand": (1,)}, {"sand": (9,), "candy": (1,), "tree": (1,)}, {})
    assert first_word(position, [f"{by_hand}:denial={denial}", by_hand, SILENT], start=1) == bid


# Rollouts


@pytest.mark.slow
@pytest.mark.parametrize(("strategy", "bid"), [("value:foresight=0", 1), ("rollout:foresight=0:rollouts=5", 2)])
def test_rollout_finds_the_bid_that_wins_where_it_would_be_outbid(strategy, bid):
    # The last round. The candy-0 alone gains seat 0 most; to have the sand card as well it must tear one down. But
    # seat 1 would outbid one card with two, and nobody can outbid two: only so seat 0 gets the top, and wins.
    position = with_rivals(
        "candy-0 sand-7", {"candy": (9, 8, 5), "sand": (9, 1)}, {"candy": (9, 8, 5)}, {}, rules=LAST_ROUND
    )
    assert first_word(position, [strategy, "value", "value"]) == bid


@pytest.fixture
def shipped_rollout():
    return "rollout:rollouts=5:ahead=2"


@pytest.mark.slow
def test_rollout_is_the_same_however_often_it_is_asked(shipped_rollout):
    rounds = Rounds(spot("candy-12 candy-3 sand-7 tree-0 scrap-9"), [shipped_rollout, "value", "value"])
    words = []
    for _ in range(2):
        rounds.play(luck=3)
        words.append(rounds.words())
    assert words[0] == words[1]


def test_futures_redraw_only_what_is_hidden(shipped_rollout):
    rounds = Rounds(
        replace(spot("candy-12 candy-3 sand-7 tree-0 scrap-9"), unseen=tuple(f"scary-{value}" for value in range(16))),
        [shipped_rollout, "value", "value"],
    )
    rounds.play()
    began = rounds.table.fork.games[1]
    assert sorted(began["deck"][5:21].tolist()) == sorted(rounds.table.game["deck"][5:21].tolist())
    assert not np.array_equal(began["deck"][5:21], rounds.table.game["deck"][5:21])
    assert np.array_equal(began["deck"][:5], rounds.table.game["deck"][:5])
