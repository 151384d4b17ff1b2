"""What changed rules change: a game and variants of it on the same deals, two rule sets or the values of dials."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, Final, Self

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.bench.budget import FIRST_LOOK, Main
from fivetowers_sim.bench.findings import Findings, Found
from fivetowers_sim.bench.folder import Asked
from fivetowers_sim.bench.params import REQUIRED, Param, RefusedError
from fivetowers_sim.engine.setup import GameSetup
from fivetowers_sim.experiments.refit import Learned, Refit, describe_refit, learn_for_arms, refit_arms
from fivetowers_sim.game import (
    GAMES,
    PLAYERS,
    POWERS_HELD,
    REFIT_GAMES,
    RULES,
    SEED,
    TowersQuestion,
    make_games,
    precision_of,
    read_power_list,
    read_refit,
    read_rules,
)
from fivetowers_sim.questions.variants.figures import estimate_changes, list_rows, make_frame
from fivetowers_sim.questions.variants.measure import Headlines
from fivetowers_sim.rules.ruleset import RuleSet, list_dials

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
_COMMON: Final = (
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

    @abstractmethod
    def read_variants(self) -> Mapping[str, RuleSet]:
        """Return the rule sets by what tables call them, first that which all others are compared with."""

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

    def notes(self) -> list[str]:
        """Say by which tables strategies played, where they were learned on other rules."""
        from fivetowers_sim.experiments.knowledge import describe_learned, describe_unlearned

        describe = describe_learned if self.learned else describe_unlearned
        return describe(self.strategies, {name: setup.rules for name, setup in self.setups.items()})


class Compare(Variants):
    """Play two rule sets on the same deals, and say which figures differ.

    The main figure, for --precision, is the difference in each seat's VP.
    """

    name = "compare"
    title = "Two rule sets"
    asks = "What differs between two rule sets?"
    params = (
        Param("rules_a", str, REQUIRED, "A rule set's name, or a .toml file with dials.", "A", is_argument=True),
        Param("rules_b", str, REQUIRED, "Another; or the same, with --set-b.", "B", is_argument=True),
        Param("set_a", str, None, "Change a dial of A. May be repeated.", "DIAL=VALUE", many=True),
        Param("set_b", str, None, "Change a dial of B. May be repeated.", "DIAL=VALUE", many=True),
        *_COMMON,
    )

    def read_variants(self) -> Mapping[str, RuleSet]:
        """Return A and B."""
        given = self.values
        return {
            letter.upper(): read_rules(given[f"rules_{letter}"], given[f"set_{letter}"] or (), f"_{letter}")
            for letter in "ab"
        }

    @classmethod
    def content(cls, finished: Finished) -> Section:
        """Say what differs, and show every figure of both."""
        from fivetowers_sim.questions.variants.content import write_comparison

        return write_comparison(cls, finished)

    @classmethod
    def draw(cls, finished: Finished) -> Mapping[str, bytes]:
        """Return a picture of the differences."""
        from fivetowers_sim.questions.variants.picture import draw_comparison

        return draw_comparison(finished)


class Sweep(Variants):
    """Turn dials and play every value on the same deals, and say which figures it changes.

    Every value is compared with the rule set as it is. The main figure, for --precision, is the difference in each
    seat's VP.
    """

    name = "sweep"
    title = "Dials"
    asks = "What does each value of a dial change?"
    params = (
        Param(
            "set",
            str,
            REQUIRED,
            "Values of a dial. Values that are lists are separated by semicolons: teardown_costs='0;1,1;1,2'. "
            "May be repeated.",
            "DIAL=V1,V2,…",
            many=True,
        ),
        Param("grid", bool, False, "Every combination of values, instead of one dial at a time."),
        RULES,
        *_COMMON,
    )

    def read_variants(self) -> Mapping[str, RuleSet]:
        """Return the rules as they are, and those of every value that differs."""
        rules, dials = self.values["rules"], self.values["set"]
        base = read_rules(rules)
        found = {base.name: base}
        for setting in list_settings(dials, self.values["grid"]):
            changed = read_rules(rules, setting)
            # A value that the rules have already is what all others are compared with.
            if {**changed.to_dict(), "name": base.name} != base.to_dict():
                found[" ".join(setting)] = changed
        if len(found) == 1:
            raise RefusedError(f"--set {' '.join(dials)}: {base.name} has these values already; accepted are others")
        return found

    @classmethod
    def content(cls, finished: Finished) -> Section:
        """Say what each value changes."""
        from fivetowers_sim.questions.variants.content import write_sweep

        return write_sweep(cls, finished)

    @classmethod
    def draw(cls, finished: Finished) -> Mapping[str, bytes]:
        """Return a picture for each dial; one for all in a grid."""
        from fivetowers_sim.questions.variants.picture import draw_sweep

        return draw_sweep(finished)


def list_settings(dials: Iterable[str], grid: bool) -> list[tuple[str, ...]]:
    """List what to set: each value of ``dial=value,value,…`` by itself, or every combination of values."""
    values: dict[str, list[str]] = {}
    for text in dials:
        name, listed = split_values(text)
        if name in values:
            raise RefusedError(f"--set {text}: {name} is given twice; accepted is each dial once, with all its values")
        values[name] = [f"{name}={value}" for value in listed]
    return list(product(*values.values())) if grid else [(one,) for listed in values.values() for one in listed]


def split_values(text: str) -> tuple[str, list[str]]:
    """Split ``dial=v1,v2`` into the dial and its values; those of a dial that is a list at semicolons.

    Raises
    ------
    RefusedError
        If there is no equals sign or no value, or a value is named twice.
    """
    name, equals, listed = (part.strip() for part in text.partition("="))
    is_list = any(dial.name == name and isinstance(dial.default, tuple) for dial in list_dials())
    found = [value.strip() for value in listed.split(";" if is_list else ",")]
    if not equals or not listed or (not is_list and "" in found) or len(set(found)) < len(found):
        accepted = "values separated by semicolons" if is_list else "dial=value,value, for example display_size=4,6"
        raise RefusedError(f"--set {text}: accepted is {accepted}, each once")
    return name, found
