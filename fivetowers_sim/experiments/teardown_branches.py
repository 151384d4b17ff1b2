"""What a teardown is worth at a decision: the best option with one against the best without, in the same futures.

Who picks the best of several options by what they led to, and reports that very result, reports luck as well. So
every decision is branched twice, with other futures: the best options are chosen in one half and judged in the other,
and the other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.analysis.ratios import estimate_ratios
from fivetowers_sim.engine.branch_record import BRANCH_DETAIL, SHARE_UNITS
from fivetowers_sim.engine.branch_setup import BranchSetup
from fivetowers_sim.engine.record import NOBODY
from fivetowers_sim.experiments.stages import STAGES, find_stages
from fivetowers_sim.layout import Layout
from fivetowers_sim.rules.cards import TOWER_TYPES
from fivetowers_sim.rules.ruleset import RuleSet

BY_TEARDOWN: Final = "words by teardown"
CHOSEN, POSSIBLE = "chosen", "possible"
POPULATIONS: Final = (CHOSEN, POSSIBLE)
"""Decisions at which the strategy's own word was a bid with a teardown in mind; at which there was any such bid."""

WORTH: Final = ("vp", "lead", "win_share", "cost")
"""By how much the option with a teardown leads to more than the one without: the seat's VP, VP ahead of the best other,
its share of the victory; and what the next card in its teardown pile costs by the rules."""
RIGHT: Final = ("right", "agreed")
"""Whether it leads to a larger lead; whether both halves of the futures say the same."""

PILES: Final = ("0", "1", "2", "3 or more")
CARDS: Final = ("15 to 13", "12 to 10", "9 and 8", "7 or less")
_CARDS_FROM: Final = (13, 10, 8, 0)
CLASSES: Final = {"all": ("all",), "pile": PILES, "stage": STAGES, "card": CARDS}
"""By what decisions are told apart: cards torn down before, third of the game, card that is torn down."""

HALVES: Final = 2
_FIGURES: Final = WORTH + RIGHT
_LEAD: Final = WORTH.index("lead")
_NONE: Final = -1

Key = tuple[str, str, str]
"""Population, what tells decisions apart, and the class."""


@dataclass(frozen=True)
class TwiceBranched:
    """Games that are branched at one decision each, twice, with different futures.

    Attributes
    ----------
    first : BranchSetup
        The first half; the second has as many futures, and others.
    """

    first: BranchSetup

    @cached_property
    def second(self) -> BranchSetup:
        """The second half."""
        return replace(self.first, first_future=self.first.futures)

    @property
    def players(self) -> int:
        """How many play."""
        return self.first.players

    @property
    def strategy_files(self) -> tuple[tuple[str, str], ...]:
        """The files that strategies come from, each with its SHA-256."""
        return self.first.strategy_files

    def to_dict(self) -> dict[str, Any]:
        """Return the setup as plain JSON values."""
        return {**self.first.to_dict(), "halves": HALVES}

    def layouts(self, detail: str) -> tuple[Layout, ...]:
        """Return the tables of a half."""
        return self.first.layouts(detail)

    def labels(self) -> Mapping[str, tuple[str, ...]]:
        """Return the names of the strategies, for the column that holds their number."""
        return self.first.labels()

    def notes(self) -> Mapping[str, Any]:
        """Return what is worth keeping with the games though it decides nothing about them."""
        return self.first.notes()

    def play(self, first_game: int, games: int, detail: str) -> dict[str, np.ndarray]:
        """Play and branch games; ``options`` is the first half, ``other_options`` the second, row by row."""
        tables = self.first.play(first_game, games, detail)
        return {**tables, "other_options": self.second.play(first_game, games, detail)["options"]}

    def warm_up(self) -> None:
        """Load or compile the kernels."""
        self.first.warm_up()


@dataclass(frozen=True)
class TeardownWorth:
    """The measure.

    Attributes
    ----------
    strategies : int
        How many strategies play, an arm for each.
    futures : int
        Futures of both halves together.
    rules : RuleSet
        For what cards in the teardown pile cost.

    Notes
    -----
    Each game gives one decision. Where it is of a population and class, what it gives adds to a column for each of
    :data:`WORTH`, summed over all futures, to one for each of :data:`RIGHT`, and to one that counts decisions.
    """

    strategies: int
    futures: int
    rules: RuleSet
    detail: ClassVar[str] = BRANCH_DETAIL

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        """All populations and classes."""
        return tuple((who, by, name) for who in POPULATIONS for by, names in CLASSES.items() for name in names)

    @cached_property
    def _first_column(self) -> dict[tuple[int, Key], int]:
        pairs = [(strategy, key) for strategy in range(self.strategies) for key in self.keys]
        return {pair: nth * (len(_FIGURES) + 1) for nth, pair in enumerate(pairs)}

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return len(self._first_column) * (len(_FIGURES) + 1)

    def add(self, arm: int, tables: Mapping[str, np.ndarray], into: np.ndarray) -> None:
        """Add what an arm's games gave."""
        at = np.flatnonzero(tables["decisions"]["seat"] != NOBODY)
        decisions = _Decisions(self, tables["decisions"][at], (tables["options"], tables["other_options"]))

        def put(key: Key, values: np.ndarray, where: np.ndarray) -> None:
            first = self._first_column[arm, key]
            into[at[where], first : first + len(_FIGURES)] += values[where]
            into[at[where], first + len(_FIGURES)] += 1

        for population in POPULATIONS:
            decisions.compare(population, put)

    def decisions(self, moments: Moments, strategy: int, key: Key) -> int:
        """Return how many decisions there are of a population and class."""
        return int(moments.sums[self._first_column[strategy, key] + len(_FIGURES)])

    def estimate(
        self, moments: Moments, strategy: int, key: Key, figures: tuple[str, ...], confidence: float
    ) -> Estimate:
        """Estimate the mean of a figure, or of a sum of figures, over decisions.

        Parameters
        ----------
        moments : Moments
            What was measured.
        strategy : int
            Number of the strategy.
        key : Key
            Which decisions.
        figures : tuple of str
            Of :data:`WORTH` or :data:`RIGHT`, all of the same unit.
        confidence : float
            Share of repetitions in which the interval covers the true value.

        Returns
        -------
        Estimate
            In the figures' unit.
        """
        first = self._first_column[strategy, key]
        scale = 1 if figures[0] in RIGHT else self.futures
        scale *= SHARE_UNITS if figures[0] == "win_share" else 1
        columns = [first + _FIGURES.index(figure) for figure in figures]
        return estimate_ratios(moments, [(Fraction(1, scale), columns, first + len(_FIGURES))], confidence)


class _Decisions:
    """Some decisions with what each of their options led to, in either half of the futures."""

    def __init__(self, measure: TeardownWorth, decisions: np.ndarray, halves: tuple[np.ndarray, np.ndarray]) -> None:
        self.measure = measure
        self.decisions = decisions
        self.options = halves[0]
        # Rows of options are those of one decision after the other.
        self.row_of = np.repeat(np.arange(len(decisions)), decisions["options"])
        self.values = [_worth_of(half) for half in halves]
        self.tears = self.options["torn"] > 0
        own = _pick(self.row_of, np.zeros(len(self.options)), self.options["said"] & self.tears, len(decisions))
        with_teardown = [self._best(half, self.tears) for half in range(HALVES)]
        self.without = [self._best(half, ~self.tears) for half in range(HALVES)]
        self.with_teardown = {CHOSEN: [own, own], POSSIBLE: with_teardown}

    def _best(self, half: int, among: np.ndarray) -> np.ndarray:
        return _pick(self.row_of, self.values[half][:, _LEAD], among, len(self.decisions))

    def compare(self, population: str, put: Callable[[Key, np.ndarray, np.ndarray], None]) -> None:
        """Compare the options chosen in one half in the other, and say how often the teardown is right."""
        chosen = self.with_teardown[population]
        there = (chosen[0] != _NONE) & (self.without[0] != _NONE)
        halves = []
        for half in range(HALVES):
            judged = self.values[1 - half]
            halves.append(judged[chosen[half]] - judged[self.without[half]])
        leads = np.stack([one[:, _LEAD] for one in halves])
        right = [leads.sum(0) > 0, (leads[0] > 0) == (leads[1] > 0)]
        rest = np.stack([self._cost(), *right], 1).astype(np.int64)
        for (by, name), mask in self._classes(chosen[0]).items():
            # Another half may choose to tear down another card.
            worth = HALVES * halves[0] if by == "card" else halves[0] + halves[1]
            put((population, by, name), np.concatenate([worth, rest], 1), mask & there)

    def _cost(self) -> np.ndarray:
        """Return what the next card in the pile costs, as often as there are futures."""
        most = int(self.decisions["pile"].max(initial=0)) + 1
        totals = np.array([self.measure.rules.teardown_cost(torn) for torn in range(most + 1)])
        return np.diff(totals)[self.decisions["pile"]] * self.measure.futures

    def _classes(self, chosen: np.ndarray) -> dict[tuple[str, str], np.ndarray]:
        """Say which decisions are of which class, where an option with a teardown is chosen."""
        numbers = {
            "all": np.zeros(len(self.decisions), int),
            "pile": np.minimum(self.decisions["pile"], len(PILES) - 1),
            "stage": find_stages(self.decisions),
            "card": np.argmax(self._torn_value(chosen)[:, None] >= np.array(_CARDS_FROM), axis=1),
        }
        return {(by, name): numbers[by] == nth for by, names in CLASSES.items() for nth, name in enumerate(names)}

    def _torn_value(self, chosen: np.ndarray) -> np.ndarray:
        """Return the highest card on top of a tower that an option tears down."""
        bits = self.options["torn_types"][chosen].astype(int)
        tops = np.stack([self.decisions[f"{kind}_top"].astype(int) for kind in TOWER_TYPES], 1)
        torn = (bits[:, None] >> np.arange(len(TOWER_TYPES))) & 1 == 1
        return np.where(torn, tops, 0).max(1)


def _worth_of(options: np.ndarray) -> np.ndarray:
    """Return what options led to, in the order of :data:`WORTH` but for the cost, summed over futures."""
    totals = options["total_0"].astype(np.int64)
    return np.stack([totals, totals - options["best_other"], options["share_0"].astype(np.int64)], 1)


def _pick(row_of: np.ndarray, values: np.ndarray, among: np.ndarray, rows: int) -> np.ndarray:
    """Return the option of each decision with the largest value among some, the first if several; -1 for none."""
    found = np.full(rows, _NONE)
    options = np.flatnonzero(among)
    # The last one written stays: the best, and of equal ones the first.
    order = options[np.lexsort((-options, values[options]))]
    found[row_of[order]] = order
    return found
