"""Play the valuation of bids with progress, and draw what it found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from fivetowers_sim.cli import choice
from fivetowers_sim.cli.play_experiment import (
    Manner,
    Show,
    choose_budget,
    describe_margin,
    name_options,
    play_experiment,
)

if TYPE_CHECKING:
    from fivetowers_sim.experiments.bid_values import BidValuesOutcome, BidValuesQuestion
    from fivetowers_sim.experiments.check import Check
    from fivetowers_sim.rules.ruleset import RuleSet

DEFAULT_STRATEGIES: Final = "value,greedy,cautious"
CHECK_DECISIONS: Final = 600


@dataclass(frozen=True, slots=True)
class Table:
    """What options say of the games, apart from the rules.

    Attributes
    ----------
    players : int
        Value of ``--players``.
    strategies : str
        Value of ``--strategies``.
    powers : str or None
        Value of ``--powers``.
    seed : int
        Value of ``--seed``.
    """

    players: int
    strategies: str
    powers: str | None
    seed: int


def read_bid_values(
    rules: RuleSet,
    table: Table,
    budget: tuple[int | None, float | None],
    futures: int,
    command: str,
    check: Check | None = None,
) -> BidValuesQuestion:
    """Make the question of the options.

    Parameters
    ----------
    rules : RuleSet
        What ``--rules`` and ``--set`` say.
    table : Table
        Players, strategies, powers and seed.
    budget : tuple of int or None, float or None
        Values of ``--games`` and ``--precision``.
    futures : int
        Value of ``--futures``.
    command : str
        What to type to get the same figures.
    check : Check, optional
        What ``--check`` and ``--check-games`` say.

    Returns
    -------
    BidValuesQuestion
        What to find out.

    Raises
    ------
    UsageError
        Naming the option, what was given and what is accepted.
    """
    from fivetowers_sim.experiments.bid_values import make_bid_values_question
    from fivetowers_sim.rules.ruleset import POWERS

    held = choice.read_powers(table.players, rules.powers, table.powers, None)[0]
    rules = replace(rules, **{f"power_{power}": power in held for power in POWERS})
    names = [name.strip() for name in table.strategies.split(",")]
    with name_options():
        return make_bid_values_question(
            rules, table.players, names, table.seed, choose_budget(*budget), futures, command, check
        )


def play_bid_values(asked: BidValuesQuestion, manner: Manner) -> BidValuesOutcome:
    """Play the valuation, in a folder or in memory only.

    Parameters
    ----------
    asked : BidValuesQuestion
        What to find out.
    manner : Manner
        How to go about it.

    Returns
    -------
    BidValuesOutcome
        The figures.

    Raises
    ------
    UsageError, Interrupted, RunError, BatchError
        As :func:`~fivetowers_sim.cli.play_experiment.play_experiment` says.
    """
    from fivetowers_sim.experiments.bid_values import run_bid_values
    from fivetowers_sim.experiments.check import all_asked

    def warm_up() -> None:
        for one in all_asked(asked):
            for arm in one.arms[::2]:
                arm.warm_up()

    show = Show(warm_up, describe_margin(asked, "a bid's VP against the pass"))
    return play_experiment(asked.asked(), manner, show, lambda crew, folder: run_bid_values(asked, crew, folder, draw))


def draw(outcome: BidValuesOutcome) -> Mapping[str, bytes]:
    """Return the pictures of the bids' worth as files, by name; one for each strategy."""
    from fivetowers_sim.bench.style import encode_figure
    from fivetowers_sim.cli.bid_values_table import describe_decisions
    from fivetowers_sim.experiments.bid_figures import make_bids_frame
    from fivetowers_sim.report.bid_values import draw_bid_values

    asked, files = outcome.asked, {}
    frame = make_bids_frame(outcome.figures)
    for number, (strategy, label) in enumerate(zip(asked.strategies, asked.labels, strict=True)):
        figure = draw_bid_values(frame, strategy, f"{describe_decisions(outcome)}; all {label}")
        found = outcome.figures.find(strategy, "against pass", "vp")
        said = ", ".join(f"{bid}: {one.estimate.value:+.2f}" for bid, one in found.items() if one.estimate.games)
        name = "bid-values" if number == 0 else f"bid-values-{number + 1}"
        files |= encode_figure(figure, name, f"VP that each bid brings against the pass. Over all decisions, {said}.")
    return files
