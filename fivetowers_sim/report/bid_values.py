"""The picture of what bids are worth: each bid against passing, overall and by kind of decision."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

from fivetowers_sim.bench.style import BLUE, FAINT, INK, ORANGE, house_style, new_figure
from fivetowers_sim.experiments.bid_figures import FEWEST

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANELS: Final = (
    ("stage", "Stage of the game"),
    ("place", "Place in the bidding"),
    ("high_bid", "High bid so far"),
    ("top", "Highest open tower top"),
    ("fits", "Shown cards that fit"),
)
"""By what decisions are told apart in each panel, and its title; the first panel has all of them."""

# Shade and sign, so that nothing is told by colour alone.
_LINES: Final = ((BLUE, "o"), (ORANGE, "s"), ("#009E73", "^"), ("#CC79A7", "D"), ("#D55E00", "v"))


def draw_bid_values(bids: pl.DataFrame, strategy: str, population: str) -> Figure:
    """Draw the VP that each bid brings against passing at the same decisions.

    Parameters
    ----------
    bids : polars.DataFrame
        A row for each figure, with ``strategy``, ``kind``, ``by``, ``class``, ``about`` (the bid), ``figure``,
        ``value``, ``low``, ``high`` (VP) and ``decisions``; those of the kind ``against pass`` are drawn.
    strategy : str
        Who plays.
    population : str
        Decisions and who plays, without a full stop.

    Returns
    -------
    matplotlib.figure.Figure
        Not saved, and known to no window.
    """
    import polars as pl

    wanted = (pl.col("strategy") == strategy) & (pl.col("kind") == "against pass") & (pl.col("figure") == "vp")
    rows = bids.filter(wanted)
    names = rows.filter(pl.col("by") == "all")["about"].to_list()
    with house_style():
        figure = new_figure(12, 7.4)
        axes = figure.subplots(2, 3, sharey=True).flat
        for panel, (by, title) in zip(axes, (("all", "All decisions"), *PANELS), strict=True):
            _draw_panel(panel, rows.filter(pl.col("by") == by), names)
            panel.set_title(title)
            panel.set_xlabel("bid")
        for panel in (figure.axes[0], figure.axes[3]):
            panel.set_ylabel("VP that the bid brings against passing")
        note = (
            f"{population}. Bars are 95% intervals over decisions, each of a game of its own. Every bid that could be "
            f"carried out was played to the end in the same futures as the pass; with fewer than {FEWEST} decisions it "
            "is left out."
        )
        figure.supxlabel(textwrap.fill(note, 175), x=0.01, ha="left", fontsize=8, color=INK)
    return figure


def _draw_panel(axes: Axes, rows: pl.DataFrame, names: list[str]) -> None:
    import polars as pl

    axes.axhline(0, color=FAINT, linestyle=":", linewidth=1.2, zorder=1)
    classes = rows["class"].unique(maintain_order=True).to_list()
    for nth, label in enumerate(classes):
        own = rows.filter((pl.col("class") == label) & (pl.col("decisions") >= FEWEST)).to_dicts()
        colour, sign = _LINES[nth % len(_LINES)]
        shift = 0.1 * (nth - (len(classes) - 1) / 2)
        places = [names.index(row["about"]) + shift for row in own]
        values = [row["value"] for row in own]
        spread = [[row["value"] - row["low"] for row in own], [row["high"] - row["value"] for row in own]]
        axes.errorbar(places, values, spread, color=colour, marker=sign, markersize=5, linewidth=1.2, label=label)
    axes.set_xticks(range(len(names)), names)
    if len(classes) > 1:
        axes.legend(frameon=False, fontsize=8)
