"""Pictures of changed rules: what a dial's values change in headline figures, and how two rule sets differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
from fivetowers_sim.questions.variants.figures import Change, group_by_dial, read_changes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLUMNS: Final = 3
_SHOWN: Final = ("total", "rounds", "margin", "torn_cards", "untaken", "win_share")
_COUNTS: Final = ("rounds", "torn_cards", "untaken")


def draw_sweep(finished: Finished) -> Mapping[str, bytes]:
    """Return a picture for each dial as files, by name; one for all in a grid."""
    base, files = finished.plan["names"][0], {}
    for dials, values in group_by_dial(finished).items():
        panels: dict[str, list[Interval]] = {}
        for change in (change for name in _SHOWN for changes in values.values() for change in _pick(changes, name)):
            panels.setdefault(_name_panel(change), []).append(_interval_of(change))
        dial = f"{dials.replace('+', ' and ')}, against {base}"
        figure = draw_responses(dial, list(values), panels, _describe(finished))
        variants = [changes[0].variant for changes in values.values()]
        said = f"What {', '.join(variants)} change in headline figures of {base}."
        files |= encode_figure(figure, f"sweep-{dials}", said)
    return files


def draw_comparison(finished: Finished) -> Mapping[str, bytes]:
    """Return the picture of how two rule sets differ as files, by name."""
    a, b = (shorten_label(arm["rules"]["name"]) for arm in finished.plan["arms"])
    changes = read_changes(finished)
    panels: dict[str, list[Change]] = {"points": [], "VP": [], "rounds, or cards": []}
    for change in changes:
        unit = "points" if change.headline.is_share else "rounds, or cards" if change.headline.name in _COUNTS else "VP"
        panels[unit].append(change)
    figure = draw_differences(f"B ({b}) less A ({a})", panels, _describe(finished))
    said = "; ".join(change.say() for change in changes if change.certain) or "nothing is shown to differ"
    return encode_figure(figure, "compare", f"How B ({b}) differs from A ({a}): {said}.")


def _pick(changes: Sequence[Change], name: str) -> Iterator[Change]:
    """Yield a figure's changes: of VP those of a player on average, of wins those of every seat."""
    return (one for one in changes if one.headline.name == name and (one.headline.seat is None or name == "win_share"))


def _name_panel(change: Change) -> str:
    return f"{change.headline.label} ({change.write('before').partition(' ')[0]})"


def _interval_of(change: Change) -> Interval:
    scale, one = change.headline.shown_as[0], change.difference
    return scale * one.low, scale * one.value, scale * one.high


def _describe(finished: Finished) -> str:
    return f"{finished.counted}; {describe_games(finished)}; seed {finished.plan['arms'][0]['seed']}"


def draw_differences(title: str, panels: Mapping[str, Sequence[Change]], population: str) -> Figure:
    """Draw by how much figures differ, a panel for all that are measured alike.

    Parameters
    ----------
    title : str
        What is subtracted from what.
    panels : mapping of str to sequence of Change
        Unit to what is measured in it.
    population : str
        Games and who plays, without a full stop.

    Returns
    -------
    matplotlib.figure.Figure
        Not saved, and known to no window.
    """
    with house_style():
        figure = new_figure(11, 1.6 + 0.3 * max(map(len, panels.values())))
        for place, (unit, changes) in zip(figure.subplots(1, len(panels)), panels.items(), strict=True):
            labels = [change.headline.label + ("" if change.certain else " ~") for change in changes]
            _draw_panel(place, labels, [_interval_of(change) for change in changes])
            place.set_xlabel(unit)
        figure.suptitle(title, x=0.01, ha="left", fontweight="bold")
        write_note(figure, f"{population}. Lines are 95% intervals over deals; ~ marks what isn't certain.")
    return figure


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
            _draw_panel(place, values, intervals)
            place.set_title(label)
        for place in axes.flat[len(panels) :]:
            place.set_axis_off()
        figure.suptitle(f"Responses to {dial}", x=0.01, ha="left", fontweight="bold")
        note = (
            f"{population}. What values change on the same deals, shares in points; in brackets, the figure as it is. "
            "Lines are 95% intervals over deals."
        )
        write_note(figure, note)
    return figure


def _draw_panel(place: Axes, labels: Sequence[str], intervals: Sequence[Interval]) -> None:
    place.axvline(0, color=FAINT, linestyle=":", linewidth=1.2, zorder=1)
    draw_intervals(place, list(intervals))
    place.set_yticks(range(len(labels)), labels)
    place.tick_params(axis="y", length=0)
    place.margins(x=0.15)
