"""The search for a best response: tune the parameters of a strategy against the field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fivetowers_sim.batch.staff import ALONE, Staff
from fivetowers_sim.bench.journal import Journal
from fivetowers_sim.engine.setup import GameSetup
from fivetowers_sim.experiments.contest import make_contest
from fivetowers_sim.experiments.tune import describe_tuning, tune
from fivetowers_sim.experiments.tuning_bench import Progress
from fivetowers_sim.experiments.tuning_plan import Budget, plan_tuning
from fivetowers_sim.strategies.families import FAMILIES, read_strategy

RESTRICTIONS: Final = ("max_bid", "never_tear_down", "never_close")
"""What is tuned where no strategy of the field has parameters of its own: every strategy can hold back."""


@dataclass(frozen=True, slots=True)
class TunedReply:
    """A search that tunes the strategy that the field has most of, among those with parameters of their own.

    Those that come from a file can't be tuned; see :func:`can_reply`.

    Attributes
    ----------
    table : GameSetup
        The games: rules, powers, number of players and seed; who sits there makes no difference.
    budget : Budget
        How much to play.
    staff : Staff
        Who plays. Changes no figure.
    journal : Path or None
        Where to keep what was measured, and to find what an interrupted search had measured.
    watch : callable
        Told how far it has come.
    """

    table: GameSetup
    budget: Budget
    staff: Staff = ALONE
    journal: Path | None = None
    watch: Callable[[Progress], None] = lambda progress: None

    def __call__(self, strategies: Sequence[str], opponents: Sequence[str]) -> str:
        """Return the best strategy found against these opponents.

        Parameters
        ----------
        strategies : sequence of str
            The field, those first that it has most of.
        opponents : sequence of str
            Who fills the other seats, any selection of them equally often.

        Returns
        -------
        str
            Its name.

        Raises
        ------
        RunError
            If the journal can't be used.
        BatchError
            If games failed.
        KeyboardInterrupt
            If the user interrupted; the journal then has every step that was finished.
        """
        tunable = [name for name in strategies if _can_be_tuned(name)]
        start = next((name for name in tunable if _has_parameters(name)), tunable[0])
        contest = make_contest(self.table.rules, self.table.players, opponents, self.table.powers_by_seat)
        parameters = () if _has_parameters(start) else RESTRICTIONS
        plan = plan_tuning(start, contest, parameters, budget=self.budget, seed=self.table.seed)
        journal = Journal(self.journal, describe_tuning(plan), resume=True)
        return tune(plan, self.staff, journal, self.watch).strategy.name


def can_reply(strategies: Sequence[str]) -> bool:
    """Say whether any strategy of a field can be tuned."""
    return any(map(_can_be_tuned, strategies))


def _can_be_tuned(strategy: str) -> bool:
    return not read_strategy(strategy).path


def _has_parameters(strategy: str) -> bool:
    return any(not parameter.choices for parameter in FAMILIES[read_strategy(strategy).family].parameters)
