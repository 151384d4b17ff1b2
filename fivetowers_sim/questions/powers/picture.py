"""The picture of the Great Powers: what each set brings the seat that has it, and each power's share."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.bench.style import (
    BLUE,
    FAINT,
    INK,
    ORANGE,
    Interval,
    draw_intervals,
    encode_figure,
    house_style,
    new_figure,
)
from fivetowers_sim.questions.powers.content import name_set
from fivetowers_sim.questions.powers.figures import find, rank

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw_all(finished: Finished) -> Mapping[str, bytes]:
    """Return the pictures of the powers' worth as files, by name; one for each strategy."""
    plan, figures, files = finished.plan, finished.figures, {}
    for number, strategy in enumerate(plan["strategies"]):
        gains, shares = (
            {powers: (one.estimate.low, one.estimate.value, one.estimate.high) for powers, one in found.items()}
            for found in (find(figures, strategy, kind) for kind in ("gain", "shapley"))
        )
        sets = {"none": (0.0, 0.0, 0.0), **{name_set(powers): interval for powers, interval in gains.items()}}
        about = f"{plan['players']} players; rules {plan['rules']['name']}; seed {plan['seed']}; all {strategy}"
        figure = draw_powers(sets, shares, f"{finished.counted}; {about}")
        said = ", ".join(f"{power} {shares[power][1]:+.2f}" for power in rank(figures, strategy))
        name = "powers" if number == 0 else f"powers-{number + 1}"
        files |= encode_figure(figure, name, f"VP that each Great Power brings the one seat with it: {said}.")
    return files


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
