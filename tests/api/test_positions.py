"""One position, as a mapping or in a file."""

from __future__ import annotations

import json

import pytest

import fivetowers_sim as ft
from tests.test_docs import ROOT, blocks


@pytest.fixture(scope="module")
def position():
    examples = [json.loads(code) for code in blocks(ROOT / "docs" / "files.md", "json")]
    return next(one for one in examples if one.get("format") == "fivetowers-position/1")


@pytest.fixture
def file(position, tmp_path):
    path = tmp_path / "position.json"
    path.write_text(json.dumps(position), "utf-8")
    return path


@pytest.mark.slow
def test_what_is_legal_is_what_the_command_lists(position, file, fivetowers):
    answer = ft.legal(position)
    assert str(answer) == str(ft.legal(file)) == fivetowers("legal", file).stdout.rstrip()
    assert answer.to_dict() == json.loads(fivetowers("legal", file, "--json").stdout)
    assert answer.frame()["bid"].to_list() == [4, 4, 4, 4, 4, 5]


@pytest.mark.slow
def test_evaluating_it_is_what_the_command_does(position, file, fivetowers):
    found = ft.evaluate(position, strategies="greedy", futures=20)
    typed = ("--strategies", "greedy", "--futures", "20")
    told = json.loads(fivetowers("evaluate", file, *typed, "--json").stdout)
    assert {**found.to_dict(), "command": ""} == {**told, "command": ""}
    assert found.to_dict()["command"] == "fivetowers evaluate position.json --strategies greedy --futures 20"
    assert found.frame()["bid"].to_list() == [None, 4, 5]
    assert "Best: " in str(found)


@pytest.mark.parametrize("ask", [ft.legal, lambda position: ft.evaluate(position, futures=20)])
def test_a_position_that_is_not_accepted_is_named(ask, position, tmp_path):
    wrong = {**position, "players": 9}
    with pytest.raises(ValueError, match=r"^position: players is 9; accepted is a whole number from 2 to 5$"):
        ask(wrong)
    with pytest.raises(ValueError, match=r"^position: turn.seat is 9; accepted is"):
        ask({**position, "turn": {"seat": 9, "high_bid": 3}})
    with pytest.raises(ValueError, match=r"^position can't be written as JSON"):
        ask({**position, "players": object()})
    (tmp_path / "wrong.json").write_text(json.dumps(wrong), "utf-8")
    with pytest.raises(ValueError, match=r"wrong\.json: players is 9; accepted"):
        ask(tmp_path / "wrong.json")


def test_who_leads_is_said_in_the_name_of_the_argument(position):
    with pytest.raises(ValueError, match=r"^leader is 0; accepted is a seat that has spoken"):
        ft.evaluate(position, futures=20, leader=0)
