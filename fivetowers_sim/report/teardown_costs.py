"""The pictures on teardown costs: how the game responds to schedules, and what a teardown is worth."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fivetowers_sim.bench.style import BLUE, FAINT, INK, ORANGE, Interval, draw_intervals, house_style, new_figure

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PANELS: Final = (
    ("level", "torn", "Cards torn down by a seat", 1),
    ("level", "none_torn", "Seats that tear nothing down, %", 100),
    ("change", "total", "VP of a seat, change", 1),
    ("change", "margin", "VP ahead of the second, change", 1),
    ("worth", "total", "VP lost by never tearing down", 1),
    ("worth", "win_share", "Win share lost by it, points", 100),
    ("change", "rounds", "Rounds, change", 1),
)
_COLUMNS: Final = 4
_MARKERS: Final = "os^Dv"
_POPULATIONS: Final = (("chosen", BLUE, -0.12), ("possible", ORANGE, 0.12))


def draw_schedules(findings: pl.DataFrame, schedules: Mapping[str, str], population: str) -> Figure:
    """Draw how one strategy's games respond to schedules of teardown costs, a panel for each figure.

    Parameters
    ----------
    findings : polars.DataFrame
        Rows of ``findings.parquet``, of one strategy.
    schedules : mapping of str to str
        The schedules, in the order to be shown, with what to call each.
    population : str
        Games and who plays, without a full stop.

    Returns
    -------
    matplotlib.figure.Figure
        Not saved, and known to no window.
    """
    with house_style():
        figure = new_figure(13, 2.2 + 0.6 * len(schedules))
        axes = figure.subplots(2, _COLUMNS, sharey=True)
        for place, (kind, name, title, scale) in zip(axes.flat, _PANELS, strict=False):
            found = _intervals(findings, kind, name, scale)
            if kind != "level":
                place.axvline(0, color=FAINT, linestyle=":", linewidth=1.2, zorder=1)
            colour = ORANGE if kind == "worth" else BLUE
            # What all are compared with differs from itself by nothing.
            draw_intervals(place, [found.get(schedule, (0.0, 0.0, 0.0)) for schedule in schedules], colour)
            place.set_title(title, fontsize=9.5)
        _draw_seats(axes.flat[len(_PANELS)], findings, list(schedules))
        for place in axes.flat:
            place.set_yticks(range(len(schedules)), schedules.values())
            place.tick_params(axis="y", length=0)
            place.margins(x=0.12)
        base = [label for name, label in schedules.items() if findings.filter(kind="change", schedule=name).is_empty()]
        note = (
            f"{population}. Changes are from {base[0]}, on the same deals. Orange: one seat never tears down, every "
            "seat in turn. Lines are 95% intervals over deals."
        )
        figure.suptitle("Responses to schedules of teardown costs", x=0.01, ha="left", fontweight="bold")
        figure.supxlabel(textwrap.fill(note, 190), x=0.01, ha="left", fontsize=8, color=INK)
    return figure


def _intervals(
    findings: pl.DataFrame, kind: str, figure: str, scale: float, seat: int | None = None
) -> dict[str, Interval]:
    """Return low end, estimate and high end by schedule."""
    found = findings.filter(kind=kind, figure=figure)
    if seat is not None:
        found = found.filter(seat=seat)
    rows = found.select("schedule", "low", "value", "high").rows()
    return {name: tuple(float("nan") if end is None else scale * end for end in ends) for name, *ends in rows}


def _draw_seats(axes: Axes, findings: pl.DataFrame, schedules: Sequence[str]) -> None:
    seats = sorted(findings.filter(figure="win_share", kind="level")["seat"].unique().to_list())
    spread = 0.5 / len(seats)
    for seat in seats:
        found = _intervals(findings, "level", "win_share", 100, seat)
        for height, schedule in enumerate(schedules):
            low, value, high = found[schedule]
            at = height + (seat - (len(seats) - 1) / 2) * spread
            axes.plot([low, high], [at, at], color=FAINT, linewidth=1.5, zorder=2)
            label = f"seat {seat}" if height == 0 else None
            axes.plot([value], [at], _MARKERS[seat], color=INK, markersize=4, zorder=3, label=label)
    axes.set_ylim(len(schedules) - 0.4, -0.6)
    axes.axvline(100 / len(seats), color=FAINT, linestyle=":", linewidth=1.2, zorder=1)
    axes.legend(fontsize=7, frameon=False, loc="lower center", bbox_to_anchor=(0.5, -0.36), ncols=len(seats))
    axes.set_title("Win share by seat, %", fontsize=9.5)


def draw_worth(worths: pl.DataFrame, population: str) -> Figure:
    """Draw what a teardown is worth by cards torn down before, against its cost, and how often it is right.

    Parameters
    ----------
    worths : polars.DataFrame
        Rows of ``decisions.parquet``, of one strategy.
    population : str
        Decisions and who plays, without a full stop.

    Returns
    -------
    matplotlib.figure.Figure
        Not saved, and known to no window.
    """
    with house_style():
        figure = new_figure(13, 4.6)
        left, middle, right = figure.subplots(1, 3, gridspec_kw={"width_ratios": (1.25, 1, 1.25)})
        _draw_costs(left, worths.filter(by="pile"))
        _draw_right(middle, worths.filter(by="pile", figure="right"))
        _draw_classes(right, worths.filter(population="possible", figure="lead"))
        note = (
            f"{population}. Blue: decisions at which the strategy itself chose a bid with a teardown, less the best "
            "without; orange: all at which one was possible, the best with less the best without. Lines are 95% "
            "intervals over decisions, one of each game; numbers are decisions."
        )
        figure.suptitle("What a teardown is worth", x=0.01, ha="left", fontweight="bold")
        figure.supxlabel(textwrap.fill(note, 190), x=0.01, ha="left", fontsize=8, color=INK)
    return figure


def _draw_costs(axes: Axes, worths: pl.DataFrame) -> None:
    """Draw the worth before the cost, above which a teardown loses, as points, and the cost as steps."""
    piles = worths["class"].unique(maintain_order=True).to_list()
    for population, colour, shift in _POPULATIONS:
        found = worths.filter(population=population, figure="before_cost")
        _draw_points(axes, found, piles, (colour, shift))
    costs = worths.filter(population="possible", figure="cost")
    for pile, cost in costs.select("class", "value").rows():
        at = piles.index(pile)
        axes.plot(
            [at - 0.4, at + 0.4], [cost, cost], color=INK, linewidth=2, zorder=2, label="cost" if at == 0 else None
        )
    axes.axhline(0, color=FAINT, linestyle=":", linewidth=1.2, zorder=1)
    axes.set_xticks(range(len(piles)), piles)
    axes.set_xlabel("cards torn down before")
    axes.set_ylabel("VP")
    axes.legend(fontsize=8, frameon=False)
    axes.set_title("Worth before its cost, and the cost")


def _draw_right(axes: Axes, shares: pl.DataFrame) -> None:
    piles = shares["class"].unique(maintain_order=True).to_list()
    for population, colour, shift in _POPULATIONS:
        _draw_points(axes, shares.filter(population=population), piles, (colour, shift), 100)
    axes.axhline(50, color=FAINT, linestyle=":", linewidth=1.2, zorder=1)
    axes.set_ylim(0, 100)
    axes.set_xticks(range(len(piles)), piles)
    axes.set_xlabel("cards torn down before")
    axes.set_title("How often it is right, %")


def _draw_points(
    axes: Axes, found: pl.DataFrame, places: Sequence[str], manner: tuple[str, float], scale: float = 1
) -> None:
    colour, shift = manner
    for name, *ends, decisions in found.select("class", "low", "value", "high", "decisions").rows():
        at = places.index(name) + shift
        low, value, high = (float("nan") if end is None else scale * end for end in ends)
        axes.plot([at, at], [low, high], color=colour, linewidth=2.5, solid_capstyle="butt", zorder=3)
        axes.plot([at], [value], "o" if shift < 0 else "s", color=colour, markersize=4.5, zorder=4)
        axes.annotate(f"{decisions:,}", (at, value), (5, 0), textcoords="offset points", va="center", fontsize=7)


def _draw_classes(axes: Axes, worths: pl.DataFrame) -> None:
    rows = worths.select("by", "class", "low", "value", "high").rows()
    axes.axvline(0, color=FAINT, linestyle=":", linewidth=1.2, zorder=1)
    ends = [tuple(float("nan") if end is None else end for end in row[2:]) for row in rows]
    draw_intervals(axes, ends, ORANGE)
    words = {"pile": "torn before: ", "card": "card: "}
    axes.set_yticks(range(len(rows)), [words.get(by, "") + name for by, name, *_ in rows])
    axes.tick_params(axis="y", length=0)
    axes.set_title("VP ahead, cost included, where possible")
