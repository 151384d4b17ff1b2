"""Learn tables anew before an experiment: its options, and what the output says about tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from fivetowers_sim.cli.console import make_table
from fivetowers_sim.cli.errors import UsageError, name_option
from fivetowers_sim.cli.summary_table import write_estimate
from fivetowers_sim.cli.whole_number import read_whole_number

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from fivetowers_sim.experiments.refit import Learned, Refit
    from fivetowers_sim.rules.ruleset import RuleSet

RefitGames = Annotated[
    int | None,
    typer.Option(
        "--refit-games",
        metavar="N",
        parser=read_whole_number,
        help="With --refit: games that each of up to 4 steps of learning takes. [default: 20000]",
    ),
]


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
    from fivetowers_sim.experiments.knowledge import describe_unlearned, list_by_tables
    from fivetowers_sim.experiments.refit import has_tables_to_refit

    by_tables = list_by_tables(strategies)
    if not learned:
        return [*describe_unlearned(by_tables, rules)]
    refitted = [name for name in by_tables if has_tables_to_refit([name])]
    left = [name for name in by_tables if name not in refitted]
    legend = (
        f"Tables of {', '.join(refitted)}: learned on these rules, for each rule set anew and with equal effort. With "
        "them in one seat, value wins where all others play value by the tables that come with the program (learned on "
        "the printed rules), or greedy:"
    )
    table = _list_learned(rules, learned)
    table.add_row(f"(equal, {players} players)", "", f"{100 / players:.1f}%", "", "")
    return [legend, "", table, "", *describe_unlearned(left, rules)]


def _list_learned(names: Iterable[str], learned: Sequence[Learned]) -> Table:
    table = make_table(padding=0)
    table.add_column("rules", style="cyan", overflow="fold", max_width=34)
    for heading in ("tables learned on", "against shipped", "against greedy", "games"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, tables in zip(names, learned, strict=True):
        shares = [write_estimate(one, 100, "%") for one in (tables.against_shipped, tables.against_beginner)]
        table.add_row(name, f"these rules, {tables.steps} steps", *shares, f"{tables.against_shipped.games:,}")
    return table
