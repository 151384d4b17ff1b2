"""What a game is like: figures are those of the games, a planted imbalance is found, and luck is what chance does."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import polars as pl
import pytest

from fivetowers_sim.bench.arms import Crew
from fivetowers_sim.bench.finished import read_finished
from fivetowers_sim.bench.folder import begin_experiment
from fivetowers_sim.bench.params import RefusedError
from fivetowers_sim.bench.pictures import read_section
from fivetowers_sim.bench.question import find_out
from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.engine.trace import trace_games
from fivetowers_sim.questions.game_shape import GameShape
from fivetowers_sim.questions.game_shape.figures import find, tell_side
from fivetowers_sim.questions.game_shape.measure import running_scores
from fivetowers_sim.rules.cards import TOWER_TYPES
from fivetowers_sim.rules.ruleset import RuleSet
from tests.reference.scoring import score

CAREFUL = "greedy:max_bid=2"
STRATEGIES = ("greedy", CAREFUL)
# With two and three players: each strategy in all seats, and the second in each seat among the first.
ARMS = 2 + 2 + 2 + 3


def question(games=ARMS * 60, players="2,3", strategies=STRATEGIES, **given):
    return GameShape({"games": games, "players": players, "strategies": ",".join(strategies), **given})


@cache
def outcome():
    return find_out(question(), Crew(2))


def shares(found, players):
    return find(found.findings.where(strategy="greedy"), players, "win_share")


def value(figure, place="", players=3, strategy="greedy"):
    return find(outcome().findings.where(strategy=strategy), players, figure)[place].estimate.value


def test_running_scores_are_what_the_reference_counts_after_each_round():
    setup = make_setup(RuleSet(), 3, ["greedy:misjudge=0.1"], 3)
    tables = setup.play(0, 20, "rounds")
    scores = running_scores(tables["games"], tables["rounds"], 3)
    for game, trace in enumerate(trace_games(setup, 0, 20)):
        towers = [{kind: [] for kind in TOWER_TYPES} for _ in range(3)]
        torn = [0, 0, 0]
        for nth, one in enumerate(trace["rounds"], 1):
            seat = one["winner"]
            if one.get("teardown"):
                towers[seat][one["teardown"].split("-")[0]].pop()
                torn[seat] += 1
            for placed in one.get("placements", ()):
                kind, value = placed["card"].split("-")
                towers[seat][kind].append(int(value))
            counted = [score(RuleSet(), (), towers[own], ["sand-1"] * torn[own])["total"] for own in range(3)]
            assert scores[game, nth].tolist() == counted, (game, nth)
        assert scores[game, -1].tolist() == counted


def test_figures_are_those_of_the_games_themselves():
    tables = make_setup(RuleSet(), 3, ["greedy"], 1).play(0, 60, "rounds")
    seats, games = tables["seats"], tables["games"]
    for figure in ("win_share", "total", "cards", "tops", "main", "teardown", "torn_cards"):
        assert value(figure, "1") == pytest.approx(seats[figure][1::3].mean())
    assert value("height", "sand") == pytest.approx(seats["sand_height"].mean())
    assert value("topped", "tree") == pytest.approx(seats["tree_topped"].mean())
    for figure in ("rounds", "margin", "winning_total"):
        assert value(figure) == pytest.approx(games[figure].mean())
    assert value("shared") == pytest.approx((games["winners"] > 1).mean())
    assert value("close") == pytest.approx((games["margin"] <= 3).mean())


def test_the_lead_is_that_of_the_running_scores():
    tables = make_setup(RuleSet(), 3, ["greedy"], 1).play(0, 60, "rounds")
    wins, comebacks, decided = [], [], []
    for game, scores in enumerate(running_scores(tables["games"], tables["rounds"], 3)):
        rounds, shares = int(tables["games"]["rounds"][game]), tables["seats"]["win_share"][3 * game : 3 * game + 3]
        leading = [row == row.max() for row in scores[: rounds + 1]]
        wins.append(shares[leading[rounds * 7 // 10]].mean())
        comebacks.append(shares[~leading[rounds // 2]].sum())
        last = rounds
        while last > 1 and (leading[last - 1] & (shares > 0)).any():
            last -= 1
        decided.append(last)
    assert value("leader_wins", "70%") == pytest.approx(np.mean(wins))
    assert value("comeback") == pytest.approx(np.mean(comebacks))
    assert value("decided") == pytest.approx(np.mean(decided))


def test_the_variance_is_that_of_one_player_in_every_seat_with_every_strategy():
    totals = np.zeros((60, 2, 2))
    totals[:, 0] = make_setup(RuleSet(), 2, ["greedy"], 1).play(0, 60, "games")["seats"]["total"].reshape(60, 2)
    for seat in range(2):
        table = [CAREFUL if own == seat else "greedy" for own in range(2)]
        setup = make_setup(RuleSet(), 2, table, 1, seating="fixed")
        totals[:, 1, seat] = setup.play(0, 60, "games")["seats"]["total"][seat::2]
    cells = totals.reshape(60, 4)
    # Fixed cells: what differs between their means, less what chance adds to it, and what differs from deal to deal.
    chance = np.cov(cells.T)
    between = cells.mean(0).var() - (np.trace(chance) - chance.mean() * 4) / 4 / 60
    assert value("total_variance", "total", 2, "crossed") == pytest.approx(between + np.trace(chance) / 4)


def test_a_strategy_that_plays_badly_makes_a_part_of_the_variance():
    crossed = outcome().findings.where(strategy="crossed")
    assert find(crossed, 3, "margin_share")["strategy"].estimate.low > 0.02


def test_a_seat_that_wins_all_is_found_and_equal_seats_are_not(tmp_path):
    # Ten cards, of values 0 and 1: who speaks first takes seven, and three are left for the second round.
    plain = {"extra_copies_4": (), "extra_copies_5": (), "anything_goes_on": (), "goes_on_anything": ()}
    (tmp_path / "own.toml").write_text(
        RuleSet(highest_value=1, display_size=7, deck_passes=1, **plain).to_toml(), "utf-8"
    )
    found = find_out(question(40, "2", ("greedy",), rules=str(tmp_path / "own.toml")), Crew(1))
    by_seat = shares(found, 2)
    assert [(by_seat[seat].estimate.value, by_seat[seat].certain) for seat in "01"] == [(1, True), (0, True)]
    assert [tell_side(one) for one in by_seat.values()] == [1, -1]
    by_seat = shares(outcome(), 3)
    assert sum(one.estimate.value for one in by_seat.values()) == pytest.approx(1)
    assert not any(one.certain or tell_side(one) for one in by_seat.values())


def test_numbers_of_players_are_played_in_order_whatever_order_they_are_given_in():
    assert question(players="3, 2").asked().plan == question().asked().plan
    assert question().asked().plan["players"] == [2, 3]


def test_workers_change_nothing():
    asked = question(ARMS * 6)
    assert find_out(asked, Crew(1)).to_dict() == find_out(asked, Crew(2)).to_dict()


@pytest.mark.slow
def test_an_interrupted_experiment_goes_on_to_the_same_files(tmp_path):
    asked = question(ARMS * 16)

    def stop(state):
        if state.games_done >= 4 * ARMS:
            raise KeyboardInterrupt

    with begin_experiment(tmp_path / "whole", asked.asked()) as folder:
        find_out(asked, Crew(2), folder)
    with pytest.raises(KeyboardInterrupt), begin_experiment(tmp_path / "stopped", asked.asked()) as folder:
        find_out(asked, Crew(1, watch=stop), folder)
    with begin_experiment(tmp_path / "stopped", asked.asked(), resume=True) as folder:
        find_out(asked, Crew(2), folder)
    for name in ("results.json", "findings.parquet"):
        assert (tmp_path / "stopped" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    results = json.loads((tmp_path / "whole" / "results.json").read_bytes())
    assert pl.read_parquet(tmp_path / "whole" / "findings.parquet").to_dicts() == results["findings"]


def test_an_interrupted_check_goes_on_where_it_was(tmp_path):
    asked = question(300, "2", ("greedy",), check=CAREFUL, check_games=120)
    whole = find_out(asked, Crew()).finish().results

    def stop(what, done, games):
        assert what == f"played by {CAREFUL}"
        if done > 40:
            raise KeyboardInterrupt

    with begin_experiment(tmp_path / "new", asked.asked()) as folder, pytest.raises(KeyboardInterrupt):
        find_out(asked, Crew(watch_step=stop), folder)
    steps = []
    with begin_experiment(tmp_path / "new", asked.asked(), resume=True) as folder:
        again = find_out(asked, Crew(watch_step=lambda what, done, games: steps.append(done)), folder)
    assert again.finish().results == whole
    assert steps[0] > 40
    manifest = json.loads((tmp_path / "new" / "manifest.json").read_bytes())
    assert manifest["plan"]["check"] == {"strategies": [CAREFUL], "games": 120, "precision": None, "looks": [120]}
    section = read_section(read_finished(tmp_path / "new"))
    assert section.said[0] == (
        f"As a check the same was asked of {CAREFUL} in all seats, a slower player: 120 games (120 deals)."
    )
    assert CAREFUL in section.verdicts[0].holds


def test_it_ends_at_the_look_at_which_every_win_share_is_precise_enough():
    found = find_out(question(None, "2", ("greedy",), precision=3.0, check="none"), Crew(2))
    margins = [100 * one.estimate.margin for one in shares(found, 2).values()]
    assert found.reached == max(margins) <= 3
    assert found.deals == found.asked.budget.looks[found.look]
    assert found.look < len(found.asked.budget.looks) - 1


@pytest.mark.parametrize(
    ("players", "strategies", "message"),
    [
        ("3", ("greedy", "greedy"), "accepted is 1 to 4 different ones"),
        ("3,3", ("greedy",), "players is 3,3; accepted are different numbers from 2 to 5"),
        ("2,6", ("greedy",), "players is 6; accepted is 2 to 5"),
        ("2,", ("greedy",), "players is '2,'; accepted are numbers from 2 to 5, such as 3 or 2,3,4,5"),
    ],
)
def test_what_is_asked_twice_or_cannot_be_played_is_refused(players, strategies, message):
    with pytest.raises(RefusedError, match=message):
        question(players=players, strategies=strategies)
