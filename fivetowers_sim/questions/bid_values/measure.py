"""What is measured of decisions in the bidding: every bid against the pass at the very same decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Final

import numpy as np

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.analysis.ratios import estimate_ratios
from fivetowers_sim.engine.branch_record import BRANCH_DETAIL, SHARE_UNITS
from fivetowers_sim.engine.record import NOBODY
from fivetowers_sim.questions.bid_values.strata import EVERY, Stratum, find_strata, list_strata

FIGURES: Final = ("vp", "margin", "win_share")
"""The deciding seat's final score, how far it is above the best other one, and its share of the victory."""

BEGUN: Final = ("15 to 13", "12", "11", "10 to 8", "7 or less")
"""Classes of the card on which a build begins a tower."""
_BEGUN_FROM: Final = (13, 12, 11, 8, 0)

Key = tuple[str, Stratum, int]
"""What is compared, at which decisions, and a number: a bid, a place or a class."""

_NO_OPTION: Final = -1


@dataclass(frozen=True)
class BidGames:
    """The measure.

    Attributes
    ----------
    strategies : int
        How many strategies play, each by itself in all seats. For each there are two arms: words are tried in the
        first, and who starts a round in the second.
    players : int
        Seats at a table.
    bids : int
        The highest bid that is looked at by itself: the display's size.
    beyond : bool
        Whether higher ones are possible; the lowest of them counts as one bid more.
    futures : tuple of (int, int)
        Futures of the two arms.

    Notes
    -----
    Each game gives one decision. What is compared there is a sum over futures, and adds to four columns: three figures,
    and how many decisions there were.
    """

    strategies: int
    players: int
    bids: int
    beyond: bool
    futures: tuple[int, int]
    detail: ClassVar[str] = BRANCH_DETAIL

    @property
    def slots(self) -> int:
        """The pass, and the bids that are looked at."""
        return 1 + self.bids + self.beyond

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        """All that is compared."""
        bids = range(1, self.slots)
        against_pass = [("against pass", stratum, bid) for stratum in list_strata(self.players) for bid in bids]
        steps = [(kind, EVERY, bid) for kind in ("step", "naive") for bid in range(self.slots)]
        single = [(kind, EVERY, 0) for kind in ("pass", "spare", "higher", "lower", "rather bid")]
        places = [(kind, EVERY, place) for kind in ("passing", "place") for place in range(self.players)]
        return (*against_pass, *steps, *single, *places, *(("begun", EVERY, nth) for nth in range(len(BEGUN))))

    @cached_property
    def _first_column(self) -> dict[tuple[int, Key], int]:
        pairs = ((strategy, key) for strategy in range(self.strategies) for key in self.keys)
        return {pair: (len(FIGURES) + 1) * nth for nth, pair in enumerate(pairs)}

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return (len(FIGURES) + 1) * len(self._first_column)

    def add(self, arm: int, tables: Mapping[str, np.ndarray], into: np.ndarray) -> None:
        """Add what an arm's games gave."""
        strategy, starts = divmod(arm, 2)
        at = np.flatnonzero(tables["decisions"]["seat"] != NOBODY)
        decisions, options = tables["decisions"][at], tables["options"]
        # Rows of options are those of one decision after the other.
        row_of = np.repeat(np.arange(len(at)), decisions["options"])

        def put(key: Key, values: np.ndarray, where: np.ndarray) -> None:
            first = self._first_column[strategy, key]
            into[at[where], first : first + len(FIGURES)] += values[where]
            into[at[where], first + len(FIGURES)] += 1

        if starts:
            self._add_starts(options, row_of, put)
        else:
            words = _Words(self, decisions, options, row_of)
            words.compare(put)
            words.compare_played(tables["seats"].reshape(-1, self.players)[at], put)

    def _add_starts(self, options: np.ndarray, row_of: np.ndarray, put) -> None:
        rows = row_of[-1] + 1 if len(row_of) else 0
        everywhere = np.ones(rows, bool)
        for place in range(self.players):
            values = np.zeros((rows, len(FIGURES)), np.int64)
            np.add.at(values[:, 0], row_of, options[f"total_{place}"])
            np.add.at(values[:, 2], row_of, options[f"share_{place}"])
            put(("place", EVERY, place), values, everywhere)

    def scale(self, kind: str, figure: str) -> int:
        """Return how many times a figure what is measured of a decision is."""
        futures = {"naive": 1, "place": self.futures[1] * self.players}.get(kind, self.futures[0])
        return futures * (SHARE_UNITS if figure == "win_share" else 1)

    def estimate(
        self, moments: Moments, strategy: int, figure: str, parts: Mapping[Key, float], confidence: float
    ) -> Estimate:
        """Estimate a weighted sum of means over decisions.

        Parameters
        ----------
        moments : Moments
            What was measured.
        strategy : int
            Number of the strategy.
        figure : str
            One of :data:`FIGURES`.
        parts : mapping of Key to float
            What to add up, with weights.
        confidence : float
            Share of repetitions in which the interval covers the true value.

        Returns
        -------
        Estimate
            In the figure's unit. Its ``games`` are the decisions, the fewest of any part.
        """
        terms = []
        for key, weight in parts.items():
            first = self._first_column[strategy, key]
            column = first + FIGURES.index(figure)
            terms.append((Fraction(weight) / self.scale(key[0], figure), [column], first + len(FIGURES)))
        return estimate_ratios(moments, terms, confidence)


class _Words:
    """What every word of some decisions led to.

    Arrays have a row for each decision and a column for each word: the pass, and bids from 1.
    """

    def __init__(self, measure: BidGames, decisions: np.ndarray, options: np.ndarray, row_of: np.ndarray) -> None:
        self.measure = measure
        self.decisions = decisions
        # Higher bids first, so that the lowest of those beyond the display is what stays.
        options, row_of = options[::-1], row_of[::-1]
        slot = np.where(options["bid"] == NOBODY, 0, np.minimum(options["bid"], measure.slots - 1))
        shape = len(decisions), measure.slots
        self.option = np.full(shape, _NO_OPTION)
        self.option[row_of, slot] = np.arange(len(options))
        self.there = self.option != _NO_OPTION
        totals = options["total_0"].astype(np.int64)
        figures = np.stack([totals, totals - options["best_other"], options["share_0"].astype(np.int64)], 1)
        self.options = options
        self.values = np.where(self.there[..., None], figures[self.option], 0)
        said = np.where(decisions["said"] == NOBODY, 0, np.minimum(decisions["said"], measure.slots - 1)).astype(int)
        self.said = np.where(self.there[np.arange(len(said)), said], said, _NO_OPTION)

    def _at(self, slot: np.ndarray) -> np.ndarray:
        # Whoever asks leaves out words that aren't there.
        return self.values[np.arange(len(slot)), np.clip(slot, 0, self.measure.slots - 1)]

    def _is_there(self, slot: np.ndarray) -> np.ndarray:
        inside = (slot >= 0) & (slot < self.measure.slots)
        return inside & self.there[np.arange(len(slot)), np.where(inside, slot, 0)]

    def _field(self, name: str) -> np.ndarray:
        return np.where(self.there, self.options[name][self.option], 0)

    def compare(self, put) -> None:
        """Compare what the words led to."""
        against_pass = self.values - self.values[:, :1]
        everywhere = np.ones(len(self.decisions), bool)
        put(("pass", EVERY, 0), self.values[:, 0], everywhere)
        for stratum, mask in find_strata(self.decisions, self.measure.players).items():
            for bid in range(1, self.measure.slots):
                put(("against pass", stratum, bid), against_pass[:, bid], mask & self.there[:, bid])
        for bid in range(1, self.measure.slots):
            both = self.there[:, bid] & self.there[:, bid - 1]
            put(("step", EVERY, bid), self.values[:, bid] - self.values[:, bid - 1], both)
        self._compare_with_said(put)
        self._compare_spare(put)
        self._compare_begun(against_pass, put)

    def _compare_with_said(self, put) -> None:
        said, bade = self.said, self.said > 0
        lowest = self.decisions["high_bid"].astype(int) + 1
        for kind, own, other in (("higher", said, said + 1), ("lower", said, said - 1)):
            other = np.where(bade, other, _NO_OPTION)
            # One lower than the lowest bid is no bid, and not the pass either.
            there = self._is_there(other) & (other >= lowest) & (other <= self.measure.bids)
            put((kind, EVERY, 0), self._at(other) - self._at(own), there)
        bid = np.where(self.there[:, 1:].any(1), 1 + self.there[:, 1:].argmax(1), _NO_OPTION)
        there = (said == 0) & (bid > 0)
        put(("rather bid", EVERY, 0), self._at(bid) - self.values[:, 0], there)
        futures = self.values[:, 0] - self._at(said)
        put(("passing", EVERY, 0), futures, bade)
        for place in range(1, self.measure.players):
            values = np.zeros_like(futures)
            for figure, name in ((0, f"total_{place}"), (2, f"share_{place}")):
                field = self._field(name).astype(np.int64)
                values[:, figure] = field[:, 0] - field[np.arange(len(said)), said]
            put(("passing", EVERY, place), values, bade)

    def _compare_spare(self, put) -> None:
        """Compare one more than the lowest bid that wins the round in every future with that bid."""
        wins = self.there & (self._field("won") == self.measure.futures[0])
        enough = np.where(wins.any(1), wins.argmax(1), _NO_OPTION)
        more = np.where(enough > 0, enough + 1, _NO_OPTION)
        put(("spare", EVERY, 0), self._at(more) - self._at(enough), self._is_there(more))

    def _compare_begun(self, against_pass: np.ndarray, put) -> None:
        """Compare the lowest bid whose build begins a tower on such a card, and on no other, with the pass."""
        begun, wins = self._field("begun").astype(np.int64), self._field("won") == self.measure.futures[0]
        above = 1 << 16
        for nth, least in enumerate(_BEGUN_FROM):
            bits = above - (1 << least)
            fitting = self.there & wins & (begun & bits != 0) & (begun & ~bits == 0)
            above = 1 << least
            bid = fitting.argmax(1)
            put(("begun", EVERY, nth), against_pass[np.arange(len(bid)), bid], fitting.any(1))

    def compare_played(self, seats: np.ndarray, put) -> None:
        """How the games themselves ended, by what was said: what a naive look at them compares."""
        rows = np.arange(len(self.decisions))
        own = self.decisions["seat"].astype(int)
        totals = seats["total"].astype(np.int64)
        others = totals.copy()
        others[rows, own] = -(1 << 30)
        won = seats["rank"] == 1
        share = np.where(won, SHARE_UNITS // np.maximum(won.sum(1, keepdims=True), 1), 0)[rows, own]
        total = totals[rows, own]
        values = np.stack([total, total - others.max(1), share], 1)
        for bid in range(self.measure.slots):
            put(("naive", EVERY, bid), values, self.said == bid)
