"""Pictures of a game's shape show the findings, with intervals, and against what is fair."""

from __future__ import annotations

from itertools import pairwise

import pytest

from fivetowers_sim.bench.findings import Findings
from fivetowers_sim.bench.style import encode_figure
from fivetowers_sim.questions.game_shape.picture import (
    draw_chances,
    draw_composition,
    draw_seat_shares,
    draw_variance,
)

STRATEGIES = ("value", "careful")


def read(strategy, rows):
    """Findings with three players, each with its margin."""
    about = ({"players": 3, "strategy": strategy, "figure": figure, "place": place} for figure, place, *_ in rows)
    ends = ({"value": value, "low": value - margin, "high": value + margin} for *_, value, margin in rows)
    return Findings.read([{**one, **other} for one, other in zip(about, ends, strict=True)], 9)


@pytest.fixture
def figures():
    rows = []
    for seat, share in enumerate((0.4, 0.35, 0.25)):
        rows.append(("win_share", str(seat), share, 0.02))
        parts = {"total": 30.0, "cards": 20.0, "tops": 8.0, "main": 6.0, "pairs": 0.0, "teardown": -4.0}
        rows += [(name, str(seat), score, 0.5) for name, score in parts.items()]
    for name, start in (("leader_wins", 0.3), ("last_wins", 0.1)):
        rows += [(name, f"{10 * tenth}%", start + tenth / 20, 0.03) for tenth in range(1, 10)]
    return {strategy: read(strategy, rows) for strategy in STRATEGIES}


@pytest.fixture
def split():
    parts = (("seat", 0.3, 0.1), ("deal", 0.7, 0.1), ("total", 1.0, 0.0))
    return read("crossed", [(name, *part) for name in ("margin_share", "total_share") for part in parts])


def test_win_shares_are_drawn_with_intervals_against_an_equal_share(figures):
    figure = draw_seat_shares(figures, [3], "9 games")
    (axes,) = figure.axes
    assert axes.get_title(loc="left") == "3 players, an equal share is 33.3%"
    assert [text.get_text() for text in axes.texts[:3]] == ["40.0", "35.0", "25.0"]
    first = axes.collections[0].get_segments()[0]
    assert first[:, 0].tolist() == pytest.approx([38, 42])
    assert any(line.get_xdata()[0] == pytest.approx(100 / 3) for line in axes.lines)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["value", "careful"]
    assert {line.get_marker() for line in axes.lines if line.get_label() in STRATEGIES} == {"o", "s"}
    assert [label.get_text() for label in axes.get_yticklabels()] == ["first player", "second player", "last player"]
    assert axes.get_xlabel().startswith("win share in %")


def test_scores_are_stacked_with_the_teardown_pile_below_zero_and_end_in_their_sum(figures):
    (axes,) = draw_composition(figures["value"], 3, "9 games").axes
    assert [container.get_label() for container in axes.containers] == ["cards", "tops", "main tower", "teardown pile"]
    ends = [bar[0].get_x() + bar[0].get_width() for bar in axes.containers]
    assert ends == [20, 28, 34, -4]
    assert "= 30.00 ± 0.50" in [text.get_text() for text in axes.texts]
    assert axes.get_xlabel() == "VP of a player"


def test_chances_are_labelled_where_their_lines_end(figures):
    (axes,) = draw_chances(figures, 3, "9 games").axes
    labels = [text.get_text() for text in axes.texts]
    assert labels[0].startswith("equal share, 33%")
    assert {"leader, all value, 75%", "last, all careful, 55%"} <= set(labels)
    heights = sorted(text.xy[1] for text in axes.texts)
    assert min(high - low for low, high in pairwise(heights)) >= 5 - 1e-9
    assert len(axes.collections) == 4


def test_the_split_of_the_variance_shows_parts_and_not_the_whole(split):
    left, right = draw_variance(split, 3, "9 games").axes
    assert [text.get_text() for text in left.texts] == ["30.0", "70.0"]
    assert [label.get_text() for label in left.get_yticklabels()] == ["seat", "deal, the same for all"]
    assert right.get_xlabel() == "% of the variance"


def test_equal_pictures_are_equal_files(figures):
    files = [encode_figure(draw_seat_shares(figures, [3], "9 games"), "seats", "Seats.") for _ in range(2)]
    assert files[0] == files[1]
