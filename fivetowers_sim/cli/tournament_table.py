"""A tournament as tables of at most 100 columns, and what it says in sentences."""

from __future__ import annotations

import math
import string
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fivetowers_sim.analysis.estimates import CONFIDENCE, student_t
from fivetowers_sim.cli.console import make_table
from fivetowers_sim.cli.summary_table import write_estimate
from fivetowers_sim.rules.described import describe_powers

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from fivetowers_sim.analysis.estimates import Estimate
    from fivetowers_sim.experiments.standings import Pairing, Standings
    from fivetowers_sim.experiments.tournament import Outcome

# With more strategies than this, the margins of the pairs don't fit into 100 columns; without them, fewer than this.
_MOST_WITH_MARGINS: Final = 7
_MOST_IN_A_ROW: Final = 14
# Longer names are told below the tables.
_LONGEST_NAME: Final = 20


def show_tournament(outcome: Outcome, out: Path | None = None) -> RenderableType:
    """Show a tournament's figures.

    Parameters
    ----------
    outcome : Outcome
        The figures.
    out : Path, optional
        The folder in which they are.

    Returns
    -------
    rich.console.RenderableType
        For the console.
    """
    from rich.console import Group

    standings = outcome.standings
    letters = dict(zip((row.strategy for row in standings.strategies), string.ascii_uppercase, strict=False))
    names = outcome.labels if max(map(len, outcome.tournament.labels)) <= _LONGEST_NAME else None
    tables: list[RenderableType] = [_show_ratings(standings, letters, names), ""]
    tables += [_show_pairs(standings, letters), ""]
    # What the first table doesn't say: a letter's name, and what a short name stands for.
    hidden = [
        f"{letter} is {name}" for name, letter in letters.items() if names is None or outcome.labels[name] != name
    ]
    legend = ["; ".join(hidden) + "."] if hidden else []
    folder = [f"Figures, tables and a picture are in {out}."] if out else []
    return Group(*tables, *legend, *_describe(outcome, letters), *folder)


def _show_ratings(standings: Standings, letters: dict[str, str], names: dict[str, str] | None) -> Table:
    table = make_table()
    table.add_column("strategy", style="cyan", no_wrap=True)
    for heading in ("win share", "VP", "strength", "v. average", *(("mix, %",) if standings.equilibrium else ())):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in standings.strategies:
        figures = [
            write_estimate(row.win_share, 100, "%"),
            write_estimate(row.total),
            write_estimate(row.strength),
            write_estimate(row.against_average, 100, "%"),
        ]
        mix = [_write_mix(row.mix)] if row.mix else []
        letter = letters[row.strategy]
        table.add_row(f"{letter} {names[row.strategy]}" if names else letter, *figures, *mix)
    return table


def _write_mix(mix: Estimate) -> str:
    ends = f"{100 * mix.low:.0f}–{100 * mix.high:.0f}"
    return f"{100 * mix.value:.0f} ({ends})"


def _show_pairs(standings: Standings, letters: dict[str, str]) -> RenderableType:
    """Show in which share of their meetings the row's strategy finishes ahead of the column's."""
    from rich.console import Group

    names = [row.strategy for row in standings.strategies]
    shares = {(pair.strategy, pair.against): pair.ahead for pair in standings.pairs}
    margins = len(names) <= _MOST_WITH_MARGINS
    tables: list[RenderableType] = []
    for first in range(0, len(names), _MOST_IN_A_ROW):
        shown = names[first : first + _MOST_IN_A_ROW]
        table = make_table()
        table.add_column("ahead, %")
        for name in shown:
            table.add_column(letters[name], justify="right", no_wrap=True)
        for name in names:
            table.add_row(letters[name], *(_write_share(shares.get((name, other)), margins) for other in shown))
        tables += [table, ""]
    return Group(*tables[:-1])


def _write_share(share: Estimate | None, with_margin: bool) -> str:
    if share is None:
        return "·"
    undecided = "" if share.low > 0.5 or share.high < 0.5 else "~"
    return undecided + (write_estimate(share, 100) if with_margin else f"{100 * share.value:.1f}")


def _describe(outcome: Outcome, letters: dict[str, str]) -> list[str]:
    from fivetowers_sim.analysis.cycles import describe_cycle

    standings = outcome.standings
    pairs = standings.pairs
    widest = max(100 * pair.ahead.margin for pair in pairs)
    lines = [
        f"{describe_games(outcome)}: {describe_tables(outcome)}.",
        _describe_intervals(outcome),
        "ahead: in how many of 100 meetings at a table the row finishes ahead of the column, a shared place counting "
        f"half (± {widest:.1f} at most); ~ marks those whose interval holds 50.",
        describe_cycle(standings.order, [letters[name] for name in standings.names]),
        _describe_strength(standings, letters),
    ]
    return [*lines, *_describe_mix(outcome), *_describe_best_response(outcome)]


def describe_games(outcome: Outcome) -> str:
    """Say how much was played, without a full stop."""
    standings = outcome.standings
    return f"{standings.games:,} games ({standings.deals:,} deals)"


def describe_tables(outcome: Outcome) -> str:
    """Say who played whom, by which rules, without a full stop."""
    tournament = outcome.tournament
    table, circles = tournament.table, tournament.circles
    if circles.every_lineup:
        orders = "in every order" if circles.every_order else "each in one order and the opposite one"
        who = f"all {circles.lineups:,} line-ups of at least two strategies, {orders}"
    else:
        chosen = f"a balanced selection of {circles.lineups_played:,} out of {circles.lineups:,} line-ups"
        who = f"{chosen} (all would be too many), each in one order and the opposite one"
    powers = describe_powers(table.powers_by_seat)
    return (
        f"every deal with {who}, seats rotating; {table.players} players; rules {table.rules.name}; {powers}; "
        f"seed {table.seed}"
    )


def _describe_intervals(outcome: Outcome) -> str:
    basis = f"± is half of a {CONFIDENCE:.0%} interval over deals"
    tournament, wanted = outcome.tournament, outcome.tournament.precision
    if wanted is None:
        return f"{basis}."
    looks = len(tournament.looks)
    came = "reached" if outcome.reached <= wanted else "not reached"
    widened = f", for which all intervals are {_widening(outcome):.2f} times as wide" if looks > 1 else ""
    asked = f"Asked for ± {100 * wanted:g} in every win share"
    return f"{basis}. {asked}: {came} at look {outcome.look + 1} of {looks}{widened}."


def _widening(outcome: Outcome) -> float:
    """Return how many times as wide as for a fixed number of games the intervals are."""
    degrees = outcome.standings.deals - 1
    return student_t(degrees, outcome.standings.confidence) / student_t(degrees, CONFIDENCE)


def _describe_strength(standings: Standings, letters: dict[str, str]) -> str:
    worst: Pairing = max(standings.pairs, key=lambda pair: abs(pair.ahead.value - pair.expected))
    a, b = letters[worst.strategy], letters[worst.against]
    return (
        "strength: logarithm of the Plackett-Luce weight, 0 for the average. v. average: how often one would finish "
        f"ahead of an average player. The strengths fit worst for {a} against {b}: {worst.expected:.1%} by them, "
        f"{worst.ahead.value:.1%} seen."
    )


def _describe_mix(outcome: Outcome) -> Sequence[str]:
    standings = outcome.standings
    if standings.equilibrium is None:
        return ["No equilibrium mix: that takes all line-ups."]
    replies = [row.reply for row in standings.strategies if row.reply]
    gain = 100 * max(0.0, *(reply.value for reply in replies))
    most = 100 * max(reply.high for reply in replies)
    sure = "" if math.isnan(most) else f" ({most:.2f} at most within the intervals)"
    return [
        "mix: how often each seat is given a strategy (middle 95% of what the intervals allow) so that a seat with "
        f"always the same one gains no more than {gain:.2f} points of win share{sure}. Strategies that aren't listed "
        "may gain more."
    ]


def _describe_best_response(outcome: Outcome) -> Sequence[str]:
    found = outcome.best_response
    if found is None:
        return []
    shown = "beats the mix" if found.gain.low > 0 else "is not shown to beat the mix"
    return [
        f"best response: tuning found {found.strategy}, which {shown}: it gains {write_estimate(found.gain, 100)} "
        f"points of win share over the equal share, on {found.games:,} fresh games. A longer search may find more."
    ]
