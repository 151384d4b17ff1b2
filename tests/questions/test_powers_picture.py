"""The picture of the Great Powers is ordered and says its numbers."""

from __future__ import annotations

import pytest

from fivetowers_sim.bench.style import encode_figure
from fivetowers_sim.questions.powers.picture import draw_powers

SETS = {"none": (0.0, 0.0, 0.0), "tree": (0.5, 1.0, 1.5), "all four": (8.0, 9.0, 10.0), "sand": (-2.0, -1.0, 0.0)}
SHARES = {"tree": (0.9, 1.0, 1.1), "sand": (2.8, 3.0, 3.2)}


def names(axes):
    return [label.get_text() for label in axes.get_yticklabels()]


def test_sets_and_shares_are_ordered_and_written_with_their_margins():
    left, right = draw_powers(SETS, SHARES, "6,100 games").axes
    assert names(left) == ["all four", "tree", "none", "sand"]
    assert names(right) == ["sand", "tree"]
    assert [text.get_text() for text in left.texts] == ["+9.00 ± 1.00", "+1.00 ± 0.50", "+0.00", "-1.00 ± 1.00"]


@pytest.mark.parametrize("sets", [SETS, {"none": (0.0, 0.0, 0.0), "tree": (float("nan"), 1.0, float("nan"))}])
def test_the_picture_says_what_it_is_about_and_becomes_files(sets):
    figure = draw_powers(sets, SHARES, "6,100 games (100 deals)")
    assert figure.get_supxlabel().startswith("6,100 games (100 deals). One seat has the powers")
    files = encode_figure(figure, "powers", "A picture.")
    assert files["powers.png"].startswith(b"\x89PNG")
    assert files == encode_figure(draw_powers(sets, SHARES, "6,100 games (100 deals)"), "powers", "A picture.")
