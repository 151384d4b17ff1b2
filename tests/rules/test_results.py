"""Every result of a build is listed once, and a build given card by card is judged, as the reference does."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from fivetowers_sim.engine.custom_answer import AnswerError, check_answer
from fivetowers_sim.rules.bidding import NO_LIMIT
from fivetowers_sim.rules.cards import TOWER_TYPES
from fivetowers_sim.rules.ruleset import RuleSet
from fivetowers_sim.strategies.custom import BuildPlan, Card, Placement
from fivetowers_sim.strategies.custom_builds import Builds, make_builder
from fivetowers_sim.strategies.families import make_minds, read_strategy
from tests.positions import EACH_POWER_SET, POWER_SETS, Spot, power_set_name, seeded_spots, spot
from tests.reference.builds import Build, all_builds, payable
from tests.reference.replay import Builder
from tests.reference.scoring import score


def builds_of(position: Spot, seat: int = 0, strategy: str = "greedy", high_bid: int = 0) -> Builds:
    """List what a seat may carry out, within a strategy's limits."""
    rules = position.compile_rules()
    mind = make_minds([read_strategy(strategy)], rules)[0]
    return Builds(rules, position.games(), make_builder(rules[0], mind, seat, (high_bid, NO_LIMIT)))


def names(cards) -> tuple[str, ...]:
    return tuple(sorted(map(str, cards)))


def as_reference(build) -> Build:
    """Write a listed build as the reference does."""
    fetched = [placed.card for placed in build.placements if placed.source == "teardown"]
    towers = tuple(build.towers[kind] for kind in TOWER_TYPES)
    return Build(names(build.take), build.pay, names(build.torn), names(fetched), towers, names(build.teardown))


def check_listing(position: Spot, seat: int, high_bid: int) -> None:
    powers, towers, pile = position.seat(seat)
    listed = builds_of(position, seat, high_bid=high_bid)
    found = [as_reference(build) for build in listed]
    expected = {b for b in all_builds(position.rules, powers, towers, pile, position.display) if b.bid > high_bid}
    assert len(found) == len(set(found)), position
    assert set(found) == expected, position
    for build, reference in zip(listed, found, strict=True):
        assert build.bid == reference.bid
        assert build.score == score(position.rules, powers, reference.towers, reference.pile)["total"]


@pytest.mark.parametrize("powers", EACH_POWER_SET)
def test_every_result_of_a_build_is_listed_once_with_what_it_scores(powers):
    for number, position in enumerate(seeded_spots(60, 12, powers=[powers], most_cards=12)):
        check_listing(position, number % position.players, high_bid=number % 3)


@pytest.mark.slow
@pytest.mark.parametrize("powers", POWER_SETS[::3], ids=power_set_name)
def test_every_result_of_a_build_is_listed_once_by_edited_rules(powers):
    for position in seeded_spots(61, 12, edited=True, powers=[powers], most_cards=9):
        check_listing(position, seat=0, high_bid=0)


def test_more_results_than_usual_are_listed_too():
    # All of them outcomes of one tower: both kinds of arrays have to grow.
    position = spot("candy-9 candy-8 candy-7 candy-6 candy-5 candy-4 candy-3", rules=RuleSet(display_size=7))
    powers, towers, pile = position.seat(0)
    listed = builds_of(position)
    assert len(listed) == len(all_builds(position.rules, powers, towers, pile, position.display)) > 700
    assert len({build.towers["candy"] for build in listed}) == len(listed)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "keeps"),
    [
        ("never_tear_down=1", lambda before, build: not build.torn),
        ("max_bid=2", lambda before, build: build.bid <= 2),
        (
            "never_close=1",
            lambda before, build: all(
                tower[-1:] != (0,) or before.get(kind) == tower
                for kind, tower in zip(TOWER_TYPES, build.towers, strict=True)
            ),
        ),
    ],
)
def test_a_limit_leaves_exactly_the_builds_that_keep_it(limit, keeps):
    left_out = 0
    for position in seeded_spots(62, 25, most_cards=12):
        before = position.seat(0)[1]
        everything = [as_reference(build) for build in builds_of(position)]
        kept = {build for build in everything if keeps(before, build)}
        assert {as_reference(build) for build in builds_of(position, strategy=f"greedy:{limit}")} == kept
        left_out += len(everything) - len(kept)
    assert left_out > 0


@pytest.mark.parametrize("power", ["tree", "scrap", "sand"])
def test_who_ignores_a_power_is_offered_what_it_could_do_without(power):
    for position in seeded_spots(63, 15, powers=[frozenset(["tree", "scrap", "sand"])], most_cards=12):
        powers, towers, pile = position.seat(0)
        expected = all_builds(position.rules, powers - {power}, towers, pile, position.display)
        listed = builds_of(position, strategy=f"greedy:ignore_power={power}")
        assert {as_reference(build) for build in listed} == expected


def test_a_listed_build_reads_like_a_sequence():
    builds = builds_of(spot("candy-5 scary-7", {"candy": (14,)}))
    # With and without tearing the candy-14 down: scary, candy, and both.
    assert len(builds) == 6
    assert [build.score for build in builds] == [build.score for build in builds[:]]
    assert builds[-1] in builds
    (best,) = [build for build in builds if build.score == 5]
    assert best.towers == {"candy": (14, 5), "scary": (7,), "tree": (), "scrap": (), "sand": ()}
    assert (best.bid, best.pay, best.torn, best.teardown) == (2, 0, (), ())
    assert [str(placed.card) for placed in best.placements] == ["candy-5", "scary-7"]
    assert builds[0] not in builds_of(spot("candy-5 scary-7", {"candy": (14,)}))
    assert not builds_of(spot("candy-5", {"candy": (14, 0)}))


# Builds given card by card


def plan_of(build) -> BuildPlan:
    return BuildPlan(build.take, build.pay, build.torn, build.placements)


def replayed(position: Spot, seat: int, plan: BuildPlan) -> list[str]:
    """Return what the reference finds wrong with a plan."""
    powers, towers, pile = position.seat(seat)
    tree = towers.get("tree", ())
    if not 0 <= plan.pay <= len(tree):
        return ["pays more than it has"]
    if plan.pay > payable(powers, tuple(towers.get(kind, ()) for kind in TOWER_TYPES)):
        return ["may not pay that much"]
    action = {
        "taken": list(map(str, plan.take)),
        "paid": [f"tree-{value}" for value in reversed(tree[len(tree) - plan.pay :])],
        "teardown": list(map(str, plan.torn)),
        "placements": [{"card": str(p.card), "end": p.end, "from": p.source} for p in plan.placements],
    }
    before = {kind: list(towers.get(kind, ())) for kind in TOWER_TYPES}
    problems = Builder(position.rules, powers, before, list(pile)).replay(action, position.display, plan.bid)
    twice = Counter(action["taken"]) - Counter(position.display)
    return problems + [f"takes {card} too often" for card in twice]


def mutated(plan: BuildPlan, chance: random.Random, cards: list[Card]) -> BuildPlan:
    """Change a plan somewhere; what comes out may be legal or not."""
    placements = list(plan.placements)
    take, pay, torn = list(plan.take), plan.pay, list(plan.torn)
    for _ in range(chance.randint(1, 2)):
        what = chance.randrange(7)
        if what == 0 and len(placements) > 1:
            chance.shuffle(placements)
        elif what == 1 and placements:
            nth = chance.randrange(len(placements))
            end = chance.choice(["top", "bottom"])
            source = chance.choice(["hand", "teardown"])
            placements[nth] = Placement(chance.choice([placements[nth].card, chance.choice(cards)]), end, source)
        elif what == 2 and placements:
            placements.pop(chance.randrange(len(placements)))
        elif what == 3:
            pay = max(0, pay + chance.choice([-1, 1]))
        elif what == 4:
            torn = [] if torn else [chance.choice(cards)]
        elif what == 5:
            source = chance.choice(["hand", "teardown"])
            placements.insert(chance.randint(0, len(placements)), Placement(chance.choice(cards), "top", source))
        elif what == 6 and take:
            take[chance.randrange(len(take))] = chance.choice(cards)
    return BuildPlan(tuple(take), pay, tuple(torn), tuple(placements))


@pytest.mark.slow
@pytest.mark.parametrize("powers", POWER_SETS[::2], ids=power_set_name)
def test_a_plan_is_accepted_if_and_only_if_the_reference_finds_nothing_wrong_with_it(powers):
    verdicts = Counter()
    for number, position in enumerate(seeded_spots(64, 40, powers=[powers], most_cards=12)):
        chance = random.Random(number)
        listed, others = builds_of(position), builds_of(position)
        towers, pile = position.seat(0)[1:]
        tops = [f"{kind}-{tower[-1]}" for kind, tower in towers.items()]
        cards = [Card.read(name) for name in (*position.display, *pile, *tops)]
        for build in chance.sample(listed, min(8, len(listed))):
            plan = plan_of(build)
            assert check_answer(plan, others) is not None
            changed = mutated(plan, chance, cards)
            problems = replayed(position, 0, changed)
            try:
                accepted = check_answer(changed, others) is not None
            except AnswerError:
                accepted = False
            assert accepted == (not problems and changed.bid > 0), (position, changed, problems)
            verdicts[accepted] += 1
    assert min(verdicts.values()) > 5


FORBIDDEN = {
    "takes candy-9": BuildPlan((Card("candy", 9),)),
    "takes candy-3": BuildPlan((Card("candy", 3), Card("candy", 3))),
    "bids 0": BuildPlan(()),
    "has pay -1": BuildPlan((Card("sand", 5),), pay=-1),
    "has pay True": BuildPlan((Card("sand", 5),), pay=True),
    "pays more tree cards": BuildPlan((Card("sand", 5),), pay=1),
    "tears down more cards": BuildPlan((Card("sand", 5),), torn=(Card("candy", 2), Card("candy", 8))),
    "tears down candy-8": BuildPlan((Card("sand", 5),), torn=(Card("candy", 8),)),
    "tears down scary-0": BuildPlan((Card("sand", 5),), torn=(Card("scary", 0),)),
    "builds scary-6 where": BuildPlan((Card("scary", 6),)),
    "builds sand-5, which": BuildPlan((Card("sand", 5),), placements=(Placement(Card("sand", 5)),) * 2),
    "doesn't build all": BuildPlan((Card("sand", 5),), placements=()),
    "fetches candy-9": BuildPlan((Card("sand", 5),), placements=(Placement(Card("candy", 9), source="teardown"),)),
    "slides sand-5 under": BuildPlan((Card("sand", 5),), placements=(Placement(Card("sand", 5), end="bottom"),)),
    "end top or bottom": BuildPlan((Card("sand", 5),), placements=(Placement(Card("sand", 5), end="middle"),)),
    "has 'sand-5' (str) in take": BuildPlan(("sand-5",)),
    "has take 5 (int)": BuildPlan(5),
    "has placements": BuildPlan((Card("sand", 5),), placements=(Card("sand", 5),)),
    "answers 3 (int)": 3,
    "answers 'pass' (str)": "pass",
}


@pytest.mark.parametrize("words", FORBIDDEN)
def test_what_a_plan_may_not_do_is_named(words):
    position = spot("candy-3 sand-5 scary-6", {"candy": (8, 2), "scary": (7, 0)}, pile="candy-9")
    with pytest.raises(AnswerError) as caught:
        check_answer(FORBIDDEN[words], builds_of(position))
    assert words in str(caught.value)


def test_a_plan_must_keep_the_limits_too():
    position = spot("candy-3 sand-0", {"candy": (8, 2), "sand": (8,)})
    for limit, plan in {
        "never_tear_down": BuildPlan((Card("candy", 3),), torn=(Card("candy", 2),)),
        "never_close": BuildPlan((Card("sand", 0),)),
        "max_bid": BuildPlan((Card("candy", 3), Card("sand", 0)), torn=(Card("candy", 2),)),
    }.items():
        assert check_answer(plan, builds_of(position)) is not None
        with pytest.raises(AnswerError):
            check_answer(plan, builds_of(position, strategy=f"greedy:{limit}=1"))


def test_a_plan_without_placements_builds_what_it_takes_on_top_in_that_order():
    position = spot("candy-3 candy-7")
    record = check_answer(BuildPlan((Card("candy", 7), Card("candy", 3))), builds_of(position))
    assert record[0]["placed_card"][:2].tolist() == [7, 3]
    with pytest.raises(AnswerError, match="candy-7"):
        check_answer(BuildPlan((Card("candy", 3), Card("candy", 7))), builds_of(position))


def test_checking_a_plan_changes_nothing():
    builds = builds_of(spot("candy-3 sand-5", {"candy": (8,)}))
    before = builds.game.copy()
    check_answer(BuildPlan((Card("candy", 3),)), builds)
    assert np.array_equal(builds.game, before)
