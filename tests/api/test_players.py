"""Players that are found from Python, and games written down."""

from __future__ import annotations

import json
import tomllib

import pytest

import fivetowers_sim as ft


@pytest.mark.slow
def test_tables_that_were_learned_play_and_can_be_kept(tmp_path):
    tables = ft.fit(games=500, trial_games=500, set={"display_size": 6})
    assert str(tables).count("\n") == 0
    assert "--" not in str(tables)
    run = ft.simulate(games=30, strategies=[tables, "greedy", "greedy"], set={"display_size": 6})
    assert str(tables.path) in run.plan["setup"]["strategies"][0]
    kept = tables.save(tmp_path / "mine.json")
    assert json.loads(kept.read_text("utf-8")) == tables.to_dict()
    told = "fivetowers fit --set display_size=6 --games 500 --trial-games 500"
    assert told in json.dumps(tables.to_dict()["provenance"])
    with pytest.raises(ValueError, match=r"accepted is a new file that ends in .json"):
        tables.save(tmp_path / "mine.toml")


def test_a_tuned_preset_plays_and_says_by_which_command_it_was_found(tmp_path):
    out = tmp_path / "mine.toml"
    tuned = ft.tune(
        "greedy",
        against=["greedy"],
        parameters=["max_bid"],
        out=out,
        generations=1,
        games=30,
        restarts=1,
        fresh_games=60,
    )
    told = tomllib.loads(out.read_text("utf-8"))["provenance"]["command"]
    assert told.startswith("fivetowers tune greedy --against greedy --parameters max_bid --generations 1 --games 30")
    assert tuned.to_dict()["fresh_games"] == 60
    assert ft.simulate(games=3, strategies=tuned).tables == ("games", "seats")
    with pytest.raises(ValueError, match="it exists already; accepted is the name of a new file"):
        ft.tune("greedy", against="greedy", out=out)
    with pytest.raises(ValueError, match=r"^strategy: there is no strategy 'nobody'"):
        ft.tune("nobody", against="greedy")


def test_games_are_written_down_one_by_one(tmp_path):
    traces = ft.trace(games=3, first=5)
    assert next(traces)["game"] == 5
    out = tmp_path / "games.jsonl"
    assert [one["game"] for one in ft.trace(games=3, first=5, out=out)] == [5, 6, 7]
    assert len(out.read_text("utf-8").splitlines()) == 3
    with pytest.raises(ValueError, match=r"^out .*: it exists already"):
        ft.trace(out=out)


@pytest.mark.slow
def test_what_there_is_to_choose_from_is_listed(fivetowers):
    assert ft.rules().frame()["name"].to_list()[0] == "base"
    assert ft.rules("base").to_dict()["display_size"] == 5
    assert str(ft.rules("base")) == fivetowers("rules", "base").stdout.rstrip()
    assert {"family", "preset"} == {*ft.strategies().frame()["kind"]}
    assert "misjudge" in ft.strategies("greedy").frame()["parameter"].to_list()
    assert str(ft.strategies("value")) == fivetowers("strategies", "value").stdout.rstrip()
