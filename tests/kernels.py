"""Kernels made callable from tests. One file, so that each is compiled once for all tests."""

from __future__ import annotations

import numpy as np

from fivetowers_sim.compiled import entry_point
from fivetowers_sim.rules.bidding import apply_next_start, ends_bidding, speaker
from fivetowers_sim.rules.build import apply_build
from fivetowers_sim.rules.deal import apply_clean_up, apply_end_of_round, deal_game, reveal_display
from fivetowers_sim.rules.legal import legal_placement, legal_placement_below, legal_teardown, most_payable
from fivetowers_sim.rules.powers import count_pairs
from fivetowers_sim.rules.reach import DISPLAY, legal_highest_bid, read_display
from fivetowers_sim.rules.scoring import (
    score_cards,
    score_main,
    score_pairs,
    score_teardown,
    score_tops,
    score_total,
)
from fivetowers_sim.rules.state import MAX_BID
from fivetowers_sim.rules.takes import Desk
from fivetowers_sim.strategies.result_counts import WAYS, count_builds
from tests.positions import Spot

PARTS = ("cards", "tops", "main", "pairs", "teardown", "total")


@entry_point
def may_lie_on(rules, value, top):
    return legal_placement(rules, value, top)


@entry_point
def write_fits(rules, fits):
    """Write which values may go on which top cards."""
    for value in range(fits.shape[0]):
        for top in range(fits.shape[1]):
            fits[value, top] = legal_placement(rules, value, top)


@entry_point
def may_lie_under(rules, value, lowest):
    return legal_placement_below(rules, value, lowest)


@entry_point
def may_tear_down(game, seat, kind, cards):
    return legal_teardown(game, seat, kind, cards)


@entry_point
def may_pay(rules, game, seat):
    return most_payable(rules, game, seat)


@entry_point
def carry_out(game, seat, build):
    apply_build(game, seat, build)


@entry_point
def deal(rules, game, seed, number):
    deal_game(rules, game, seed, number)


@entry_point
def reveal(rules, game):
    reveal_display(rules, game)


@entry_point
def end_round(rules, game, winner, take):
    """Clean up, name the next start, and see to the deck."""
    apply_clean_up(game, take)
    apply_next_start(rules, game, winner)
    return apply_end_of_round(rules, game)


@entry_point
def is_last_word(rules, game, place, bid):
    return ends_bidding(rules, game, place, bid)


@entry_point
def who_speaks(rules, game, place):
    return speaker(rules, game, place)


@entry_point
def pairs_of(game, seat):
    return count_pairs(game, seat)


@entry_point
def write_scores(rules, game, seat, parts):
    parts[0] = score_cards(rules, game, seat)
    parts[1] = score_tops(rules, game, seat)
    parts[2] = score_main(rules, game, seat)
    parts[3] = score_pairs(rules, game, seat)
    parts[4] = score_teardown(rules, game, seat)
    parts[5] = score_total(rules, game, seat)


@entry_point
def write_counts(desk, ways, seat, limits, counts):
    """Count different results by bid; returns what the plain search finds to be the highest bid."""
    read_display(desk.rules, desk.game, desk.display)
    ways.cards_end = desk.game.display_size + 1
    ways.torn_end = limits[0] + 1
    ways.powers = limits[1]
    ways.never_close = limits[2]
    count_builds(desk, ways, seat, 0)
    for bid in range(ways.highest + 1):
        counts[bid] = ways.by_bid[bid]
    return legal_highest_bid(desk.rules, desk.game, seat, desk.display)


def score_of(spot: Spot, seat: int = 0) -> dict[str, int]:
    """Score a seat as if the game ended now."""
    parts = np.zeros(len(PARTS), np.int64)
    write_scores(spot.compile_rules()[0], spot.games()[0], seat, parts)
    return dict(zip(PARTS, parts.tolist(), strict=True))


def results_by_bid(spot: Spot, seat: int = 0, never_close: bool = False) -> tuple[dict[int, int], int]:
    """Count the different results that a seat's builds can have.

    Returns
    -------
    results : dict of int to int
        By bid; bids without results are left out.
    highest : int
        The highest bid that can be carried out without powers, found the other way.
    """
    rules = spot.compile_rules()[0]
    desk = Desk(rules, spot.games()[0], np.zeros(1, DISPLAY)[0])
    counts = np.zeros(MAX_BID + 1, np.int64)
    limits = np.array([spot.rules.teardown_limit, rules["powers"][seat], never_close], np.int64)
    highest = write_counts(desk, np.zeros(1, WAYS)[0], seat, limits, counts)
    return {bid: count for bid, count in enumerate(counts.tolist()) if count}, highest
