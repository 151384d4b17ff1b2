"""Candidates are measured on the same deals, in every seat equally often, against the field that was named."""

from __future__ import annotations

import numpy as np
import pytest

from fivetowers_sim.analysis.estimates import Tally
from fivetowers_sim.batch.staff import Staff
from fivetowers_sim.engine.setup import SetupError
from fivetowers_sim.experiments.candidates import Deals, Standing, measure_candidates, purpose_seed
from fivetowers_sim.experiments.contest import Contest, ContestError, make_contest
from fivetowers_sim.rules.ruleset import RuleSet
from fivetowers_sim.strategies.parameters import StrategyError

TIMID = "greedy:max_bid=2"


@pytest.fixture(scope="module")
def contest() -> Contest:
    return make_contest(RuleSet(), 3, ["greedy"])


def played_apart(contest, candidate, deals):
    """Each game's score of a candidate, found the slow way: by its name in one game after the other."""
    scores = {"win_share": [], "margin": []}
    setup = contest.setup(candidate, 0, deals.seed)
    for game in range(deals.first_game, deals.first_game + deals.games):
        seats = setup.play(game, 1, "games")["seats"]
        own = setup.seats_of(game).index(candidate)
        others = [int(row["total"]) for row in seats if row["seat"] != own]
        scores["win_share"].append(round(float(seats["win_share"][own]) * 6))
        scores["margin"].append(int(seats["total"][own]) - max(others))
    return {aim: np.array(values) for aim, values in scores.items()}


def test_scores_and_gains_are_those_of_games_played_apart(contest):
    deals = Deals(11, 30, 60)
    timid, closed = measure_candidates(contest, [TIMID, "greedy:never_close=1"], deals)
    apart = [played_apart(contest, name, deals) for name in (TIMID, "greedy:never_close=1")]
    for standing, own in zip((timid, closed), apart, strict=True):
        for aim in ("win_share", "margin"):
            score, gain = own[aim], own[aim] - apart[0][aim]
            assert standing.scores[aim] == Tally(60, 60, 60, score.sum(), (score**2).sum(), score.sum())
            assert standing.gains[aim] == Tally(60, 60, 60, gain.sum(), (gain**2).sum(), gain.sum())
    assert timid.gains["margin"].total_squared == 0
    assert closed.gains["margin"].total_squared > 0


@pytest.mark.slow
def test_workers_and_the_size_of_parts_change_no_figure(contest):
    names, deals = [TIMID, "greedy", "greedy:never_close=1"], Deals(5, 0, 300)
    one = measure_candidates(contest, names, deals, staff=Staff(1))
    assert measure_candidates(contest, names, deals, staff=Staff(3)) == one
    assert measure_candidates(contest, names, deals, staff=Staff(2, "processes")) == one


def test_a_candidate_like_its_field_wins_an_equal_share(contest):
    # Its seat moves, so no seat's advantage is left: a third, within five standard errors.
    standing = measure_candidates(contest, ["greedy"], Deals(3, 0, 3000))[0]
    share = standing.scores["win_share"]
    assert share.total / share.games / 6 == pytest.approx(1 / 3, abs=5 * 0.47 / 3000**0.5)


def test_a_candidate_that_comes_twice_is_played_once(contest):
    played = []
    standings = measure_candidates(contest, ["greedy", TIMID, "greedy"], Deals(5, 0, 30), watch=played.append)
    assert sum(played) == 60
    assert standings[0] == standings[2] != standings[1]


def test_each_table_of_a_larger_field_gets_the_same_number_of_games():
    closed = "greedy:never_close=1"
    contest = make_contest(RuleSet(), 3, ["greedy", closed, TIMID])
    assert contest.tables == (("greedy", closed), ("greedy", TIMID), (closed, TIMID))
    assert contest.cycle == 9
    whole = measure_candidates(contest, ["greedy"], Deals(5, 0, 18))[0]
    apart = []
    for table, first in zip(contest.tables, (0, 6, 12), strict=True):
        alone = make_contest(RuleSet(), 3, table)
        apart.append(measure_candidates(alone, ["greedy"], Deals(5, first, 6))[0])
    assert whole == apart[0] + apart[1] + apart[2]


@pytest.mark.parametrize(("players", "tables"), [(2, (("greedy",),)), (4, (("greedy",) * 3,))])
def test_one_opponent_fills_all_other_seats(players, tables):
    assert make_contest(RuleSet(), players, ["greedy"]).tables == tables


def test_opponents_are_written_canonically_and_powers_default_to_the_rules():
    contest = make_contest(RuleSet(power_tree=True), 2, ["greedy:misjudge=0.10"])
    assert contest.field == ("greedy:misjudge=0.1",)
    assert contest.powers_by_seat == (("tree",), ("tree",))
    setup = contest.setup("random", 0, 9)
    assert (setup.seating, setup.strategies, setup.seed) == ("rotate", ("random", "greedy:misjudge=0.1"), 9)


@pytest.mark.parametrize(
    ("players", "field", "words"),
    [
        (1, ["greedy"], ["players is 1", "2 to 5"]),
        (6, ["greedy"], ["players is 6", "2 to 5"]),
        (3, [], ["against names nobody", "one for all 2 other seats, or 2 or more"]),
        (2, [], ["against names nobody", "one for the other seat"]),
        (5, ["greedy", "random"], ["against names greedy, random", "one for all 4 other seats, or 4 or more"]),
    ],
)
def test_a_field_that_does_not_fill_the_seats_is_refused(players, field, words):
    with pytest.raises(ContestError) as caught:
        make_contest(RuleSet(), players, field)
    for word in words:
        assert word in str(caught.value)


def test_unknown_opponents_and_powers_are_refused():
    with pytest.raises(StrategyError, match="'gredy'"):
        make_contest(RuleSet(), 3, ["greedy", "gredy"])
    with pytest.raises(SetupError, match="'moon'"):
        make_contest(RuleSet(), 2, ["greedy"], [["moon"], []])


def test_a_standing_reads_back_as_it_was_written(contest):
    standing = measure_candidates(contest, ["greedy"], Deals(5, 0, 30))[0]
    assert Standing.from_lists(standing.to_lists()) == standing


def test_every_purpose_has_a_seed_of_its_own():
    seeds = {purpose_seed(seed, purpose) for seed in range(50) for purpose in ("tune restart 0", "tune choose")}
    assert len(seeds) == 100
    assert all(0 <= seed < 1 << 63 for seed in seeds)
    assert not seeds & set(range(50))
