"""What changed rules change: a game and variants of it on the same deals, two rule sets or the values of dials."""

from __future__ import annotations

from collections.abc import Mapping

from fivetowers_sim.bench.params import REQUIRED, Param, RefusedError
from fivetowers_sim.game import RULES, read_rules
from fivetowers_sim.questions.variants.common import COMMON, Variants
from fivetowers_sim.questions.variants.dials import list_settings
from fivetowers_sim.rules.ruleset import RuleSet


class Compare(Variants):
    """Play two rule sets on the same deals, and say which figures differ.

    The main figure, for --precision, is the difference in each seat's VP.
    """

    name = "compare"
    title = "Two rule sets"
    asks = "What differs between two rule sets?"
    params = (
        Param("rules_a", str, REQUIRED, "A rule set's name, or a .toml file with dials.", "A", is_argument=True),
        Param("rules_b", str, REQUIRED, "Another; or the same, with --set-b.", "B", is_argument=True),
        Param("set_a", str, None, "Change a dial of A. May be repeated.", "DIAL=VALUE", many=True),
        Param("set_b", str, None, "Change a dial of B. May be repeated.", "DIAL=VALUE", many=True),
        *COMMON,
    )

    def read_variants(self) -> Mapping[str, RuleSet]:
        """Return A and B."""
        given = self.values
        return {
            letter.upper(): read_rules(given[f"rules_{letter}"], given[f"set_{letter}"] or (), f"_{letter}")
            for letter in "ab"
        }


class Sweep(Variants):
    """Turn dials and play every value on the same deals, and say which figures it changes.

    Every value is compared with the rule set as it is. The main figure, for --precision, is the difference in each
    seat's VP.
    """

    name = "sweep"
    title = "Dials"
    asks = "What does each value of a dial change?"
    params = (
        Param(
            "set",
            str,
            REQUIRED,
            "Values of a dial. Values that are lists are separated by semicolons: teardown_costs='0;1,1;1,2'. "
            "May be repeated.",
            "DIAL=V1,V2,…",
            many=True,
        ),
        Param("grid", bool, False, "Every combination of values, instead of one dial at a time."),
        RULES,
        *COMMON,
    )

    def read_variants(self) -> Mapping[str, RuleSet]:
        """Return the rules as they are, and those of every value that differs."""
        rules, dials = self.values["rules"], self.values["set"]
        base = read_rules(rules)
        found = {base.name: base}
        for setting in list_settings(dials, self.values["grid"]):
            changed = read_rules(rules, setting)
            # A value that the rules have already is what all others are compared with.
            if {**changed.to_dict(), "name": base.name} != base.to_dict():
                found[" ".join(setting)] = changed
        if len(found) == 1:
            raise RefusedError(f"--set {' '.join(dials)}: {base.name} has these values already; accepted are others")
        return found
