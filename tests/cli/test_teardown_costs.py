"""``fivetowers teardown-costs`` as a user types it."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import refusal, typed

LITTLE = ("--decisions", 60, "--futures", 4, "--games", 900)
SHORT = ("teardown-costs", "--players", 2, "--strategies", "greedy", *LITTLE, "--quiet")


@pytest.mark.slow
def test_the_verdict_says_what_tearing_down_is_worth_and_what_it_rests_on(capsys, tmp_path):
    code, output, errors = typed(capsys, *SHORT, "--out", tmp_path / "new")
    assert (code, errors) == (0, "")
    assert max(map(len, output.splitlines()[:-1])) <= 100
    assert "…" not in output
    text = " ".join(output.split())
    assert "With greedy in all seats and costs printed (1-2-3-4), never tearing down" in text
    assert "Compared with printed (1-2-3-4): free (0-0-0-0) changes cards torn down by a seat +" in text
    assert "900 games (60 deals); 2 players; rules base; no Great Powers; seed 1." in text
    again = "Again: fivetowers teardown-costs --players 2 --strategies greedy --seed 1 --rules base"
    assert f"{again} --decisions 60 --futures 4 --games 900" in text
    # Greedy has learned nothing.
    assert "Tables of" not in text
    assert {"schedules.png", "schedules.svg", "findings.parquet"} <= {
        file.name for file in (tmp_path / "new").iterdir()
    }
    shown = json.loads(typed(capsys, *SHORT, "--json", "--out", tmp_path / "new", "--resume")[1])
    assert shown == json.loads((tmp_path / "new" / "results.json").read_bytes())


@pytest.mark.slow
def test_value_learns_each_schedule_anew_unless_told_not_to(capsys):
    several = (
        "--players",
        2,
        "--strategies",
        "value,greedy",
        "--costs",
        "0",
        "--games",
        120,
        "--decisions",
        0,
        "--quiet",
    )
    code, output, _ = typed(capsys, "teardown-costs", *several, "--refit-games", 500)
    text = " ".join(output.split())
    assert code == 0
    assert "Tables of value: learned on these rules, for each rule set anew" in text
    assert "no verdict flips" in text or "Verdicts flip between strategies" in text
    code, output, _ = typed(capsys, "teardown-costs", *several, "--no-refit")
    text = " ".join(output.split())
    assert "Tables of value: learned on these rules for printed; learned on other rules for free." in text
    assert "--costs 0 --seed 1 --rules base --decisions 0 --no-refit --games 120" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--strategies", "greedy,greedy"), "error: --strategies names greedy, greedy; accepted is 1 to 4 different"),
        (("--strategies", "nobody"), "error: --strategies: "),
        (("--strategies", "value:never_tear_down=1"), "error: --strategies names value:never_tear_down=1, which never"),
        (("--strategies", "greedy", "--refit"), "error: --refit: greedy can't be refitted; accepted are value"),
        (("--no-refit", "--refit-games", "900"), "error: --refit-games is 900 without --refit; "),
        (("--decisions", "0", "--futures", "8"), "error: --futures is 8 and --decisions is 0; accepted are"),
        (("--futures", "7"), "error: --futures is 7; accepted is an even number from 2 to 1000"),
        (("--decisions", "100000000"), "error: --decisions is 100000000; accepted is 0 to 10000000"),
        (("--costs", "1,2"), "error: --costs names 0 schedules other than that of the rules; accepted is 1 to 7"),
        (("--costs", "x"), "error: --costs x: "),
        (("--players", "1"), "error: --players is 1; accepted is 2 to 5"),
        (("--set", "pair_vp=x"), "error: --set: pair_vp is 'x'; accepted is a whole number from 0 to 100"),
        (("--games", "5", "--precision", "1"), "error: --games is 5 and --precision is 1; "),
        (("--resume",), "error: --resume is given without --out"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(capsys, arguments, message):
    assert refusal(capsys, "teardown-costs", *arguments).startswith(message)
