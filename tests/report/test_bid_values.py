"""The picture of bids says what it is about, and leaves out what too few decisions say."""

from __future__ import annotations

import polars as pl
import pytest

from fivetowers_sim.bench.style import encode_figure
from fivetowers_sim.experiments.bid_figures import FEWEST
from fivetowers_sim.report.bid_values import PANELS, draw_bid_values


def frame(decisions):
    """Every kind of decision with two classes, and bids of 1 and 2."""
    rows = [
        {
            "strategy": "value",
            "kind": "against pass",
            "by": by,
            "class": name,
            "about": str(bid),
            "figure": figure,
            "value": float(bid),
            "low": bid - 0.5,
            "high": bid + 0.5,
            "decisions": decisions if name == "few" else 900,
        }
        for by, names in (("all", ("all",)), *((by, ("many", "few")) for by, _ in PANELS))
        for name in names
        for bid in (1, 2)
        for figure in ("vp", "margin")
    ]
    return pl.DataFrame(rows)


def test_each_panel_has_a_line_for_each_class():
    figure = draw_bid_values(frame(900), "value", "900 decisions")
    assert [axes.get_title("left") for axes in figure.axes] == ["All decisions", *(title for _, title in PANELS)]
    assert [len(axes.containers) for axes in figure.axes] == [1, 2, 2, 2, 2, 2]
    assert figure.get_supxlabel().startswith("900 decisions. Bars are 95% intervals")


def test_a_figure_of_few_decisions_is_left_out():
    figure = draw_bid_values(frame(FEWEST - 1), "value", "900 decisions")
    drawn = [len(line.lines[0].get_xdata()) for line in figure.axes[1].containers]
    assert drawn == [2, 0]


@pytest.mark.slow
def test_equal_pictures_are_equal_files():
    first, second = (encode_figure(draw_bid_values(frame(900), "value", "x"), "bids", "A picture.") for _ in range(2))
    assert first == second
