"""Games with a user's own strategy: the same games, rules, chance and records as all others."""

from __future__ import annotations

import json
import pickle
import re

import numpy as np
import pytest
from tblib import pickling_support

from fivetowers_sim.engine.setup import SetupError, make_setup
from fivetowers_sim.engine.setup_io import setup_from_dict
from fivetowers_sim.engine.trace import trace_game, trace_games
from fivetowers_sim.rules.ruleset import RuleSet
from fivetowers_sim.strategies.custom_file import CustomStrategyError
from fivetowers_sim.strategies.families import FAMILIES
from fivetowers_sim.strategies.parameters import StrategyError
from fivetowers_sim.strategies.value_files import load_shipped, write_tables
from tests.own_strategies import write_strategies
from tests.positions import BASE
from tests.reference.audit import audit_trace

POWERS = ["tree", "scrap", "sand", "pairs"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with strategy files, to stand in."""
    monkeypatch.chdir(write_strategies(tmp_path))
    return tmp_path


def audited(setup, games):
    """Return the traces of games, after the audit has found nothing wrong with them."""
    traces = [json.loads(json.dumps(trace)) for trace in trace_games(setup, 0, games)]
    assert [problem for trace in traces for problem in audit_trace(trace)] == []
    return traces


def same_games(first, second):
    """Say whether two sets of tables hold the same but for the strategies' numbers."""
    return all(
        np.array_equal(first[table][column], second[table][column])
        for table in first
        for column in first[table].dtype.names
        if column != "strategy"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "powers", "games"),
    [(2, [], 60), (3, [], 120), (4, [], 60), (5, [], 40), (3, POWERS, 25), (2, ["scrap", "sand"], 30)],
)
def test_a_class_that_plays_greedy_gives_the_very_games_of_greedy(players, powers, games):
    # The seats move in both, as one of the strategies is written in another way.
    own = ["greedy_again.py:Greedy", *["greedy"] * (players - 1)]
    built_in = ["greedy:max_bid=98", *["greedy"] * (players - 1)]
    setups = [make_setup(BASE, players, names, 11, [powers] * players) for names in (own, built_in)]
    played = [setup.play(0, games, "bids") for setup in setups]
    assert same_games(*played)


@pytest.mark.slow
def test_a_table_of_users_only_plays_like_greedy_too():
    own = make_setup(BASE, 3, ["greedy_again.py:Greedy"], 12)
    assert same_games(own.play(0, 40, "bids"), make_setup(BASE, 3, ["greedy"], 12).play(0, 40, "bids"))


@pytest.mark.slow
@pytest.mark.parametrize("powers", [[], POWERS], ids=["none", "all"])
# Who draws lots, draws some when asked that it would not draw when it plays.
@pytest.mark.parametrize("family", [family for family in FAMILIES if family != "random"])
def test_who_asks_a_built_in_strategy_every_time_plays_its_games(family, powers):
    if family == "rollout" and powers:
        pytest.skip("takes minutes to compile, and nothing of it is another than without powers")
    games = 2 if family == "rollout" else 15
    own = make_setup(BASE, 3, [f"asking.py:Asking:what={family}", family, family], 13, [powers] * 3)
    built_in = make_setup(BASE, 3, [f"{family}:max_bid=98", family, family], 13, [powers] * 3)
    assert same_games(own.play(0, games, "bids"), built_in.play(0, games, "bids"))


@pytest.mark.parametrize("powers", [[], POWERS], ids=["none", "all"])
@pytest.mark.parametrize("name", ["Restless", "Looker", "Planner", "Restless:misjudge=0.3", "Looker:misjudge=0.3"])
def test_every_rule_is_kept_and_a_trace_holds_the_game_that_is_recorded(name, powers):
    own = f"restless.py:{name}"
    other = "random:misjudge=0.2" if powers else "greedy:misjudge=0.2"
    setup = make_setup(BASE, 3, [own, other, own], 5, [powers] * 3)
    traces = audited(setup, 4)
    tables = setup.play(0, 4, "bids")
    assert [line["total"] for trace in traces for line in trace["scores"]] == tables["seats"]["total"].tolist()
    words = [word["bid"] for trace in traces for played in trace["rounds"] for word in played["bids"]]
    assert [255 if bid is None else bid for bid in words] == tables["bids"]["bid"].tolist()
    assert own in {strategy for trace in traces for strategy in trace["strategies"]}


@pytest.mark.parametrize("players", [2, 4, 5])
def test_every_rule_is_kept_by_other_rule_sets_and_numbers_of_players(players):
    rules = RuleSet(display_size=6, teardown_limit=2, deck_passes=1)
    names = ["restless.py:Restless", *["greedy"] * (players - 1)]
    audited(make_setup(rules, players, names, 3, [["tree", "scrap"]] * players), 3)


def test_a_users_chance_is_its_own_and_a_game_alone_is_the_same_as_among_others():
    setup = make_setup(BASE, 3, ["restless.py:Restless"], 7)
    among = list(trace_games(setup, 0, 4))
    assert trace_game(setup, 2) == among[2]
    assert same_games(setup.play(0, 4, "bids"), setup.play(0, 4, "bids"))
    alone = setup.play(2, 1, "bids")["bids"]
    together = setup.play(0, 4, "bids")["bids"]
    assert np.array_equal(alone, together[together["game"] == 2])
    other_seed = make_setup(BASE, 3, ["restless.py:Restless"], 8)
    assert trace_game(other_seed, 2)["rounds"] != among[2]["rounds"]


@pytest.mark.parametrize("detail", ["games", "rounds", "bids"])
def test_the_tables_of_every_level_of_detail_are_filled(detail):
    setup = make_setup(BASE, 3, ["restless.py:Looker", "greedy", "greedy"], 7)
    tables, everything = setup.play(0, 5, detail), setup.play(0, 5, "bids")
    assert list(tables) == [layout.name for layout in setup.layouts(detail)]
    for name, rows in tables.items():
        assert np.array_equal(rows, everything[name])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "column"),
    [("never_tear_down=1", "torn"), ("ignore_power=scrap", "fetched"), ("ignore_power=sand", "built_below")],
)
def test_a_users_strategy_can_be_restricted_like_any_other(limit, column):
    names = [f"restless.py:Restless:{limit}", "restless.py:Restless", "restless.py:Restless"]
    setup = make_setup(BASE, 3, names, 9, [POWERS] * 3, seating="fixed")
    rounds = setup.play(0, 12, "rounds")["rounds"]
    assert rounds[column][rounds["winner"] == 0].sum() == 0
    assert rounds[column][rounds["winner"] == 1].sum() > 0


def test_a_users_strategy_never_misjudges_above_its_highest_bid():
    names = ["restless.py:Restless:misjudge=1:max_bid=3", "greedy", "greedy"]
    bids = make_setup(BASE, 3, names, 9, seating="fixed").play(0, 20, "bids")["bids"]
    own = bids[(bids["seat"] == 0) & (bids["bid"] != 255)]
    assert own["bid"].max() == 3
    assert own["void"].any()


# What goes wrong

FAULTS = {
    "Faulty": "failed: ValueError: no idea at all (faulty.py:11 in speak: ",
    "Faulty:how=recurse": "failed: RecursionError: maximum recursion depth exceeded",
    "Faulty:how=leave": "failed: SystemExit: 0 (faulty.py:11 in speak",
    "Faulty:how=mute": "failed: Mute: (it can't be written)",
    "Faulty:how=number": "answers 3 (int); accepted is a BuildPlan",
    "Faulty:how=stale": "failed: AttributeError: 'Faulty' object has no attribute 'kept'",
    "Faulty:how=mine": "has Card(kind='candy', value=99) (Card) in take",
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_in_one_line_with_strategy_game_round_and_seat(name):
    setup = make_setup(BASE, 3, ["greedy", f"faulty.py:{name}", "greedy"], 2, seating="fixed")
    with pytest.raises(CustomStrategyError) as caught:
        setup.play(4, 2, "games")
    message = str(caught.value)
    assert re.match(rf"faulty\.py:{name} in game 4, round [3-9], seat 1 {re.escape(FAULTS[name])}", message)
    assert "\n" not in message
    # As Dask has errors travel: with what they were raised from, and with their tracebacks.
    pickling_support.install(CustomStrategyError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == message
    with pytest.raises(CustomStrategyError) as again:
        trace_game(setup, 4)
    assert str(again.value) == message


def test_a_build_of_an_earlier_round_is_checked_against_this_one():
    setup = make_setup(BASE, 3, ["faulty.py:Stubborn", "greedy", "greedy"], 2, seating="fixed")
    with pytest.raises(CustomStrategyError, match=r"round [2-9], seat 0 (takes|bids|builds)"):
        setup.play(0, 1, "games")


def test_a_player_that_can_not_be_made_is_told_with_its_game():
    setup = make_setup(BASE, 2, ["greedy", "faulty.py:Unborn"], 2, seating="fixed")
    with pytest.raises(CustomStrategyError, match=r"game 3, round 1, seat 1 failed: KeyError: 'no luck today'"):
        setup.play(3, 1, "games")


def test_only_built_in_strategies_without_misjudgement_can_be_asked(folder):
    for asked in ("greedy:misjudge=0.1", "restless.py:Restless", "gredy"):
        text = f"class Asks:\n    def speak(self, view):\n        return view.ask({asked!r})\n"
        (folder / "asks.py").write_text(text, "utf-8")
        with pytest.raises(CustomStrategyError, match="StrategyError"):
            make_setup(BASE, 2, ["asks.py:Asks"], 1).play(0, 1, "games")


def test_what_random_would_do_can_be_asked_and_is_played_by_the_rules(folder):
    text = "class Asks:\n    def speak(self, view):\n        return view.ask('random:max_bid=3')\n"
    (folder / "asks.py").write_text(text, "utf-8")
    traces = audited(make_setup(BASE, 2, ["asks.py:Asks", "greedy"], 1, [POWERS] * 2, seating="fixed"), 5)
    said = [
        word["bid"] for trace in traces for played in trace["rounds"] for word in played["bids"] if not word["seat"]
    ]
    assert set(said) == {None, 0, 1, 2, 3}


# The file is part of the plan


def test_the_file_is_part_of_what_a_setup_is(folder):
    setup = make_setup(BASE, 3, ["restless.py:Restless", "greedy", "greedy"], 1)
    plain = make_setup(BASE, 3, ["greedy"], 1)
    assert "strategy_files" not in plain.to_dict()
    assert list(setup.to_dict()["strategy_files"]) == ["restless.py"]
    assert setup_from_dict(json.loads(json.dumps(setup.to_dict()))) == setup
    assert pickle.loads(pickle.dumps(setup)) == setup
    with (folder / "restless.py").open("a", encoding="utf-8") as file:
        file.write("# edited\n")
    edited = make_setup(BASE, 3, ["restless.py:Restless", "greedy", "greedy"], 1)
    assert edited != setup
    assert edited.to_dict() != setup.to_dict()


def test_games_are_not_played_with_tables_that_have_changed(folder):
    tables = folder / "tables.json"
    tables.write_text(write_tables(load_shipped(3, with_powers=False), 15), "utf-8")
    elsewhere = pickle.dumps(make_setup(BASE, 3, ["tables.json", "greedy", "greedy"], 1))
    pickle.loads(elsewhere).play(0, 1, "games")
    tables.write_text(tables.read_text("utf-8") + "\n", "utf-8")
    with pytest.raises(StrategyError, match=r"tables\.json has changed"):
        pickle.loads(elsewhere).play(0, 1, "games")


def test_games_are_not_played_with_a_file_that_has_changed_or_is_gone(folder):
    setup = make_setup(BASE, 3, ["restless.py:Restless", "greedy", "greedy"], 1)
    values, elsewhere = setup.to_dict(), pickle.dumps(setup)
    setup.play(0, 1, "games")
    with (folder / "restless.py").open("a", encoding="utf-8") as file:
        file.write("# edited\n")
    # What is loaded plays on; whoever loads it now is told.
    setup.play(0, 1, "games")
    with pytest.raises(StrategyError, match=r"restless\.py has changed"):
        pickle.loads(elsewhere).play(0, 1, "games")
    with pytest.raises(SetupError, match=r"restless\.py has changed since these games were begun"):
        setup_from_dict(values)
    (folder / "restless.py").unlink()
    with pytest.raises(SetupError, match=r"restless\.py can't be read: No such file"):
        setup_from_dict(values)
