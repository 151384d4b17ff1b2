"""What each bid is worth: every bid and the pass, forced at the very same decisions in the same futures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.bench.budget import Main
from fivetowers_sim.bench.findings import Findings, Found
from fivetowers_sim.bench.params import Param, RefusedError
from fivetowers_sim.engine.branch_setup import BranchSetup
from fivetowers_sim.game import (
    CHECKED,
    DIALS,
    GAMES,
    PLAYERS,
    POWERS_HELD,
    RULES,
    SEED,
    STRATEGIES,
    TowersQuestion,
    precision_of,
)
from fivetowers_sim.questions.bid_values.figures import COLUMNS, KINDS, list_contrasts
from fivetowers_sim.questions.bid_values.measure import FIGURES, BidGames
from fivetowers_sim.questions.bid_values.strata import EVERY

if TYPE_CHECKING:
    import polars as pl

    from fivetowers_sim.bench.content import Section
    from fivetowers_sim.bench.finished import Finished

FUTURES: Final = Param("futures", int, 8, "Futures in which all bids are tried.", "F", 1, 1_000)
# Who starts is tried at every decision with as many branches as there are seats; it is one figure of many.
_FUTURES_PER_START: Final = 4


class BidValues(TowersQuestion):
    """Find out what each bid is worth against passing, at the very same decisions and in the same futures.

    The main figure, for --precision, is the VP that each bid brings the seat that says it.
    """

    name = "bid-values"
    title = "Bid values"
    asks = "What is each bid worth against passing, and to whom?"
    main = Main("bid's VP against the pass")
    params = (
        PLAYERS,
        replace(STRATEGIES, default="value,greedy,cautious"),
        POWERS_HELD,
        SEED,
        RULES,
        DIALS,
        replace(GAMES, help="Decisions of each strategy, one a game."),
        precision_of("each bid", "VP", 0.2),
        FUTURES,
        *CHECKED,
    )
    first_look = 1_000
    usual_check_games = 600
    per_deal = 1

    def prepare(self) -> None:
        """Read the rules, who plays, and where."""
        super().prepare()
        for name in self.strategies:
            if self.seat(name).has_own_strategies:
                raise RefusedError(f"strategies names {name}; accepted are built-in families and presets")

    @cached_property
    def measure(self) -> BidGames:
        """What is measured."""
        futures = self.values["futures"]
        tried = futures, max(1, futures // _FUTURES_PER_START)
        beyond = "tree" in self.rules.powers
        return BidGames(len(self.strategies), self.players, self.rules.display_size, beyond, tried)

    @cached_property
    def arms(self) -> tuple[BranchSetup, ...]:
        """The setups, in the measure's order."""
        tried = tuple(zip(("words", "starts"), self.measure.futures, strict=True))
        return tuple(BranchSetup(self.seat(name), what, futures) for name in self.strategies for what, futures in tried)

    def list_main(self, moments: Moments) -> list[Estimate]:
        """Return every bid's VP against the pass, of those that could be said."""
        worths = [
            self.measure.estimate(moments, number, "vp", {("against pass", EVERY, bid): 1}, self.budget.confidence)
            for number in range(len(self.strategies))
            for bid in range(1, self.measure.bids + 1)
        ]
        return [one for one in worths if one.games]

    def estimate(self, moments: Moments) -> Iterator[Found]:
        """Yield what is compared, at all decisions and at some, with how many decisions are behind it."""
        for number, strategy in enumerate(self.strategies):
            for kind, (by, name), about, parts in list_contrasts(self.measure):
                where = {"strategy": strategy, "kind": kind, "by": by, "class": name, "about": about}
                for figure in FIGURES:
                    if figure == "margin" and kind in ("place", "first"):
                        continue
                    estimate = self.measure.estimate(moments, number, figure, parts, self.budget.confidence)
                    yield Found({**where, "figure": figure, "decisions": estimate.games}, estimate)

    def count(self, deals: int) -> dict[str, int]:
        """Say how many decisions of each strategy there were, each of a game of its own."""
        return {"decisions": deals}

    def tell(self, findings: Findings) -> dict[str, Any]:
        """Return findings as results list them, with what is compared in words."""
        rows = [one.to_row() for one in findings]
        return {"kinds": dict(KINDS), "findings": [{name: row[name] for name in COLUMNS} for row in rows]}

    def tabulate(self, findings: Findings) -> Mapping[str, pl.DataFrame]:
        """Return findings as the frame ``bids``."""
        return {"bids": findings.frame().select(COLUMNS)}

    @classmethod
    def content(cls, finished: Finished) -> Section:
        """Say what bids are worth, and what follows for claims about bidding."""
        from fivetowers_sim.questions.bid_values.content import write_bids

        return write_bids(cls, finished)

    @classmethod
    def draw(cls, finished: Finished) -> Mapping[str, bytes]:
        """Return a picture for each strategy."""
        from fivetowers_sim.questions.bid_values.picture import draw_all

        return draw_all(finished)

    def warm_up(self) -> None:
        """Load or compile the kernels, once for both arms of a strategy."""
        for arm in self.arms[::2]:
            arm.warm_up()
