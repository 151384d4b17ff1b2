"""A restricted strategy never does what it forbids itself, in any row of whole batches of games."""

from __future__ import annotations

import numpy as np
import pytest

from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.rules.cards import TOWER_TYPES
from fivetowers_sim.rules.ruleset import POWERS
from fivetowers_sim.strategies.families import FAMILIES
from tests.positions import BASE

NOBODY = 255
PLAYED = {family: family for family in FAMILIES} | {"rollout": "rollout:rollouts=6:ahead=1"}
"""Families as they are played here: one that thinks long thinks less."""
GAMES = dict.fromkeys(FAMILIES, 300) | {"rollout": 24}
"""Games in a batch."""

IN_PLAY = {"none": (), "all": POWERS}
MARKS = {family: pytest.mark.slow if family == "rollout" else () for family in FAMILIES}
EACH_FAMILY = [pytest.param(family, marks=MARKS[family]) for family in FAMILIES]
SETTINGS = [
    pytest.param(family, IN_PLAY[powers], id=f"{family}-{powers}", marks=MARKS[family])
    for family in FAMILIES
    for powers in IN_PLAY
]


def play(strategy, powers, others=None, games=None):
    """Play a restricted seat 0 against two others, unrestricted ones of its family if nothing else is said.

    Returns
    -------
    dict of str to tuple of two ndarray
        For each table of seats, rounds and bids: the rows of seat 0 and those of the others. A round is the builder's.
    """
    family = strategy.partition(":")[0]
    names = [strategy, *([others or PLAYED[family]] * 2)]
    setup = make_setup(BASE, 3, names, 95, [powers] * 3, seating="fixed")
    tables = setup.play(0, games or GAMES[family], "bids")
    rounds = tables["rounds"][tables["rounds"]["winner"] != NOBODY]
    rows = {"seats": tables["seats"], "rounds": rounds, "bids": tables["bids"]}
    whose = {name: found["winner" if name == "rounds" else "seat"] for name, found in rows.items()}
    return {name: (found[whose[name] == 0], found[whose[name] != 0]) for name, found in rows.items()}


def topped(rows):
    return np.stack([rows[f"{kind}_topped"] for kind in TOWER_TYPES]).sum()


def spoken(bids):
    """Return the numbers said, passes left out."""
    return bids["bid"][bids["bid"] != NOBODY]


@pytest.mark.slow
@pytest.mark.parametrize(("family", "powers"), SETTINGS)
def test_who_never_tears_down_never_does(family, powers):
    tables = play(f"{PLAYED[family]}:never_tear_down=1", powers)
    for table, column in (("seats", "cards_torn_down"), ("seats", "torn_cards"), ("rounds", "torn")):
        own, others = tables[table]
        assert not own[column].any()
        assert others[column].any()
    assert not tables["seats"][0]["teardown"].any()


@pytest.mark.slow
@pytest.mark.parametrize(("family", "powers"), SETTINGS)
def test_who_never_closes_a_tower_never_does(family, powers):
    own, others = play(f"{PLAYED[family]}:never_close=1", powers)["seats"]
    assert topped(own) == 0
    assert not own["tops"].any()
    assert topped(others) > 0


@pytest.mark.parametrize(("family", "powers"), SETTINGS)
@pytest.mark.parametrize("most", [0, 2, 4])
def test_who_has_a_highest_bid_never_says_more(family, powers, most):
    tables = play(f"{PLAYED[family]}:max_bid={most}", powers)
    own, others = map(spoken, tables["bids"])
    assert own.max() == most
    assert others.max() > most
    built, _ = tables["rounds"]
    assert (len(built) > 0) == (most > 0)
    assert (built["bid"] <= most).all()
    assert (built["taken"] + built["paid"] == built["bid"]).all()


@pytest.mark.slow
@pytest.mark.parametrize(("family", "powers"), SETTINGS)
@pytest.mark.parametrize("most", [0, 3])
def test_who_has_a_highest_bid_never_says_more_by_mistake_either(family, powers, most):
    # The others pass so often that many a low number is left to be said.
    own, _ = play(f"{PLAYED[family]}:misjudge=1:max_bid={most}", powers, "random:max_bid=1", min(100, GAMES[family]))[
        "bids"
    ]
    assert spoken(own).max() == most
    assert own["void"].any() == (most > 0)


def test_who_has_no_highest_bid_errs_as_far_as_the_display_goes():
    own, _ = play("greedy:misjudge=1", ())["bids"]
    assert spoken(own).max() == BASE.display_size


@pytest.mark.parametrize("family", EACH_FAMILY)
@pytest.mark.parametrize(
    ("power", "in_seats", "in_rounds"),
    [
        ("tree", "trees_paid", "paid"),
        ("scrap", "cards_fetched", "fetched"),
        ("sand", "cards_built_below", "built_below"),
    ],
)
def test_who_ignores_a_power_never_uses_it(family, power, in_seats, in_rounds):
    tables = play(f"{PLAYED[family]}:ignore_power={power}", POWERS)
    for table, column in (("seats", in_seats), ("rounds", in_rounds)):
        own, others = tables[table]
        assert not own[column].any()
        assert others[column].any()


@pytest.mark.parametrize("family", EACH_FAMILY)
def test_who_ignores_all_powers_plays_as_if_it_had_none_but_still_scores_its_pairs(family):
    tables = play(f"{PLAYED[family]}:ignore_power=tree+scrap+sand+pairs", POWERS)
    own, _ = tables["seats"]
    assert not any(own[count].any() for count in ("trees_paid", "cards_fetched", "cards_built_below"))
    assert own["pairs"].any()
    assert spoken(tables["bids"][0]).max() <= BASE.display_size


@pytest.mark.parametrize("chance", [0.05, 1])
def test_who_misjudges_is_sent_back_and_nobody_else_is(chance):
    own, others = play(f"greedy:misjudge={chance}", ())["bids"]
    said_too_much = (own["bid"] != NOBODY) & (own["bid"] > own["highest_feasible_bid"])
    assert (said_too_much & own["void"]).any()
    assert said_too_much.mean() < chance
    assert not ((others["bid"] != NOBODY) & (others["bid"] > others["highest_feasible_bid"])).any()
