"""The picture of a dial: what its values change in headline figures."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fivetowers_sim.bench.style import BLUE, FAINT, INK, Interval, draw_intervals, house_style, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLUMNS = 3


def draw_responses(
    dial: str, values: Sequence[str], panels: Mapping[str, Sequence[Interval]], population: str
) -> Figure:
    """Draw what each value of a dial changes, a panel for each figure.

    Parameters
    ----------
    dial : str
        What is varied.
    values : sequence of str
        Its values.
    panels : mapping of str to sequence of (float, float, float)
        Figure to its change at each of the values, with the ends of the interval.
    population : str
        Games and who plays, without a full stop.

    Returns
    -------
    matplotlib.figure.Figure
        Not saved, and known to no window.
    """
    rows = -(-len(panels) // _COLUMNS)
    with house_style():
        figure = new_figure(11, 0.9 + rows * (1.15 + 0.28 * len(values)))
        axes = figure.subplots(rows, _COLUMNS, squeeze=False, sharey=True)
        for place, (label, intervals) in zip(axes.flat, panels.items(), strict=False):
            place.axvline(0, color=FAINT, linestyle=":", linewidth=1.2, zorder=1)
            draw_intervals(place, list(intervals), BLUE)
            place.set_title(label)
            place.set_yticks(range(len(values)), values)
            place.tick_params(axis="y", length=0)
            place.margins(x=0.15)
        for place in axes.flat[len(panels) :]:
            place.set_axis_off()
        figure.suptitle(f"Responses to {dial}", x=0.01, ha="left", fontweight="bold")
        note = (
            f"{population}. What values change on the same deals; in brackets, the figure as it is. Lines are 95% "
            "intervals over deals."
        )
        figure.supxlabel(textwrap.fill(note, 175), x=0.01, ha="left", fontsize=8, color=INK)
    return figure
