"""What experiments have in common: play until the figures are precise enough, and say how much that was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from fivetowers_sim.analysis.estimates import CONFIDENCE
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.batch.plan import Setup
from fivetowers_sim.bench.arms import ArmsPlan, Crew, Measure, play_arms
from fivetowers_sim.bench.budget import Budget
from fivetowers_sim.bench.folder import SUMS_NAME, Asked, ExperimentFolder
from fivetowers_sim.bench.kept import Kept
from fivetowers_sim.strategies.families import read_strategy

MOST_STRATEGIES: Final = 4


class QuestionError(ValueError):
    """A question that can't be put; the message names the field, the value and what is accepted."""


def read_players(strategies: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Read who is asked, each by itself.

    Parameters
    ----------
    strategies : sequence of str
        1 to :data:`MOST_STRATEGIES` that differ.

    Returns
    -------
    tuple of (tuple of str, tuple of str)
        Their names in full, and what tables call them.

    Raises
    ------
    QuestionError
        If there are too many or too few, or two are the same.
    fivetowers_sim.strategies.parameters.StrategyError
        If one isn't accepted.
    """
    read = [read_strategy(text) for text in strategies]
    names = tuple(strategy.name for strategy in read)
    if not 1 <= len(names) <= MOST_STRATEGIES or len(set(names)) < len(names):
        raise QuestionError(
            f"strategies names {', '.join(names)}; accepted is 1 to {MOST_STRATEGIES} different ones, each of which "
            "plays in all seats"
        )
    labels = tuple(strategy.short_name for strategy in read)
    return names, labels if len(set(labels)) == len(names) else names


class Described(Protocol):
    """What is to be found out, as results describe it."""

    @property
    def budget(self) -> Budget:
        """How much to play."""

    @property
    def command(self) -> str:
        """What to type to get the same figures."""

    def asked(self) -> Asked:
        """Return what the folder of this experiment is about."""


class Question(Described, Protocol):
    """What is to be found out by playing arms."""

    @property
    def arms(self) -> tuple[Setup, ...]:
        """The arms; each plays the same deals."""

    @property
    def measure(self) -> Measure:
        """What is measured of each deal."""

    def widest_margin(self, moments: Moments) -> float:
        """Return half of the width of the widest interval of the main figure; not a number at first."""


@dataclass(frozen=True, slots=True)
class Played:
    """What was measured, and how much it took.

    Attributes
    ----------
    moments : Moments
        What was measured.
    look : int
        At which look it ended, from 0.
    reached : float
        Half of the width of the widest interval of the main figure.
    """

    moments: Moments
    look: int
    reached: float


def play_question(
    question: Question, crew: Crew, folder: ExperimentFolder | None, sums_name: str = SUMS_NAME
) -> Played:
    """Play the arms of a question until its main figure is as precise as its budget asks for.

    Parameters
    ----------
    question : Question
        What to find out.
    crew : Crew
        Who plays.
    folder : ExperimentFolder, optional
        Where to keep what is played.
    sums_name : str
        Name of the file with the sums, where the folder has more than one.

    Returns
    -------
    Played
        It depends on the question alone.

    Raises
    ------
    BatchError, RunError, KeyboardInterrupt
        As :func:`~fivetowers_sim.bench.arms.play_arms` says.
    """
    measure, budget = question.measure, question.budget
    kept = folder.open_sums(measure.columns, question.arms, sums_name) if folder else Kept(measure.columns)
    plan, wanted = ArmsPlan(question.arms, measure, budget.looks), budget.precision or 0.0
    look = play_arms(plan, kept, lambda moments: question.widest_margin(moments) <= wanted, crew)
    return Played(kept.moments, look, question.widest_margin(kept.moments))


def describe_outcome(question: Described, format_name: str, counts: Mapping[str, int], look: int) -> dict[str, Any]:
    """Return as plain JSON values what every outcome says before its figures.

    Parameters
    ----------
    question : Described
        What was asked.
    format_name : str
        Name and version of the results' format.
    counts : mapping of str to int
        How much was played, by what it is called.
    look : int
        At which look it ended, from 0.

    Returns
    -------
    dict
        The values.
    """
    return {
        "format": format_name,
        "command": question.command,
        "asked": question.asked().plan,
        **counts,
        "confidence": CONFIDENCE,
        "looks_planned": len(question.budget.looks),
        "looks_taken": look + 1,
    }


def describe_players(asked: Any) -> dict[str, Any]:
    """Return what results say of the players' names besides the plan: what tables call each, by its name in full."""
    return {"labels": dict(zip(asked.strategies, asked.labels, strict=True))}
