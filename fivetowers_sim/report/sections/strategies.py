"""The section on who played, and how strong they are."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Final

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.report.content import Picture, Section, Table
from fivetowers_sim.report.finished import Finished
from fivetowers_sim.report.numbers import write_estimate
from fivetowers_sim.report.pictures import list_pictures
from fivetowers_sim.report.population import describe_rules
from fivetowers_sim.strategies.families import FAMILIES, preset_strategy, read_strategy
from fivetowers_sim.strategies.presets import list_presets

ANCHOR: Final = "strategies"
_FIGURES: Final = {"win_share": ("win share", 100, "%"), "total": ("VP", 1, ""), "strength": ("strength", 1, "")}


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
    played = [name for one in (*others, *tournaments) for name in one.plan.get("strategies", ())]
    shown: list[Picture | Table] = [_list_families(dict.fromkeys(played))] if played else []
    for finished in tournaments:
        shown += [*list_pictures(finished), _tabulate(finished)]
    said = ["A verdict found with one player is about players like it. So each is asked of more than one."]
    for finished in tournaments:
        rules = describe_rules(finished.plan["rules"])
        where = f"{finished.plan['players']} players; {rules}; seed {finished.plan['seed']}"
        again = write_command(finished)
        said.append(f"Every line-up meets on the same deals: {finished.counted}; {where}. Again: {again}")
    if not tournaments:
        said.append("How strong they are was not measured for this report; fivetowers tournament does.")
    question = "Which players are these figures about, and how good are they?"
    return Section(ANCHOR, "Who played", question, (), said, shown)


def write_command(finished: Finished) -> str:
    """Return what to type to play a tournament again, as far as options say it."""
    plan = finished.plan
    words = ["fivetowers", "tournament", "--strategies", ",".join(plan["strategies"]), "--players", plan["players"]]
    words += ["--seed", plan["seed"]]
    words += ["--precision", plan["precision"]] if plan["games"] is None else ["--games", plan["games"]]
    return shlex.join(map(str, words))


def _list_families(names: dict[str, None]) -> Table:
    presets = {preset_strategy(preset).name: preset for preset in list_presets().values()}
    rows = []
    for name in names:
        try:
            about = FAMILIES[read_strategy(name).family].about
        except (KeyError, ValueError, OSError):
            about = "a user's own strategy"
        if name in presets:
            about = f"{presets[name].name}: {presets[name].intent}"
        rows.append((name, about))
    return Table("Who plays in this report.", ("strategy", "plays"), tuple(rows))


def _tabulate(finished: Finished) -> Table:
    deals, labels = finished.results["deals"], finished.results["labels"]
    rows = []
    for row in finished.results["strategies"]:
        cells = []
        for name, (_, scale, unit) in _FIGURES.items():
            ends = (float("nan") if row[name][end] is None else row[name][end] for end in ("value", "low", "high"))
            cells.append(write_estimate(Estimate(*ends, deals), scale, unit))
        rows.append((labels.get(row["strategy"], row["strategy"]), *cells))
    caption = "Strengths are logarithms of Plackett-Luce weights, 0 for the average player here."
    return Table(caption, ("strategy", *(label for label, _, _ in _FIGURES.values())), tuple(rows))
