"""A trace holds the very game that a block of games records, and every rule is kept in it."""

from __future__ import annotations

import json

import pytest

from fivetowers_sim.engine.setup import SetupError, make_setup
from fivetowers_sim.engine.setup_io import setup_from_dict
from fivetowers_sim.engine.trace import trace_game, trace_games
from fivetowers_sim.rules.ruleset import RuleSet
from tests.reference.audit import audit_trace

GAMES = 12


def audited(setup, games=GAMES, first=0):
    """Return the traces of games, after the audit has found nothing wrong with them."""
    traces = [json.loads(json.dumps(trace)) for trace in trace_games(setup, first, games)]
    assert [problem for trace in traces for problem in audit_trace(trace)] == []
    return traces


@pytest.mark.parametrize("strategies", [["greedy"], ["greedy:misjudge=0.3"]], ids=str)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_rule_is_kept_and_a_trace_holds_the_game_that_a_block_records(players, strategies):
    setup = make_setup(RuleSet(), players, strategies, seed=players)
    traces = audited(setup)
    tables = setup.play(0, GAMES, "bids")
    for trace, game in zip(traces, tables["games"], strict=True):
        assert (trace["game"], len(trace["rounds"]), len(trace["winners"])) == (
            game["game"],
            game["rounds"],
            game["winners"],
        )
    seats = [line for trace in traces for line in trace["scores"]]
    for part in ("seat", "cards", "tops", "main", "pairs", "teardown", "total"):
        assert [line[part] for line in seats] == tables["seats"][part].tolist()
    rounds = [played for trace in traces for played in trace["rounds"]]
    assert [played["start"] for played in rounds] == tables["rounds"]["start"].tolist()
    assert [played["bid"] for played in rounds] == tables["rounds"]["bid"].tolist()
    assert [len(played["taken"]) for played in rounds] == tables["rounds"]["taken"].tolist()
    words = [(word["seat"], word["bid"], "void" in word) for played in rounds for word in played["bids"]]
    nobody = 255
    recorded = [(int(row["seat"]), int(row["bid"]), bool(row["void"])) for row in tables["bids"]]
    assert words == [(seat, None if bid == nobody else bid, void) for seat, bid, void in recorded]


def test_a_game_alone_is_the_same_as_among_others():
    setup = make_setup(RuleSet(), 3, ["greedy", "greedy:misjudge=0.2", "greedy:max_bid=3"], seed=5)
    among = list(trace_games(setup, 4, 4))
    assert trace_game(setup, 6) == among[2]
    assert [trace["strategies"].index("greedy") for trace in among] == [1, 2, 0, 1]


def test_words_that_a_cancelled_build_undoes_stay_in_the_list_marked_void():
    traces = audited(make_setup(RuleSet(), 4, ["greedy:misjudge=0.5"], seed=1))
    rounds = [played for trace in traces for played in trace["rounds"]]
    assert any("void" in word for played in rounds for word in played["bids"])
    assert all(word.get("void") is not False for played in rounds for word in played["bids"])


def test_a_round_without_a_winner_has_no_actions():
    traces = audited(make_setup(RuleSet(), 2, ["greedy"], seed=1), games=40)
    idle = [played for trace in traces for played in trace["rounds"] if played["winner"] is None]
    assert idle
    for played in idle:
        actions = [played[name] for name in ("bid", "paid", "taken", "teardown", "placements")]
        assert actions == [0, [], [], None, []]


@pytest.mark.parametrize(
    "dials",
    [
        {"display_size": 7, "deck_passes": 3},
        {"display_size": 3, "deck_passes": 1, "teardown_limit": 0},
        {"teardown_limit": 3, "teardown_costs": (0, 0)},
    ],
    ids=str,
)
def test_other_rule_sets_are_kept_too(dials):
    traces = audited(make_setup(RuleSet(**dials), 3, ["greedy:misjudge=0.2"], seed=2))
    rounds = [played for trace in traces for played in trace["rounds"]]
    torn = [played["teardown"] for played in rounds]
    assert any(isinstance(cards, list) for cards in torn) == (dials.get("teardown_limit", 1) > 1)
    assert all(cards is None or isinstance(cards, str) or len(cards) > 1 for cards in torn)


def test_a_setup_is_read_back_from_its_plain_values():
    setup = make_setup(
        RuleSet(display_size=6), 3, ["greedy", "random", "greedy:misjudge=0.1"], 9, [["tree"], [], ["pairs", "sand"]]
    )
    assert setup_from_dict(json.loads(json.dumps(setup.to_dict()))) == setup


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": None}, "the setup can't be read"),
        ({"rules": {"display": 5}}, "there is no dial 'display'"),
        ({"strategies": ["chess"] * 3}, "there is no strategy 'chess'"),
        ({"players": 6}, "players is 6; accepted is 2 to 5"),
    ],
)
def test_a_setup_that_this_version_can_not_play_is_refused(change, message):
    values = make_setup(RuleSet(), 3, ["greedy"], 1).to_dict()
    with pytest.raises(SetupError, match=message):
        setup_from_dict({**values, **change})
    del values["seating"]
    with pytest.raises(SetupError, match="no seating"):
        setup_from_dict(values)
