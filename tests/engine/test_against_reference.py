"""What the compiled strategies say and build, against the reference engine that tries everything."""

from __future__ import annotations

import itertools
import json
import random

import pytest

from fivetowers_sim.engine.setup import make_setup
from fivetowers_sim.engine.trace import trace_games
from fivetowers_sim.rules.ruleset import RuleSet
from tests.positions import BASE, EACH_POWER_SET, MANY, POWER_SETS, Spot, power_set_name, seeded_spots, spot
from tests.reference.audit import audit_trace
from tests.reference.builds import all_builds, as_towers
from tests.reference.greedy import best_builds, worth
from tests.rounds import Rounds


def problems_in(setup, games, check_strategies=False):
    """Play games and return everything that the audit finds wrong."""
    traces = [json.loads(json.dumps(trace)) for trace in trace_games(setup, 0, games * MANY)]
    return [problem for trace in traces for problem in audit_trace(trace, check_strategies)]


def check_greedy(position: Spot, start: int, luck: int = 0) -> None:
    """Play a round with greedy seats and compare every word, and the build, with the best builds."""
    rounds = Rounds(position, ["greedy"], start)
    winner = rounds.play(luck)
    best = {}
    for word in rounds.words():
        powers, towers, pile = position.seat(word.seat)
        best[word.seat], builds = best_builds(position.rules, powers, towers, pile, position.display, word.high_bid)
        allowed = {build.bid for build in builds} or {-1}
        # The starting player says 0 instead of passing.
        assert (word.bid or -1) in allowed, (position, word)
    if winner >= 0:
        build = rounds.build()
        powers, towers, pile = position.seat(winner)
        assert build in all_builds(position.rules, powers, towers, pile, position.display, only_bid=build.bid), (
            position,
            build,
        )
        assert worth(position.rules, powers, as_towers(build.towers), build.pile) == best[winner], (position, build)


@pytest.mark.parametrize("powers", EACH_POWER_SET)
@pytest.mark.parametrize("players", [2, 3, *(pytest.param(many, marks=pytest.mark.slow) for many in (4, 5))])
def test_greedy_says_and_builds_what_scores_most_in_whole_games(players, powers):
    setup = make_setup(BASE, players, ["greedy"], seed=10 + players, powers_by_seat=[powers] * players)
    assert problems_in(setup, games=3 if not powers else 1, check_strategies=True) == []


@pytest.mark.parametrize("powers", EACH_POWER_SET)
def test_greedy_says_and_builds_what_scores_most_in_random_positions(powers):
    for number, position in enumerate(seeded_spots(20, 15, powers=[powers], most_cards=12)):
        check_greedy(position, start=number % position.players)


@pytest.mark.parametrize("powers", EACH_POWER_SET)
def test_greedy_says_and_builds_what_scores_most_by_edited_rules(powers):
    for number, position in enumerate(seeded_spots(21, 25, edited=True, powers=[powers], most_cards=10)):
        check_greedy(position, start=number % position.players)


@pytest.mark.slow
@pytest.mark.parametrize("size", [6, 7])
def test_greedy_says_and_builds_what_scores_most_with_a_large_display(size):
    for position in seeded_spots(22, 10, rules=RuleSet(display_size=size), powers=[frozenset()], most_cards=10):
        check_greedy(position, start=0)


def test_greedy_tears_down_a_sand_card_only_to_slide_it_under_its_tower():
    # 12-8 is open to all 16 values, 8-12 only to those below 12; the score is the same.
    position = spot("scrap-5", {"sand": (8, 12)}, powers=["scrap", "sand"])
    check_greedy(position, start=0)
    rounds = Rounds(position, ["greedy"])
    rounds.play()
    assert rounds.build().towers[4] == (12, 8)


def test_greedy_pays_more_trees_than_it_needs_where_cards_are_worth_nothing():
    rules = RuleSet(vp_per_card=0, vp_main_tower=0)
    check_greedy(spot("candy-5", {"tree": (8, 3, 2)}, powers=["tree"], rules=rules), start=0)


MIXED = [
    pytest.param(players, [POWER_SETS[(3 * seat + players) % 16] for seat in range(players)], id=str(players))
    for players in (2, 3, 4, 5)
]


@pytest.mark.parametrize("powers", POWER_SETS, ids=power_set_name)
def test_random_players_keep_every_rule_under_every_power_set(powers):
    players = 2 + len(powers) % 4
    setup = make_setup(BASE, players, ["random"], seed=30, powers_by_seat=[powers] * players)
    assert problems_in(setup, games=6) == []


@pytest.mark.parametrize(("players", "powers"), MIXED)
def test_random_players_who_misjudge_keep_every_rule_with_different_powers_at_each_seat(players, powers):
    setup = make_setup(BASE, players, ["random:misjudge=0.2"], seed=31, powers_by_seat=powers)
    assert problems_in(setup, games=6) == []


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_players_who_misjudge_keep_every_rule_of_the_base_game(players):
    setup = make_setup(BASE, players, ["random:misjudge=0.2"], seed=32)
    assert problems_in(setup, games=10) == []


def test_players_keep_every_rule_of_edited_rule_sets():
    for number in range(6 * MANY):
        chance = random.Random(number)
        (position,) = itertools.islice(seeded_spots(40 + number, 1, edited=True, players=2 + number % 4), 1)
        strategies = [f"random:misjudge={chance.choice([0, 0.3])}"]
        setup = make_setup(position.rules, position.players, strategies, seed=number, powers_by_seat=position.powers)
        traces = list(trace_games(setup, 0, 1))
        assert [problem for trace in traces for problem in audit_trace(trace)] == []


def test_who_misjudges_a_bid_builds_nothing_with_it_and_speaks_again_lower():
    setup = make_setup(BASE, 3, ["random:misjudge=1"], seed=33)
    sent_back = 0
    for trace in trace_games(setup, 0, 10):
        for played in trace["rounds"]:
            undone = [word for word in played["bids"] if word.get("void")]
            sent_back += bool(undone)
            assert played["winner"] is None or played["bid"] not in {
                word["bid"] for word in undone if word["seat"] == played["winner"]
            }
    assert sent_back > 50
