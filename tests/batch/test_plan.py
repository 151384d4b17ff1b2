"""Plans: what makes two of them the same, and how they are cut into parts."""

from __future__ import annotations

import pickle

import pytest

from fivetowers_sim.batch.plan import LARGEST_PART, Part, Plan, PlanError, Setup
from tests.batch.fake_game import FakeSetup


def test_the_fake_game_is_a_setup():
    assert isinstance(FakeSetup(), Setup)


def test_parts_cover_every_game_once_and_in_order():
    parts = list(Plan(FakeSetup(), games=1003, part_games=100).parts())
    assert [part.index for part in parts] == list(range(11))
    assert [game for part in parts for game in range(part.first_game, part.first_game + part.games)] == list(
        range(1003)
    )
    assert parts[-1] == Part(10, 1000, 3)


def test_parts_are_listed_lazily():
    plan = Plan(FakeSetup(), games=4_000_000_000, part_games=1)
    assert next(iter(plan.parts())) == Part(0, 0, 1)


@pytest.mark.parametrize("games", [1, 999, 10_000, 1_000_000, 50_000_000])
@pytest.mark.parametrize("detail", ["games", "rounds"])
def test_chosen_parts_are_neither_too_many_nor_too_large(games, detail):
    plan = Plan(FakeSetup(), games, detail)
    assert plan.part_games <= LARGEST_PART[detail]
    assert plan.part_count <= max(40, games // LARGEST_PART[detail] + 1)


def test_plans_with_the_same_content_are_equal_however_they_are_cut():
    plan = Plan(FakeSetup(), games=1000, part_games=10)
    same = Plan(FakeSetup(), games=1000, part_games=300)
    assert plan == same
    assert hash(plan) == hash(same)
    assert plan.sha256 == same.sha256
    assert pickle.loads(pickle.dumps(plan)) == plan


@pytest.mark.parametrize(
    "other",
    [
        Plan(FakeSetup(seed=2), 1000),
        Plan(FakeSetup(players=4), 1000),
        Plan(FakeSetup(), 1001),
        Plan(FakeSetup(), 1000, "rounds"),
    ],
)
def test_plans_with_other_content_have_another_hash(other):
    plan = Plan(FakeSetup(), 1000)
    assert plan != other
    assert plan.sha256 != other.sha256


def test_the_hash_of_a_plan_never_changes_by_itself():
    expected = "aeb024db8ae80aa96f4a8a11da9725feb3d5c1a4d0fddd42332794700234604a"
    assert Plan(FakeSetup(), 1000).sha256 == expected


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"games": 0}, "games is 0; accepted is a whole number from 1 to 4294967295"),
        ({"games": 2**40}, "games is 1099511627776; accepted"),
        ({"games": 1.5}, "games is 1.5; accepted"),
        ({"games": True}, "games is True; accepted"),
        ({"games": 10, "part_games": -1}, "part_games is -1; accepted"),
        ({"games": 10, "detail": "everything"}, "detail is 'everything': accepted are games, rounds"),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_refused(fields, message):
    with pytest.raises(PlanError, match=message):
        Plan(FakeSetup(), **fields)
