"""The picture of bids says what it is about, and leaves out what too few decisions say."""

from __future__ import annotations

import pytest

from fivetowers_sim.bench.findings import Findings
from fivetowers_sim.bench.style import encode_figure
from fivetowers_sim.questions.bid_values.figures import FEWEST
from fivetowers_sim.questions.bid_values.picture import draw_bids
from fivetowers_sim.questions.bid_values.strata import TITLES


def worths(decisions):
    """Every kind of decision with two classes, and bids of 1 and 2."""
    rows = [
        {
            "strategy": "value",
            "kind": "against pass",
            "by": by,
            "class": name,
            "about": str(bid),
            "figure": "vp",
            "value": float(bid),
            "low": bid - 0.5,
            "high": bid + 0.5,
            "decisions": decisions if name == "few" else 900,
        }
        for by, names in (("all", ("all",)), *((by, ("many", "few")) for by in TITLES))
        for name in names
        for bid in (1, 2)
    ]
    return Findings.read(rows, 900)


def test_each_panel_has_a_line_for_each_class():
    figure = draw_bids(worths(900), "900 decisions")
    assert [axes.get_title("left") for axes in figure.axes] == [
        "All decisions",
        "Stage of the game",
        "Place in the bidding",
        "High bid so far",
        "Highest open tower top",
        "Shown cards that fit",
    ]
    assert [len(axes.containers) for axes in figure.axes] == [1, 2, 2, 2, 2, 2]
    assert figure.get_supxlabel().startswith("900 decisions. Bars are 95% intervals")


def test_a_figure_of_few_decisions_is_left_out():
    figure = draw_bids(worths(FEWEST - 1), "900 decisions")
    drawn = [len(line.lines[0].get_xdata()) for line in figure.axes[1].containers]
    assert drawn == [2, 0]


@pytest.mark.slow
def test_equal_pictures_are_equal_files():
    first, second = (encode_figure(draw_bids(worths(900), "x"), "bids", "A picture.") for _ in range(2))
    assert first == second
