"""``fivetowers bid-values`` and ``fivetowers evaluate`` as a user types them."""

from __future__ import annotations

import json
import re

import pytest

from tests.cli.conftest import refusal, typed

SHORT = ("bid-values", "--players", 3, "--strategies", "greedy", "--games", 400, "--futures", 2, "--quiet")
POSITION = {
    "format": "fivetowers-position/1",
    "players": 3,
    "rules": "base",
    "display": ["candy-3", "candy-12", "scrap-7", "sand-0", "sand-9"],
    "discard": ["tree-1"],
    "start": 1,
    "seats": [
        {"towers": {"candy": [14, 10], "sand": [6]}, "teardown": ["scrap-4"]},
        {"towers": {"scrap": [15, 8]}},
        {},
    ],
    "turn": {"seat": 0, "high_bid": 3},
}


@pytest.fixture
def position(tmp_path):
    """Write the position of the pages, changed as said."""

    def write(**changes):
        path = tmp_path / "position.json"
        path.write_text(json.dumps({**POSITION, **changes}))
        return path

    return write


@pytest.mark.slow
def test_the_verdict_on_bids_says_what_it_rests_on(capsys, tmp_path):
    code, output, errors = typed(capsys, *SHORT, "--out", tmp_path / "new")
    assert (code, errors) == (0, "")
    assert max(map(len, output.splitlines()[:-1])) <= 100
    assert "…" not in output
    text = " ".join(output.split())
    assert re.match(r"(Better than|Worse than|Not told apart from) passing: \d \([+-]?\d.* ± ", text)
    assert "In VP, forced against a forced pass at the very same decisions, all greedy." in text
    assert "The claim 'beginners bid too low' " in text
    assert "; 'starting a tower on an 11 is fine' " in text
    assert "400 decisions of each strategy, each of a game of its own; 3 players; all seats greedy; 2 futures" in text
    assert "rules base; no Great Powers; seed 1." in text
    again = "fivetowers bid-values --players 3 --strategies greedy --seed 1 --rules base --games 400 --futures 2"
    assert f"Again: {again}" in text
    assert {"bid-values.png", "bid-values.svg", "bids.parquet"} <= {file.name for file in (tmp_path / "new").iterdir()}
    shown = json.loads(typed(capsys, *SHORT, "--json", "--out", tmp_path / "new", "--resume")[1])
    assert shown == json.loads((tmp_path / "new" / "results.json").read_bytes())


def test_several_strategies_are_asked_whether_signs_flip(capsys):
    several = ("--strategies", "greedy,greedy:max_bid=3", "--games", 60, "--futures", 1)
    code, output, _ = typed(capsys, "bid-values", *several, "--quiet")
    assert code == 0
    for name in ("greedy", "greedy:max_bid=3"):
        assert f"All {name}: 'beginners bid too low' " in output
    assert "Nothing flips" in output or "The sign flips" in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--strategies", "greedy,greedy"), "error: --strategies names greedy, greedy; accepted is 1 to 4 different"),
        (("--strategies", "nobody"), "error: --strategies: "),
        (("--players", "1"), "error: --players is 1; accepted is 2 to 5"),
        (("--futures", "0"), "error: --futures is 0; accepted is 1 to 1000"),
        (("--powers", "wood"), "error: --powers wood: there is no power 'wood'"),
        (("--games", "5", "--precision", "1"), "error: --games is 5 and --precision is 1; "),
        (("--resume",), "error: --resume is given without --out"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(capsys, arguments, message):
    assert refusal(capsys, "bid-values", *arguments).startswith(message)


def test_a_position_is_evaluated_word_by_word(capsys, position):
    code, output, errors = typed(capsys, "evaluate", position(), "--futures", 200, "--quiet")
    assert (code, errors) == (0, "")
    assert max(map(len, output.splitlines()[:-1])) <= 100
    assert "Seat 0 speaks, over a bid of 3 by seat 2." in " ".join(output.split())
    assert output.startswith("Best: ")
    assert "Futures are the same for every word" in output
    assert "200 futures; 3 players; value in all seats; rules base; seed 1." in output
    shown = json.loads(typed(capsys, "evaluate", position(), "--futures", 200, "--quiet", "--json")[1])
    assert shown["format"] == "fivetowers-evaluation/1"
    assert [word["bid"] for word in shown["words"]] == [None, 4, 5]
    assert shown["words"][2]["build"]["taken"] == POSITION["display"]


@pytest.mark.slow
def test_another_player_is_asked_whether_the_best_word_is_best(capsys, position):
    how = (
        position(),
        "--strategies",
        "greedy",
        "--futures",
        100,
        "--check",
        "random",
        "--check-futures",
        60,
        "--quiet",
    )
    code, output, errors = typed(capsys, "evaluate", *how)
    assert (code, errors) == (0, "")
    assert max(map(len, output.splitlines()[:-1])) <= 100
    text = " ".join(output.split())
    assert "is best was asked of other players, in all seats: " in text
    assert "random: best is " in text
    assert "(60 futures)" in text
    (check,) = json.loads(typed(capsys, "evaluate", *how, "--json")[1])["checks"]
    assert (check["strategies"], check["futures"]) == (["random"] * 3, 60)
    before = next(word for word in check["words"] if word["bid"] == check["bid_before"])
    assert check["less_best"] == before["against_best"]["win_share"]


def test_who_has_the_high_bid_may_be_said(capsys, position):
    output = typed(capsys, "evaluate", position(), "--leader", 1, "--futures", 50, "--quiet")[1]
    assert "over a bid of 3 by seat 1." in " ".join(output.split())


@pytest.mark.parametrize(
    ("changes", "arguments", "message"),
    [
        ({}, ("--futures", 1), "error: --futures is 1; accepted is 2 to"),
        ({}, ("--precision", 0.5), "error: --precision is 0.5; accepted is 0.001 to 0.2 of a win"),
        (
            {},
            ("--futures", 5, "--precision", 0.1),
            "error: --futures is 5 and --precision is 0.1; accepted is one",
        ),
        ({}, ("--check", "nobody"), "error: --check: there is no strategy 'nobody'"),
        ({}, ("--check", "value"), "error: --check is value, who plays on already; accepted is another strategy"),
        ({}, ("--check-futures", 1), "error: --check-futures is 1; accepted is 2 to"),
        ({}, ("--check", "none", "--check-futures", 9), "error: --check-futures is 9 and nobody checks"),
        ({}, ("--leader", 0), "error: --leader is 0; accepted is a seat that has spoken: 1, 2"),
        ({}, ("--strategies", "value,greedy"), "error: --strategies names 2, value, greedy; accepted is one for each"),
        ({"start": 0}, (), "turn.high_bid is 3, but seat 0 speaks first"),
        ({"players": 9}, (), "players is 9"),
    ],
)
def test_a_bad_position_gets_one_line_and_exit_code_2(capsys, position, changes, arguments, message):
    assert message in refusal(capsys, "evaluate", position(**changes), *arguments, "--quiet")
