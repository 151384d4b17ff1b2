"""Learn tables anew before an experiment: its options, and what the output says about tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from fivetowers_sim.cli.errors import UsageError, name_option
from fivetowers_sim.cli.listing import make_table
from fivetowers_sim.cli.summary_table import write_estimate
from fivetowers_sim.cli.whole_number import read_whole_number

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from fivetowers_sim.experiments.refit import Learned, Refit
    from fivetowers_sim.rules.ruleset import RuleSet
    from fivetowers_sim.strategies.parameters import Strategy

AskRefit = Annotated[
    bool,
    typer.Option("--refit", help="First learn the tables of value, and of presets made of it, anew for each rule set."),
]
RefitGames = Annotated[
    int | None,
    typer.Option(
        "--refit-games",
        metavar="N",
        parser=read_whole_number,
        help="With --refit: games that each of up to 4 steps of learning takes. [default: 20000]",
    ),
]

_BY_TABLES: Final = ("value", "rollout")


def read_refit(refit: bool, games: int | None) -> Refit | None:
    """Read what ``--refit`` and ``--refit-games`` say.

    Raises
    ------
    UsageError
        If the number isn't accepted, or is given alone.
    """
    from fivetowers_sim.experiments.refit import Refit, RefitError

    if not refit:
        if games is not None:
            raise UsageError(f"--refit-games is {games} without --refit; accepted are both, or neither")
        return None
    try:
        return Refit() if games is None else Refit(games)
    except RefitError as error:
        raise UsageError(name_option(error)) from None


def describe_tables(
    strategies: Iterable[str], rules: Mapping[str, RuleSet], players: int, learned: Sequence[Learned] = ()
) -> list[RenderableType]:
    """Say for each rule set by which tables strategies played it: learned on these rules, or on others.

    Parameters
    ----------
    strategies : iterable of str
        Who plays, as they were named; each may be named more than once.
    rules : mapping of str to RuleSet
        The rule sets, by what tables call them.
    players : int
        How many play.
    learned : sequence of Learned, optional
        The tables that were learned for each rule set; empty if none were.

    Returns
    -------
    list of rich.console.RenderableType
        Lines for the console; none where nobody plays by tables, or all of it is played by the printed rules.
    """
    from fivetowers_sim.experiments.refit import has_tables_to_refit

    by_tables = [name for name in dict.fromkeys(strategies) if _read(name).family in _BY_TABLES]
    if not learned:
        return [*_describe_unlearned(by_tables, rules)]
    refitted = [name for name in by_tables if has_tables_to_refit([name])]
    left = [name for name in by_tables if name not in refitted]
    legend = (
        f"Tables of {', '.join(refitted)}: learned on these rules, for each rule set anew and with equal effort. With "
        "them in one seat, value wins where all others play value by the tables that come with the program (learned on "
        "the printed rules), or greedy:"
    )
    table = _list_learned(rules, learned)
    table.add_row(f"(equal, {players} players)", "", f"{100 / players:.1f}%", "", "")
    return [legend, "", table, "", *_describe_unlearned(left, rules)]


def _list_learned(names: Iterable[str], learned: Sequence[Learned]) -> Table:
    table = make_table(padding=0)
    table.add_column("rules", style="cyan", overflow="fold", max_width=34)
    for heading in ("tables learned on", "against shipped", "against greedy", "games"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, tables in zip(names, learned, strict=True):
        shares = [write_estimate(one, 100, "%") for one in (tables.against_shipped, tables.against_beginner)]
        table.add_row(name, f"these rules, {tables.steps} steps", *shares, f"{tables.against_shipped.games:,}")
    return table


def _describe_unlearned(strategies: Sequence[str], rules: Mapping[str, RuleSet]) -> list[str]:
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


def play_by_shipped_tables(strategies: Iterable[str]) -> bool:
    """Say whether any of the strategies plays by the tables that come with the program."""
    return any(one.family in _BY_TABLES and not one.path for one in map(_read, strategies))


def _read(name: str) -> Strategy:
    from fivetowers_sim.strategies.families import read_strategy

    return read_strategy(name)


def _learned_dials(name: str) -> dict[str, Any] | None:
    """Return the dials by which a strategy's tables were learned; None if its file doesn't say."""
    from fivetowers_sim.rules.ruleset import RuleSet
    from fivetowers_sim.strategies.value_files import read_tables_file

    path = _read(name).path
    rules = read_tables_file(path).provenance.get("rules") if path else RuleSet().to_dict()
    return _dials(rules) if isinstance(rules, dict) else None


def _dials(rules: dict[str, Any]) -> dict[str, Any]:
    """Return the dials that tables are learned for: all but the name and the powers."""
    return {name: value for name, value in rules.items() if name != "name" and not name.startswith("power_")}
