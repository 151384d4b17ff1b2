"""The picture of what bids are worth: each bid against passing, overall and by kind of decision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fivetowers_sim.bench.findings import Findings
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.bench.style import BLUE, FAINT, ORANGE, encode_figure, house_style, new_figure, write_note
from fivetowers_sim.questions.bid_values.figures import FEWEST, find
from fivetowers_sim.questions.bid_values.strata import TITLES
from fivetowers_sim.rules.described import describe_rules

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Shade and sign, so that nothing is told by colour alone.
_LINES: Final = ((BLUE, "o"), (ORANGE, "s"), ("#009E73", "^"), ("#CC79A7", "D"), ("#D55E00", "v"))


def draw_all(finished: Finished) -> Mapping[str, bytes]:
    """Return the pictures of the bids' worth as files, by name; one for each strategy."""
    plan, files = finished.plan, {}
    about = f"{finished.counted}, {plan['futures']} futures each; {plan['players']} players; "
    about += f"{describe_rules(plan['rules'])}; seed {plan['seed']}"
    for nth, strategy in enumerate(plan["strategies"], 1):
        worths = finished.figures.where(strategy=strategy, kind="against pass", figure="vp")
        figure = draw_bids(worths, f"{about}; all {strategy}")
        found = find(worths, "against pass")
        said = ", ".join(f"{bid}: {one.estimate.value:+.2f}" for bid, one in found.items())
        name = "bid-values" if nth == 1 else f"bid-values-{nth}"
        files |= encode_figure(figure, name, f"VP that each bid brings against the pass. Over all decisions, {said}.")
    return files


def draw_bids(worths: Findings, population: str) -> Figure:
    """Draw the VP that each bid brings against passing at the same decisions.

    Parameters
    ----------
    worths : Findings
        A strategy's, in VP against the pass.
    population : str
        Decisions and who plays, without a full stop.

    Returns
    -------
    matplotlib.figure.Figure
        Not saved, and known to no window.
    """
    bids = list(worths.by("about", by="all"))
    with house_style():
        figure = new_figure(12, 7.4)
        axes = figure.subplots(2, 3, sharey=True).flat
        for panel, (by, title) in zip(axes, {"all": "all decisions", **TITLES}.items(), strict=True):
            _draw_panel(panel, worths.where(by=by), bids)
            panel.set_title(title.capitalize())
            panel.set_xlabel("bid")
        for panel in (figure.axes[0], figure.axes[3]):
            panel.set_ylabel("VP that the bid brings against passing")
        note = (
            f"{population}. Bars are 95% intervals over decisions. Every bid that could be carried out, and the pass, "
            f"were forced at the same decisions and played to the end in the same futures; with fewer than {FEWEST} "
            "decisions a bid is left out."
        )
        write_note(figure, note)
    return figure


def _draw_panel(axes: Axes, worths: Findings, bids: list[str]) -> None:
    axes.axhline(0, color=FAINT, linestyle=":", linewidth=1.2, zorder=1)
    classes = list(dict.fromkeys(one["class"] for one in worths))
    for nth, label in enumerate(classes):
        own = [one for one in worths if one["class"] == label and one["decisions"] >= FEWEST]
        colour, sign = _LINES[nth % len(_LINES)]
        shift = 0.1 * (nth - (len(classes) - 1) / 2)
        places = [bids.index(one["about"]) + shift for one in own]
        values = [one.estimate.value for one in own]
        spread = [
            [one.estimate.value - one.estimate.low for one in own],
            [one.estimate.high - one.estimate.value for one in own],
        ]
        axes.errorbar(places, values, spread, color=colour, marker=sign, markersize=5, linewidth=1.2, label=label)
    axes.set_xticks(range(len(bids)), bids)
    if len(classes) > 1:
        axes.legend(frameon=False, fontsize=8)
