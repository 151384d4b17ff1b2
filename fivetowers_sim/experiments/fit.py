"""Learn value tables by self-play: play, regress final scores on positions, play with what was learned, repeat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.batch.plan import Part, Plan
from fivetowers_sim.batch.staff import Staff
from fivetowers_sim.batch.workers import StopRequested, StopSignal
from fivetowers_sim.dataset.scratch import scratch_folder
from fivetowers_sim.engine.setup import GameSetup, make_setup
from fivetowers_sim.engine.study import Study, add_studies, new_study, study_games
from fivetowers_sim.experiments.learning import BLOCK, Learning, Watch, share_to_dict
from fivetowers_sim.experiments.prices import number_features, solve_tables
from fivetowers_sim.rules.ruleset import RuleSet
from fivetowers_sim.rules.tables import compile_rules
from fivetowers_sim.strategies.value_files import write_tables
from fivetowers_sim.strategies.value_tables import ValueTables, score_tables

BEGINNER: Final = "greedy"
"""Who plays the first games if nobody else is named, and whom every step's tables are tried against."""

MOST_STEPS: Final = 8
# Steps without a gain after which learning ends.
_PATIENCE: Final = 2
# Positions of earlier steps count half as much with every step: so that tables don't swing from one way of playing
# to another, and what is no longer played isn't forgotten at once.
_MEMORY: Final = 0.5


@dataclass(frozen=True)
class FitPlan:
    """What to learn, and from how many games.

    Attributes
    ----------
    rules : RuleSet
        The rule set.
    players : int
        2 to 5.
    powers : tuple of str
        Great Powers of every seat.
    games : int
        Games a step is learned from.
    trial_games : int
        Games that each trial of a step's tables takes.
    seed : int
        Decides all chance.
    start : str
        Who plays the games of the first step.
    most_steps : int
        Steps after which learning ends in any case.
    """

    rules: RuleSet
    players: int
    powers: tuple[str, ...]
    games: int
    trial_games: int
    seed: int
    start: str = BEGINNER
    most_steps: int = MOST_STEPS

    def setup(self, strategies: list[str], seed: int) -> GameSetup:
        """Return games of these rules; the first strategy takes every seat in turn if there are several."""
        seats = strategies if len(strategies) == 1 else strategies[:1] + strategies[1:] * (self.players - 1)
        return make_setup(self.rules, self.players, seats, seed, [self.powers] * self.players)


@dataclass(frozen=True)
class Step:
    """One round of learning.

    Attributes
    ----------
    number : int
        From 1.
    against_beginner, against_best : Estimate
        Win share of the new tables in one seat, all others playing `greedy`, or the best tables so far.
    is_best : bool
        Whether they are the best so far.
    """

    number: int
    against_beginner: Estimate
    against_best: Estimate
    is_best: bool

    def to_dict(self) -> dict[str, Any]:
        """Return the step as plain JSON values."""
        return {
            "step": self.number,
            "against_greedy": share_to_dict(self.against_beginner),
            "against_best_so_far": share_to_dict(self.against_best),
            "is_best": self.is_best,
        }


@dataclass(frozen=True)
class StudyPart:
    """The workers' task: play a part's games and sum their positions up.

    Attributes
    ----------
    slots : ndarray
        Numbers of the features, as :func:`number_features` gives them.
    stage_of : ndarray
        Stage by rounds to come.
    """

    slots: np.ndarray
    stage_of: np.ndarray

    def __call__(self, plan: Plan, part: Part, stop: StopSignal) -> Study:
        """Return the part's study; raises StopRequested if told to stop."""
        study = new_study(self.slots)
        for first in range(part.first_game, part.first_game + part.games, BLOCK):
            if stop.is_set():
                raise StopRequested
            games = min(BLOCK, part.first_game + part.games - first)
            study_games(plan.setup, self.stage_of, first, games, study)
        return study


class Fit(Learning):
    """Learning in progress.

    Parameters
    ----------
    plan : FitPlan
        What to learn.
    staff : Staff
        Who plays; changes no figure.
    watch : callable, optional
        Called with the games done and the games in all of a step whenever a part is done.

    Attributes
    ----------
    best : ValueTables
        The best tables so far, without provenance.
    steps : list of Step
        What was tried.
    """

    beginner: Final = BEGINNER

    def __init__(self, plan: FitPlan, staff: Staff, watch: Watch = lambda done, games: None) -> None:
        super().__init__(plan, staff, watch)
        self.steps: list[Step] = []
        self.best: ValueTables = score_tables(compile_rules(plan.rules, plan.players)[0])
        self._study: Study | None = None

    def run(self) -> Iterator[Step]:
        """Learn until it stops getting better, step by step.

        Yields
        ------
        Step
            After each step.
        """
        with scratch_folder() as folder:
            latest = best = self.plan.start
            for number in range(1, self.plan.most_steps + 1):
                self.begin(self.plan.games + self.plan.trial_games * (1 if best == BEGINNER else 2))
                tables = self._learn(latest, number)
                latest = str(folder / f"step-{number}.json")
                Path(latest).write_text(write_tables(tables, self.plan.rules.highest_value), encoding="utf-8")
                beginner, _ = self.try_out([latest, BEGINNER], number)
                rival = beginner if best == BEGINNER else self.try_out([latest, best], number)[0]
                is_best = number == 1 or rival.low > 1 / self.plan.players
                if is_best:
                    self.best, best = tables, latest
                self.steps.append(Step(number, beginner, rival, is_best))
                yield self.steps[-1]
                if not any(step.is_best for step in self.steps[-_PATIENCE:]):
                    return

    def _learn(self, player: str, number: int) -> ValueTables:
        """Play a step's games with one strategy in every seat and learn from them."""
        setup = self.plan.setup([player], self.plan.seed + number)
        task = StudyPart(number_features(self.plan.rules.highest_value, bool(self.plan.powers)), self.best.stage_of)
        study = None
        for receipt in self.run_games(setup, self.plan.games, task):
            study = receipt.result if study is None else add_studies(study, receipt.result)
        self._study = study if self._study is None else add_studies(self._study, study, _MEMORY)
        return solve_tables(self._study, self.best, self.plan.rules.highest_value)

    def finish(self, command: str, version: str) -> ValueTables:
        """Try the best tables once more, on deals that no choice was made by, and write down where they come from.

        Parameters
        ----------
        command : str
            What makes them again.
        version : str
            This program's.

        Returns
        -------
        ValueTables
            With provenance.
        """
        plan = self.plan
        self.begin(2 * plan.trial_games)
        with scratch_folder() as folder:
            path = folder / "best.json"
            path.write_text(write_tables(self.best, plan.rules.highest_value), encoding="utf-8")
            share, _ = self.try_out([str(path), BEGINNER], 2 * MOST_STEPS)
            _, winning = self.try_out([str(path)], 2 * MOST_STEPS)
        provenance = {
            "made_by": command,
            "version": version,
            "rules": plan.rules.to_dict(),
            "players": plan.players,
            "powers": list(plan.powers),
            "games_a_step": plan.games,
            "first_games_by": plan.start,
            "seed": plan.seed,
            "steps": [step.to_dict() for step in self.steps],
            "win_share_against_greedy": share_to_dict(share),
            "winners_vp_among_themselves": share_to_dict(winning),
        }
        return replace(self.best, provenance=provenance)

    def write(self, tables: ValueTables) -> str:
        """Return tables as a file."""
        return write_tables(tables, self.plan.rules.highest_value)
