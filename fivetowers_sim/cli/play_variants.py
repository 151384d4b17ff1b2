"""Make comparisons of rule sets from options, and play them with progress."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from fivetowers_sim.cli import choice
from fivetowers_sim.cli.errors import UsageError, name_option
from fivetowers_sim.cli.play_experiment import Manner, Show, choose_budget, describe_margin, play_experiment

if TYPE_CHECKING:
    from fivetowers_sim.engine.setup import GameSetup
    from fivetowers_sim.experiments.refit import Refit
    from fivetowers_sim.experiments.variants import Variants, VariantsOutcome
    from fivetowers_sim.rules.ruleset import RuleSet

DEFAULT_STRATEGIES: Final = "value"


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
    refit : Refit, optional
        What ``--refit`` says.
    """

    players: int
    strategies: str
    powers: str | None
    seed: int
    refit: Refit | None = None

    def seat(self, rules: RuleSet) -> GameSetup:
        """Return the games under some rules; UsageError if there are none."""
        from fivetowers_sim.engine.setup import SetupError, make_setup
        from fivetowers_sim.strategies.parameters import StrategyError

        by_seat = choice.read_powers(self.players, rules.powers, self.powers, None)
        names = [name.strip() for name in self.strategies.split(",")]
        try:
            return make_setup(rules, self.players, names, self.seed, by_seat)
        except StrategyError as error:
            raise UsageError(f"--strategies: {error}") from None
        except SetupError as error:
            raise UsageError(name_option(error)) from None


def read_comparison(
    rules: tuple[str, str],
    dials: tuple[Sequence[str] | None, Sequence[str] | None],
    table: Table,
    games: int | None,
    precision: float | None,
    command: str,
) -> Variants:
    """Make a comparison of two rule sets.

    Parameters
    ----------
    rules : tuple of str
        The two rule sets, as given.
    dials : tuple of sequence of str
        Values of ``--set-a`` and ``--set-b``.
    table : Table
        The games.
    games : int, optional
        Value of ``--games``.
    precision : float, optional
        Value of ``--precision``.
    command : str
        What to type to get the same figures.

    Returns
    -------
    Variants
        What to compare.

    Raises
    ------
    UsageError
        Naming the option, what was given and what is accepted.
    """
    arms = {}
    for letter, name, changes in zip("AB", rules, dials, strict=True):
        try:
            arms[letter] = table.seat(choice.read_rules(name, changes))
        except UsageError as error:
            text = str(error)
            option = f"--set-{letter.lower()}"
            for given, meant in (("--set", option), ("--rules", letter)):
                if text.startswith(given):
                    text = meant + text.removeprefix(given)
            raise UsageError(text) from None
    return read_variants("compare", arms, (games, precision), command, table.refit)


def read_variants(
    experiment: str,
    arms: Mapping[str, GameSetup],
    budget: tuple[int | None, float | None],
    command: str,
    refit: Refit | None = None,
) -> Variants:
    """Make an experiment of games to be compared; UsageError if something isn't accepted."""
    from fivetowers_sim.bench.budget import BudgetError
    from fivetowers_sim.experiments.refit import RefitError
    from fivetowers_sim.experiments.variants import VariantsError, make_variants

    try:
        return make_variants(experiment, arms, *choose_budget(*budget), command, refit)
    except (BudgetError, RefitError) as error:
        raise UsageError(name_option(error)) from None
    except VariantsError as error:
        raise UsageError(f"--set: {error}") from None


def play_variants(
    asked: Variants,
    manner: Manner,
    illustrate: Callable[[VariantsOutcome], Mapping[str, bytes]] = lambda outcome: {},
) -> VariantsOutcome:
    """Play a comparison, in a folder or in memory only.

    Parameters
    ----------
    asked : Variants
        What to compare.
    manner : Manner
        How to go about it.
    illustrate : callable, optional
        Makes pictures for the folder.

    Returns
    -------
    VariantsOutcome
        The figures.

    Raises
    ------
    UsageError, Interrupted, RunError, BatchError
        As :func:`~fivetowers_sim.cli.play_experiment.play_experiment` says.
    """
    from fivetowers_sim.experiments.variants import run_variants
    from fivetowers_sim.game import warm_up_arms

    show = Show(lambda: warm_up_arms(asked.setups), describe_margin(asked, "difference in VP"))
    return play_experiment(
        asked.asked(), manner, show, lambda crew, folder: run_variants(asked, crew, folder, illustrate)
    )
