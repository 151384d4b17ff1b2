"""What questions on changed rules have in common: a game and variants of it on the same deals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Self

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.bench.budget import FIRST_LOOK, Main
from fivetowers_sim.bench.findings import Findings, Found
from fivetowers_sim.bench.folder import Asked
from fivetowers_sim.bench.params import Param, RefusedError
from fivetowers_sim.engine.setup import GameSetup
from fivetowers_sim.experiments.refit import Learned, Refit, describe_refit, learn_for_arms, refit_arms
from fivetowers_sim.game import (
    GAMES,
    PLAYERS,
    POWERS_HELD,
    REFIT_GAMES,
    SEED,
    TowersQuestion,
    make_games,
    precision_of,
    read_power_list,
    read_refit,
)
from fivetowers_sim.questions.variants.figures import estimate_changes, list_rows, make_frame
from fivetowers_sim.questions.variants.measure import Headlines
from fivetowers_sim.rules.ruleset import RuleSet

if TYPE_CHECKING:
    import polars as pl

    from fivetowers_sim.bench.arms import Crew
    from fivetowers_sim.bench.content import Section
    from fivetowers_sim.bench.finished import Finished
    from fivetowers_sim.bench.folder import ExperimentFolder

MOST_VARIANTS: Final = 64

_SEATED: Final = Param(
    "strategies",
    str,
    "value",
    "One strategy for each seat, or one for all. With parameters: greedy:misjudge=0.05.",
    "A,B,C",
)
COMMON: Final = (
    PLAYERS,
    _SEATED,
    POWERS_HELD,
    SEED,
    GAMES,
    precision_of("the main figure", "VP", 0.2),
    Param("refit", bool, False, "First learn the tables of value, and of presets made of it, anew for each rule set."),
    REFIT_GAMES,
)


class Variants(TowersQuestion):
    """What both questions on changed rules have in common.

    Attributes
    ----------
    setups : dict of str to GameSetup
        By what tables call them: the game that all others are compared with, and the others.
    refit : Refit or None
        How much to learn from for each of them; None for not at all.
    learned : tuple of Learned
        The tables that were learned for each; empty before.
    """

    main = Main("difference in a seat's VP")
    first_look = FIRST_LOOK
    refit: Refit | None
    setups: dict[str, GameSetup]
    learned: tuple[Learned, ...] = ()

    def prepare(self) -> None:
        """Read the rule sets, and who plays."""
        self.players, self.seed = self.values["players"], self.values["seed"]
        self.setups = {name: self._seat_by(rules) for name, rules in self.read_variants().items()}
        if not 1 <= len(self.setups) - 1 <= MOST_VARIANTS:
            raise RefusedError(f"--set: there are {len(self.setups) - 1} variants; accepted is 1 to {MOST_VARIANTS}")
        self.refit = read_refit(self.values["refit"], self.values["refit_games"], self.arms)
        first = self.arms[0]
        short = dict(first.short_names)
        self.strategies = first.distinct_strategies
        self.labels = tuple(short.get(name, name) for name in self.strategies)

    def read_variants(self) -> Mapping[str, RuleSet]:
        """Return the rule sets by what tables call them, first that which all others are compared with."""
        raise NotImplementedError(f"{type(self).__name__} has no variants")

    def _seat_by(self, rules: RuleSet) -> GameSetup:
        powers = self.values["powers"]
        names = [name.strip() for name in self.values["strategies"].split(",")]
        held = None if powers is None else read_power_list(powers)
        return make_games(rules, self.players, names, self.seed, held)

    @cached_property
    def measure(self) -> Headlines:
        """What is measured."""
        return Headlines(self.players, len(self.setups))

    @cached_property
    def arms(self) -> tuple[GameSetup, ...]:
        """The games by each rule set, by the tables that were learned."""
        setups = tuple(self.setups.values())
        return refit_arms(setups, self.learned) if self.learned else setups

    @contextmanager
    def learn(self, crew: Crew, folder: ExperimentFolder | None) -> Iterator[Self]:
        """Learn tables for each rule set, if that is asked for."""
        with learn_for_arms(self.refit, self.setups, crew, folder) as learned:
            taught = self
            if learned:
                taught = copy(self)
                taught.learned = learned
                del taught.arms
            yield taught

    @property
    def multiple(self) -> int:
        """Deals come in multiples of this, so that seats come out even."""
        return self.players

    def describe(self) -> dict[str, Any]:
        """Return as plain JSON values what decides the games."""
        arms = {"arms": [setup.to_dict() for setup in self.setups.values()], "names": list(self.setups)}
        return {**arms, **describe_refit(self.refit, list(self.setups), self.learned)}

    def asked(self) -> Asked:
        """Return what the folder of this experiment is about."""
        asked = super().asked()
        # Each arm says which files its players come from.
        del asked.plan["strategy_files"]
        return asked

    def list_main(self, moments: Moments) -> Iterator[Estimate]:
        """Yield the differences in every seat's VP."""
        for arm in range(1, len(self.setups)):
            for figure, headline in enumerate(self.measure.figures):
                if headline.name == "total" and headline.seat is not None:
                    yield self.measure.difference(moments, (0, arm), figure, self.budget.confidence)

    def estimate(self, moments: Moments) -> Iterator[Found]:
        """Yield every figure of every variant."""
        return estimate_changes(self.measure, list(self.setups), moments, self.budget.confidence)

    def tell(self, findings: Findings) -> dict[str, Any]:
        """Return findings as plain JSON values: a row for each variant and figure."""
        rows = list_rows(findings)
        return {"seed": self.seed, "family": len(rows), "changes": rows}

    def tabulate(self, findings: Findings) -> Mapping[str, pl.DataFrame]:
        """Return the same as a frame."""
        return {"changes": make_frame(list_rows(findings))}

    @classmethod
    def content(cls, finished: Finished) -> Section:
        """Say what changes, and show every headline figure."""
        from fivetowers_sim.questions.variants.content import write_changes

        return write_changes(cls, finished)

    @classmethod
    def draw(cls, finished: Finished) -> Mapping[str, bytes]:
        """Return a picture for each dial, one for all in a grid, and one for two rule sets."""
        from fivetowers_sim.questions.variants.picture import draw_all

        return draw_all(finished)

    def notes(self) -> list[str]:
        """Say by which tables strategies played, where they were learned on other rules."""
        from fivetowers_sim.experiments.knowledge import describe_learned, describe_unlearned

        describe = describe_learned if self.learned else describe_unlearned
        return describe(self.strategies, {name: setup.rules for name, setup in self.setups.items()})
