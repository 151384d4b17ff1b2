"""Which games figures are about, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
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
    powers = ", ".join(power for power in POWERS if rules.get(f"power_{power}"))
    return f"{name_rules(rules)}; {f'Great Powers {powers}' if powers else 'no Great Powers'}"


def name_rules(rules: Mapping[str, Any]) -> str:
    """Name a rule set and what differs from the printed game, Great Powers apart."""
    changed = ", ".join(f"{dial} {value}" for dial, value in list_changes(rules).items())
    return f"rules {rules['name']}" + (f" ({changed})" if changed else "")


def list_changes(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return the dials that differ from the printed game's, Great Powers apart."""
    printed = RuleSet().to_dict()
    return {name: value for name, value in rules.items() if name not in _NOT_DIALS and value != printed.get(name)}


def describe_population(setup: Mapping[str, Any], short_names: Mapping[str, str] = MappingProxyType({})) -> str:
    """Say which games a figure is about.

    Parameters
    ----------
    setup : mapping
        The setup in a run's plan.
    short_names : mapping of str to str, optional
        What to call strategies that were given by the name of a preset.

    Returns
    -------
    str
        Players, strategies, seating, rules, Great Powers and seed, without a full stop.
    """
    strategies = [short_names.get(name, name) for name in setup["strategies"]]
    if len(set(strategies)) == 1:
        who = f"all {strategies[0]}"
    else:
        moving = "moving one seat on with every game" if setup["seating"] == "rotate" else "each in its seat"
        who = f"{', '.join(strategies)}, {moving}"
    rules, powers = f"rules {setup['rules']['name']}", describe_powers(setup["powers_by_seat"])
    return f"{setup['players']} players; {who}; {rules}; {powers}; seed {setup['seed']}"


def describe_powers(powers_by_seat: Iterable[Iterable[str]]) -> str:
    """Say who has which Great Powers, without a full stop."""
    seats: dict[str, list[str]] = {}
    for seat, powers in enumerate(powers_by_seat):
        seats.setdefault(", ".join(powers) or "none", []).append(str(seat))
    if len(seats) > 1:
        shares = [
            f"{powers} ({'seat' if len(who) == 1 else 'seats'} {', '.join(who)})" for powers, who in seats.items()
        ]
        return f"Great Powers {' and '.join(shares)}"
    return "no Great Powers" if "none" in seats else f"Great Powers {next(iter(seats))}"
