"""The picture of the Great Powers: what each set brings the seat that has it, and each power's share."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from fivetowers_sim.bench.style import BLUE, FAINT, INK, ORANGE, draw_intervals, house_style, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Interval = tuple[float, float, float]
"""Low end, estimate, high end."""


def draw_powers(sets: Mapping[str, Interval], shares: Mapping[str, Interval], population: str) -> Figure:
    """Draw what sets of powers bring, in order, beside each power's Shapley share.

    Parameters
    ----------
    sets : mapping of str to (float, float, float)
        Set to the VP that it brings the one seat that has it, with the ends of the interval.
    shares : mapping of str to (float, float, float)
        Power to its Shapley share of the VP that all of them bring.
    population : str
        Games and who plays, without a full stop.

    Returns
    -------
    matplotlib.figure.Figure
        Not saved, and known to no window.
    """
    with house_style():
        figure = new_figure(11, 6.2)
        left, right = figure.subplots(1, 2, gridspec_kw={"width_ratios": (1.5, 1)})
        _draw_ordered(left, sets, BLUE)
        left.set_title("Each set of powers")
        left.set_xlabel("VP that the set brings the one seat that has it")
        _draw_ordered(right, shares, ORANGE)
        right.set_title("Each power's share (Shapley)")
        right.set_xlabel("VP that it adds to a set, on average over orders")
        note = (
            f"{population}. One seat has the powers, the others have none; every seat in turn, on the same deals. "
            "Lines are 95% intervals over deals. The shares add up to what all four bring together."
        )
        figure.supxlabel(textwrap.fill(note, 175), x=0.01, ha="left", fontsize=8, color=INK)
    return figure


def _draw_ordered(axes: Axes, intervals: Mapping[str, Interval], colour: str) -> None:
    names = sorted(intervals, key=lambda name: -intervals[name][1])
    axes.axvline(0, color=FAINT, linestyle=":", linewidth=1.2, zorder=1)
    draw_intervals(axes, [intervals[name] for name in names], colour)
    for height, name in enumerate(names):
        low, value, high = intervals[name]
        margin = "" if np.isnan(low) or high == low else f" ± {high - value:.2f}"
        axes.annotate(
            f"{value:+.2f}{margin}",
            (value if np.isnan(high) else high, height),
            (6, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
        )
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(axis="y", length=0)
    axes.margins(x=0.05)
    ends = [end for interval in intervals.values() for end in interval if not np.isnan(end)]
    axes.set_xlim(min(0.0, *ends) - 0.02 * max(ends), max(ends) * 1.28 + 0.05)
