"""``fivetowers compare`` as a user types it."""

from __future__ import annotations

import hashlib
import json

import pytest

from tests.cli.conftest import refusal, typed

SHORT = ("compare", "base", "base", "--set-b", "display_size=6", "--strategies", "greedy", "--games", 240, "--quiet")


def test_every_figure_is_shown_with_its_interval_and_what_it_rests_on(capsys):
    code, output, errors = typed(capsys, *SHORT, "--workers", 1)
    assert (code, errors) == (0, "")
    assert max(map(len, output.splitlines())) <= 100
    text = " ".join(output.split())
    assert "rounds" in text
    assert text.startswith("With B (base display_size=6) instead of A (base), games are 2.73 ± 0.13 rounds shorter, ")
    assert "; 5 of 18 figures certainly differ. Rounds, B less A: -2.73 ± 0.13; 95% interval -2.86 to -2.61." in text
    assert "No seat is shown to win more or less. Headline figures of A (base) and B (base display_size=6)" in text
    assert "Every deal is played by each of the 2 rule sets." in text
    assert "over all 18 figures, at most 5% of the other differences are false" in text
    assert "240 games (120 deals); 3 players; all greedy; rules as named; no Great Powers; seed 1." in text
    again = "Again: fivetowers compare base base --set-b display_size=6 --players 3 --strategies greedy --seed 1"
    assert f"{again} --games 240" in text
    # Greedy has learned nothing, so there is nothing to say about it.
    assert "learned" not in text


def test_nothing_differs_between_a_set_and_itself(capsys):
    code, output, _ = typed(capsys, "compare", "base", "base", "--strategies", "greedy", "--games", 60, "--quiet")
    assert code == 0
    assert "B (base) changes no figure of A (base): on every deal both are the same." in output


def test_the_json_is_what_the_folder_holds_and_resuming_says_the_same(capsys, tmp_path):
    code, shown, _ = typed(capsys, *SHORT, "--json", "--out", tmp_path / "new")
    assert code == 0
    assert json.loads(shown) == json.loads((tmp_path / "new" / "results.json").read_bytes())
    assert typed(capsys, *SHORT, "--json", "--out", tmp_path / "new", "--resume")[:2] == (0, shown)


def test_tables_learned_on_other_rules_are_named(capsys):
    asked = ("compare", "base", "short-game", "--players", 2, "--games", 40, "--quiet")
    _, output, _ = typed(capsys, *asked)
    text = " ".join(output.split())
    assert "Tables of value: learned on these rules for A; learned on other rules for B." in text
    assert "in compare, sweep and teardown-costs --refit does so for value" in text


@pytest.mark.slow
def test_tables_learned_anew_are_said_to_be_and_kept_with_their_hash(capsys, tmp_path):
    asked = ("compare", "base", "free-teardown", "--players", 2, "--strategies", "closer", "--games", 40, "--quiet")
    refit = ("--refit", "--refit-games", 500, "--out", tmp_path / "new")
    code, output, _ = typed(capsys, *asked, *refit)
    assert code == 0
    assert max(map(len, output.splitlines()[:-1])) <= 100
    text = " ".join(output.split())
    assert "learned on these rules, for each rule set anew" in text
    assert "learned on other rules" not in text
    assert "--games 40 --refit --refit-games 500" in text
    plan = json.loads((tmp_path / "new" / "manifest.json").read_bytes())["plan"]
    for name in "AB":
        tables = plan["settled"]["tables"][name]
        data = (tmp_path / "new" / tables["file"]).read_bytes()
        assert tables["sha256"] == hashlib.sha256(data).hexdigest()
    assert typed(capsys, *asked, *refit, "--resume")[:2] == (0, output)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("base", "nonsense"), "error: B: there is no rule set 'nonsense'; accepted are base, "),
        (("nonsense", "base"), "error: A: there is no rule set 'nonsense'"),
        (("base", "base", "--set-b", "display_size=9"), "error: --set-b: display_size is 9; accepted is 3 to 7"),
        (
            ("base", "base", "--set-a", "size=6"),
            "error: --set-a size=6: there is no dial 'size'; the dials are anything_",
        ),
        (("base", "base", "--set-b", "six"), "error: --set-b six: accepted is dial=value"),
        (("base", "base", "--strategies", "nobody"), "error: --strategies: "),
        (("base", "base", "--players", "7"), "error: --players is 7; accepted is 2 to 5"),
        (("base", "base", "--games", "0"), "error: --games is 0; accepted is 1 to"),
        (("base", "base", "--precision", "0"), "error: --precision is 0; accepted is 0.01 to 10 VP"),
        (("base", "base", "--games", "5", "--precision", "1"), "error: --games is 5 and --precision is 1; "),
        (("base", "base", "--resume"), "error: --resume is given without --out"),
        (("base", "base", "--refit-games", "9"), "error: --refit-games is 9 without --refit; "),
        (("base", "base", "--refit", "--refit-games", "9"), "error: --refit-games is 9; accepted is 500 to 1000000"),
        (("base", "base", "--refit", "--strategies", "greedy"), "error: --refit: greedy can't be refitted; accepted"),
        (("base",), "error: Missing argument 'B'"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(capsys, arguments, message):
    assert refusal(capsys, "compare", *arguments).startswith(message)
