"""Tournaments of real games: the same whatever the workers and interruptions, and right about what is known."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import polars as pl
import pytest

from fivetowers_sim.bench.arms import Crew, play_arms
from fivetowers_sim.bench.folder import begin_experiment
from fivetowers_sim.bench.kept import Kept
from fivetowers_sim.dataset.errors import RunError
from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.experiments.tournament import TournamentError, asked_of, make_tournament, run_tournament
from fivetowers_sim.rules.ruleset import RuleSet
from fivetowers_sim.strategies.parameters import StrategyError
from tests.stopping import stop_after

# A bid of 98 is beyond what anybody could pay for, so these two play alike.
ALIKE = ("greedy", "greedy:max_bid=98")
FIELD = (*ALIKE, "greedy:never_close=1", "greedy:max_bid=2")


def tournament_of(strategies=FIELD, players=3, games=2000, precision=None):
    return make_tournament(make_setup(RuleSet(), players, ["greedy"], 1), strategies, games, precision)


@cache
def outcome_of(**options):
    return run_tournament(tournament_of(**options), Crew(2))


def by_name(outcome):
    return {row.strategy: row for row in outcome.standings.strategies}


def test_strategies_that_play_alike_are_equal_within_their_intervals():
    rows = by_name(outcome_of())
    first, second = (rows[name] for name in ALIKE)
    for figure in ("win_share", "total", "strength", "against_average"):
        one, other = getattr(first, figure), getattr(second, figure)
        assert abs(one.value - other.value) < one.margin + other.margin
    pair = next(row for row in outcome_of().standings.pairs if {row.strategy, row.against} == set(ALIKE))
    assert pair.ahead.low < 0.5 < pair.ahead.high


def win_share_of_the_first(players, games, seed):
    tournament = make_tournament(make_setup(RuleSet(), players, ["greedy"], seed), ALIKE, games)
    kept = Kept(tournament.places.columns)
    play_arms(tournament.plan, kept, lambda moments: True, Crew(1))
    return tournament.played(kept.moments).win_share(0)


@pytest.mark.slow
def test_equal_players_get_an_equal_share_within_the_interval_as_often_as_it_says():
    repetitions = 200
    shares = [win_share_of_the_first(2, 60, seed) for seed in range(repetitions)]
    covered = np.mean([share.low <= 1 / 2 <= share.high for share in shares])
    assert covered == pytest.approx(0.95, abs=4 * np.sqrt(0.95 * 0.05 / repetitions))


def test_where_seats_come_out_even_on_each_deal_equal_players_get_exactly_an_equal_share():
    # With three at a table, each has in one circle the seats that the other has in the other one.
    share = win_share_of_the_first(3, 60, 1)
    assert (share.value, share.margin) == (pytest.approx(1 / 3), pytest.approx(0, abs=1e-9))


def test_who_holds_back_is_weaker():
    order = [row.strategy for row in outcome_of().standings.strategies]
    assert set(order[:2]) == set(ALIKE)
    rows = by_name(outcome_of())
    assert rows["greedy:max_bid=2"].win_share.high < rows["greedy"].win_share.low


def test_deals_and_games_are_balanced():
    outcome = outcome_of()
    circles = outcome.tournament.circles.played
    assert outcome.standings.deals % 3 == 0
    assert outcome.standings.games == outcome.standings.deals * len(circles) >= 2000
    assert len({row.seats for row in outcome.standings.strategies}) == 1
    shares = [row.win_share.value for row in outcome.standings.strategies]
    # All seats together get all of the victories.
    assert np.mean(shares) == pytest.approx(1 / 3)


def test_figures_are_those_of_the_games_themselves():
    # For two players there is one circle, so its games can be played and counted directly.
    outcome = outcome_of(strategies=("greedy", "greedy:max_bid=2"), players=2, games=300)
    seats = make_setup(RuleSet(), 2, ["greedy", "greedy:max_bid=2"], 1).play(0, 300, "games")["seats"]
    for code, name in enumerate(("greedy", "greedy:max_bid=2")):
        own = seats[seats["strategy"] == code]
        row = by_name(outcome)[name]
        assert row.seats == 300
        assert row.win_share.value == pytest.approx(own["win_share"].mean())
        assert row.total.value == pytest.approx(own["total"].mean())
    ahead = seats["rank"].reshape(-1, 2)
    level = (ahead[:, 0] == ahead[:, 1]).mean()
    share = by_name(outcome)["greedy"].win_share.value
    won = (seats["win_share"][seats["strategy"] == 0] == 1).mean()
    assert share == pytest.approx(won + level / 2)
    # With two players, finishing ahead and winning are the same.
    pair = next(row for row in outcome.standings.pairs if row.strategy == "greedy")
    assert pair.ahead.value == pytest.approx(share)
    assert pair.ahead.margin == pytest.approx(by_name(outcome)["greedy"].win_share.margin)


@pytest.mark.parametrize("players", [2, 5])
def test_any_number_of_players_may_sit_at_a_table(players):
    outcome = outcome_of(strategies=("greedy", "greedy:max_bid=2"), players=players, games=200)
    assert np.mean([row.win_share.value for row in outcome.standings.strategies]) == pytest.approx(1 / players)
    assert outcome.standings.equilibrium.mix == pytest.approx([1, 0], abs=1e-6)


def test_nobody_gains_against_the_mix():
    outcome = outcome_of()
    mix = {name: row.mix.value for name, row in by_name(outcome).items()}
    assert sum(mix.values()) == pytest.approx(1)
    assert mix["greedy:max_bid=2"] == 0
    assert outcome.standings.equilibrium.gain < 1e-6
    replies = [row.reply.value for row in outcome.standings.strategies]
    assert max(replies) == pytest.approx(0, abs=1e-6)


@pytest.mark.slow
def test_workers_change_nothing():
    first = run_tournament(tournament_of(games=800), Crew(1)).to_dict()
    assert run_tournament(tournament_of(games=800), Crew(2)).to_dict() == first


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"games": 800}, {"precision": 0.05, "games": None}])
def test_an_interrupted_tournament_goes_on_to_the_same_files(options, tmp_path):
    tournament = tournament_of(**options)
    with begin_experiment(tmp_path / "whole", asked_of(tournament)) as folder:
        outcome = run_tournament(tournament, Crew(2), folder)
    with (
        pytest.raises(KeyboardInterrupt),
        begin_experiment(tmp_path / "stopped", asked_of(tournament)) as folder,
    ):
        run_tournament(tournament, Crew(1, watch=stop_after(outcome.standings.games // 2)), folder)
    left = {file.name for file in (tmp_path / "stopped").iterdir()}
    assert left == {"manifest.json", "sums.npz"}
    with begin_experiment(tmp_path / "stopped", asked_of(tournament), resume=True) as folder:
        run_tournament(tournament, Crew(2), folder)
    for name in ("results.json", "ratings.parquet", "pairs.parquet", "matchups.parquet"):
        assert (tmp_path / "stopped" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_finished_tournament_is_read_again_without_playing(tmp_path):
    tournament = tournament_of(games=400)
    with begin_experiment(tmp_path / "there", asked_of(tournament)) as folder:
        first = run_tournament(tournament, Crew(2), folder).to_dict()
    seen = []
    with begin_experiment(tmp_path / "there", asked_of(tournament), resume=True) as folder:
        assert run_tournament(tournament, Crew(1, watch=seen.append), folder).to_dict() == first
    assert {state.games_done for state in seen} == {first["games"]}


def test_other_games_are_not_mixed_in(tmp_path):
    with begin_experiment(tmp_path / "there", asked_of(tournament_of(games=400))):
        pass
    with pytest.raises(RunError, match="games is 400 there and 800 here"):
        begin_experiment(tmp_path / "there", asked_of(tournament_of(games=800)), resume=True)


@pytest.mark.slow
def test_the_precision_that_was_asked_for_is_reached():
    outcome = outcome_of(games=None, precision=0.04)
    assert outcome.reached <= 0.04
    assert outcome.look < len(outcome.tournament.looks) - 1
    assert outcome.standings.deals == outcome.tournament.looks[outcome.look]
    assert outcome.standings.confidence > 0.98


def test_tables_hold_what_the_results_hold(tmp_path):
    tournament = tournament_of(games=400)
    with begin_experiment(tmp_path / "there", asked_of(tournament)) as folder:
        outcome = run_tournament(tournament, Crew(2), folder, lambda outcome: {"note.txt": b"drawn"})
    results = json.loads((tmp_path / "there" / "results.json").read_bytes())
    assert results["format"] == "fivetowers-tournament/1"
    assert (tmp_path / "there" / "note.txt").read_bytes() == b"drawn"
    ratings, pairs, matchups = (
        pl.read_parquet(tmp_path / "there" / f"{name}.parquet") for name in ("ratings", "pairs", "matchups")
    )
    assert ratings["strategy"].to_list() == [row["strategy"] for row in results["strategies"]]
    assert ratings["win_share_high"].to_list() == [row["win_share"]["high"] for row in results["strategies"]]
    assert pairs.height == 12
    assert matchups.height == len(tournament.places.share_columns)
    assert matchups["seats"].sum() == 3 * outcome.standings.games
    row = pairs.row(0, named=True)
    assert row["ahead"] == results["pairs"][0]["ahead"]["value"]
    opposite = pairs.filter(strategy=row["against"], against=row["strategy"])
    assert opposite["ahead"].item() == pytest.approx(1 - row["ahead"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"strategies": ("greedy",)}, "strategies names 1, greedy; accepted is 2 to 26"),
        ({"strategies": ("greedy", "greedy:misjudge=0")}, "strategies names greedy 2 times; accepted is each"),
        ({"strategies": tuple(f"greedy:max_bid={k}" for k in range(27))}, "strategies names 27"),
        ({"games": 0}, "games is 0; accepted is 1 to 1000000000"),
        ({"games": None, "precision": 0.5}, "precision is 0.5; accepted is a share from 0.0005 to 0.25"),
        ({"games": None, "precision": float("nan")}, "precision is nan; accepted"),
        ({"games": 10, "precision": 0.1}, "games and precision are both given; accepted is one of them"),
        ({"games": None}, "games and precision are both left out; accepted is one of them"),
    ],
)
def test_what_can_not_be_played_is_refused(options, said):
    with pytest.raises(TournamentError, match=said):
        tournament_of(**options)


def test_an_unknown_strategy_is_refused():
    with pytest.raises(StrategyError, match="there is no strategy 'greed'"):
        tournament_of(strategies=("greedy", "greed"))
