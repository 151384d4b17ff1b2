"""The list of all builds and the card-by-card replay allow the same, under every power set."""

from __future__ import annotations

import itertools
import random

import pytest

from fivetowers_sim.rules.ruleset import POWERS, RuleSet
from tests.reference.builds import all_builds, as_towers, carry_out
from tests.reference.replay import Builder

BASE = RuleSet()
ALL_POWER_SETS = [set(chosen) for size in range(5) for chosen in itertools.combinations(POWERS, size)]
CARDS = "sand-12 sand-4 scrap-6 scrap-0 candy-2 candy-9 tree-5 scary-9 tree-14 sand-8 scary-11"
TOWERS = {"candy": [12, 9, 3], "scary": [8, 10], "tree": [13, 6], "scrap": [7], "sand": [11, 5]}


@pytest.mark.parametrize("powers", ALL_POWER_SETS, ids=lambda powers: "+".join(sorted(powers)) or "none")
def test_every_build_can_be_spelled_out_and_replayed_under_every_power_set(powers):
    chance = random.Random(len(powers))
    for _ in range(3):
        cards = chance.sample(CARDS.split(), 6)
        for build in all_builds(BASE, powers, TOWERS, cards[4:], cards[:4]):
            action = carry_out(BASE, powers, TOWERS, cards[4:], build)
            builder = Builder(BASE, powers, {kind: list(tower) for kind, tower in TOWERS.items()}, list(cards[4:]))
            assert builder.replay(action, cards[:4], build.bid) == []
            assert (as_towers(builder.towers), tuple(sorted(builder.pile))) == (build.towers, build.pile)


@pytest.mark.parametrize("powers", ALL_POWER_SETS, ids=lambda powers: "+".join(sorted(powers)) or "none")
def test_whatever_the_replay_allows_is_among_all_builds(powers):
    chance = random.Random(100 + len(powers))
    allowed = 0
    for _ in range(4):
        cards = chance.sample(CARDS.split(), 6)
        display, pile = cards[:4], cards[4:]
        builds = all_builds(BASE, powers, TOWERS, pile, display)
        found = {(build.take, build.pay, build.torn, build.towers, build.pile) for build in builds}
        for _ in range(600):
            action = stumble(chance, display, pile)
            bid = len(action["taken"]) + len(action["paid"])
            builder = Builder(BASE, powers, {kind: list(tower) for kind, tower in TOWERS.items()}, list(pile))
            if bid and not builder.replay(action, display, bid):
                allowed += 1
                torn = (action["teardown"],) if action["teardown"] else ()
                after = (as_towers(builder.towers), tuple(sorted(builder.pile)))
                assert (tuple(sorted(action["taken"])), len(action["paid"]), torn, *after) in found
    assert allowed > 20


def stumble(chance, display, pile):
    """Make up a building step without minding the rules."""
    taken = chance.sample(display, chance.randrange(len(display)))
    torn = chance.choice([None, None, "candy-3", "scary-10", "sand-5", "tree-6", "tree-13"])
    paid = ["tree-6", "tree-13"][: chance.choice([0, 0, 0, 1, 2])]
    steps = [{"card": card, "end": chance.choice(["top", "top", "bottom"]), "from": "hand"} for card in taken]
    for step in steps:
        if not step["card"].startswith("sand"):
            step["end"] = "top"
    chance.shuffle(steps)
    for place in range(len(steps), 0, -1):
        if steps[place - 1]["card"].startswith("scrap") and chance.random() < 0.7:
            fetched = chance.choice([*pile, torn or pile[0]])
            steps.insert(place, {"card": fetched, "end": "top", "from": "teardown"})
    return {"paid": paid, "taken": taken, "teardown": torn, "placements": steps}
