"""The heat map of prices shows what the tables hold."""

from __future__ import annotations

import pytest

from fivetowers_sim.report.price_list import draw_prices, list_prices
from fivetowers_sim.rules.cards import CANDY
from fivetowers_sim.strategies.value_files import load_shipped


@pytest.fixture(scope="module")
def tables():
    return load_shipped(3, with_powers=False)


def test_prices_are_those_of_the_tables(tables):
    prices = list_prices(tables)
    stage = tables.stage_starts.index(8)
    (price,) = prices.filter(height=4, top=11, rounds=8)["vp"].to_list()
    assert price == tables.tower(stage, CANDY, 11, 4)
    assert prices.height == 2 * 16 * len(tables.stage_starts)


def test_each_height_has_a_panel_with_every_price_written(tables):
    prices = list_prices(tables)
    left, right = draw_prices(prices, "3 players").axes
    assert (left.get_title(loc="left"), right.get_title(loc="left")) == ("the only card", "on top of 4 cards")
    shown = [text.get_text() for text in right.texts]
    assert shown[0] == f"{prices.filter(height=4, top=0, rounds=1)['vp'].item():.1f}"
    assert "-0.0" not in shown + [text.get_text() for text in left.texts]
    assert len(shown) == 16 * len(tables.stage_starts)
    assert left.get_ylabel() == "top card"
    assert left.get_xlabel() == "rounds to come, at least"
