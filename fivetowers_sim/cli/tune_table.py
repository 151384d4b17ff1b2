"""The result of a tuning as tables of at most 100 columns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fivetowers_sim.cli.console import make_table
from fivetowers_sim.cli.summary_table import write_estimate
from fivetowers_sim.rules.described import describe_population

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from fivetowers_sim.analysis.estimates import Estimate
    from fivetowers_sim.experiments.tune import Tuned
    from fivetowers_sim.experiments.tuning_plan import TuningPlan


def show_tuned(tuned: Tuned, out: Path) -> RenderableType:
    """Show what a tuning came to, on deals that had no part in it, and what each search found.

    Parameters
    ----------
    tuned : Tuned
        The result.
    out : Path
        The preset's file.

    Returns
    -------
    rich.console.RenderableType
        For the console.
    """
    from rich.console import Group

    plan = tuned.plan
    searches = [f"search {number} found {search.answer.name}" for number, search in enumerate(tuned.searches, 1)]
    return Group(
        _show_result(tuned),
        "",
        f"start is {plan.start.name}; tuned is {tuned.strategy.name}.",
        _judge(tuned),
        "",
        _show_searches(tuned),
        "",
        f"{'; '.join(searches)}.",
        f"Population: {_describe_contest(plan)}.",
        f"± is half of a 95% interval over games. The first table's {plan.budget.fresh_games:,} deals had no part in "
        f"searching or choosing; the second's, as many again, chose the search. {tuned.games:,} games were played. "
        "VP ahead is the distance to the best of the others.",
        f"Written to {out}; --strategies {out} plays it.",
    )


def _show_result(tuned: Tuned) -> Table:
    table = make_table()
    table.add_column("strategy", style="cyan")
    for heading in ("games", "win share", "VP ahead"):
        table.add_column(heading, justify="right", no_wrap=True)
    games = f"{tuned.plan.budget.fresh_games:,}"
    for name, figures in (("start", tuned.start_scores), ("tuned", tuned.scores)):
        table.add_row(name, games, _write_share(figures["win_share"]), write_estimate(figures["margin"]))
    gains = tuned.gains
    table.add_row("gain", games, _write_gain(gains["win_share"], 100, "%"), _write_gain(gains["margin"]))
    return table


def _show_searches(tuned: Tuned) -> Table:
    share = tuned.plan.aim == "win_share"
    scale, unit = (100, "%") if share else (1, "")
    table = make_table()
    table.add_column("search", style="cyan")
    for heading in ("steps", "games", "win share" if share else "VP ahead", "gain"):
        table.add_column(heading, justify="right", no_wrap=True)
    for number, search in enumerate(tuned.searches):
        name = f"{number + 1}{', chosen' if number == tuned.chosen else ''}"
        figures = write_estimate(search.score, scale, unit), _write_gain(search.gain, scale, unit)
        table.add_row(name, f"{search.generations}", f"{search.score.games:,}", *figures)
    return table


def _write_share(estimate: Estimate) -> str:
    return write_estimate(estimate, 100, "%")


def _write_gain(estimate: Estimate, scale: int = 1, unit: str = "") -> str:
    written = write_estimate(estimate, scale, unit)
    return written if written.startswith("-") else f"+{written}"


def _judge(tuned: Tuned) -> str:
    """Say in a sentence what the gain's interval means."""
    gain = tuned.gains[tuned.plan.aim]
    if tuned.improved:
        return "It does better than the start: the gain's whole interval is above 0. A longer search may find more."
    if gain.high < 0:
        return "It does worse than the start: keep the start, or search longer."
    return "Nothing shows that it does better than the start: the gain's interval includes 0."


def _describe_contest(plan: TuningPlan) -> str:
    contest, others = plan.contest, plan.contest.players - 1
    in_turn = f"in turn each selection of {others} out of {', '.join(contest.field)}"
    opponents = contest.tables[0] if len(contest.tables) == 1 else [in_turn]
    setup = contest.setup(plan.start.name, 0, plan.seed).to_dict()
    return describe_population({**setup, "strategies": ["the candidate", *opponents]})
