"""Pictures of changed rules: what a dial's values change in headline figures, and how two rule sets differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.bench.style import (
    FAINT,
    Interval,
    draw_intervals,
    encode_figure,
    house_style,
    new_figure,
    shorten_label,
    write_note,
)
from fivetowers_sim.questions.variants.content import describe_games
from fivetowers_sim.questions.variants.figures import Change, call_rules, group_changes, name_picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLUMNS: Final = 3
_SHOWN: Final = ("total", "rounds", "margin", "torn_cards", "untaken", "win_share")
_COUNTS: Final = ("rounds", "torn_cards", "untaken")


def draw_all(finished: Finished) -> Mapping[str, bytes]:
    """Return a picture for each dial as files, by name; one for all in a grid, and one for two rule sets."""
    base, files = call_rules(finished, finished.plan["names"][0]), {}
    about = f"{finished.counted}; {describe_games(finished)}; seed {finished.seed}"
    for dials, values in group_changes(finished).items():
        named = [call_rules(finished, changes[0].variant) for changes in values.values()]
        said = f"What {', '.join(named)} change in headline figures of {base}."
        if len(values) > 1:
            figure = draw_responses(f"{dials.replace('+', ' and ')}, against {base}", values, about)
        else:
            (changes,) = values.values()
            figure = draw_differences(f"{shorten_label(named[0])} less {shorten_label(base)}", changes, about)
            certain = "; ".join(change.say() for change in changes if change.certain)
            said = f"How {named[0]} differs from {base}: {certain or 'nothing is shown to'}."
        files |= encode_figure(figure, name_picture(finished, dials), said)
    return files


def _interval_of(change: Change) -> Interval:
    scale, one = change.headline.shown_as[0], change.difference
    return scale * one.low, scale * one.value, scale * one.high


def draw_differences(title: str, changes: Sequence[Change], population: str) -> Figure:
    """Draw by how much figures differ, a panel for all that are measured alike.

    Parameters
    ----------
    title : str
        What is subtracted from what.
    changes : sequence of Change
        The figures.
    population : str
        Games and who plays, without a full stop.

    Returns
    -------
    matplotlib.figure.Figure
        Not saved, and known to no window.
    """
    panels: dict[str, list[Change]] = {"points": [], "VP": [], "rounds, or cards": []}
    for change in changes:
        unit = "points" if change.headline.is_share else "rounds, or cards" if change.headline.name in _COUNTS else "VP"
        panels[unit].append(change)
    with house_style():
        figure = new_figure(11, 1.6 + 0.3 * max(map(len, panels.values())))
        for place, (unit, own) in zip(figure.subplots(1, len(panels)), panels.items(), strict=True):
            _draw_panel(place, [change.headline.label + ("" if change.certain else " ~") for change in own], own)
            place.set_xlabel(unit)
        figure.suptitle(title, x=0.01, ha="left", fontweight="bold")
        write_note(figure, f"{population}. Lines are 95% intervals over deals; ~ marks what isn't certain.")
    return figure


def draw_responses(dial: str, values: Mapping[str, Sequence[Change]], population: str) -> Figure:
    """Draw what each value of a dial changes, a panel for each figure: how games go, and the wins of every seat.

    Parameters
    ----------
    dial : str
        What is varied.
    values : mapping of str to sequence of Change
        Its values, each with every figure.
    population : str
        Games and who plays, without a full stop.

    Returns
    -------
    matplotlib.figure.Figure
        Not saved, and known to no window.
    """
    by_figure = list(zip(*values.values(), strict=True))
    panels = [
        changes
        for name in _SHOWN
        for changes in by_figure
        if changes[0].headline.name == name and (changes[0].headline.seat is None or name == "win_share")
    ]
    rows = -(-len(panels) // _COLUMNS)
    with house_style():
        figure = new_figure(11, 0.9 + rows * (1.15 + 0.28 * len(values)))
        axes = figure.subplots(rows, _COLUMNS, squeeze=False, sharey=True)
        for place, changes in zip(axes.flat, panels, strict=False):
            _draw_panel(place, list(values), changes)
            place.set_title(f"{changes[0].headline.label} ({changes[0].write('before').partition(' ')[0]})")
        for place in axes.flat[len(panels) :]:
            place.set_axis_off()
        figure.suptitle(f"Responses to {dial}", x=0.01, ha="left", fontweight="bold")
        note = (
            f"{population}. What values change on the same deals, shares in points; in brackets, the figure as it is. "
            "Lines are 95% intervals over deals."
        )
        write_note(figure, note)
    return figure


def _draw_panel(place: Axes, labels: Sequence[str], changes: Sequence[Change]) -> None:
    place.axvline(0, color=FAINT, linestyle=":", linewidth=1.2, zorder=1)
    draw_intervals(place, [_interval_of(change) for change in changes])
    place.set_yticks(range(len(labels)), labels)
    place.tick_params(axis="y", length=0)
    place.margins(x=0.15)
