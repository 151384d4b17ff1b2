"""What is listed as legal is what a search through every build finds."""

from __future__ import annotations

import random

import pytest

from fivetowers_sim.engine.answer import answer_legal
from fivetowers_sim.rules.cards import TOWER_TYPES
from fivetowers_sim.rules.position import position_from_dict
from fivetowers_sim.rules.ruleset import POWERS, RuleSet
from tests.reference.builds import all_builds


def random_position(seed):
    """Deal a deck out at random, with random powers for the seat to speak."""
    chance = random.Random(seed)
    rules, players = RuleSet(), chance.randint(2, 5)
    cards = [f"{TOWER_TYPES[code // 32]}-{code % 32}" for code in rules.deck(players)]
    chance.shuffle(cards)
    towers = {kind: [] for kind in TOWER_TYPES}
    for card in cards[5 : chance.randint(6, 26)]:
        kind, _, value = card.partition("-")
        if rules.fits_on(int(value), towers[kind][-1] if towers[kind] else None):
            towers[kind].append(int(value))
    pile = [card for card in cards[30:] if not card.endswith("-0")][: chance.randint(0, 3)]
    seats = [{} for _ in range(players)]
    seats[1] = {"towers": towers, "teardown": pile}
    powers = [power for power in POWERS if chance.random() < 0.5]
    return {
        "format": "fivetowers-position/1",
        "players": players,
        "rules": "base",
        "powers_by_seat": [powers if seat == 1 else [] for seat in range(players)],
        "display": cards[: chance.randint(1, 5)],
        "seats": seats,
        "turn": {"seat": 1, "high_bid": chance.randint(0, 1)},
    }


@pytest.mark.parametrize("seed", range(60))
def test_every_take_that_some_build_carries_out_is_listed_once(seed):
    given = random_position(seed)
    answer = answer_legal(position_from_dict(given))
    seat = given["seats"][1]
    builds = all_builds(RuleSet(), given["powers_by_seat"][1], seat["towers"], seat["teardown"], given["display"])
    expected = sorted({(build.bid, build.take, build.pay) for build in builds if build.bid})
    assert answer["highest_bid"] == max((bid for bid, _, _ in expected), default=0)
    listed = [(line["bid"], tuple(sorted(line["take"])), line["pay"]) for line in answer["takes"]]
    assert sorted(listed) == [take for take in expected if take[0] > given["turn"]["high_bid"]]
