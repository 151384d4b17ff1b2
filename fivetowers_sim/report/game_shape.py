"""Pictures of a game's shape. Each takes the findings as a frame, and draws those on one number of players.

The frames are those of ``findings.parquet``: columns players, strategy, figure, place, value, low and high.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from fivetowers_sim.bench.style import (
    BLUE,
    FAINT,
    INK,
    SERIES,
    draw_intervals,
    house_style,
    new_figure,
    shorten_label,
    write_note,
)

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH: Final = 7.2
"""Inches of all these pictures: the width of a page's text."""

# Part of a score, its name, its colour and its hatching. Cards, tops and so on are stacked in this order.
_PARTS: Final = (
    ("cards", "cards", "#0072B2", ""),
    ("tops", "tops", "#56B4E9", "//"),
    ("main", "main tower", "#009E73", ".."),
    ("pairs", "pairs", "#F0E442", "xx"),
    ("teardown", "teardown pile", "#D55E00", "\\\\"),
)
_EXPLAINED: Final = {
    "strategy": "strategy",
    "seat": "seat",
    "strategy x seat": "seat, by strategy",
    "deal": "deal, the same for all",
    "deal x strategy": "deal, by strategy",
    "deal x seat": "deal, by seat",
    "deal x strategy x seat": "deal, by seat and strategy",
}


def pick(findings: pl.DataFrame, figure: str, **where: object) -> pl.DataFrame:
    """Return the findings on a figure, in the order in which they were worked out.

    Parameters
    ----------
    findings : polars.DataFrame
        The frame.
    figure : str
        Which figure.
    **where : object
        What other columns must be equal to.

    Returns
    -------
    polars.DataFrame
        Some of its rows.
    """
    import polars as pl

    return findings.filter(pl.col("figure") == figure, *(pl.col(name) == value for name, value in where.items()))


def draw_seat_shares(findings: pl.DataFrame, labels: Mapping[str, str], population: str) -> Figure:
    """Draw each seat's win share against an equal one, a panel for each number of players.

    Parameters
    ----------
    findings : polars.DataFrame
        The findings.
    labels : mapping of str to str
        Strategy to what to call it, in the order to show them; up to four.
    population : str
        Games and rules, without a full stop.

    Returns
    -------
    matplotlib.figure.Figure
        Not saved, and known to no window.
    """
    shares = pick(findings, "win_share")
    counts = shares["players"].unique().sort().to_list()
    with house_style():
        figure = new_figure(WIDTH, 1.3 + (0.2 + 0.18 * len(labels)) * sum(counts) + 0.5 * len(counts))
        panels = figure.subplots(len(counts), 1, squeeze=False, height_ratios=counts)[:, 0]
        for axes, players in zip(panels, counts, strict=True):
            _draw_shares(axes, pick(shares, "win_share", players=players), players, labels)
        # Given by hand: by itself a legend leaves out labels that begin with an underscore.
        signs = [line for line in panels[0].get_lines() if line.get_label() in labels.values()]
        place = {"loc": "lower right", "bbox_to_anchor": (1, 1), "ncols": len(labels), "borderaxespad": 0}
        panels[0].legend(signs, list(map(shorten_label, labels.values())), frameon=False, **place)
        panels[-1].set_xlabel("win share in %, a shared victory divided")
        write_note(figure, f"{population}. Each strategy in all seats. Lines are 95% intervals over deals.")
    return figure


def _draw_shares(axes: Axes, shares: pl.DataFrame, players: int, labels: Mapping[str, str]) -> None:
    fair = 100 / players
    axes.axvline(fair, color=FAINT, linestyle="--", linewidth=1.2, zorder=1)
    for nth, ((strategy, label), (colour, symbol)) in enumerate(zip(labels.items(), SERIES, strict=False)):
        own = pick(shares, "win_share", strategy=strategy)
        heights = np.arange(players) + 0.7 * nth / len(labels)
        lows, values, highs = (100 * own[name].to_numpy().astype(float) for name in ("low", "value", "high"))
        axes.hlines(heights, lows, highs, color=colour, linewidth=2.2, zorder=2)
        axes.plot(values, heights, symbol, color=colour, markersize=5, label=label, zorder=3)
        for height, value, high in zip(heights, values, highs, strict=True):
            end = high if np.isfinite(high) else value
            axes.annotate(f"{value:.1f}", (end, height), (5, 0), textcoords="offset points", va="center", fontsize=8)
    axes.set_yticks(range(players), [f"seat {seat}" for seat in range(players)])
    axes.set_ylim(players - 0.3, -0.4)
    axes.tick_params(axis="y", length=0)
    axes.set_title(f"{players} players, an equal share is {fair:.1f}%")
    axes.margins(x=0.12)


def draw_composition(findings: pl.DataFrame, players: int, strategy: str, population: str) -> Figure:
    """Draw what the seats' scores are made of.

    Parameters
    ----------
    findings : polars.DataFrame
        The findings.
    players : int
        Number of players.
    strategy : str
        Who has all seats.
    population : str
        Games, rules and who plays, without a full stop.

    Returns
    -------
    matplotlib.figure.Figure
        Not saved, and known to no window.
    """
    own = {name: pick(findings, name, players=players, strategy=strategy) for name, *_ in _PARTS}
    totals = pick(findings, "total", players=players, strategy=strategy)
    with house_style():
        figure = new_figure(WIDTH, 1.6 + 0.5 * players)
        axes = figure.subplots()
        left = np.zeros(players)
        for name, label, colour, hatch in _PARTS:
            values = own[name]["value"].to_numpy().astype(float)
            if not values.any():
                continue
            start = left if name != "teardown" else np.zeros(players)
            bars = axes.barh(
                range(players),
                values,
                left=start,
                height=0.6,
                color=colour,
                hatch=hatch,
                edgecolor="white",
                label=label,
            )
            axes.bar_label(bars, [f"{value:.1f}" for value in values], label_type="center", fontsize=8, color=INK)
            for text in axes.texts[-players:]:
                text.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.6})
            left = left + np.maximum(values, 0)
        _write_totals(axes, totals, left)
        axes.axvline(0, color=INK, linewidth=0.8)
        axes.set_yticks(range(players), [f"seat {seat}" for seat in range(players)])
        axes.invert_yaxis()
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel("VP of a seat")
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(_PARTS), frameon=False, fontsize=8)
        write_note(
            figure, f"{population}. Means; at the right, the whole score with half of its 95% interval over deals."
        )
    return figure


def _write_totals(axes: Axes, totals: pl.DataFrame, ends: np.ndarray) -> None:
    for seat, (value, high) in enumerate(zip(totals["value"], totals["high"], strict=True)):
        margin = "" if high is None else f" ± {high - value:.2f}"
        axes.annotate(
            f"= {value:.2f}{margin}",
            (ends[seat], seat),
            (6, 0),
            textcoords="offset points",
            va="center",
            fontsize=9,
            fontweight="bold",
        )
    axes.set_xlim(right=ends.max() * 1.25)


def draw_chances(findings: pl.DataFrame, players: int, labels: Mapping[str, str], population: str) -> Figure:
    """Draw how likely who leads, and who is last, wins in the end, over the game.

    Parameters
    ----------
    findings : polars.DataFrame
        The findings.
    players : int
        Number of players.
    labels : mapping of str to str
        Strategy to what to call it.
    population : str
        Games and rules, without a full stop.

    Returns
    -------
    matplotlib.figure.Figure
        Not saved, and known to no window.
    """
    with house_style():
        figure = new_figure(WIDTH, 4.2)
        axes = figure.subplots()
        axes.axhline(100 / players, color=FAINT, linestyle="--", linewidth=1.2, zorder=1)
        ends: list[tuple[float, str]] = []
        for (strategy, label), (colour, symbol) in zip(labels.items(), SERIES, strict=False):
            for name, who, line in (("leader_wins", "leader", "-"), ("last_wins", "last", ":")):
                own = pick(findings, name, players=players, strategy=strategy)
                parts = [int(place.rstrip("%")) for place in own["place"]]
                lows, values, highs = (100 * own[end].to_numpy().astype(float) for end in ("low", "value", "high"))
                axes.fill_between(parts, lows, highs, color=colour, alpha=0.25, linewidth=0)
                axes.plot(parts, values, line, marker=symbol, color=colour, markersize=4)
                ends.append((float(values[-1]), f"{who}, all {shorten_label(label)}"))
        ends.append((100 / players, "equal share"))
        _label_ends(axes, ends)
        axes.set_xlim(0, 92)
        axes.set_ylim(0, 100)
        axes.set_xlabel("part of the game's rounds played, in %")
        axes.set_ylabel("wins in the end, in %")
        axes.set_title(f"{players} players: who leads, and who is last, wins")
        note = (
            f"{population}. Who has most (fewest) VP if the game ended then, teardown pile counted; several who are "
            "level count in equal parts. Bands are 95% intervals over deals."
        )
        write_note(figure, note)
    return figure


def _label_ends(axes: Axes, ends: Sequence[tuple[float, str]]) -> None:
    """Write names beside the ends of lines, at least so far from each other that they can be read."""
    least, height = 5.0, -100.0
    for value, label in sorted(ends, key=lambda end: end[0]):
        height = max(value, height + least)
        axes.annotate(f"{label}, {value:.0f}%", (93, height), va="center", fontsize=8, annotation_clip=False)


def draw_variance(findings: pl.DataFrame, players: int, population: str) -> Figure:
    """Draw how the variance of one player's result is shared out.

    Parameters
    ----------
    findings : polars.DataFrame
        The findings.
    players : int
        Number of players.
    population : str
        Games and who plays against whom, without a full stop.

    Returns
    -------
    matplotlib.figure.Figure
        Not saved, and known to no window.
    """
    titles = {"margin_share": "VP ahead of the best other", "total_share": "VP"}
    with house_style():
        parts = pick(findings, "margin_share", players=players).height - 1
        figure = new_figure(WIDTH, 1.4 + 0.36 * parts)
        panels = figure.subplots(1, 2, sharey=True)
        for axes, (name, title) in zip(panels, titles.items(), strict=True):
            own = pick(findings, name, players=players).head(parts)
            ends = 100 * own.select("low", "value", "high").to_numpy().astype(float)
            axes.axvline(0, color=FAINT, linestyle=":", linewidth=1.2, zorder=1)
            draw_intervals(axes, [tuple(row) for row in ends], BLUE)
            for height, (_, value, high) in enumerate(ends):
                axes.annotate(
                    f"{value:.1f}", (high, height), (5, 0), textcoords="offset points", va="center", fontsize=8
                )
            axes.set_yticks(range(parts), [_EXPLAINED.get(place, place) for place in own["place"]])
            axes.tick_params(axis="y", length=0)
            axes.set_xlim(-4, 1.25 * max(np.nanmax(ends), 20))
            axes.set_title(title)
            axes.set_xlabel("% of the variance")
        write_note(figure, f"{population}. Lines are 95% intervals over deals.")
    return figure
