"""Which games figures are about, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from fivetowers_sim.rules.ruleset import POWERS, RuleSet

_NOT_DIALS: Final = ("name", *(f"power_{power}" for power in POWERS))


def describe_rules(rules: Mapping[str, Any]) -> str:
    """Say by which rules games are played, without a full stop.

    Parameters
    ----------
    rules : mapping
        A rule set as plain JSON values.

    Returns
    -------
    str
        Its name, what differs from the printed game, and Great Powers.
    """
    changed = ", ".join(f"{dial} {value}" for dial, value in list_changes(rules).items())
    powers = [power for power in POWERS if rules.get(f"power_{power}")]
    named = f"rules {rules['name']}" + (f" ({changed})" if changed else "")
    return f"{named}; Great Powers {', '.join(powers)}" if powers else f"{named}; no Great Powers"


def list_changes(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return the dials that differ from the printed game's, Great Powers apart."""
    printed = RuleSet().to_dict()
    return {name: value for name, value in rules.items() if name not in _NOT_DIALS and value != printed.get(name)}
