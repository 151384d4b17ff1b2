"""What each word is worth in a given position: every bid and the pass in many futures, the same for all of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.analysis.looks import plan_looks
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.bench.arms import Crew, Progress
from fivetowers_sim.bench.budget import Budget, Main, Unit
from fivetowers_sim.bench.findings import Findings, Found
from fivetowers_sim.bench.params import REQUIRED, Param, RefusedError
from fivetowers_sim.bench.question import Outcome, Question, find_out
from fivetowers_sim.engine.position_setup import PositionSetup, make_position_setup
from fivetowers_sim.engine.setup import SetupError
from fivetowers_sim.game import SEED, USUAL_CHECK, nobody_checks
from fivetowers_sim.questions.evaluate.measure import FIGURES, WordsOfPosition
from fivetowers_sim.rules.position import PositionError, load_position
from fivetowers_sim.strategies.families import read_strategy
from fivetowers_sim.strategies.parameters import StrategyError

if TYPE_CHECKING:
    from fivetowers_sim.bench.content import Section
    from fivetowers_sim.bench.finished import Finished

MOST_FUTURES: Final = 10_000_000
USUAL_CHECKS: Final = {"greedy": 2_000, USUAL_CHECK: 200}
"""Futures by strategy: another style, and a stronger player, who is slow."""

_SHARE: Final = Unit("of a win", 0.5, finest=0.001, coarsest=0.2)


@dataclass(frozen=True)
class _Futures(Budget):
    @cached_property
    def looks(self) -> tuple[int, ...]:
        """After how many futures to look."""
        if self.precision is None:
            return (self.games or 1,)
        most = math.ceil((self.unit.widest * self.unit.spread / self.precision) ** 2)
        return plan_looks(self.first_look, max(most, self.first_look))


class Evaluate(Question):
    """Find out what each bid and the pass are worth in a position, and what to take and build for each."""

    name = "evaluate"
    title = "A position"
    asks = "What is each bid worth in this position, and what to take and build for it?"
    params = (
        Param("position", Path, REQUIRED, "A position file.", "POSITION.json", is_argument=True),
        Param(
            "strategies",
            str,
            "value",
            "One strategy for each seat, or one for all. With parameters: greedy:misjudge=0.05.",
            "A,B,C",
        ),
        Param("leader", int, None, "Who has made the high bid. [default: the seat that spoke last]", "SEAT"),
        Param("futures", int, None, "Futures in which every bid and the pass are tried.", "N"),
        Param(
            "precision",
            float,
            None,
            "Play until each word's win share is known to ± this. [default: 0.01, without --futures]",
            "SHARE",
        ),
        Param(
            "check",
            str,
            None,
            "Another player, in all seats, who is asked whether the best word is best; none for none. [default: "
            f"{' and '.join(USUAL_CHECKS)}, without --futures]",
            "STRATEGY",
        ),
        Param("check_futures", int, None, "Futures for --check. [default: 2000 for greedy, else 200]", "N"),
        SEED,
    )
    main = Main("win share", _SHARE, 0.01)
    first_look = 500
    format = "fivetowers-evaluation/1"  # type: ignore[assignment]
    setup: PositionSetup
    """The position, and who plays on."""
    others: tuple[Evaluate, ...]
    """The same asked of other players."""

    def prepare(self) -> None:
        """Read the position, who plays on, and who is asked besides."""
        values = self.values
        _ = self.budget
        try:
            position = load_position(values["position"])
            names = [name.strip() for name in values["strategies"].split(",")]
            self.setup = make_position_setup(position, names, values["seed"], values["leader"])
        except PositionError as error:
            raise RefusedError(str(error)) from None
        except StrategyError as error:
            raise RefusedError(f"strategies: {error}") from None
        except SetupError as error:
            text = str(error)
            raise RefusedError(f"{values['position']}: {text}" if text.startswith("turn.") else text) from None
        self.strategies = self.setup.game.strategies
        self.labels = [dict(self.setup.game.short_names).get(name, name) for name in self.strategies]
        self.others = tuple(self._list_others())

    def _list_others(self) -> Iterator[Evaluate]:
        check, futures = self.values["check"], self.values["check_futures"]
        if nobody_checks(check, ("check_futures", futures), self.values["futures"] is not None):
            return
        _check_futures("check_futures", futures)
        in_all_seats = set(self.strategies)
        for name in USUAL_CHECKS if check is None else [check]:
            try:
                plays_on = {read_strategy(name).name} == in_all_seats
            except StrategyError as error:
                raise RefusedError(f"check: {error}") from None
            if not plays_on:
                usual = USUAL_CHECKS.get(name, min(USUAL_CHECKS.values()))
                given = {"strategies": name, "futures": futures or usual, "check": "none", "check_futures": None}
                yield Evaluate({**self.values, **given, "precision": None}, self.command)
            elif check is not None:
                raise RefusedError(f"check is {check}, who plays on already; accepted is another strategy")

    @cached_property
    def budget(self) -> Budget:
        """How many futures to play."""
        futures, precision = self.values["futures"], self.values["precision"]
        if futures is not None and precision is not None:
            raise RefusedError(f"futures is {futures} and --precision is {precision:g}; accepted is one of them")
        _check_futures("futures", futures)
        if futures is None:
            precision = self.main.precision if precision is None else precision
            if not _SHARE.finest <= precision <= _SHARE.coarsest:
                accepted = f"{_SHARE.finest:g} to {_SHARE.coarsest:g} {_SHARE.name}"
                raise RefusedError(f"precision is {precision:g}; accepted is {accepted}")
        return _Futures(futures, precision, 1, 1, self.first_look, _SHARE, "futures")

    @property
    def arms(self) -> tuple[PositionSetup, ...]:  # type: ignore[override]
        """The futures."""
        return (self.setup,)

    @cached_property
    def builds(self) -> dict[int, dict[str, Any]]:
        """What the seat builds with each bid that can be made."""
        return self.setup.list_builds()

    @property
    def bids(self) -> tuple[int | None, ...]:
        """Every word: None for the pass, then the bids, lowest first."""
        return (None, *self.builds)

    @cached_property
    def measure(self) -> WordsOfPosition:  # type: ignore[override]
        """What is measured."""
        return WordsOfPosition(len(self.bids))

    def describe(self) -> dict[str, Any]:
        """Return as plain JSON values what decides the futures."""
        return {**self.setup.to_dict(), "strategies": list(self.strategies), "seed": self.setup.game.seed}

    def list_main(self, moments: Moments) -> Iterator[Estimate]:
        """Yield every word's win share."""
        for word in range(len(self.bids)):
            yield self.measure.estimate(moments, {word: 1}, "win_share", self.budget.confidence)

    def estimate(self, moments: Moments) -> Iterator[Found]:
        """Yield the figures of every word, and the same less those of the word with the largest win share."""
        shares = [share.value for share in self.list_main(moments)]
        best = shares.index(max(shares))
        for word, bid in enumerate(self.bids):
            for figure in FIGURES:
                value, against = (
                    self.measure.estimate(moments, weights, figure, self.budget.confidence)
                    for weights in ({word: 1}, {word: 1, best: -1})
                )
                if word == best:
                    against = Estimate(0.0, 0.0, 0.0, moments.games)
                yield Found({"bid": bid, "of": "word", "figure": figure}, value)
                yield Found({"bid": bid, "of": "against_best", "figure": figure}, against)

    def count(self, deals: int) -> dict[str, int]:
        """Say in how many futures each word was tried."""
        return {"futures": deals}

    def tell(self, findings: Findings) -> dict[str, Any]:
        """Return who speaks, and what each word is worth and builds."""
        words = []
        for bid in self.bids:
            own, against = (
                {name: one.estimate.to_dict() for name, one in findings.where(bid=bid, of=of).by("figure").items()}
                for of in ("word", "against_best")
            )
            words.append({"bid": bid, **own, "against_best": against, "build": self.builds.get(bid or 0)})
        shares = findings.by("bid", of="word", figure="win_share")
        position, leader = self.setup.position, self.setup.leader
        return {
            "seat": position.seat,
            "high_bid": position.high_bid,
            "leader": leader if leader >= 0 else None,
            "display": list(position.display()),
            "strategies": list(self.strategies),
            "seed": self.setup.game.seed,
            "best_bid": max(shares, key=lambda bid: shares[bid].estimate.value, default=None),
            "words": words,
        }

    def answer(self, crew: Crew) -> Outcome:
        """Try every word; where the seat can only pass there is nothing to compare, and nothing is played."""
        return find_out(self, crew) if self.builds else Outcome(self, Findings(()), 0, 0, math.nan)

    def ask_others(self, found: Outcome, crew: Crew) -> list[dict[str, Any]]:
        """Ask other players whether the word that was found best is best when they play on.

        Parameters
        ----------
        found : Outcome
            What was found.
        crew : Crew
            Who plays.

        Returns
        -------
        list of dict
            What each found, as plain JSON values, with ``bid_before``, and ``less_best``, the win share of that word
            less that of the word which is best now.
        """
        before = found.to_dict()["best_bid"]
        said = []
        for other in self.others if self.builds else ():

            def watch(state: Progress, label: str = other.labels[0]) -> None:
                crew.watch_step(f"tried by {label}", state.games_done, state.games)

            results = other.answer(replace(crew, watch=watch)).to_dict()
            (word,) = (word for word in results["words"] if word["bid"] == before)
            said.append({**results, "bid_before": before, "less_best": word["against_best"]["win_share"]})
        return said

    @classmethod
    def content(cls, finished: Finished) -> Section:
        """Say which word is best, and show what each leads to and builds."""
        from fivetowers_sim.questions.evaluate.content import write_position

        return write_position(cls, finished)


def _check_futures(name: str, futures: int | None) -> None:
    if futures is not None and not 2 <= futures <= MOST_FUTURES:
        raise RefusedError(f"{name} is {futures}; accepted is 2 to {MOST_FUTURES}")
