"""The picture of a tournament: who wins how much, and who finishes ahead of whom."""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.bench.style import (
    BELOW_ABOVE,
    FAINT,
    INK,
    draw_intervals,
    encode_figure,
    house_style,
    new_figure,
    shorten_label,
    write_note,
)
from fivetowers_sim.questions.tournament.content import Standings, describe_tables
from fivetowers_sim.rules.described import describe_powers, name_rules

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# With more strategies than this, cells have room for whole numbers in small print only.
_MOST_IN_FULL: Final = 12


def draw_all(finished: Finished) -> Mapping[str, bytes]:
    """Return the picture of a tournament as files, by name."""
    plan, standings = finished.plan, Standings(finished)
    population = (
        f"{finished.counted}. Every deal {describe_tables(finished)}; {plan['players']} players; "
        f"{name_rules(plan['rules'])}; {describe_powers(plan['powers_by_seat'])}; seed {plan['seed']}"
    )
    shares = standings.find("win_share")
    said = ", ".join(f"{name} {share.value:.1%}" for name, share in shares.items())
    figure = draw_tournament(shares, standings.ahead, plan["players"], population)
    return encode_figure(figure, "tournament", f"Win share of a seat: {said}. {finished.counted}.")


def draw_tournament(
    shares: Mapping[str, Estimate], ahead: Mapping[tuple[str, str], Estimate], players: int, population: str
) -> Figure:
    """Draw win shares with intervals, and the share of meetings in which one finishes ahead of another.

    Parameters
    ----------
    shares : mapping of str to Estimate
        Win share of each strategy, the strongest first.
    ahead : mapping of (str, str) to Estimate
        For every two who met, both ways round, in which share of their meetings the first finishes ahead.
    players : int
        Seats at a table.
    population : str
        Games and who plays, without a full stop.

    Returns
    -------
    matplotlib.figure.Figure
        Not saved, and known to no window.
    """
    with house_style():
        figure = new_figure(11, 2.6 + 0.42 * max(len(shares), 4))
        left, right = figure.subplots(1, 2, gridspec_kw={"width_ratios": (1, 1.15)})
        _draw_win_shares(left, shares, players)
        _draw_pairs(right, list(shares), ahead)
        note = (
            f"{population}. Lines are 95% intervals over deals. On the right, the share of "
            "meetings in which the row's strategy finishes ahead of the column's, in %, shared places counting half; "
            "~ marks a share whose interval holds 50."
        )
        write_note(figure, note)
    return figure


def _draw_win_shares(axes: Axes, found: Mapping[str, Estimate], players: int) -> None:
    shares = [(100 * share.low, 100 * share.value, 100 * share.high) for share in found.values()]
    equal = 100 / players
    axes.axvline(equal, color=FAINT, linestyle=":", linewidth=1.2, zorder=1)
    axes.text(equal, -0.62, f"equal share {equal:.1f}%", ha="center", va="bottom", fontsize=8, color=INK)
    draw_intervals(axes, shares)
    for height, (low, value, high) in enumerate(shares):
        margin = "" if np.isnan(low) else f" ± {max(high - value, value - low):.1f}"
        side = "left" if value < equal / 4 else "center"
        axes.annotate(f"{value:.1f}%{margin}", (value, height), (0, 7), textcoords="offset points", ha=side, fontsize=8)
    labels = [f"{shorten_label(name)}  {letter}" for name, letter in zip(found, string.ascii_uppercase, strict=False)]
    axes.set_yticks(range(len(shares)), labels)
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(min(0.0, *(low for low, _, _ in shares)), max(equal * 1.15, *(1.08 * row[1] for row in shares)))
    axes.set_xlabel("win share of a seat, %")
    axes.set_title("Who wins", pad=16)


def _draw_pairs(axes: Axes, names: list[str], ahead: Mapping[tuple[str, str], Estimate]) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    size = len(names)
    share, unsure = np.full((size, size), np.nan), np.zeros((size, size), bool)
    for (one, other), estimate in ahead.items():
        place = names.index(one), names.index(other)
        share[place] = 100 * estimate.value
        unsure[place] = not (estimate.low > 0.5 or estimate.high < 0.5)
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
