"""Play the games that show what the game is like, with progress, and draw what they show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fivetowers_sim.cli import choice
from fivetowers_sim.cli.errors import UsageError
from fivetowers_sim.cli.play_experiment import (
    Manner,
    Show,
    choose_budget,
    describe_margin,
    name_options,
    play_experiment,
)

if TYPE_CHECKING:
    from fivetowers_sim.experiments.check import Check
    from fivetowers_sim.experiments.game_shape import ShapeOutcome, ShapeQuestion
    from fivetowers_sim.rules.ruleset import RuleSet

DEFAULT_PRECISION_IN_POINTS: Final = 0.5
CHECK_GAMES: Final = 6_000


def read_shape_question(
    rules: tuple[RuleSet, str | None],
    players: str,
    strategies: str,
    seed: int,
    budget: tuple[int | None, float | None],
    command: str,
    check: Check | None = None,
) -> ShapeQuestion:
    """Make the question of the options.

    Parameters
    ----------
    rules : tuple of RuleSet, str or None
        What ``--rules`` and ``--set`` say, and the value of ``--powers``.
    players : str
        Value of ``--players``.
    strategies : str
        Value of ``--strategies``.
    seed : int
        Value of ``--seed``.
    budget : tuple of int or None, float or None
        Values of ``--games`` and ``--precision``.
    command : str
        What to type to get the same figures.
    check : Check, optional
        What ``--check`` and ``--check-games`` say.

    Returns
    -------
    ShapeQuestion
        What to find out.

    Raises
    ------
    UsageError
        Naming the option, what was given and what is accepted.
    """
    from fivetowers_sim.experiments.game_shape import make_shape_question

    counts = read_player_counts(players)
    rule_set, powers = rules
    everyone = choice.read_powers(counts[0], rule_set.powers, powers, None)[0]
    rule_set = rule_set.with_powers(everyone)
    names = [name.strip() for name in strategies.split(",")]
    with name_options():
        games, precision = choose_budget(*budget, DEFAULT_PRECISION_IN_POINTS)
        return make_shape_question(rule_set, counts, names, seed, games, precision, command, check)


def read_player_counts(text: str) -> list[int]:
    """Read numbers separated by commas; UsageError if they aren't."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise UsageError(f"--players is {text!r}; accepted are numbers from 2 to 5, such as 3 or 2,3,4,5") from None


def play_shape(asked: ShapeQuestion, manner: Manner) -> ShapeOutcome:
    """Play, in a folder or in memory only.

    Parameters
    ----------
    asked : ShapeQuestion
        What to find out.
    manner : Manner
        How to go about it.

    Returns
    -------
    ShapeOutcome
        The figures.

    Raises
    ------
    UsageError, Interrupted, RunError, BatchError
        As :func:`~fivetowers_sim.cli.play_experiment.play_experiment` says.
    """
    from fivetowers_sim.experiments.check import all_asked
    from fivetowers_sim.experiments.game_shape import run_shape
    from fivetowers_sim.game import warm_up_arms

    arms = [arm for one in all_asked(asked) for arm in one.arms]
    show = Show(lambda: warm_up_arms(arms), describe_margin(asked, "win share", " points"))
    return play_experiment(
        asked.asked(), manner, show, lambda crew, folder: run_shape(asked, crew, folder, draw_outcome)
    )


def draw_outcome(outcome: ShapeOutcome) -> Mapping[str, bytes]:
    """Return the pictures as files, by name."""
    from fivetowers_sim.bench.style import encode_figure
    from fivetowers_sim.cli.game_shape_table import describe_crossing, describe_games
    from fivetowers_sim.experiments.shape_figures import make_findings_frame
    from fivetowers_sim.report.game_shape import draw_chances, draw_composition, draw_seat_shares, draw_variance

    asked, findings = outcome.asked, make_findings_frame(outcome.figures)
    labels, population = dict(zip(asked.strategies, asked.labels, strict=True)), describe_games(outcome)
    shares = draw_seat_shares(findings, labels, population)
    files = encode_figure(shares, "seats", _describe_seats(outcome))
    for players in asked.players:
        first, own = asked.strategies[0], f"{population}; {players} players"
        parts = draw_composition(findings, players, first, f"{own}, all {labels[first]}")
        files |= encode_figure(parts, f"scores-{players}", _describe_scores(outcome, players))
        chances = draw_chances(findings, players, labels, population)
        files |= encode_figure(chances, f"lead-{players}", _describe_chances(outcome, players))
        if outcome.deals > 1:
            split = draw_variance(findings, players, f"{own}; {describe_crossing(asked)}")
            files |= encode_figure(split, f"luck-{players}", _describe_luck(outcome, players))
    return files


def _describe_seats(outcome: ShapeOutcome) -> str:
    asked, first = outcome.asked, outcome.asked.strategies[0]
    said = []
    for players in asked.players:
        shares = outcome.figures.find(players, first, "win_share").values()
        said.append(f"{players} players: " + ", ".join(f"{100 * one.estimate.value:.1f}%" for one in shares))
    return f"Win share by seat, all {asked.labels[0]}; {'; '.join(said)}."


def _describe_scores(outcome: ShapeOutcome, players: int) -> str:
    asked, first = outcome.asked, outcome.asked.strategies[0]
    totals = outcome.figures.find(players, first, "total").values()
    said = ", ".join(f"{one.estimate.value:.1f}" for one in totals)
    return f"What scores are made of with {players} players, all {asked.labels[0]}; by seat {said} VP."


def _describe_chances(outcome: ShapeOutcome, players: int) -> str:
    asked, first = outcome.asked, outcome.asked.strategies[0]
    leads = outcome.figures.find(players, first, "leader_wins")
    said = ", ".join(f"after {part} {100 * leads[part].estimate.value:.0f}%" for part in ("10%", "50%", "90%"))
    return f"How often who leads wins with {players} players, all {asked.labels[0]}: {said} of the games."


def _describe_luck(outcome: ShapeOutcome, players: int) -> str:
    from fivetowers_sim.experiments.shape_figures import CROSSED

    shares = outcome.figures.find(players, CROSSED, "margin_share")
    said = ", ".join(f"{part} {100 * one.estimate.value:.1f}%" for part, one in shares.items() if part != "total")
    return f"Parts of the variance of one player's VP ahead of the best other with {players} players: {said}."
