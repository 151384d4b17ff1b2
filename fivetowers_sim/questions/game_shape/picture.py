"""The pictures of a game's shape: win shares by seat, and for each number of players scores, the lead and luck."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from fivetowers_sim.bench.findings import Finding, Findings
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.bench.style import (
    FAINT,
    INK,
    SERIES,
    draw_intervals,
    encode_figure,
    house_style,
    new_figure,
    shorten_label,
    write_note,
)
from fivetowers_sim.questions.game_shape.figures import CROSSED, SCORES, describe_crossing, find, name_seat
from fivetowers_sim.rules.described import describe_rules

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH: Final = 7.2
# Colour and hatching of the parts of a score, which are stacked in this order.
_LOOKS: Final = (("#0072B2", ""), ("#56B4E9", "//"), ("#009E73", ".."), ("#F0E442", "xx"), ("#D55E00", "\\\\"))
_EXPLAINED: Final = {
    "strategy x seat": "seat, by strategy",
    "deal": "deal, the same for all",
    "deal x strategy": "deal, by strategy",
    "deal x seat": "deal, by seat",
    "deal x strategy x seat": "deal, by seat and strategy",
}


def draw_all(finished: Finished) -> Mapping[str, bytes]:
    """Return the pictures of the game's shape as files, by name."""
    plan, strategies = finished.plan, finished.plan["strategies"]
    figures = {name: finished.figures.where(strategy=name) for name in strategies}
    split, first = finished.figures.where(strategy=CROSSED), strategies[0]
    about = f"{finished.counted}; {describe_rules(plan['rules'])}; seed {plan['seed']}"

    def tell(own: Findings, players: int, figure: str, text: str = "{:.1f}%", scale: int = 100) -> str:
        found = find(own, players, figure).values()
        return ", ".join(text.format(scale * one.estimate.value, at=one["place"]) for one in found)

    said = "; ".join(f"{players} players: {tell(figures[first], players, 'win_share')}" for players in plan["players"])
    seats = draw_seat_shares(figures, plan["players"], about)
    files = encode_figure(seats, "seats", f"Win share by seat, all {first}; {said}.")
    for players in plan["players"]:
        table = f"{players} players, all {first}"
        said = tell(figures[first], players, "total", "{:.1f}", 1)
        scores = draw_composition(figures[first], players, f"{about}; {table}")
        files |= encode_figure(scores, f"scores-{players}", f"What scores are made of, {table}; by seat {said} VP.")
        said = tell(figures[first], players, "leader_wins", "after {at} {:.0f}%")
        leads = draw_chances(figures, players, about)
        files |= encode_figure(leads, f"lead-{players}", f"How often who leads wins, {table}: {said} of the games.")
        if split:
            said = tell(split, players, "margin_share", "{at} {:.1f}%")
            luck = draw_variance(split, players, f"{about}; {players} players; {describe_crossing(strategies)}")
            what = f"Parts of the variance of one player's VP ahead of the best other with {players} players"
            files |= encode_figure(luck, f"luck-{players}", f"{what}: {said}.")
    return files


def _measure(findings: Iterable[Finding], scale: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the low ends, values and high ends of some figures."""
    ends = [(one.estimate.low, one.estimate.value, one.estimate.high) for one in findings]
    low, value, high = scale * np.array(ends).T
    return low, value, high


def draw_seat_shares(figures: Mapping[str, Findings], counts: Sequence[int], population: str) -> Figure:
    """Draw each seat's win share against an equal one, a panel for each number of players.

    Parameters
    ----------
    figures : mapping of str to Findings
        Strategy to its figures, in the order to show them; up to four.
    counts : sequence of int
        Numbers of players.
    population : str
        Games and rules, without a full stop.

    Returns
    -------
    matplotlib.figure.Figure
        Not saved, and known to no window.
    """
    with house_style():
        figure = new_figure(_WIDTH, 1.3 + (0.2 + 0.18 * len(figures)) * sum(counts) + 0.5 * len(counts))
        panels = figure.subplots(len(counts), 1, squeeze=False, height_ratios=counts)[:, 0]
        for axes, players in zip(panels, counts, strict=True):
            _draw_shares(axes, figures, players)
        # Given by hand: by itself a legend leaves out labels that begin with an underscore.
        signs = [line for line in panels[0].get_lines() if line.get_label() in figures]
        place = {"loc": "lower right", "bbox_to_anchor": (1, 1), "ncols": len(figures), "borderaxespad": 0}
        panels[0].legend(signs, list(map(shorten_label, figures)), frameon=False, **place)
        panels[-1].set_xlabel("win share in %, a shared victory divided")
        write_note(figure, f"{population}. Each strategy in all seats. Lines are 95% intervals over deals.")
    return figure


def _draw_shares(axes: Axes, figures: Mapping[str, Findings], players: int) -> None:
    fair = 100 / players
    axes.axvline(fair, color=FAINT, linestyle="--", linewidth=1.2, zorder=1)
    for nth, ((label, own), (colour, symbol)) in enumerate(zip(figures.items(), SERIES, strict=False)):
        heights = np.arange(players) + 0.7 * nth / len(figures)
        lows, values, highs = _measure(find(own, players, "win_share").values(), 100)
        axes.hlines(heights, lows, highs, color=colour, linewidth=2.2, zorder=2)
        axes.plot(values, heights, symbol, color=colour, markersize=5, label=label, zorder=3)
        for height, value, high in zip(heights, values, highs, strict=True):
            end = high if np.isfinite(high) else value
            axes.annotate(f"{value:.1f}", (end, height), (5, 0), textcoords="offset points", va="center", fontsize=8)
    _name_seats(axes, players)
    axes.set_ylim(players - 0.3, -0.4)
    axes.set_title(f"{players} players, an equal share is {fair:.1f}%")
    axes.margins(x=0.12)


def _name_seats(axes: Axes, players: int) -> None:
    axes.set_yticks(range(players), [name_seat(seat, players) for seat in range(players)])
    axes.tick_params(axis="y", length=0)


def draw_composition(own: Findings, players: int, population: str) -> Figure:
    """Draw what the seats' scores are made of.

    Parameters
    ----------
    own : Findings
        A strategy's figures.
    players : int
        Number of players.
    population : str
        Games, rules and who plays, without a full stop.

    Returns
    -------
    matplotlib.figure.Figure
        Not saved, and known to no window.
    """
    with house_style():
        figure = new_figure(_WIDTH, 1.6 + 0.5 * players)
        axes = figure.subplots()
        left = np.zeros(players)
        for (name, label), (colour, hatch) in zip(SCORES.items(), _LOOKS, strict=True):
            _, values, _ = _measure(find(own, players, name).values())
            if not values.any():
                continue
            start = left if name != "teardown" else np.zeros(players)
            look = {"height": 0.6, "color": colour, "hatch": hatch, "edgecolor": "white", "label": label}
            bars = axes.barh(range(players), values, left=start, **look)
            axes.bar_label(bars, [f"{value:.1f}" for value in values], label_type="center", fontsize=8, color=INK)
            for text in axes.texts[-players:]:
                text.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.6})
            left = left + np.maximum(values, 0)
        for seat, (_, value, high) in enumerate(zip(*_measure(find(own, players, "total").values()), strict=True)):
            text = f"= {value:.2f}" if np.isnan(high) else f"= {value:.2f} ± {high - value:.2f}"
            where = {"xytext": (6, 0), "textcoords": "offset points", "va": "center"}
            axes.annotate(text, (left[seat], seat), fontsize=9, fontweight="bold", **where)
        axes.set_xlim(right=left.max() * 1.25)
        axes.axvline(0, color=INK, linewidth=0.8)
        _name_seats(axes, players)
        axes.invert_yaxis()
        axes.set_xlabel("VP of a player")
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(SCORES), frameon=False, fontsize=8)
        write_note(
            figure, f"{population}. Means; at the right, the whole score with half of its 95% interval over deals."
        )
    return figure


def draw_chances(figures: Mapping[str, Findings], players: int, population: str) -> Figure:
    """Draw how likely who leads, and who is last, wins in the end, over the game.

    Parameters
    ----------
    figures : mapping of str to Findings
        Strategy to its figures.
    players : int
        Number of players.
    population : str
        Games and rules, without a full stop.

    Returns
    -------
    matplotlib.figure.Figure
        Not saved, and known to no window.
    """
    with house_style():
        figure = new_figure(_WIDTH, 4.2)
        axes = figure.subplots()
        axes.axhline(100 / players, color=FAINT, linestyle="--", linewidth=1.2, zorder=1)
        ends: list[tuple[float, str]] = []
        for (label, own), (colour, symbol) in zip(figures.items(), SERIES, strict=False):
            for name, who, line in (("leader_wins", "leader", "-"), ("last_wins", "last", ":")):
                found = find(own, players, name)
                parts = [int(place.rstrip("%")) for place in found]
                lows, values, highs = _measure(found.values(), 100)
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


def draw_variance(split: Findings, players: int, population: str) -> Figure:
    """Draw how the variance of one player's result is shared out.

    Parameters
    ----------
    split : Findings
        The figures of each strategy crossed with each seat.
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
        parts = [part for part in find(split, players, "margin_share") if part != "total"]
        figure = new_figure(_WIDTH, 1.4 + 0.36 * len(parts))
        panels = figure.subplots(1, 2, sharey=True)
        for axes, (name, title) in zip(panels, titles.items(), strict=True):
            found = find(split, players, name)
            ends = [*zip(*_measure((found[part] for part in parts), 100), strict=True)]
            axes.axvline(0, color=FAINT, linestyle=":", linewidth=1.2, zorder=1)
            draw_intervals(axes, ends)
            for height, (_, value, high) in enumerate(ends):
                axes.annotate(
                    f"{value:.1f}", (high, height), (5, 0), textcoords="offset points", va="center", fontsize=8
                )
            axes.set_yticks(range(len(parts)), [_EXPLAINED.get(part, part) for part in parts])
            axes.tick_params(axis="y", length=0)
            axes.set_xlim(-4, 1.25 * np.nanmax([20, *np.ravel(ends)]))
            axes.set_title(title)
            axes.set_xlabel("% of the variance")
        write_note(figure, f"{population}. Lines are 95% intervals over deals.")
    return figure
