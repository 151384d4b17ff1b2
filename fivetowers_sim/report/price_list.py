"""The picture of what towers are worth to ``value``: by the card on top, and by how many rounds are to come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from fivetowers_sim.bench.style import BELOW_ABOVE, INK, house_style, new_figure, write_note
from fivetowers_sim.rules.cards import CANDY

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from fivetowers_sim.strategies.value_tables import ValueTables

HEIGHTS: Final = (1, 4)
"""Cards of the towers that are shown."""


def list_prices(tables: ValueTables) -> pl.DataFrame:
    """List what towers are worth, as learned.

    Parameters
    ----------
    tables : ValueTables
        The tables; towers of all types are worth the same in those without Great Powers, and candy is taken.

    Returns
    -------
    polars.DataFrame
        A row for each ``height`` (cards), ``top`` (value of the top card) and ``rounds`` to come at least, with ``vp``:
        VP expected by the end beyond those of no tower.
    """
    import polars as pl

    rows = [
        (height, top, rounds, tables.tower(stage, CANDY, top, height))
        for height in HEIGHTS
        for top in range(tables.values)
        for stage, rounds in enumerate(tables.stage_starts)
    ]
    return pl.DataFrame(rows, schema=["height", "top", "rounds", "vp"], orient="row")


def draw_prices(prices: pl.DataFrame, population: str) -> Figure:
    """Draw what towers are worth as a heat map, a panel for each height.

    Parameters
    ----------
    prices : polars.DataFrame
        As :func:`list_prices` gives them.
    population : str
        For which games they were learned, without a full stop.

    Returns
    -------
    matplotlib.figure.Figure
        Not saved, and known to no window.
    """
    heights = prices["height"].unique().sort().to_list()
    with house_style():
        figure = new_figure(7.2, 5.8)
        panels = figure.subplots(1, len(heights), sharey=True, squeeze=False)[0]
        for axes, height in zip(panels, heights, strict=True):
            _draw_heights(axes, prices.filter(height=height), float(prices["vp"].abs().max() or 1))
            axes.set_title("the only card" if height == 1 else f"on top of {height} cards")
        panels[0].set_ylabel("top card")
        write_note(figure, f"{population}. VP that a tower is expected to bring by the end, beyond those of no tower.")
    return figure


def _draw_heights(axes: Axes, prices: pl.DataFrame, largest: float) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    table = prices.pivot(on="rounds", index="top", values="vp").sort("top")
    rounds, values = table.columns[1:], table.drop("top").to_numpy()
    colours = LinearSegmentedColormap.from_list("below-above", BELOW_ABOVE)
    axes.imshow(values, cmap=colours, vmin=-largest, vmax=largest, aspect="auto")
    for row, column in np.ndindex(*values.shape):
        colour = "white" if abs(values[row, column]) > 0.64 * largest else INK
        # No minus before a zero.
        text = f"{round(values[row, column], 1) + 0:.1f}"
        axes.text(column, row, text, ha="center", va="center", fontsize=8, color=colour, in_layout=False)
    axes.set_xticks(range(len(rounds)), rounds)
    axes.set_yticks(range(table.height), [str(top) for top in table["top"]])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("rounds to come, at least")
