"""What each Great Power is worth: all 16 sets on the same deals, for everyone and for one seat alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.analysis.shapley import shapley_weights
from fivetowers_sim.bench.budget import Main
from fivetowers_sim.bench.findings import Found
from fivetowers_sim.engine.setup import GameSetup, make_setup
from fivetowers_sim.game import TowersQuestion
from fivetowers_sim.questions.powers.figures import list_contrasts
from fivetowers_sim.questions.powers.measure import PowerGames, powers_of
from fivetowers_sim.rules.ruleset import POWERS

if TYPE_CHECKING:
    from fivetowers_sim.bench.content import Section
    from fivetowers_sim.bench.finished import Finished


class Powers(TowersQuestion):
    """Rank the Great Powers: all 16 sets on the same deals, for everyone and for each seat alone.

    The main figure, for --precision, is each power's Shapley share of the VP that powers bring the one seat with them.
    """

    name = "powers"
    title = "Great Powers"
    asks = "What is each power worth to whoever has it, do they help each other, and are they alike?"
    main = Main("Shapley share")
    usual_check_games = 6_100

    @cached_property
    def measure(self) -> PowerGames:
        """What is measured."""
        return PowerGames(len(self.strategies), self.players)

    @cached_property
    def arms(self) -> tuple[GameSetup, ...]:
        """The setups, in the measure's order."""
        setups = []
        for arm in self.measure.arms:
            own = powers_of(arm.members)
            by_seat = [own if arm.seat in (None, seat) else () for seat in range(self.players)]
            setups.append(make_setup(self.rules, self.players, [self.strategies[arm.strategy]], self.seed, by_seat))
        return tuple(setups)

    @property
    def multiple(self) -> int:
        """Deals come in multiples of this, so that seats come out even."""
        return self.players

    def list_main(self, moments: Moments) -> list[Estimate]:
        """Return every power's Shapley share of its holder's VP."""
        return [
            self.measure.contrast(
                moments, (strategy, "alone", "total"), shapley_weights(len(POWERS), power), self.budget.confidence
            )
            for strategy in range(len(self.strategies))
            for power in range(len(POWERS))
        ]

    def estimate(self, moments: Moments) -> Iterator[Found]:
        """Yield the figures of every set, power and two powers."""
        for number, strategy in enumerate(self.strategies):
            for kind, powers, (holder, figure), weights in list_contrasts():
                estimate = self.measure.contrast(moments, (number, holder, figure), weights, self.budget.confidence)
                tested = kind in ("interaction", "difference", "shapley") and figure != "win_share"
                about = {"strategy": strategy, "kind": kind, "powers": "+".join(powers) or "none"}
                yield Found({**about, "holder": holder, "figure": figure}, estimate, estimate if tested else None)

    @classmethod
    def content(cls, finished: Finished) -> Section:
        """Say what powers are worth, how they work together, and which are alike."""
        from fivetowers_sim.questions.powers.content import write_powers

        return write_powers(cls, finished)

    @classmethod
    def draw(cls, finished: Finished) -> Mapping[str, bytes]:
        """Return a picture for each strategy."""
        from fivetowers_sim.questions.powers.picture import draw_all

        return draw_all(finished)

    def notes(self) -> list[str]:
        """Say what tables of ``value`` do to differences between sets."""
        from fivetowers_sim.experiments.knowledge import play_by_shipped_tables

        names: list[Any] = [*self.strategies, *(self.check.strategies if self.check else ())]
        tables = (
            "value's tables were learned without powers and with all four; for other sets it puts the two together, so "
            "differences between sets are partly its own."
        )
        return [*([tables] if play_by_shipped_tables(names) else []), *super().notes()]
