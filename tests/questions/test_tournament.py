"""Tournaments of real games are right about what is known, and say so."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import polars as pl
import pytest

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.bench.arms import ArmsPlan, Crew, play_arms
from fivetowers_sim.bench.findings import Findings
from fivetowers_sim.bench.folder import begin_experiment
from fivetowers_sim.bench.kept import Kept
from fivetowers_sim.bench.params import RefusedError
from fivetowers_sim.bench.question import find_out
from fivetowers_sim.dataset.errors import RunError
from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.questions.tournament import Tournament
from fivetowers_sim.questions.tournament.content import Standings
from fivetowers_sim.rules.ruleset import RuleSet

# A bid of 98 is beyond what anybody could pay for, so these two play alike.
ALIKE = ("greedy", "greedy:max_bid=98")
FIELD = (*ALIKE, "greedy:never_close=1", "greedy:max_bid=2")


def tournament_of(strategies=FIELD, games=2000, **given):
    return Tournament({"strategies": ",".join(strategies), "games": games, **given}, "fivetowers tournament …")


@cache
def outcome_of(**given):
    return find_out(tournament_of(**given), Crew(2))


@cache
def results_of(**given):
    return outcome_of(**given).to_dict()


def by_name(**given):
    return {row["strategy"]: row for row in results_of(**given)["strategies"]}


def read(row, figure):
    return Estimate.read(row[figure], 0)


def test_strategies_that_play_alike_are_equal_within_their_intervals():
    first, second = (by_name()[name] for name in ALIKE)
    for figure in ("win_share", "total", "strength", "against_average"):
        one, other = read(first, figure), read(second, figure)
        assert abs(one.value - other.value) < one.margin + other.margin
    pair = next(row for row in results_of()["pairs"] if {row["strategy"], row["against"]} == set(ALIKE))
    assert pair["ahead"]["low"] < 0.5 < pair["ahead"]["high"]


def test_the_verdict_says_who_wins_most_who_is_not_told_apart_and_that_there_is_no_circle():
    (verdict,) = outcome_of().finish().results["verdicts"]
    assert all(name in verdict["claim"].partition(" win most and are not told apart: ")[0] for name in ALIKE)
    assert "; then come greedy:never_close=1 with " in verdict["claim"]
    assert verdict["holds"] == results_of()["order"]["sentence"]
    alone = outcome_of(strategies=("greedy", "greedy:max_bid=2"), players=2, games=300).finish().results["verdicts"][0]
    assert alone["claim"].startswith("greedy wins most: ")
    assert "; then comes greedy:max_bid=2 with " in alone["claim"]


def test_a_circle_is_told_with_names_as_tables_have_them():
    finished = outcome_of(strategies=("greedy", "cautious", "bold"), players=2, games=60).finish()
    names = list(finished.results["labels"])
    circle = " ahead of ".join([*names, names[0]])
    order = {"cycle": names, "sentence": f"The order goes round in a circle: {circle} (sure)."}
    finished.results["order"] |= order
    (verdict,) = Tournament.content(finished).verdicts
    assert verdict.holds == (
        "The order goes round in a circle: greedy ahead of cautious ahead of bold ahead of greedy (sure)."
    )


def win_share_of_the_first(players, games, seed):
    asked = tournament_of(ALIKE, games, players=players, seed=seed)
    kept = Kept(asked.measure.columns)
    play_arms(ArmsPlan(asked.arms, asked.measure, asked.budget.looks), kept, lambda moments: True, Crew(1))
    return next(asked.list_main(kept.moments))


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
    rows = by_name()
    assert set([*rows][:2]) == set(ALIKE)
    assert rows["greedy:max_bid=2"]["win_share"]["high"] < rows["greedy"]["win_share"]["low"]


def test_deals_and_games_are_balanced():
    results = results_of()
    assert results["deals"] % 3 == 0
    assert results["games"] == results["deals"] * results["circles"] >= 2000
    assert len({row["seats"] for row in results["strategies"]}) == 1
    shares = [row["win_share"]["value"] for row in results["strategies"]]
    # All seats together get all of the victories.
    assert np.mean(shares) == pytest.approx(1 / 3)


def test_figures_are_those_of_the_games_themselves():
    # For two players there is one circle, so its games can be played and counted directly.
    given = {"strategies": ("greedy", "greedy:max_bid=2"), "players": 2, "games": 300}
    rows = by_name(**given)
    seats = make_setup(RuleSet(), 2, ["greedy", "greedy:max_bid=2"], 1).play(0, 300, "games")["seats"]
    for code, name in enumerate(("greedy", "greedy:max_bid=2")):
        own = seats[seats["strategy"] == code]
        assert rows[name]["seats"] == 300
        assert rows[name]["win_share"]["value"] == pytest.approx(own["win_share"].mean())
        assert rows[name]["total"]["value"] == pytest.approx(own["total"].mean())
    ahead = seats["rank"].reshape(-1, 2)
    level = (ahead[:, 0] == ahead[:, 1]).mean()
    share = read(rows["greedy"], "win_share")
    won = (seats["win_share"][seats["strategy"] == 0] == 1).mean()
    assert share.value == pytest.approx(won + level / 2)
    # With two players, finishing ahead and winning are the same.
    pair = next(row for row in results_of(**given)["pairs"] if row["strategy"] == "greedy")
    assert pair["ahead"]["value"] == pytest.approx(share.value)
    assert read(pair, "ahead").margin == pytest.approx(share.margin)


def mix_of(**given):
    return [by_name(**given)[name]["mix"]["value"] for name in given["strategies"]]


@pytest.mark.parametrize("players", [2, 5])
def test_any_number_of_players_may_sit_at_a_table(players):
    given = {"strategies": ("greedy", "greedy:max_bid=2"), "players": players, "games": 200}
    shares = [row["win_share"]["value"] for row in by_name(**given).values()]
    assert np.mean(shares) == pytest.approx(1 / players)
    assert mix_of(**given) == pytest.approx([1, 0], abs=1e-6)


def test_nobody_gains_against_the_mix():
    mix = {name: row["mix"]["value"] for name, row in by_name().items()}
    assert sum(mix.values()) == pytest.approx(1)
    assert mix["greedy:max_bid=2"] == 0
    assert results_of()["equilibrium_gain"] < 1e-6
    replies = [row["reply"]["value"] for row in by_name().values()]
    assert max(replies) == pytest.approx(0, abs=1e-6)


def test_a_selection_of_line_ups_has_no_mix_and_says_that_it_is_one():
    given = {"strategies": tuple(f"greedy:max_bid={bid}" for bid in range(1, 14)), "players": 5, "games": 1}
    asked = tournament_of(**given)
    assert not asked.circles.every_lineup
    told = asked.tell(Findings(()))
    assert told["lineups_played"] < told["lineups"]
    assert asked.follow_up(Moments.zero(asked.measure.columns), Crew(), None)["equilibrium_gain"] is None
    with pytest.raises(RefusedError, match=r"^--best-response needs all line-ups; accepted are fewer --strategies"):
        tournament_of(**given, best_response=True)


@pytest.mark.slow
def test_an_interrupted_search_for_precision_goes_on_to_the_same_files(tmp_path):
    asked = tournament_of(precision=0.05, games=None)
    with begin_experiment(tmp_path / "whole", asked.asked()) as folder:
        find_out(asked, Crew(2), folder)
    half = json.loads((tmp_path / "whole" / "results.json").read_bytes())["games"] // 2

    def stop(state):
        if state.games_done >= half:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), begin_experiment(tmp_path / "stopped", asked.asked()) as folder:
        find_out(asked, Crew(1, watch=stop), folder)
    assert {file.name for file in (tmp_path / "stopped").iterdir()} == {"manifest.json", "sums.npz"}
    with begin_experiment(tmp_path / "stopped", asked.asked(), resume=True) as folder:
        find_out(asked, Crew(2), folder)
    for name in ("results.json", "ratings.parquet", "pairs.parquet", "matchups.parquet"):
        assert (tmp_path / "stopped" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_finished_tournament_is_read_again_without_playing(tmp_path):
    asked = tournament_of(games=400)
    with begin_experiment(tmp_path / "there", asked.asked()) as folder:
        first = find_out(asked, Crew(2), folder).to_dict()
    seen = []
    with begin_experiment(tmp_path / "there", asked.asked(), resume=True) as folder:
        assert find_out(asked, Crew(1, watch=seen.append), folder).to_dict() == first
    assert {state.games_done for state in seen} == {first["games"]}


def test_other_games_are_not_mixed_in(tmp_path):
    with begin_experiment(tmp_path / "there", tournament_of(games=400).asked()):
        pass
    with pytest.raises(RunError, match="games is 400 there and 800 here"):
        begin_experiment(tmp_path / "there", tournament_of(games=800).asked(), resume=True)


@pytest.mark.slow
def test_the_precision_that_was_asked_for_is_reached():
    outcome = outcome_of(games=None, precision=0.04)
    looks = outcome.asked.budget.looks
    assert outcome.reached <= 0.04
    assert outcome.look < len(looks) - 1
    assert outcome.deals == looks[outcome.look]
    assert outcome.to_dict()["confidence"] > 0.98
    assert "Asked for ± 0.04 of a win in every win share: reached at look" in outcome.finish().results["basis"][0]


def test_looks_are_those_by_which_a_share_is_precise_enough_at_the_last():
    budget = tournament_of(("greedy", "random"), None, precision=0.01).budget
    assert (budget.looks[0], budget.looks[-1]) == (60, 25602)


def test_tables_hold_what_the_results_hold(tmp_path):
    asked = tournament_of(games=400)
    with begin_experiment(tmp_path / "there", asked.asked()) as folder:
        outcome = find_out(asked, Crew(2), folder)
    results = json.loads((tmp_path / "there" / "results.json").read_bytes())
    assert results["format"] == "fivetowers-tournament/1"
    ratings, pairs, matchups = (
        pl.read_parquet(tmp_path / "there" / f"{name}.parquet") for name in ("ratings", "pairs", "matchups")
    )
    assert ratings["strategy"].to_list() == [row["strategy"] for row in results["strategies"]]
    assert ratings["win_share_high"].to_list() == [row["win_share"]["high"] for row in results["strategies"]]
    assert pairs.height == 12
    assert matchups.height == len(asked.measure.share_columns)
    assert matchups["seats"].sum() == 3 * outcome.deals * len(asked.arms)
    row = pairs.row(0, named=True)
    assert row["ahead"] == results["pairs"][0]["ahead"]["value"]
    opposite = pairs.filter(strategy=row["against"], against=row["strategy"])
    assert opposite["ahead"].item() == pytest.approx(1 - row["ahead"])
    assert list(pairs.columns) == ["strategy", "against", "meetings", "ahead", "ahead_low", "ahead_high", "expected"]
    assert set(ratings.schema.values()) == {pl.String, pl.Int64, pl.Float64}


def test_standings_call_strategies_as_tables_do():
    finished = outcome_of(strategies=("greedy", "cautious", "bold"), players=2, games=60).finish()
    standings = Standings(finished)
    assert set(standings.rows) == {"greedy", "cautious", "bold"}
    assert set(standings.letters.values()) == {"A", "B", "C"}
    assert standings.ahead["bold", "greedy"].value == pytest.approx(1 - standings.ahead["greedy", "bold"].value)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"strategies": ("greedy",)}, "strategies names greedy; accepted is 2 to 26 different ones"),
        ({"strategies": ("greedy", "greedy:misjudge=0")}, "strategies names greedy, greedy; accepted is 2 to 26 diff"),
        (
            {"strategies": tuple(f"greedy:max_bid={k}" for k in range(27))},
            "strategies names greedy:max_bid=0, .*2 to 26",
        ),
        ({"strategies": ("greedy", "greed")}, "strategies: there is no strategy 'greed'"),
        ({"games": 0}, "games is 0; accepted is 1 to 1000000000"),
        ({"games": None, "precision": 0.5}, "precision is 0.5; accepted is 0.0005 to 0.25 of a win"),
        ({"games": None, "precision": float("nan")}, "precision is nan; accepted"),
        ({"games": 10, "precision": 0.1}, "games is 10 and --precision is 0.1; accepted is one of them"),
        ({"players": 6}, "players is 6; accepted is 2 to 5"),
        ({"seed": -1}, "seed is -1; accepted is "),
        ({"powers": "moon"}, "--powers moon: there is no power 'moon'"),
        ({"seat_powers": ["3=tree"]}, "--seat-powers 3=tree: there is no seat '3'; accepted is 0 to 2"),
    ],
)
def test_what_can_not_be_played_is_refused(given, said):
    with pytest.raises(RefusedError, match=f"^{said}"):
        tournament_of(**given)
