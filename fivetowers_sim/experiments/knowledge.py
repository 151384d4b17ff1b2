"""What strategies that play by learned tables know: the rules that they were learned on, or others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.bench.content import Table
from fivetowers_sim.bench.folder import SETTLED
from fivetowers_sim.bench.numbers import write_estimate
from fivetowers_sim.experiments.refit import has_tables_to_refit
from fivetowers_sim.rules.ruleset import RuleSet
from fivetowers_sim.strategies.families import read_strategy
from fivetowers_sim.strategies.net_files import read_net_file
from fivetowers_sim.strategies.value_files import read_tables_file

_BY_TABLES: Final = ("value", "rollout", "expert")


def list_by_tables(strategies: Iterable[str]) -> list[str]:
    """Return those of some strategies, each once, that play by learned tables."""
    return [name for name in dict.fromkeys(strategies) if read_strategy(name).family in _BY_TABLES]


def describe_unlearned(strategies: Sequence[str], rules: Mapping[str, RuleSet]) -> list[str]:
    """Say for each rule set whether strategies that play by tables know it; nothing where all is printed rules.

    Parameters
    ----------
    strategies : sequence of str
        Who plays, as they were named; those who don't play by tables are left out.
    rules : mapping of str to RuleSet
        The rule sets, by what tables call them.

    Returns
    -------
    list of str
        A paragraph, or nothing.
    """
    strategies = list_by_tables(strategies)
    known = {
        name: all(_dials(one.to_dict()) == _learned_dials(strategy) for strategy in strategies)
        for name, one in rules.items()
    }
    if all(known.values()):
        return []
    groups = {
        words: [name for name, knows in known.items() if knows == which]
        for which, words in ((True, "learned on these rules"), (False, "learned on other rules"))
    }
    said = "; ".join(f"{words} for {', '.join(group)}" for words, group in groups.items() if group)
    return [
        f"Tables of {', '.join(strategies)}: {said}. Where they were learned on other rules, people who know these "
        "would play better. fivetowers fit learns tables for other rules; in compare, sweep and teardown-costs --refit "
        "does so for value."
    ]


def describe_learned(strategies: Sequence[str], rules: Mapping[str, RuleSet]) -> list[str]:
    """Say whose tables were learned for each rule set anew, and by which tables the others played."""
    by_tables = list_by_tables(strategies)
    refitted = [name for name in by_tables if has_tables_to_refit([name])]
    left = [name for name in by_tables if name not in refitted]
    said = f"Tables of {', '.join(refitted)}: learned on these rules, for each rule set anew and with equal effort."
    return [said, *describe_unlearned(left, rules)]


def tabulate_learned(plan: Mapping[str, Any], players: int) -> list[Table]:
    """Return how tables do that were learned for the rule sets of a plan; nothing where none were.

    Parameters
    ----------
    plan : mapping
        The plan, as plain JSON values.
    players : int
        How many play.

    Returns
    -------
    list of Table
        One table, or none.
    """
    learned = plan.get(SETTLED, {}).get("tables", {})
    if not learned:
        return []
    games = plan["refit"]["games_a_trial"]
    rows = [
        (
            name,
            f"these rules, {one['steps']} steps",
            *(
                write_estimate(Estimate.read(one[against], games), 100, "%")
                for against in ("against_shipped", "against_beginner")
            ),
        )
        for name, one in learned.items()
    ]
    caption = (
        "How often value wins by the tables learned anew, in one seat where all others play value by the tables that "
        f"come with the program (learned on the printed rules), or greedy; {games:,} games each."
    )
    headings = ("rules", "tables learned on", "against shipped", "against greedy")
    return [Table(caption, headings, (*rows, (f"(equal, {players} players)", "", f"{100 / players:.1f}%", "")))]


def play_by_shipped_tables(strategies: Iterable[str]) -> bool:
    """Say whether any of the strategies plays by the tables that come with the program."""
    return any(one.family in _BY_TABLES and not one.path for one in map(read_strategy, strategies))


def _learned_dials(name: str) -> dict[str, Any] | None:
    """Return the dials by which a strategy's tables were learned; None if its file doesn't say."""
    strategy = read_strategy(name)
    rules: Any = RuleSet().to_dict()
    if strategy.path:
        read = read_net_file if strategy.family == "expert" else read_tables_file
        rules = read(strategy.path).provenance.get("rules")
    return _dials(rules) if isinstance(rules, dict) else None


def _dials(rules: dict[str, Any]) -> dict[str, Any]:
    """Return the dials that tables are learned for: all but the name and the powers."""
    return {name: value for name, value in rules.items() if name != "name" and not name.startswith("power_")}
