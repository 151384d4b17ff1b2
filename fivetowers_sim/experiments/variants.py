"""What changed rules change: one game and variants of it on the same deals, and the differences in every figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from fivetowers_sim.analysis.discoveries import adjust_p_values, p_value
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.bench.arms import Crew
from fivetowers_sim.bench.budget import Budget, make_budget
from fivetowers_sim.bench.folder import Asked, ExperimentFolder
from fivetowers_sim.dataset.schema import encode_parquet
from fivetowers_sim.engine.setup import GameSetup
from fivetowers_sim.experiments.changes import Change, make_changes_frame
from fivetowers_sim.experiments.headlines import Headlines
from fivetowers_sim.experiments.question import describe_outcome, play_question
from fivetowers_sim.experiments.refit import (
    Learned,
    Refit,
    check_refit,
    describe_refit,
    learn_for_arms,
    refit_arms,
)

MOST_VARIANTS: Final = 64


class VariantsError(ValueError):
    """Variants that can't be compared; the message says why, and what is accepted."""


@dataclass(frozen=True)
class Variants:
    """What is to be compared.

    Attributes
    ----------
    experiment : str
        ``compare`` or ``sweep``.
    setups : tuple of GameSetup
        The game that all others are compared with, and the others; who plays them may know other rules.
    names : tuple of str
        What tables call them.
    budget : Budget
        How much to play.
    command : str
        What to type to get the same figures. Decides nothing.
    refit : Refit, optional
        How much to learn from for each rule set; None for not at all.
    learned : tuple of Learned
        What was learned for each of the setups; empty before.
    """

    experiment: str
    setups: tuple[GameSetup, ...]
    names: tuple[str, ...]
    budget: Budget
    command: str = field(default="", compare=False)
    refit: Refit | None = None
    learned: tuple[Learned, ...] = ()

    @cached_property
    def measure(self) -> Headlines:
        """What is measured."""
        return Headlines(self.setups[0].players, len(self.setups))

    @cached_property
    def arms(self) -> tuple[GameSetup, ...]:
        """The setups, with what was learned for them."""
        return refit_arms(self.setups, self.learned) if self.learned else self.setups

    def asked(self) -> Asked:
        """Return what the folder of this experiment is about."""
        arms = {"arms": [setup.to_dict() for setup in self.setups], "names": list(self.names)}
        plan = {"format": self.format, **self.budget.to_dict(), **arms}
        return Asked(self.experiment, {**plan, **describe_refit(self.refit, self.names, self.learned)})

    @property
    def format(self) -> str:
        """Name and version of the results' format."""
        return f"fivetowers-{self.experiment}/1"

    def widest_margin(self, moments: Moments) -> float:
        """Return half of the width of the widest interval of a difference in a seat's VP; not a number at first."""
        if moments.games < 2:
            return float("nan")
        figures = enumerate(self.measure.figures)
        seats = [number for number, headline in figures if headline.name == "total" and headline.seat is not None]
        return max(
            self.measure.difference(moments, (0, arm), seat, self.budget.confidence).margin
            for arm in range(1, len(self.setups))
            for seat in seats
        )


def make_variants(
    experiment: str,
    arms: Mapping[str, GameSetup],
    games: int | None = None,
    precision: float | None = None,
    command: str = "",
    refit: Refit | None = None,
) -> Variants:
    """Check what is to be compared.

    Parameters
    ----------
    experiment : str
        ``compare`` or ``sweep``.
    arms : mapping of str to GameSetup
        By name: the game that the others are compared with, and the others. All have as many players and one seed.
    games : int, optional
        Games in all, rounded up.
    precision : float, optional
        Instead: half of the width wanted for the difference in every seat's VP.
    command : str
        What to type to get the same figures.
    refit : Refit, optional
        Learn the tables of strategies anew for each rule set, from so many games.

    Returns
    -------
    Variants
        The checked experiment.

    Raises
    ------
    VariantsError, fivetowers_sim.bench.budget.BudgetError, fivetowers_sim.experiments.refit.RefitError
        Naming what isn't accepted, and what is.
    """
    setups = tuple(arms.values())
    if not 2 <= len(setups) <= MOST_VARIANTS + 1:
        raise VariantsError(f"there are {len(setups) - 1} variants; accepted is 1 to {MOST_VARIANTS}")
    if len({(setup.players, setup.seed) for setup in setups}) > 1:
        raise VariantsError("the variants differ in players or seed; accepted are the same in all")
    check_refit(setups, refit)
    budget = make_budget(games, precision, len(setups), setups[0].players)
    return Variants(experiment, setups, tuple(arms), budget, command, refit)


@dataclass(frozen=True, slots=True)
class VariantsOutcome:
    """What the comparison found.

    Attributes
    ----------
    asked : Variants
        What was asked.
    changes : tuple of Change
        Every figure of every variant.
    deals : int
        Deals behind each; all arms played each.
    look : int
        At which look it ended, from 0.
    reached : float
        Half of the width of the widest interval of a difference in a seat's VP.
    """

    asked: Variants
    changes: tuple[Change, ...]
    deals: int
    look: int
    reached: float

    @property
    def games(self) -> int:
        """Games behind the figures."""
        return self.deals * len(self.asked.setups)

    def to_dict(self) -> dict[str, Any]:
        """Return question and figures as plain JSON values."""
        rows = [change.to_row() for change in self.changes]
        counts = {"deals": self.deals, "games": self.games}
        return {
            **describe_outcome(self.asked, self.asked.format, counts, self.look),
            "family": len(rows),
            "changes": rows,
        }


def estimate_changes(asked: Variants, moments: Moments) -> tuple[Change, ...]:
    """Work out every figure of every variant from what was measured."""
    measure, budget = asked.measure, asked.budget
    confidence = budget.confidence
    found = []
    for arm in range(1, len(asked.setups)):
        for figure, headline in enumerate(measure.figures):
            difference = measure.difference(moments, (0, arm), figure, confidence)
            before, after = (measure.estimate(moments, one, figure, confidence) for one in (0, arm))
            p = p_value(difference, confidence, budget.looks)
            found.append((asked.names[arm], headline, before, after, difference, p))
    adjusted = adjust_p_values([p for *_, p in found])
    return tuple(Change(*values, own) for values, own in zip(found, adjusted, strict=True))


def run_variants(
    asked: Variants,
    crew: Crew,
    folder: ExperimentFolder | None = None,
    illustrate: Callable[[VariantsOutcome], Mapping[str, bytes]] = lambda outcome: {},
) -> VariantsOutcome:
    """Play a game and its variants, and work out the differences.

    Parameters
    ----------
    asked : Variants
        What to compare.
    crew : Crew
        Who plays.
    folder : ExperimentFolder, optional
        Where to keep what is played, and the results.
    illustrate : callable, optional
        Makes the files that go into the folder besides the figures, by name.

    Returns
    -------
    VariantsOutcome
        The figures. They depend on what was asked alone.

    Raises
    ------
    BatchError, RunError
        If games failed, or the folder can't be written. What was finished is kept.
    KeyboardInterrupt
        If the user interrupted. What was finished is kept, if there is a folder.
    """
    with learn_for_arms(asked.refit, dict(zip(asked.names, asked.setups, strict=True)), crew, folder) as learned:
        if learned:
            asked = replace(asked, learned=learned)
            if folder:
                folder.settle(asked.asked())
        played = play_question(asked, crew, folder)
    changes = estimate_changes(asked, played.moments)
    outcome = VariantsOutcome(asked, changes, played.moments.games, played.look, played.reached)
    if folder:
        tables = {"changes.parquet": encode_parquet(make_changes_frame(outcome.changes), {})}
        folder.complete(outcome.to_dict(), {**tables, **illustrate(outcome)})
    return outcome
