"""Where the candidates of a tuning are measured, and what is remembered of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from fivetowers_sim.analysis.estimates import Estimate, Tally, estimate_ratio, estimate_share
from fivetowers_sim.batch.staff import Staff
from fivetowers_sim.bench.journal import Journal
from fivetowers_sim.experiments.candidates import Deals, Standing, measure_candidates, purpose_seed
from fivetowers_sim.experiments.optimise import Measurement
from fivetowers_sim.experiments.tuning_plan import TuningPlan
from fivetowers_sim.strategies.parameters import Strategy


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tuning has come.

    Attributes
    ----------
    games_done, games : int
        Games played, and games in all if no search ends early.
    stage : str
        What is going on, in words.
    best : str
        The best candidate so far, and its figure: flattering, since it was picked for it. Empty at the beginning.
    """

    games_done: int
    games: int
    stage: str
    best: str


class Bench:
    """Measures candidates, remembers what was measured, and tells how far it has come."""

    def __init__(self, plan: TuningPlan, staff: Staff, journal: Journal, watch: Callable[[Progress], None]) -> None:
        budget = plan.budget
        self.plan = plan
        self.games_played = 0
        self._staff = staff
        self._journal = journal
        self._watch = watch
        self._best: tuple[float, str] = (float("-inf"), "")
        self._games_done = 0
        searching = budget.restarts * budget.generations * budget.points * budget.games
        self._games = searching + (budget.restarts + 3) * budget.fresh_games

    def fresh_deals(self, purpose: str) -> Deals:
        """Return deals that occur nowhere else."""
        return Deals(purpose_seed(self.plan.seed, f"tune {purpose}"), 0, self.plan.budget.fresh_games)

    def measure(self, name: str, candidates: Sequence[Strategy], deals: Deals) -> list[Standing]:
        """Measure candidates, or find what was measured before under this name."""
        names = [candidate.name for candidate in candidates]
        end = self._games_done + len(names) * deals.games
        entry = self._journal.find(name)
        if entry is not None and entry["candidates"] == names:
            standings = [Standing.from_lists(values) for values in entry["standings"]]
        else:
            self._report(name)
            standings = measure_candidates(
                self.plan.contest, names, deals, self._staff, lambda games: self._advance(name, games)
            )
            values = [standing.to_lists() for standing in standings]
            self._journal.note(name, {"candidates": names, "standings": values})
        self.games_played += len(set(names)) * deals.games
        # Candidates that came up twice were played once.
        self._games_done = end
        return standings

    def skip(self, generations: int) -> None:
        """Take note that a search ended early."""
        self._games -= generations * self.plan.budget.points * self.plan.budget.games

    def score(self, standing: Standing, aim: str | None = None) -> Estimate:
        """Estimate how a candidate did."""
        aim = aim or self.plan.aim
        estimate = estimate_share if aim == "win_share" else estimate_ratio
        return estimate(standing.scores[aim], self.plan.contest.scale(aim))

    def gain(self, standing: Standing, aim: str | None = None) -> Estimate:
        """Estimate how much better a candidate did than the first one on the same deals."""
        aim = aim or self.plan.aim
        return estimate_ratio(standing.gains[aim], self.plan.contest.scale(aim))

    def note_best(self, candidates: Sequence[Strategy], standings: Sequence[Standing]) -> list[Measurement]:
        """Return what a search needs to know of its candidates, and remember the best so far."""
        measurements = []
        for candidate, standing in zip(candidates, standings, strict=True):
            measured = _measure(standing.scores[self.plan.aim], self.plan.contest.scale(self.plan.aim))
            text = f"{measured.value:.3f} ± {2 * measured.standard_error:.3f} {candidate.name}"
            self._best = max(self._best, (measured.value, text))
            measurements.append(measured)
        return measurements

    def _advance(self, stage: str, games: int) -> None:
        self._games_done += games
        self._report(stage)

    def _report(self, stage: str) -> None:
        self._watch(Progress(self._games_done, self._games, stage, self._best[1]))


def _measure(tally: Tally, scale: int) -> Measurement:
    """Return the mean of a tally with one unit a game, and its standard error."""
    mean = tally.total / tally.games
    spread = Fraction(tally.games * tally.total_squared - tally.total**2, tally.games**3)
    return Measurement(mean / scale, math.sqrt(spread) / scale)
