"""Make a sweep over dials from options, and draw what it found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

from fivetowers_sim.cli import choice
from fivetowers_sim.cli.errors import UsageError
from fivetowers_sim.cli.play_variants import Table, read_variants
from fivetowers_sim.rules.ruleset import list_dials

if TYPE_CHECKING:
    from fivetowers_sim.experiments.variants import Variants, VariantsOutcome


def read_sweep(
    rules: str,
    dials: Sequence[str],
    grid: bool,
    table: Table,
    budget: tuple[int | None, float | None],
    command: str,
) -> Variants:
    """Make a sweep of the options.

    Parameters
    ----------
    rules : str
        Value of ``--rules``: what every value is compared with.
    dials : sequence of str
        Values of ``--set``, each ``dial=value,value,…``.
    grid : bool
        Whether to play every combination instead of one dial at a time.
    table : Table
        The games, apart from the rules.
    budget : tuple of int or None, float or None
        Values of ``--games`` and ``--precision``.
    command : str
        What to type to get the same figures.

    Returns
    -------
    Variants
        What to compare.

    Raises
    ------
    UsageError
        Naming the option, what was given and what is accepted.
    """
    values: dict[str, list[str]] = {}
    for text in dials:
        name, listed = split_values(text)
        if name in values:
            raise UsageError(f"--set {text}: {name} is given twice; accepted is each dial once, with all its values")
        values[name] = listed
    if grid:
        settings = list(product(*([f"{name}={value}" for value in listed] for name, listed in values.items())))
    else:
        settings = [(f"{name}={value}",) for name, listed in values.items() for value in listed]
    base = choice.read_rules(rules)
    arms = {base.name: table.seat(base)}
    for setting in settings:
        changed = choice.read_rules(rules, setting)
        # A value that the rules have already is what all others are compared with.
        if {**changed.to_dict(), "name": base.name} != base.to_dict():
            arms[" ".join(setting)] = table.seat(changed)
    if len(arms) == 1:
        raise UsageError(f"--set {' '.join(dials)}: {base.name} has these values already; accepted are others")
    return read_variants("sweep", arms, budget, command, table.refit)


def split_values(text: str) -> tuple[str, list[str]]:
    """Split ``dial=v1,v2`` into the dial and its values; those of a dial that is a list at semicolons.

    Raises
    ------
    UsageError
        If there is no equals sign or no value, or a value is named twice.
    """
    name, equals, listed = (part.strip() for part in text.partition("="))
    is_list = any(dial.name == name and isinstance(dial.default, tuple) for dial in list_dials())
    found = [value.strip() for value in listed.split(";" if is_list else ",")]
    if not equals or not listed or (not is_list and "" in found) or len(set(found)) < len(found):
        accepted = "values separated by semicolons" if is_list else "dial=value,value, for example display_size=4,6"
        raise UsageError(f"--set {text}: accepted is {accepted}, each once")
    return name, found


def draw_sweep_outcome(outcome: VariantsOutcome) -> Mapping[str, bytes]:
    """Return a picture for each dial as files, by name; one for all in a grid."""
    from fivetowers_sim.bench.style import encode_figure
    from fivetowers_sim.cli.sweep_table import SHOWN, describe_games, list_shown
    from fivetowers_sim.report.sweep import draw_responses

    base, *names = outcome.asked.names
    groups: dict[str, list[str]] = {}
    for name in names:
        dials = "+".join(part.partition("=")[0] for part in name.split(" "))
        groups.setdefault(dials, []).append(name)
    files = {}
    for dials, variants in groups.items():
        shown = {variant: list_shown(outcome, variant) for variant in variants}
        panels = {}
        for place, label in enumerate(SHOWN.values()):
            changes = [shown[variant][place] for variant in variants]
            scale = 100 if changes[0].headline.is_share else 1
            heading = f"{label} ({scale * changes[0].before.value:.2f})"
            differences = [change.difference for change in changes]
            panels[heading] = [(scale * one.low, scale * one.value, scale * one.high) for one in differences]
        ticks = [variant.replace(f"{dials}=", "", 1) if "+" not in dials else variant for variant in variants]
        figure = draw_responses(
            f"{dials.replace('+', ' and ')}, against {base}", ticks, panels, describe_games(outcome)
        )
        said = f"What {', '.join(variants)} change in headline figures of {base}."
        files |= encode_figure(figure, f"sweep-{dials}", said)
    return files
