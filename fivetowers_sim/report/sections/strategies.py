"""The section on who played, and how strong they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from fivetowers_sim.bench.content import Picture, Section, Table
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.bench.style import encode_figure
from fivetowers_sim.report.price_list import HEIGHTS, draw_prices, list_prices
from fivetowers_sim.strategies.families import FAMILIES, preset_strategy, read_strategy
from fivetowers_sim.strategies.presets import list_presets
from fivetowers_sim.strategies.value_files import load_shipped

ANCHOR: Final = "strategies"
_PRICED_PLAYERS: Final = 3


def write_strategies(tournaments: Sequence[Finished], others: Sequence[Finished]) -> Section:
    """Write the section.

    Parameters
    ----------
    tournaments : sequence of Finished
        ``tournament`` experiments.
    others : sequence of Finished
        Experiments whose players are to be named.

    Returns
    -------
    Section
        The section.
    """
    played = {label: name for one in (*others, *tournaments) for label, name in one.names.items()}
    shown: list[Picture | Table] = [_list_families(played)] if played else []
    if any(_plays_by_prices(name) for name in played.values()):
        shown += _show_prices()
    said = ["A verdict found with one player is about players like it. So each is asked of more than one."]
    for finished in tournaments:
        said += [f"In a tournament, {verdict['claim']}" for verdict in finished.results.get("verdicts", ())]
    if not tournaments:
        said.append("How strong they are was not measured for this report; fivetowers tournament does.")
    question = "Which players are these figures about, and how good are they?"
    return Section(ANCHOR, "Who played", question, (), said, shown)


def _list_families(names: Mapping[str, str]) -> Table:
    presets = {preset_strategy(preset).name: preset for preset in list_presets().values()}
    rows = []
    for label, name in names.items():
        try:
            about = FAMILIES[read_strategy(name).family].about
        except (KeyError, ValueError, OSError):
            about = "a user's own strategy"
        if name in presets:
            preset = presets[name]
            about = preset.intent if label == preset.name else f"{preset.name}: {preset.intent}"
        rows.append((label, about, "" if label == name else name))
    return Table("Who plays in this report.", ("strategy", "plays", "in full"), tuple(rows))


def _plays_by_prices(name: str) -> bool:
    return name.split(":")[0] == "value"


def _show_prices() -> list[Picture | Table]:
    """Show what towers are worth to ``value`` in the printed game with three players."""
    tables = load_shipped(_PRICED_PLAYERS, with_powers=False)
    prices, share = list_prices(tables), tables.provenance["win_share_against_greedy"]
    against = f"{100 * share['value']:.1f}% (95% interval {100 * share['low']:.1f}% to {100 * share['high']:.1f}%)"
    about = (
        f"Prices of value for {_PRICED_PLAYERS} players, no Great Powers; against greedy in all other seats it wins "
        f"{against} of {share['games']:,} games"
    )
    caption = "What towers are worth to value by top card and rounds to come"
    alt = f"{caption}, in VP: a heat map for towers of {HEIGHTS[0]} and of {HEIGHTS[1]} cards."
    files = encode_figure(draw_prices(prices, about), "prices", alt)
    shown = prices.filter(height=HEIGHTS[1]).pivot(on="rounds", index="top", values="vp")
    rows = tuple((f"{top}", *(f"{worth:.1f}" for worth in row)) for top, *row in shown.iter_rows())
    headings = ("top card", *(f"{rounds}+ rounds to come" for rounds in shown.columns[1:]))
    table = Table(f"VP of a tower of {HEIGHTS[1]} cards by its top card. {about}.", headings, rows)
    return [Picture("prices", files["prices.svg"], files["prices.png"], alt, caption), table]
