"""``fivetowers game-shape`` as a user types it."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import refusal, typed

SHORT = ("game-shape", "--players", 2, "--strategies", "greedy,greedy:max_bid=2", "--games", 240, "--quiet")


@pytest.mark.slow
def test_the_verdict_says_who_wins_from_where_and_what_it_rests_on(capsys, tmp_path):
    code, output, errors = typed(capsys, *SHORT, "--out", tmp_path / "new")
    assert (code, errors) == (0, "")
    assert max(map(len, output.splitlines()[:-1])) <= 100
    assert "…" not in output
    text = " ".join(output.split())
    assert text.startswith("No seat is shown to win more or less than an equal share, with 2 players. Win share of ")
    assert "player with 2 players, all greedy (equal: 50.0%): 5" in text
    assert "; a winner leads to the end from round " in text
    assert (
        "of what varies one player's VP ahead of the best other changes from deal to deal; who plays (greedy " in text
    )
    assert "240 games (60 deals); 2 players; all seats greedy; rules base; no Great Powers; seed 1." in text
    assert "Again: fivetowers game-shape --players 2 --strategies greedy,greedy:max_bid=2 --seed 1" in text
    names = {file.name for file in (tmp_path / "new").iterdir()}
    assert {"seats.png", "scores-2.svg", "lead-2.png", "luck-2.svg", "findings.parquet"} <= names
    shown = json.loads(typed(capsys, *SHORT, "--json", "--out", tmp_path / "new", "--resume")[1])
    assert shown == json.loads((tmp_path / "new" / "results.json").read_bytes())


def test_great_powers_are_everyones(capsys):
    code, output, _ = typed(capsys, "game-shape", "--strategies", "greedy", "--powers", "all", "--games", 6, "--quiet")
    assert code == 0
    assert "Great Powers tree, scrap, sand, pairs" in " ".join(output.split())


def test_a_check_is_told_after_the_others_and_asked_whether_it_agrees(capsys):
    code, output, errors = typed(capsys, *SHORT, "--check", "random", "--check-games", 40)
    assert (code, errors) == (0, "")
    assert max(map(len, output.splitlines()[:-1])) <= 100
    text = " ".join(output.split())
    assert "As a check the same was asked of random in all seats, a slower player: 40 games (40 deals)." in text
    assert "Under no other strategy is a seat certainly the other way round; under greedy:max_bid=2 none is " in text
    rows = [text.index(f"2 players, {name} ") for name in ("greedy", "greedy:max_bid=2", "random")]
    assert rows == sorted(rows)
    assert "What scores are made of, in VP, 2 players, all random." in text
    assert "--check random --check-games 40" in text


def test_one_deal_has_figures_without_intervals(capsys):
    code, output, _ = typed(capsys, "game-shape", "--strategies", "greedy", "--games", 1, "--quiet")
    assert code == 0
    assert "± ?" in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--strategies", "greedy,greedy"), "error: --strategies names greedy, greedy; accepted is 1 to 4 different"),
        (("--strategies", "nobody"), "error: --strategies: "),
        (("--players", "1"), "error: --players is 1; accepted is 2 to 5"),
        (("--players", "two"), "error: --players is 'two'; accepted are numbers from 2 to 5"),
        (("--players", "3,3"), "error: --players is 3,3; accepted are different numbers from 2 to 5"),
        (("--powers", "fire"), "error: --powers fire: there is no power 'fire'"),
        (("--precision", "20"), "error: --precision is 20; accepted is 0.01 to 10 points"),
        (("--check", "nobody", "--games", "9"), "error: --check: there is no strategy 'nobody'"),
        (("--check", "value"), "error: --check is value; accepted is a strategy that isn't among strategies"),
        (("--check", "none", "--check-games", "9"), "error: --check-games is 9 and nobody checks; accepted is"),
        (("--check-games", "0"), "error: --check-games is 0; accepted is 1 to 1000000000"),
        (("--resume",), "error: --resume is given without --out"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(capsys, arguments, message):
    assert refusal(capsys, "game-shape", *arguments).startswith(message)
