"""Learning value tables: exact sums, prices that are known, and play that gets better."""

from __future__ import annotations

import json

import numpy as np
import pytest

from fivetowers_sim.batch.staff import Staff
from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.engine.study import add_studies, new_study, study_games
from fivetowers_sim.experiments.fit import Fit, FitPlan
from fivetowers_sim.experiments.prices import number_features, solve_tables
from fivetowers_sim.rules.cards import EMPTY, TOWER_TOP
from fivetowers_sim.rules.tables import compile_rules
from fivetowers_sim.strategies.mind import ZEROS_UNCOUNTED
from fivetowers_sim.strategies.parameters import StrategyError
from fivetowers_sim.strategies.value_files import load_shipped, load_tables, read_tables, write_tables
from fivetowers_sim.strategies.value_tables import score_tables
from tests.positions import BASE

HIGHEST = BASE.highest_value


@pytest.fixture(scope="module")
def start():
    """Tables that price every position at its score now."""
    return score_tables(compile_rules(BASE, 3)[0])


@pytest.fixture(scope="module")
def study(start):
    """The positions of 3,000 games of greedy."""
    setup = make_setup(BASE, 3, ["greedy"], 5)
    study = new_study(number_features(HIGHEST, by_type=False))
    study_games(setup, start.stage_of, 0, 3_000, study)
    return study


@pytest.fixture(scope="module")
def learned(study, start):
    return solve_tables(study, start, HIGHEST)


@pytest.mark.slow
def test_studies_of_parts_add_up_to_the_study_of_all(start):
    setup = make_setup(BASE, 3, ["greedy"], 5)
    slots = number_features(HIGHEST, by_type=False)
    whole, first, rest = (new_study(slots) for _ in range(3))
    study_games(setup, start.stage_of, 0, 60, whole)
    study_games(setup, start.stage_of, 0, 25, first)
    study_games(setup, start.stage_of, 25, 35, rest)
    both = add_studies(rest, first)
    for part in ("cross", "product", "positions"):
        assert np.array_equal(getattr(both, part), getattr(whole, part))


def test_every_round_but_the_last_gives_one_position_a_seat(study):
    setup = make_setup(BASE, 3, ["greedy"], 5)
    rounds = setup.play(0, 3_000, "games")["games"]["rounds"]
    assert study.positions.sum() == 3 * (rounds.astype(int) - 1).sum()
    # One round to come in every game.
    assert study.positions[1] >= 3 * 3_000


def test_cards_under_a_tower_top_are_worth_their_two_points(learned):
    # Nothing can happen to a closed tower: rule 5.2 says what its cards score.
    late = learned.card[:3, 0, ZEROS_UNCOUNTED, TOWER_TOP]
    assert late == pytest.approx(2.0, abs=0.1)


def test_with_one_round_to_come_an_open_tower_is_worth_little_more_than_its_cards(learned):
    # Rule 5.1: 1 VP a card, and a small chance of a top.
    cards = learned.card[0, 0, ZEROS_UNCOUNTED, 1:8]
    assert (cards > 0.85).all()
    assert (cards < 1.5).all()


def test_an_open_top_is_worth_more_than_a_low_one(learned):
    middle = 3
    assert learned.tower(middle, 0, 12, 3) > learned.tower(middle, 0, 2, 3) + 0.5
    assert learned.tower(middle, 0, EMPTY, 0) == 0


def test_the_first_torn_cards_cost_about_what_is_printed(learned):
    # Rule 5.4: 1, 3, 6 for one, two, three; with one round to come hardly anything is added.
    assert learned.teardown[0, 1:4] == pytest.approx([-1, -3, -6], abs=0.6)


def test_prices_never_fall_with_height_nor_rise_with_the_pile(learned):
    assert (learned.card >= 0).all()
    assert (np.diff(learned.main) >= 0).all()
    assert (np.diff(learned.teardown) <= 0).all()


@pytest.mark.slow
def test_learning_wins_more_with_each_of_the_first_steps():
    fit = Fit(FitPlan(BASE, 3, (), games=2_000, trial_games=600, seed=3), Staff(2))
    steps = fit.run()
    first = next(steps)
    second = next(steps)
    steps.close()
    assert first.against_beginner.low > 0.55
    assert second.against_best.value > 1 / 3


def test_learning_is_the_same_for_any_number_of_workers():
    plan = FitPlan(BASE, 2, (), games=500, trial_games=500, seed=4)
    fits = [Fit(plan, Staff(workers)) for workers in (1, 2)]
    steps = [next(fit.run()) for fit in fits]
    assert steps[0] == steps[1]
    assert np.array_equal(fits[0].best.top, fits[1].best.top)


# Files


def test_tables_come_back_from_their_file_as_they_were_but_for_rounding(learned):
    back = read_tables(write_tables(learned, HIGHEST), "a file")
    shown = [*range(HIGHEST + 1), EMPTY]
    for part in ("top", "card", "fit"):
        assert getattr(back, part)[..., shown] == pytest.approx(getattr(learned, part)[..., shown], abs=5e-4)
    assert back.stage_starts == learned.stage_starts


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda values: values.pop("stages"), "stages is missing"),
        (
            lambda values: values.update(format="other/1"),
            'format is "other/1"; accepted is "fivetowers-value-tables/1"',
        ),
        (lambda values: values["stages"][0].pop("towers"), "stages[0].towers is missing"),
        (
            lambda values: values["stages"].reverse(),
            "stages[1].rounds_to_come_from is 16; accepted is a whole number from 21",
        ),
        (lambda values: values["stages"][0]["main_tower_by_height"].reverse(), "numbers that never fall"),
        (
            lambda values: values["stages"][0]["towers"]["any"]["one"].update(card=[1, 2]),
            "towers.any.one.card is [1, 2] (2 items); accepted is a list of",
        ),
    ],
)
def test_a_broken_file_is_refused_with_what_is_wrong(start, change, complaint):
    values = json.loads(write_tables(start, HIGHEST))
    change(values)
    with pytest.raises(StrategyError) as caught:
        read_tables(json.dumps(values), "mine.json")
    assert complaint in str(caught.value)
    assert "mine.json" in str(caught.value)
    assert "\n" not in str(caught.value)


# What is shipped


def test_a_type_with_its_power_takes_the_prices_learned_with_powers():
    base, powered, tree = load_tables(3, 0), load_shipped(3, with_powers=True), load_tables(3, 1)
    assert np.array_equal(tree.top[:, 2], powered.top[:, 2])
    assert np.array_equal(tree.top[:, 0], base.top[:, 0])
    assert not np.array_equal(base.top[:, 2], powered.top[:, 2])


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_shipped_tables_are_as_strong_as_they_say(players):
    tables = load_shipped(players, with_powers=False)
    stated = tables.provenance["win_share_against_greedy"]
    games = 900
    seats = make_setup(BASE, players, ["value", *["greedy"] * (players - 1)], 77).play(0, games, "games")["seats"]
    share = seats["win_share"][seats["strategy"] == 0]
    error = share.std() / games**0.5
    assert stated["games"] >= 10_000
    assert share.mean() > stated["low"] - 4 * error
