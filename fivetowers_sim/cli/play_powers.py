"""Play the comparison of Great Powers with progress, and draw what it found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

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
    from fivetowers_sim.experiments.powers import PowersOutcome, PowersQuestion
    from fivetowers_sim.rules.ruleset import RuleSet


DEFAULT_STRATEGIES: Final = "value,greedy"
CHECK_GAMES: Final = 6_100


def read_powers_question(
    rules: RuleSet,
    players: int,
    strategies: Sequence[str],
    seed: int,
    budget: tuple[int | None, float | None],
    command: str,
    check: Check | None = None,
) -> PowersQuestion:
    """Make the question of the options.

    Parameters
    ----------
    rules : RuleSet
        What ``--rules`` and ``--set`` say.
    players : int
        Value of ``--players``.
    strategies : sequence of str
        Value of ``--strategies``, name by name.
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
    PowersQuestion
        What to find out.

    Raises
    ------
    UsageError
        Naming the option, what was given and what is accepted.
    """
    from fivetowers_sim.experiments.powers import make_powers_question

    with name_options():
        return make_powers_question(rules, players, strategies, seed, *choose_budget(*budget), command, check)


def play_powers(asked: PowersQuestion, manner: Manner) -> PowersOutcome:
    """Play the comparison, in a folder or in memory only.

    Parameters
    ----------
    asked : PowersQuestion
        What to find out.
    manner : Manner
        How to go about it.

    Returns
    -------
    PowersOutcome
        The figures.

    Raises
    ------
    UsageError, Interrupted, RunError, BatchError
        As :func:`~fivetowers_sim.cli.play_experiment.play_experiment` says.
    """
    from fivetowers_sim.experiments.check import all_asked
    from fivetowers_sim.experiments.powers import run_powers
    from fivetowers_sim.experiments.variants import warm_up_arms

    arms = [arm for one in all_asked(asked) for arm in one.arms]
    show = Show(lambda: warm_up_arms(arms), describe_margin(asked, "Shapley share", " VP"))
    return play_experiment(
        asked.asked(), manner, show, lambda crew, folder: run_powers(asked, crew, folder, draw_outcome)
    )


def draw_outcome(outcome: PowersOutcome) -> Mapping[str, bytes]:
    """Return the pictures of the powers' worth as files, by name; one for each strategy."""
    from fivetowers_sim.bench.style import encode_figure
    from fivetowers_sim.cli.powers_table import describe_games, name_set
    from fivetowers_sim.report.powers import draw_powers

    asked, figures, files = outcome.asked, outcome.figures, {}
    for number, (strategy, label) in enumerate(zip(asked.strategies, asked.labels, strict=True)):
        gains = figures.find(strategy, "gain", "alone", "total")
        shares = figures.find(strategy, "shapley", "alone", "total")
        ends = {
            name: {key: (one.estimate.low, one.estimate.value, one.estimate.high) for key, one in found.items()}
            for name, found in (("sets", gains), ("shares", shares))
        }
        sets = {name_set(powers): interval for powers, interval in ends["sets"].items()}
        powers = {power: interval for (power,), interval in ends["shares"].items()}
        figure = draw_powers({"none": (0.0, 0.0, 0.0), **sets}, powers, f"{describe_games(outcome)}; all {label}")
        said = ", ".join(f"{power} {powers[power][1]:+.2f}" for power in figures.ranking(strategy))
        name = "powers" if number == 0 else f"powers-{number + 1}"
        files |= encode_figure(figure, name, f"VP that each Great Power brings the one seat with it: {said}.")
    return files
