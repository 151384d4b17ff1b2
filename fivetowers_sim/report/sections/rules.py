"""The section on the rules: every dial as it was, what differs, and what the project had to settle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from fivetowers_sim.bench.content import Section, Table
from fivetowers_sim.rules.described import list_changes
from fivetowers_sim.rules.ruleset import RuleSet, list_dials

ANCHOR: Final = "rules"
RULINGS: Final = (
    "If the discard pile is empty when a new deck is due, the game ends there (4.3).",
    "With the tree power, a player may take no card and pay the whole bid; such a player counts as the builder and "
    "may tear down (6.1b).",
    "After paying tree cards, the new top tree card may be torn down; a tree card fetched from the teardown pile is "
    "not taken from the display (6.1c).",
)
"""What the rulebook leaves open, as it is played here."""


def write_rules(rule_sets: Sequence[Mapping[str, Any]]) -> Section:
    """Write the section.

    Parameters
    ----------
    rule_sets : sequence of mapping
        The rule sets that experiments of the report started from, as plain JSON values.

    Returns
    -------
    Section
        The section.
    """
    printed = RuleSet().to_dict()
    dials = [(dial.name, dial.metadata) for dial in list_dials()]
    rows = tuple((about["rule"], name, _write(printed[name]), about["meaning"]) for name, about in dials)
    changed: list[tuple[str, str, str]] = []
    for rules in rule_sets:
        differing = list_changes(rules)
        if differing and rules["name"] not in {name for name, *_ in changed}:
            changed += [(rules["name"], dial, _write(value)) for dial, value in differing.items()]
    said = ["What the rulebook leaves open is played so:", *RULINGS]
    shown = [Table("The printed game, dial by dial.", ("rule", "dial", "value", "meaning"), rows)]
    if changed:
        caption = "Where rule sets of this report differ from it."
        shown.append(Table(caption, ("rule set", "dial", "value"), tuple(changed)))
    return Section(ANCHOR, "Rules and rulings", "By which rules was it played?", (), said, shown)


def _write(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)
