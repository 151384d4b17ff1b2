"""Values as Python has them, or as one would type them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fivetowers_sim.api.arguments import read_arguments, write_words


@pytest.mark.parametrize(
    ("command", "given", "name", "taken"),
    [
        ("simulate", {"games": "20k"}, "games", 20_000),
        ("simulate", {"games": np.int64(7)}, "games", 7),
        ("simulate", {"games": 1e6}, "games", 1_000_000),
        ("simulate", {"strategies": ["value", "greedy"]}, "strategies", "value,greedy"),
        ("simulate", {"strategies": "value,greedy"}, "strategies", "value,greedy"),
        ("simulate", {"strategies": (Path("mine.toml"), "greedy")}, "strategies", "mine.toml,greedy"),
        (
            "simulate",
            {"set": {"display_size": 6, "teardown_costs": [1, 1]}},
            "dials",
            ["display_size=6", "teardown_costs=1,1"],
        ),
        (
            "simulate",
            {"set": {"power_tree": True, "teardown_costs": ()}},
            "dials",
            ["power_tree=True", "teardown_costs="],
        ),
        ("simulate", {"set": "display_size=6"}, "dials", ["display_size=6"]),
        ("simulate", {"set": ["display_size=6"]}, "dials", ["display_size=6"]),
        ("simulate", {"powers": ["tree", "sand"]}, "powers", "tree,sand"),
        ("simulate", {"powers": []}, "powers", "none"),
        ("simulate", {"seat_powers": {0: ["tree"], 1: "all", 2: ()}}, "seat_powers", ["0=tree", "1=all", "2=none"]),
        ("simulate", {"out": Path("data/x")}, "out", "data/x"),
        ("powers", {"precision": "0.3"}, "precision", 0.3),
        ("powers", {"precision": 1}, "precision", 1.0),
        ("powers", {"out": "data/x"}, "out", Path("data/x")),
        ("game-shape", {"players": 3}, "players", "3"),
        ("game-shape", {"players": range(2, 5)}, "players", "2,3,4"),
        ("compare", {"set_b": {"display_size": 6}}, "set_b", ["display_size=6"]),
        ("sweep", {"set": {"display_size": [4, 6]}}, "set", ["display_size=4,6"]),
        ("sweep", {"set": {"teardown_costs": [[0], [1, 1], []]}}, "set", ["teardown_costs=0;1,1;"]),
        ("sweep", {"set": {"teardown_costs": ["0", "1,1"]}}, "set", ["teardown_costs=0;1,1"]),
        ("sweep", {"set": {"display_size": 4}}, "set", ["display_size=4"]),
        ("teardown-costs", {"costs": [[0], [2, 2]]}, "costs", "0;2,2"),
        ("report", {"folders": "data/x"}, "folders", [Path("data/x")]),
    ],
)
def test_a_value_is_taken_as_if_it_had_been_typed(command, given, name, taken):
    assert read_arguments(command, given)[name] == taken


@pytest.mark.parametrize(
    ("command", "given", "said"),
    [
        ("simulate", {"games": "many"}, "games is 'many'; accepted is a whole number, such as 20000, 1e6 or 1M"),
        ("simulate", {"games": 1.5}, "games is 1.5; accepted is a whole number, such as 20000 or '20k'"),
        ("simulate", {"games": True}, "games is True; accepted is a whole number, such as 20000 or '20k'"),
        ("simulate", {"games": None}, "games is None; accepted is a whole number, such as 20000 or '20k'"),
        ("powers", {"precision": "fine"}, "precision is 'fine'; accepted is a number"),
        ("powers", {"precision": [1]}, "precision is [1]; accepted is a number"),
        ("powers", {"quiet": 1}, "quiet is 1; accepted is True or False"),
        ("powers", {"out": 3}, "out is 3; accepted is a text or a path"),
        (
            "powers",
            {"out": "s3://bucket/x"},
            "out is 's3://bucket/x', an address; accepted is a folder of this machine's",
        ),
        ("simulate", {"strategies": 0.5}, "strategies is 0.5; accepted is a list, or the text that one would type"),
        ("simulate", {"strategies": ["greedy", None]}, "strategies has None in it; accepted are names and numbers"),
        ("simulate", {"set": 6}, "set is 6; accepted is a list, or the text that one would type"),
        ("teardown-costs", {"costs": {1: 2}}, "costs is {1: 2}; accepted is a list, or the text that one would type"),
    ],
)
def test_a_value_of_another_kind_is_refused_in_one_line(command, given, said):
    with pytest.raises(ValueError, match="accepted") as caught:
        read_arguments(command, given)
    assert str(caught.value) == said


def test_what_one_would_type_leaves_defaults_out():
    given = {"strategies": ["value", "greedy"], "set": {"display_size": 6}, "seed": 1, "games": 500, "quiet": True}
    words = write_words("simulate", read_arguments("simulate", given))
    assert words == [
        *("fivetowers", "simulate", "--games", "500", "--strategies", "value,greedy"),
        *("--set", "display_size=6", "--quiet"),
    ]
    words = write_words("teardown-costs", read_arguments("teardown-costs", {"refit": False}))
    assert words == ["fivetowers", "teardown-costs", "--no-refit"]
