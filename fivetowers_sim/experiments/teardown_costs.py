"""What tearing down costs and brings: several schedules, and a seat that never tears down, on the same deals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from fivetowers_sim.bench.arms import ArmsPlan, Crew, Progress, play_arms
from fivetowers_sim.bench.folder import ExperimentFolder
from fivetowers_sim.bench.kept import Kept
from fivetowers_sim.experiments.check import describe_checked, find_out, join_figures
from fivetowers_sim.experiments.question import describe_outcome, describe_players, play_question
from fivetowers_sim.experiments.refit import learn_for_arms
from fivetowers_sim.experiments.teardown_figures import (
    TeardownFigures,
    encode_teardown_tables,
    estimate_teardowns,
)
from fivetowers_sim.experiments.teardown_question import TEARDOWN_FORMAT, TeardownQuestion
from fivetowers_sim.experiments.teardown_worth import WorthFigures, encode_worth_table, estimate_worths

BRANCH_SUMS_NAME: Final = "decisions.npz"

# Branched games are slow, and an interruption costs a part of them for every worker.
_BRANCH_PARTS: Final = 60


@dataclass(frozen=True, slots=True)
class TeardownOutcome:
    """What was found.

    Attributes
    ----------
    asked : TeardownQuestion
        What was asked.
    figures : TeardownFigures
        The figures.
    deals : int
        Deals behind each.
    look : int
        At which look it ended, from 0.
    reached : float
        Half of the width of the widest interval of what never tearing down costs in VP.
    worth : WorthFigures, optional
        What teardowns are worth at decisions; None if none was looked into.
    check : TeardownOutcome, optional
        What was found of a stronger player, under the rules' own schedule.
    """

    asked: TeardownQuestion
    figures: TeardownFigures
    deals: int
    look: int
    reached: float
    worth: WorthFigures | None = None
    check: TeardownOutcome | None = None

    @property
    def games(self) -> int:
        """Games behind the figures."""
        return self.deals * len(self.asked.measure.arms)

    def to_dict(self) -> dict[str, Any]:
        """Return question and figures as plain JSON values."""
        counts = {"deals": self.deals, "games": self.games}
        return {
            **describe_outcome(self.asked, TEARDOWN_FORMAT, counts, self.look),
            **describe_players(self.asked),
            **self.figures.to_dict(),
            **(self.worth.to_dict() if self.worth else {}),
            **describe_checked(self),
        }


def run_teardown_costs(
    asked: TeardownQuestion,
    crew: Crew,
    folder: ExperimentFolder | None = None,
    illustrate: Callable[[TeardownOutcome], Mapping[str, bytes]] = lambda outcome: {},
) -> TeardownOutcome:
    """Play every schedule, with everybody free and with each seat held back, and work out what differs.

    Parameters
    ----------
    asked : TeardownQuestion
        What to find out.
    crew : Crew
        Who plays.
    folder : ExperimentFolder, optional
        Where to keep what is played, and the results.
    illustrate : callable, optional
        Makes the files that go into the folder besides the figures, by name.

    Returns
    -------
    TeardownOutcome
        The figures. They depend on what was asked alone.

    Raises
    ------
    BatchError, RunError
        If games failed, or the folder can't be written. What was finished is kept.
    KeyboardInterrupt
        If the user interrupted. What was finished is kept, if there is a folder.
    """

    def play(asked: TeardownQuestion, crew: Crew, sums_name: str) -> TeardownOutcome:
        played = play_question(asked, crew, folder, sums_name)
        names = asked.strategies, asked.schedule_names
        figures = estimate_teardowns(asked.measure, names, played.moments, asked.budget)
        return TeardownOutcome(asked, figures, played.moments.games, played.look, played.reached)

    lessons = {name: asked.seat_free(number, 0) for number, name in enumerate(asked.schedule_names)}
    with learn_for_arms(asked.refit, lessons, crew, folder) as learned:
        if learned:
            asked = replace(asked, learned=learned)
            if folder:
                folder.settle(asked.asked())
        outcome = replace(find_out(asked, crew, play), worth=_branch(asked, crew, folder))
    if folder:
        tables = encode_worth_table(outcome.worth) if outcome.worth else {}
        tables |= encode_teardown_tables(join_figures(outcome))
        folder.complete(outcome.to_dict(), {**tables, **illustrate(outcome)})
    return outcome


def _branch(asked: TeardownQuestion, crew: Crew, folder: ExperimentFolder | None) -> WorthFigures | None:
    """Look into decisions of each strategy, one out of each game."""
    if not asked.branched:
        return None
    measure, arms = asked.branch_measure, asked.branch_arms
    columns = measure.columns
    kept = folder.open_sums(columns, arms, BRANCH_SUMS_NAME) if folder else Kept(columns)

    def watch(state: Progress) -> None:
        crew.watch_step("branched at a decision", state.games_done, state.games)

    plan = ArmsPlan(arms, measure, (asked.branching.decisions,), _BRANCH_PARTS)
    play_arms(plan, kept, lambda moments: True, replace(crew, watch=watch))
    return estimate_worths(measure, asked.branched, kept.moments)
