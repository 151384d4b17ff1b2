"""What a game is like as tables of at most 100 columns, and what they say in sentences."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from fivetowers_sim.bench.question import describe_precision
from fivetowers_sim.cli.check import describe_check
from fivetowers_sim.cli.console import make_table
from fivetowers_sim.cli.refit import describe_tables
from fivetowers_sim.cli.summary_table import write_estimate
from fivetowers_sim.experiments.shape_figures import CROSSED
from fivetowers_sim.experiments.shape_games import OF_THE_GAME, SHARES
from fivetowers_sim.rules.cards import TOWER_TYPES
from fivetowers_sim.rules.described import describe_powers

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from fivetowers_sim.experiments.game_shape import ShapeOutcome, ShapeQuestion
    from fivetowers_sim.experiments.shape_figures import Finding

# Column of the seats' table by figure.
_SCORES: Final = {"cards": "cards", "tops": "tops", "main": "main", "pairs": "pairs", "teardown": "tear"}
_TIMES: Final = ("10%", "30%", "50%", "70%", "90%")
_PARTS: Final = {
    "strategy": "strategy: how well it plays",
    "seat": "seat: where it sits",
    "strategy x seat": "seat, by strategy",
    "deal": "deal: the same in every seat and with every strategy",
    "deal x strategy": "deal, by strategy",
    "deal x seat": "deal, by seat: who meets which cards",
    "deal x strategy x seat": "deal, by seat and strategy",
}


def show_shape(outcome: ShapeOutcome, out: Path | None = None) -> RenderableType:
    """Show what the game is like, and the verdict.

    Parameters
    ----------
    outcome : ShapeOutcome
        The figures.
    out : Path, optional
        The folder in which they are.

    Returns
    -------
    rich.console.RenderableType
        For the console.
    """
    from rich.console import Group

    parts: list[RenderableType] = []
    for players in outcome.asked.players:
        parts += [f"{players} players:", "", _show_seats(outcome, players), "", _show_game(outcome, players), ""]
        if outcome.deals > 1:
            parts += [_show_variance(outcome, players), ""]
        parts += [*describe_shape(outcome, players), ""]
        if outcome.check:
            parts += [*_show_check(outcome, players), ""]
    return Group(*parts, *_describe(outcome), *([f"All figures are in {out}."] if out else []))


def _show_check(outcome: ShapeOutcome, players: int) -> list[RenderableType]:
    """Show what games of a stronger player are like, and whether it agrees with the others on who wins."""
    check = outcome.check
    (strategy,), (label,) = check.asked.strategies, check.asked.labels
    said = f"{_describe_seats(check, players, strategy)} {_describe_lead(check, players, strategy)}"
    parts = [describe_check(check, f"{check.deals:,} deals"), "", _show_seats(check, players), ""]
    return [*parts, f"With {players} players, all {label}: {said}", _describe_agreement(outcome, players)]


def _write(finding: Finding) -> str:
    scale, unit = (100, "%") if finding.figure in SHARES else (1, "")
    return write_estimate(finding.estimate, scale, unit)


def _make_table(first: str, *headings: str) -> Table:
    table = make_table(padding=(0, 1, 0, 0))
    table.add_column(first, style="cyan", no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=bool(heading))
    return table


def _show_seats(outcome: ShapeOutcome, players: int) -> Table:
    asked, find = outcome.asked, outcome.figures.find
    table = _make_table("all seats", "seat", "win share", "", "VP", *_SCORES.values(), "torn")
    for strategy, label in zip(asked.strategies, asked.labels, strict=True):
        shares, totals = (find(players, strategy, name) for name in ("win_share", "total"))
        means = [find(players, strategy, name) for name in (*_SCORES, "torn_cards")]
        for seat, share in shares.items():
            mark = _judge(share) if share.certain else "~"
            row = [f"{rows[seat].estimate.value:.2f}" for rows in means]
            table.add_row("" if int(seat) else label, seat, _write(share), mark, _write(totals[seat]), *row)
    return table


def _show_game(outcome: ShapeOutcome, players: int) -> Table:
    asked, figures = outcome.asked, outcome.figures
    table = _make_table("figure", *(f"all {label}" for label in asked.labels))

    def add(label: str, figure: str, place: str) -> None:
        found = (figures.find(players, strategy, figure)[place] for strategy in asked.strategies)
        table.add_row(label, *map(_write, found))

    for name, label in OF_THE_GAME.items():
        add(label, name, "")
    for time in _TIMES:
        add(f"who leads after {time} of the rounds wins", "leader_wins", time)
    for time in _TIMES[2:]:
        add(f"who is last after {time} of the rounds wins", "last_wins", time)
    for kind in TOWER_TYPES:
        add(f"cards in a {kind} tower", "height", kind)
    for kind in TOWER_TYPES:
        add(f"{kind} towers with a top", "topped", kind)
    return table


def _show_variance(outcome: ShapeOutcome, players: int) -> Table:
    table = _make_table("what varies one player's result, in % of the variance", "VP ahead", "VP")
    results = ("margin", "total")
    shares, variances = (
        [outcome.figures.find(players, CROSSED, f"{result}_{kind}") for result in results]
        for kind in ("share", "variance")
    )
    for part, label in _PARTS.items():
        if part in shares[0]:
            table.add_row(label, *(write_estimate(own[part].estimate, 100) for own in shares))
    table.add_row("(the variance)", *(write_estimate(own["total"].estimate) for own in variances))
    return table


def describe_shape(outcome: ShapeOutcome, players: int) -> list[str]:
    """Say who wins from where, how the lead goes and what is luck, in sentences."""
    asked = outcome.asked
    said = [
        f"With {players} players, all {label}: {_describe_seats(outcome, players, strategy)} "
        f"{_describe_lead(outcome, players, strategy)}"
        for strategy, label in zip(asked.strategies, asked.labels, strict=True)
    ]
    if len(asked.strategies) > 1 and not outcome.check:
        said.append(_describe_agreement(outcome, players))
    return said if outcome.deals < 2 else [*said, _describe_luck(outcome, players)]


def _describe_seats(outcome: ShapeOutcome, players: int, strategy: str) -> str:
    shares = outcome.figures.find(players, strategy, "win_share")
    said = [f"seat {seat} wins {_write(share)} ({_judge(share)})" for seat, share in shares.items()]
    return f"{', '.join(said)}; an equal share is {100 / players:.1f}%."


def _judge(share: Finding) -> str:
    """Say whether a seat certainly wins more or less than an equal share."""
    if not share.certain:
        return "not shown to differ"
    return "more" if share.estimate.value * share.players > 1 else "less"


def _describe_lead(outcome: ShapeOutcome, players: int, strategy: str) -> str:
    found = {name: outcome.figures.find(players, strategy, name)[""] for name in OF_THE_GAME}
    part = write_estimate(found["decided_part"].estimate, 100, "%")
    return (
        f"A winner leads to the end from round {_write(found['decided'])} of {_write(found['rounds'])} on ({part} of a "
        f"game); {_write(found['comeback'])} of the victories go to players who don't lead at half time; the winner is "
        f"{_write(found['margin'])} VP ahead."
    )


def _describe_agreement(outcome: ShapeOutcome, players: int) -> str:
    from fivetowers_sim.experiments.check import join_figures, join_labels

    figures, signs = join_figures(outcome), []
    for strategy in join_labels(outcome):
        shares = figures.find(players, strategy, "win_share").values()
        signs.append([(share.estimate.value * players > 1) - 0.5 if share.certain else 0 for share in shares])
    opposed = [seat for seat, own in enumerate(zip(*signs, strict=True)) if min(own) < 0 < max(own)]
    if opposed:
        seats = " and ".join(f"seat {seat}" for seat in opposed)
        return (
            f"The strategies disagree on {seats}: under one it certainly wins more than its share, under another less."
        )
    return "On no seat do the strategies certainly disagree."


def _describe_luck(outcome: ShapeOutcome, players: int) -> str:
    shares = outcome.figures.find(players, CROSSED, "margin_share")
    named = [
        f"{name} {write_estimate(shares[name].estimate, 100, '%')}" for name in ("strategy", "seat") if name in shares
    ]
    return (
        f"Of the variance of one player's VP ahead of the best other, {' and '.join(named)}; the rest changes from "
        f"deal to deal. Population: {describe_crossing(outcome.asked)}."
    )


def describe_crossing(asked: ShapeQuestion) -> str:
    """Say whose result the variance is of, without a full stop."""
    first, *others = asked.labels
    if not others:
        return f"one player in each seat alike, all {first}"
    return f"one player in each seat alike, {' or '.join(asked.labels)} alike, against all {first}"


def describe_games(outcome: ShapeOutcome) -> str:
    """Say how much was played, by which rules, without a full stop."""
    asked = outcome.asked
    return (
        f"{outcome.games:,} games ({outcome.deals:,} deals); rules {asked.rules.name}; "
        f"{describe_powers(asked.arms[0].powers_by_seat)}; seed {asked.seed}"
    )


def _describe(outcome: ShapeOutcome) -> list[RenderableType]:
    from fivetowers_sim.experiments.check import join_labels

    asked = outcome.asked
    return [
        f"{describe_games(outcome)}. Each strategy has all seats on every deal; for the variance, each has every seat "
        "in turn against the first.",
        f"more, less and 'certainly' are by false-discovery control over the {outcome.figures.to_dict()['family']} win "
        "shares: of the findings, at most 5% are false; ~ marks the others. To lead is to have most VP if the game "
        "ended then, teardown pile counted, alone or with others. tear is VP for the teardown pile, torn its cards.",
        describe_precision(asked.budget, outcome.deals, outcome.look, outcome.reached, "seat's win share"),
        *describe_tables(join_labels(outcome), {asked.rules.name: asked.rules}, asked.players[0]),
        f"Again: {asked.command}",
    ]
