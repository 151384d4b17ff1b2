"""The picture of a tournament: who wins how much, and who finishes ahead of whom."""

from __future__ import annotations

import string
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from fivetowers_sim.bench.style import BELOW_ABOVE, FAINT, INK, draw_intervals, house_style, new_figure, shorten_label

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# With more strategies than this, cells have room for whole numbers in small print only.
_MOST_IN_FULL: Final = 12


@dataclass(frozen=True, slots=True)
class Caption:
    """What the picture is about.

    Attributes
    ----------
    players : int
        Seats at a table.
    counted : str
        Games and deals, such as ``70,000 games (1,000 deals)``.
    population : str
        Which games, without a full stop.
    """

    players: int
    counted: str
    population: str


def draw_tournament(ratings: pl.DataFrame, pairs: pl.DataFrame, caption: Caption) -> Figure:
    """Draw win shares with intervals, and the share of meetings in which one finishes ahead of another.

    Parameters
    ----------
    ratings : polars.DataFrame
        A row for each strategy, strongest first: ``strategy``, ``win_share``, ``win_share_low``, ``win_share_high``.
    pairs : polars.DataFrame
        A row for every two who met, both ways round: ``strategy``, ``against``, ``ahead``, ``ahead_low``,
        ``ahead_high``.
    caption : Caption
        What it is about.

    Returns
    -------
    matplotlib.figure.Figure
        Not saved, and known to no window.
    """
    rows = ratings.height
    with house_style():
        figure = new_figure(11, 2.6 + 0.42 * max(rows, 4))
        left, right = figure.subplots(1, 2, gridspec_kw={"width_ratios": (1, 1.15)})
        _draw_win_shares(left, ratings, caption.players)
        _draw_pairs(right, ratings["strategy"].to_list(), pairs)
        population = caption.population[:1].upper() + caption.population[1:]
        note = (
            f"{caption.counted}. {population}. Lines are 95% intervals over deals. On the right, the share of "
            "meetings in which the row's strategy finishes ahead of the column's, in %, shared places counting half; "
            "~ marks a share whose interval holds 50."
        )
        figure.supxlabel(textwrap.fill(note, 185), x=0.01, ha="left", fontsize=8, color=INK)
    return figure


def _draw_win_shares(axes: Axes, ratings: pl.DataFrame, players: int) -> None:
    columns = ("win_share_low", "win_share", "win_share_high")
    shares = [tuple(np.nan if end is None else 100 * end for end in row) for row in ratings.select(columns).iter_rows()]
    equal = 100 / players
    axes.axvline(equal, color=FAINT, linestyle=":", linewidth=1.2, zorder=1)
    axes.text(equal, -0.62, f"equal share {equal:.1f}%", ha="center", va="bottom", fontsize=8, color=INK)
    draw_intervals(axes, shares)
    for height, (low, value, high) in enumerate(shares):
        margin = "" if np.isnan(low) else f" ± {max(high - value, value - low):.1f}"
        side = "left" if value < equal / 4 else "center"
        axes.annotate(f"{value:.1f}%{margin}", (value, height), (0, 7), textcoords="offset points", ha=side, fontsize=8)
    labels = [
        f"{shorten_label(name)}  {letter}"
        for name, letter in zip(ratings["strategy"], string.ascii_uppercase, strict=False)
    ]
    axes.set_yticks(range(ratings.height), labels)
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(min(0.0, *(low for low, _, _ in shares)), max(equal * 1.15, *(1.08 * row[1] for row in shares)))
    axes.set_xlabel("win share of a seat, %")
    axes.set_title("Who wins", pad=16)


def _draw_pairs(axes: Axes, names: list[str], pairs: pl.DataFrame) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    size = len(names)
    share, unsure = np.full((size, size), np.nan), np.zeros((size, size), bool)
    for row in pairs.iter_rows(named=True):
        place = names.index(row["strategy"]), names.index(row["against"])
        share[place] = 100 * row["ahead"]
        unsure[place] = row["ahead_low"] is None or row["ahead_low"] <= 0.5 <= row["ahead_high"]
    colours = LinearSegmentedColormap.from_list("below-above", BELOW_ABOVE)
    axes.imshow(share, cmap=colours, vmin=0, vmax=100, aspect="auto")
    for row, column in zip(*np.nonzero(~np.isnan(share)), strict=True):
        value = share[row, column]
        figure = f"{value:.1f}" if size <= _MOST_IN_FULL else f"{value:.0f}"
        axes.text(
            column,
            row,
            f"~{figure}" if unsure[row, column] else figure,
            ha="center",
            va="center",
            fontsize=8 if size <= _MOST_IN_FULL else 6,
            color="white" if abs(value - 50) > 32 else INK,
            # Inside its cell it needs no room of its own, and finding that out for hundreds takes seconds.
            in_layout=False,
        )
    letters = string.ascii_uppercase[:size]
    axes.set_yticks(range(size), letters)
    axes.set_xticks(range(size), letters)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_title("Who finishes ahead of whom", pad=8)
