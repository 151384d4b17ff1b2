"""``expert``: what it judges by is what a slow reference says, it learns, and what it learned is strong."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import numpy as np
import pytest

from fivetowers_sim.batch.staff import Staff
from fivetowers_sim.compiled import entry_point
from fivetowers_sim.engine.learning import (
    BATCH,
    judge_lesson,
    learn,
    look_forward,
    new_net,
    new_pupil,
    note_slopes,
    turn,
)
from fivetowers_sim.engine.lessons import Lessons, play_lessons
from fivetowers_sim.engine.log import ROUND_LOG
from fivetowers_sim.engine.play import close_round, open_round, start_game
from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.experiments.fit_expert import ExpertFit, ExpertPlan
from fivetowers_sim.layout import lone_record
from fivetowers_sim.rules.ruleset import POWERS
from fivetowers_sim.strategies.families import read_strategy
from fivetowers_sim.strategies.judge import SEEN, VIEW, judge_outcome, power_of_e, think_round, view_seat
from fivetowers_sim.strategies.net import NET
from fivetowers_sim.strategies.net_files import load_shipped_net, read_net, write_net
from fivetowers_sim.strategies.parameters import StrategyError
from fivetowers_sim.strategies.words import plan_build, settle_build
from tests.positions import BASE
from tests.strategies.reference_judge import forward, judge, weights_of


@pytest.fixture(scope="module")
def lessons():
    """The positions of 200 games of value."""
    return play_lessons(make_setup(BASE, 3, ["value"], 11), 0, 200)


@pytest.fixture(scope="module")
def net():
    """A network that knows nothing yet, with every weight in use."""
    net = new_net(3)
    net["kind"] = 0.1
    return net


@entry_point
def judge_one(pupil, players, lessons, nth):
    judge_lesson(pupil.net, pupil.work, players, lessons, nth)


@entry_point
def slopes_of_one(pupil, players, lessons, nth):
    turn(pupil.net, pupil.work)
    all_seats = judge_lesson(pupil.net, pupil.work, players, lessons, nth)
    note_slopes(pupil.net, pupil.slope, pupil.work, players, lessons, nth, all_seats)


def views_of(lessons, nth, players=3):
    return lessons.views[nth * players : (nth + 1) * players]


def test_a_position_is_judged_as_the_reference_does(lessons, net):
    pupil = new_pupil(net)
    for nth in range(0, len(lessons.rows), 17):
        judge_one(pupil, 3, lessons, nth)
        expected = judge(net[0], lessons.rows[nth]["seen"], views_of(lessons, nth))
        assert pupil.work["by_place"][:3] == pytest.approx(expected, abs=1e-5)


@entry_point
def power_at(x):
    return power_of_e(np.float32(x))


def test_powers_of_e_are_right_to_five_digits():
    for x in np.linspace(-30, 0, 400):
        assert power_at(x) == pytest.approx(np.exp(np.float32(x)), rel=1e-5)


@entry_point
def judge_before_and_view_after(table, log, thought, work, seen, views, drawn):
    """Play a round that a drawn seat wins, judging first what it would lead to; write what it did lead to."""
    open_round(table, log)
    mind, players = table.seats.mind[0], table.rules.players
    think_round(table, mind, thought)
    winner = drawn % (players + 1) - 1
    if winner >= 0:
        plan_build(table, winner, 1 + drawn // 7 % 4)
        if table.seats.choice[winner].bid > 0:
            settle_build(table, winner)
        else:
            winner = -1
    last = table.seats.rounds_to_come == 0
    seen[0] = thought.seen
    close_round(table, log, winner)
    for seat in range(players):
        view_seat(table, mind, seat, views[seat])
    after = views[max(winner, 0)]
    if not last:
        judge_outcome(table, mind, thought, (winner, after), work)
    return winner


def test_an_outcome_is_judged_as_the_position_that_it_leads_to(net, tmp_path):
    setup = make_setup(BASE, 3, [save(net, tmp_path)], 5)
    table, log = setup.lay_table(), lone_record(ROUND_LOG)
    thought, work = table.judge["thought"][0], table.judge["work"]
    table.seats["staged"] = 1
    chance = np.random.default_rng(1)
    compared = 0
    start_dealing(table, log, 4)
    while not table.game["over"]:
        seen, views = np.zeros(1, SEEN), np.zeros(3, VIEW)
        start = int(table.game["start"])
        winner = judge_before_and_view_after(table, log, thought, work, seen, views, int(chance.integers(1000)))
        if table.game["over"]:
            break
        first = (winner + 1) % 3 if winner >= 0 else start
        order = [(first + place) % 3 for place in range(3)]
        expected = judge(net[0], seen[0], views[order])
        assert work["by_seat"][order] == pytest.approx(expected, abs=1e-5)
        compared += 1
    assert compared > 12


@entry_point
def start_dealing(table, log, number):
    start_game(table, log, 9, number)


def save(net, folder, players=3):
    """Write a network into a file, and return its name as a strategy."""
    file = folder / "own.json"
    shipped = load_shipped_net(players, False)
    file.write_text(write_net(replace(shipped, net=net)), "utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("part", "place"),
    [
        ("top", (1, 5, 3)),
        ("tower", (0, 4, 7)),
        ("once", (3, 2)),
        ("kind_number", (2, 9)),
        ("kind", (4, 1)),
        ("joined", (6, 6)),
        ("seat", (2, 5, 8)),
        ("game", (1, 4)),
        ("bias", (3,)),
        ("out", (1, 12)),
        ("out_bias", (2,)),
    ],
)
def test_a_slope_is_how_the_loss_changes_with_the_weight(lessons, net, part, place):
    weights = weights_of(net[0])
    for nth in (5, 700):
        pupil = new_pupil(net.copy())
        slopes_of_one(pupil, 3, lessons, nth)
        row = lessons.rows[nth]

        def loss(change, row=row, nth=nth):
            changed = {**weights, part: weights[part].copy()}
            changed[part][place] += change
            shares, _ = forward(changed, row["seen"], views_of(lessons, nth))
            return -(row["share"][:3] * np.log(shares)).sum()

        expected = (loss(1e-4) - loss(-1e-4)) / 2e-4
        assert pupil.slope[part][place] == pytest.approx(expected, abs=2e-4)


def test_lessons_hold_positions_after_the_wild_round_and_how_the_victory_was_shared(lessons):
    rows = lessons.rows
    shares = rows["share"][:, :3]
    assert shares.sum(1) == pytest.approx(1)
    ends = np.flatnonzero(rows["goes_on"] == 0)
    assert 100 < len(ends) <= 200
    # Within a game the last pass comes last, and each seat's share stays.
    for first, last in zip([0, *(ends[:-1] + 1)], ends, strict=True):
        game = rows[first : last + 1]
        assert (np.diff(game["seen"]["last_pass"]) >= 0).all()
        by_seat = [np.roll(one["share"][:3], one["start"]) for one in game]
        assert (np.array(by_seat) == by_seat[0]).all()


def test_what_is_passed_on_is_partly_what_the_next_position_is_judged_to_be(lessons, net):
    own = Lessons(lessons.rows[:60].copy(), lessons.views[:180].copy())
    before = own.rows["share"].copy()
    look_forward(net, 3, own, 0.6)
    for nth in range(58, -1, -1):
        if own.rows["goes_on"][nth] == 0:
            assert (own.rows["share"][nth] == before[nth]).all()
            continue
        judged = judge(net[0], own.rows[nth + 1]["seen"], views_of(own, nth + 1))
        later = (own.rows["start"][nth] + np.arange(3) - own.rows["start"][nth + 1]) % 3
        expected = 0.6 * own.rows["share"][nth + 1][later] + 0.4 * judged[later]
        assert own.rows["share"][nth][:3] == pytest.approx(expected, abs=1e-5)


def test_it_learns_and_always_the_same(lessons):
    errors, learned = [], []
    for _ in range(2):
        net = new_net(1)
        errors.append(learn(net, 3, lessons, 6, 1e-3, seed=1))
        learned.append(net.tobytes())
    assert errors[0] < 0.55 < 2 / 3
    assert errors[0] == errors[1]
    assert learned[0] == learned[1]
    assert len(lessons.rows) > BATCH
    # On every machine: `make test-figures` runs this with the instructions of old processors.
    assert hashlib.sha256(learned[0]).hexdigest()[:16] == "14a687a44ca8b7c2"


@pytest.mark.slow
def test_a_fit_is_the_same_whoever_plays():
    plan = ExpertPlan(BASE, 3, (), 90, 40, 1)
    found = []
    for staff in (Staff(1), Staff(3)):
        fit = ExpertFit(plan, staff)
        steps = [step.to_dict() for step in fit.run()]
        found.append((steps, fit.write(fit.finish("fivetowers fit …", "0"))))
    assert found[0] == found[1]
    assert len(found[0][0]) == 5


@pytest.mark.slow
def test_rules_that_nothing_is_shipped_for_have_tables_learned_first_and_kept(tmp_path):
    rules = replace(BASE, deck_passes=1)
    fit = ExpertFit(ExpertPlan(rules, 2, (), 60, 30, 1), Staff(1))
    for _ in fit.run():
        pass
    file = tmp_path / "one-pass.json"
    file.write_text(fit.write(fit.finish("fivetowers fit …", "0")), "utf-8")
    assert json.loads(file.read_text("utf-8"))["tables"]["stages"]
    setup = make_setup(rules, 2, [str(file), "value"], 1)
    assert len(setup.play(0, 20, "games")["games"]) == 20


@pytest.mark.parametrize(
    ("players", "powers", "least"), [(2, (), 0.57), (3, (), 0.38), (4, (), 0.28), (5, (), 0.22), (3, POWERS, 0.38)]
)
def test_what_is_shipped_wins_more_than_its_share_against_value(players, powers, least):
    games = 600 if powers else 2_000
    setup = make_setup(BASE, players, ["expert", *["value"] * (players - 1)], 5_000, [powers] * players)
    seats = setup.play(0, games, "games")["seats"]
    won = (seats["win_share"] * (seats["strategy"] == 0)).reshape(games, players).sum(1)
    assert won.mean() + 3 * won.std() / games**0.5 > least > 1 / players


@pytest.mark.parametrize("powers", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_shipped_network_says_what_it_was_learned_for_and_reads_back(players, powers):
    shipped = load_shipped_net(players, powers)
    assert (shipped.players, shipped.powers) == (players, powers)
    assert shipped.provenance["players"] == players
    assert shipped.provenance["made_by"].startswith("fivetowers fit ")
    again = read_net(write_net(shipped), "again")
    assert (again.net == shipped.net).all()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "fivetowers-expert/9"}, 'format is "fivetowers-expert/9"; accepted is "fivetowers-expert/1"'),
        ({"players": 6}, "players is 6; accepted is a whole number from 2 to 5"),
        ({"powers": 1}, "powers is 1; accepted is true or false"),
        ({"weights": {}}, "weights.top is missing"),
        ({"weights": {"bias": "AAAA"}}, "weights.bias holds 0 numbers; accepted is 32 numbers"),
        ({"weights": {"bias": "#"}}, 'weights.bias is "#"; accepted is 32 numbers as little-endian float32 in base64'),
        ({"tables": {"stages": []}}, "format is missing"),
    ],
)
def test_a_file_that_is_no_network_is_refused_in_one_line(tmp_path, change, said):
    values = json.loads(write_net(load_shipped_net(2, False)))
    if change.get("weights"):
        change = {"weights": {**values["weights"], **change["weights"]}}
    file = tmp_path / "net.json"
    file.write_text(json.dumps({**values, **change}), "utf-8")
    with pytest.raises(StrategyError) as refused:
        read_strategy(str(file))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_network_for_other_players_is_refused(tmp_path):
    file = tmp_path / "two.json"
    file.write_text(write_net(load_shipped_net(2, False)), "utf-8")
    with pytest.raises(StrategyError, match=r"two.json was learned for 2 players; accepted is one for 3"):
        make_setup(BASE, 3, [str(file)], 1)


def test_weights_are_known_by_name():
    assert set(weights_of(np.zeros(1, NET)[0])) == set(json.loads(write_net(load_shipped_net(2, False)))["weights"])
