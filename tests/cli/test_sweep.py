"""``fivetowers sweep`` as a user types it."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import refusal, typed

SHORT = ("sweep", "--set", "display_size=4,5", "--set", "teardown_costs=0;1,1", "--strategies", "greedy")


@pytest.mark.slow
def test_responses_are_shown_with_a_picture_for_each_dial(capsys, tmp_path):
    typed_in = (*SHORT, "--games", 240, "--quiet", "--out", tmp_path / "new")
    code, output, errors = typed(capsys, *typed_in)
    assert (code, errors) == (0, "")
    assert max(map(len, output.splitlines()[:-1])) <= 100
    text = " ".join(output.split())
    assert text.startswith("With display_size=4 instead of base, games are ")
    assert "240 games (60 deals); 3 players; all greedy" in text
    assert "Every deal is played by each of the 4 rule sets." in text
    assert "over all 54 figures" in text
    again = "Again: fivetowers sweep --set display_size=4,5 --set 'teardown_costs=0;1,1' --rules base"
    assert again in text
    files = {file.name for file in (tmp_path / "new").iterdir()}
    assert {"changes.parquet", "sweep-display_size.png", "sweep-teardown_costs.svg"} <= files
    shown = json.loads(typed(capsys, *typed_in, "--resume", "--json")[1])
    assert shown == json.loads((tmp_path / "new" / "results.json").read_bytes())
    assert shown["format"] == "fivetowers-sweep/1"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--set", "display_size=4,9"), "error: --set: display_size is 9; accepted is 3 to 7"),
        (("--set", "size=4"), "error: --set size=4: there is no dial 'size'; the dials are anything_goes_on, "),
        (("--set", "display_size=5"), "error: --set display_size=5: base has these values already"),
        (
            ("--set", "display_size=4", "--set", "display_size=6"),
            "error: --set display_size=6: display_size is given twice",
        ),
        (("--set", "display_size=4", "--rules", "no"), "error: --rules: there is no rule set 'no'"),
        (("--set", "display_size=4", "--games", "0"), "error: --games is 0; accepted is 1 to"),
        ((), "error: Missing option '--set'"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(capsys, arguments, message):
    assert refusal(capsys, "sweep", *arguments).startswith(message)
