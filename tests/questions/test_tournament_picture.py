"""The picture of a tournament says what the tables say, with numbers, intervals and counts written in."""

from __future__ import annotations

import math

import pytest

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.bench.style import encode_figure
from fivetowers_sim.questions.tournament.picture import draw_tournament

ABOUT = (3, "70,000 games (1,000 deals). Every deal with all line-ups; rules base")


def estimates(count, interval=True):
    names = [f"strategy-{number}" for number in range(count)]

    def around(value, margin):
        margin = margin if interval else math.nan
        return Estimate(value, value - margin, value + margin, 1000)

    shares = {name: around(0.6 - 0.5 * number / count, 0.01) for number, name in enumerate(names)}
    ahead = {
        (one, other): around(0.5 + 0.03 * (names.index(other) - names.index(one)), 0.04)
        for one in names
        for other in names
        if one != other
    }
    return shares, ahead


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_shares_are_drawn_with_their_intervals_and_written_beside():
    figure = draw_tournament(*estimates(4), *ABOUT)
    left, right = figure.axes
    lines = [line.get_xdata() for line in left.lines if len(line.get_xdata()) == 2]
    assert [60 - 1, 60 + 1] in [pytest.approx(list(line)) for line in lines]
    assert "60.0% ± 1.0" in texts(left)
    assert "equal share 33.3%" in texts(left)
    # A pair three apart is decided, and one next to each other isn't.
    assert "59.0" in texts(right)
    assert "~53.0" in texts(right)


def test_the_caption_names_count_and_population():
    figure = draw_tournament(*estimates(3), *ABOUT)
    said = " ".join(figure.get_supxlabel().split())
    assert said.startswith("70,000 games (1,000 deals). Every deal with all line-ups; rules base.")
    assert "95% intervals over deals" in said


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 13, 26])
def test_any_number_of_strategies_is_drawn(count):
    figure = draw_tournament(*estimates(count), *ABOUT)
    files = encode_figure(figure, "picture", "A picture.")
    assert files["picture.png"].startswith(b"\x89PNG")
    assert b"A picture." in files["picture.svg"]
    assert len(texts(figure.axes[1])) == count * (count - 1)


def test_shares_without_intervals_are_drawn_without():
    figure = draw_tournament(*estimates(3, interval=False), *ABOUT)
    assert "60.0%" in texts(figure.axes[0])
    encode_figure(figure, "picture", "A picture.")


def test_equal_figures_are_equal_files():
    first, second = (encode_figure(draw_tournament(*estimates(3), *ABOUT), "picture", "A picture.") for _ in range(2))
    assert first == second
