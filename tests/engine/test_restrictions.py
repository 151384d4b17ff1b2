"""A restricted strategy never does what it forbids itself, over whole batches of games."""

from __future__ import annotations

import numpy as np
import pytest

from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.rules.cards import TOWER_TYPES
from tests.positions import BASE

POWERS = ["tree", "scrap", "sand", "pairs"]
FAMILIES = ["random", "greedy"]
SETTINGS = [
    pytest.param(family, powers, id=f"{family}-{'all' if powers else 'none'}")
    for family in FAMILIES
    for powers in ([], POWERS)
]


def seats_of(strategy, powers, games=300):
    """Play a restricted seat 0 against two unrestricted ones; return its rows, theirs, and the words said."""
    family = strategy.partition(":")[0]
    setup = make_setup(BASE, 3, [strategy, family, family], 95, [powers] * 3, seating="fixed")
    tables = setup.play(0, games, "bids")
    seats = tables["seats"]
    return seats[seats["seat"] == 0], seats[seats["seat"] != 0], tables["bids"]


def topped(rows):
    return np.stack([rows[f"{kind}_topped"] for kind in TOWER_TYPES]).sum()


@pytest.mark.parametrize(("family", "powers"), SETTINGS)
def test_who_never_tears_down_never_does(family, powers):
    own, others, _ = seats_of(f"{family}:never_tear_down=1", powers)
    assert own["cards_torn_down"].sum() == 0
    assert others["cards_torn_down"].sum() > 0


@pytest.mark.parametrize(("family", "powers"), SETTINGS)
def test_who_never_closes_a_tower_never_does(family, powers):
    own, others, _ = seats_of(f"{family}:never_close=1", powers)
    assert topped(own) == 0
    assert topped(others) > 0


@pytest.mark.parametrize(("family", "powers"), SETTINGS)
@pytest.mark.parametrize("most", [0, 2])
def test_who_has_a_highest_bid_never_says_more(family, powers, most):
    own, _, bids = seats_of(f"{family}:max_bid={most}", powers)
    spoken = bids[bids["bid"] != 255]
    assert spoken["bid"][spoken["seat"] == 0].max() == most
    assert spoken["bid"][spoken["seat"] != 0].max() > most
    assert (own["bids_won"].sum() > 0) == (most > 0)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    ("power", "count"), [("tree", "trees_paid"), ("scrap", "cards_fetched"), ("sand", "cards_built_below")]
)
def test_who_ignores_a_power_never_uses_it(family, power, count):
    own, others, _ = seats_of(f"{family}:ignore_power={power}", POWERS)
    assert own[count].sum() == 0
    assert others[count].sum() > 0


@pytest.mark.parametrize("family", FAMILIES)
def test_who_ignores_all_powers_plays_as_if_it_had_none_but_still_scores_its_pairs(family):
    own, _, _ = seats_of(f"{family}:ignore_power=tree+scrap+sand+pairs", POWERS)
    assert not any(own[count].any() for count in ("trees_paid", "cards_fetched", "cards_built_below"))
    assert own["pairs"].any()


@pytest.mark.parametrize("chance", [0.05, 1])
def test_who_misjudges_is_sent_back_and_nobody_else_is(chance):
    _, _, bids = seats_of(f"greedy:misjudge={chance}", [])
    undone_leads = bids[bids["void"] & (bids["bid"] != 255) & (bids["bid"] > bids["highest_feasible_bid"])]
    assert len(undone_leads) > 0
    assert set(undone_leads["seat"]) == {0}
    said_too_much = bids[(bids["bid"] != 255) & (bids["bid"] > bids["highest_feasible_bid"])]
    assert set(said_too_much["seat"]) == {0}
    own_words = bids[(bids["seat"] == 0)]
    share = (said_too_much["seat"] == 0).sum() / len(own_words)
    assert share < chance
