"""``fivetowers powers`` as a user types it."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import refusal, typed

SHORT = ("powers", "--players", 2, "--strategies", "greedy", "--games", 460, "--quiet")


def test_the_verdict_says_who_is_first_and_what_it_rests_on(capsys, tmp_path):
    code, output, errors = typed(capsys, *SHORT, "--out", tmp_path / "new")
    assert (code, errors) == (0, "")
    assert max(map(len, output.splitlines()[:-1])) <= 100
    assert "…" not in output
    text = " ".join(output.split())
    assert "What powers are worth to the one seat with them, all greedy: " in text
    assert (
        "460 games (10 deals); 2 players; all seats greedy; rules base; no Great Powers but for these; seed 1." in text
    )
    again = "Again: fivetowers powers --players 2 --strategies greedy --seed 1 --rules base --games 460"
    assert again in text
    assert {"powers.png", "powers.svg", "findings.parquet"} <= {file.name for file in (tmp_path / "new").iterdir()}
    shown = json.loads(typed(capsys, *SHORT, "--json", "--out", tmp_path / "new", "--resume")[1])
    assert shown == json.loads((tmp_path / "new" / "results.json").read_bytes())


def test_several_strategies_are_asked_whether_they_agree(capsys):
    several = ("--strategies", "greedy,greedy:ignore_power=sand", "--games", 92)
    code, output, _ = typed(capsys, "powers", "--players", 2, *several, "--quiet")
    assert code == 0
    assert "all greedy:ignore_power=sand." in output
    assert "no two are certainly the other way round" in output or "The order flips" in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--strategies", "greedy,greedy"), "error: --strategies names greedy, greedy; accepted is 1 to 4 different"),
        (("--strategies", "nobody"), "error: --strategies: "),
        (("--players", "1"), "error: --players is 1; accepted is 2 to 5"),
        (("--set", "pair_vp=x"), "error: --set: pair_vp is 'x'; accepted is a whole number from 0 to 100"),
        (("--games", "5", "--precision", "1"), "error: --games is 5 and --precision is 1; "),
        (("--precision", "20"), "error: --precision is 20; accepted is 0.01 to 10 VP"),
        (("--resume",), "error: --resume is given without --out"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(capsys, arguments, message):
    assert refusal(capsys, "powers", *arguments).startswith(message)
