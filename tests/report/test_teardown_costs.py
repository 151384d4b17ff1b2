"""The pictures on teardown costs show every schedule and pile, and what they are about."""

from __future__ import annotations

import polars as pl
import pytest

from fivetowers_sim.bench.style import encode_figure
from fivetowers_sim.report.teardown_costs import draw_schedules, draw_worth

LABELS = {"free": "free (0-0-0-0)", "printed": "printed (1-2-3-4)"}
_FIGURES = {"level": ("torn", "none_torn"), "change": ("total", "margin", "rounds"), "worth": ("total", "win_share")}


def findings():
    """A value of 1 for every figure, with an interval from 0 to 2."""
    rows = [
        {"schedule": schedule, "kind": kind, "figure": figure, "seat": None}
        for schedule in LABELS
        for kind, figures in _FIGURES.items()
        for figure in figures
        if kind != "change" or schedule != "printed"
    ]
    rows += [
        {"schedule": schedule, "kind": "level", "figure": "win_share", "seat": seat}
        for schedule in LABELS
        for seat in range(2)
    ]
    return pl.DataFrame(
        [{**row, "low": 0.0, "value": 1.0, "high": 2.0} for row in rows], schema_overrides={"seat": pl.Int64}
    )


def worths(**changed):
    """The same for decisions, with a pile of each size and a stage."""
    row = {"low": 0.0, "value": 1.0, "high": 2.0, "decisions": 7, **changed}
    keys = [("pile", name) for name in ("0", "1", "3 or more")] + [("stage", "last third")]
    return pl.DataFrame(
        [
            {"population": population, "by": by, "class": name, "figure": figure, **row}
            for population in ("chosen", "possible")
            for by, name in keys
            for figure in ("before_cost", "cost", "right", "lead")
        ]
    )


def names(axes):
    return [label.get_text() for label in axes.get_yticklabels()]


def test_every_schedule_has_its_row_and_what_changes_are_from_is_said():
    figure = draw_schedules(findings(), LABELS, "90 games")
    # The panels of a row share one axis.
    assert [names(axes) for axes in figure.axes[::4]] == [list(LABELS.values())] * 2
    assert figure.get_supxlabel().startswith("90 games. Changes are from printed (1-2-3-4), on the same deals.")
    files = encode_figure(figure, "schedules", "A picture.")
    assert files == encode_figure(draw_schedules(findings(), LABELS, "90 games"), "schedules", "A picture.")


@pytest.mark.parametrize("low", [0.0, None])
def test_every_pile_is_shown_with_its_cost_and_number_of_decisions(low):
    left, middle, right = draw_worth(worths(low=low), "7 decisions").axes
    assert [label.get_text() for label in left.get_xticklabels()] == ["0", "1", "3 or more"]
    assert [text.get_text() for text in left.texts] == ["7"] * 6
    assert left.get_legend() is not None
    assert middle.get_ylim() == (0, 100)
    assert names(right) == ["torn before: 0", "torn before: 1", "torn before: 3 or more", "last third"]


def test_a_strategy_that_never_chose_a_teardown_has_a_picture():
    assert draw_worth(worths().filter(population="possible"), "7 decisions").axes[0].texts
