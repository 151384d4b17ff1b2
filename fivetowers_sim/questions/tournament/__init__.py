"""Which strategy is stronger: every line-up of some strategies at a table, all on the same deals."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from fivetowers_sim.analysis.cycles import pair_confidence
from fivetowers_sim.analysis.estimates import CONFIDENCE, Estimate
from fivetowers_sim.analysis.looks import look_confidence
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.batch.plan import hash_plan
from fivetowers_sim.bench.arms import Crew
from fivetowers_sim.bench.budget import Main, Unit
from fivetowers_sim.bench.findings import Findings, Found
from fivetowers_sim.bench.folder import Asked, ExperimentFolder
from fivetowers_sim.bench.frames import make_frame
from fivetowers_sim.bench.params import REQUIRED, Param, RefusedError
from fivetowers_sim.engine.setup import GameSetup, make_setup
from fivetowers_sim.game import (
    DIALS,
    GAMES,
    PLAYERS,
    POWERS_HELD,
    RULES,
    SEAT_POWERS,
    SEED,
    TowersQuestion,
    read_players,
    read_powers,
    read_rules,
)
from fivetowers_sim.questions.tournament.circles import Circles, list_circles
from fivetowers_sim.questions.tournament.figures import judge_order, list_figures, list_rows
from fivetowers_sim.questions.tournament.measure import Places
from fivetowers_sim.questions.tournament.mixing import Mixing

if TYPE_CHECKING:
    import polars as pl

    from fivetowers_sim.bench.content import Section
    from fivetowers_sim.bench.finished import Finished
    from fivetowers_sim.experiments.tuning_bench import Progress
    from fivetowers_sim.questions.tournament.best_response import BestResponse

MOST_STRATEGIES: Final = 26
JOURNAL_NAME: Final = "best-response.journal"

# A share is between 0 and 1, so its standard deviation is one half at most.
_SHARE: Final = Unit("of a win", 0.5, finest=0.0005, coarsest=0.25, widest=3.2)


class Tournament(TowersQuestion):
    """Rank strategies: every line-up of them, in every order, on the same deals, seats rotating.

    Shows win shares, Plackett-Luce strengths, who finishes ahead of whom, whether that goes round in a circle, and a
    mix against which none of them gains anything.
    """

    name = "tournament"
    title = "Tournament"
    asks = "Which strategy is stronger, by how much, and can the best mix be beaten?"
    params = (
        Param(
            "strategies",
            str,
            REQUIRED,
            "Two strategies or more, whatever the number of players. With parameters: greedy:misjudge=0.05.",
            "A,B,…",
        ),
        PLAYERS,
        GAMES,
        Param(
            "precision",
            float,
            None,
            "Play until every win share is known to ± this. [default: 0.01, without --games]",
            "SHARE",
        ),
        SEED,
        POWERS_HELD,
        SEAT_POWERS,
        RULES,
        DIALS,
        Param("best_response", bool, False, "Also tune a strategy against the field, and measure what it gains."),
    )
    main = Main("win share", _SHARE, 0.01)
    # Fewer deals would say little about the spread of what they give.
    first_look = 60
    powers_by_seat: list[tuple[str, ...]]
    """Great Powers of each seat, whoever sits there."""

    def prepare(self) -> None:
        """Read the rules, the strategies and who has which powers."""
        values = self.values
        self.rules = read_rules(values["rules"], values["set"] or ())
        self.players, self.seed = values["players"], values["seed"]
        self.powers_by_seat = read_powers(self.players, self.rules.powers, values["powers"], values["seat_powers"])
        self.strategies, self.labels = read_players(values["strategies"], 2, MOST_STRATEGIES)
        self.seat(self.strategies[0])
        if values["best_response"]:
            self._check_reply()

    def _check_reply(self) -> None:
        from fivetowers_sim.questions.tournament.tuned_reply import can_reply

        if not self.circles.every_lineup:
            raise RefusedError("--best-response needs all line-ups; accepted are fewer --strategies or --players")
        if not can_reply(self.strategies):
            raise RefusedError(
                f"--best-response has nobody to tune: --strategies names {', '.join(self.strategies)}; accepted is a "
                "built-in family or a preset among them"
            )

    @cached_property
    def circles(self) -> Circles:
        """Who sits with whom."""
        return list_circles(len(self.strategies), self.players)

    @cached_property
    def measure(self) -> Places:
        """What is measured."""
        return Places(len(self.strategies), self.circles.played)

    @cached_property
    def arms(self) -> tuple[GameSetup, ...]:
        """The games of each circle."""
        return tuple(
            make_setup(
                self.rules,
                self.players,
                [self.strategies[own] for own in circle],
                self.seed,
                self.powers_by_seat,
                "rotate",
            )
            for circle in self.circles.played
        )

    @property
    def multiple(self) -> int:
        """Deals come in multiples of this, so that seats come out even."""
        return self.players

    def describe(self) -> dict[str, Any]:
        """Return as plain JSON values what decides the games."""
        return {
            "strategies": list(self.strategies),
            "players": self.players,
            "powers_by_seat": [list(powers) for powers in self.powers_by_seat],
            "rules": self.rules.to_dict(),
            "seed": self.seed,
        }

    def asked(self) -> Asked:
        """Return what the folder of this experiment is about."""
        asked = super().asked()
        if not asked.plan["strategy_files"]:
            del asked.plan["strategy_files"]
        # Whatever else setups may say of themselves is in this.
        asked.plan["arms_sha256"] = hash_plan({"arms": [arm.to_dict() for arm in self.arms]})
        return asked

    def list_main(self, moments: Moments) -> Iterator[Estimate]:
        """Yield every strategy's share of the victory."""
        for own in range(len(self.strategies)):
            yield self.measure.win_share(own, moments, self.budget.confidence)

    def estimate(self, moments: Moments) -> Iterator[Found]:
        """Yield the figures of every strategy, every two, and every line-up."""
        complete = self.circles.every_lineup
        return list_figures(self.measure, self.strategies, moments, self.budget.confidence, complete)

    def tell(self, findings: Findings) -> dict[str, Any]:
        """Return the figures as results list them, and how many tables there are."""
        circles = self.circles
        return {
            "circles": len(circles.played),
            "lineups": circles.lineups,
            "lineups_played": circles.lineups_played,
            "every_order": circles.every_order,
            "confidence": self.budget.confidence,
            **list_rows(findings),
        }

    def follow_up(self, moments: Moments, crew: Crew, folder: ExperimentFolder | None) -> dict[str, Any]:
        """Return whether the order goes round in a circle, what is gained against the mix, and by a tuned strategy."""
        each = look_confidence(self.budget.looks, pair_confidence(len(self.strategies), CONFIDENCE))
        order = judge_order(self.measure.pairs(self.strategies, moments), each)
        if not self.circles.every_lineup:
            return {"order": order, "equilibrium_gain": None, "best_response": None}
        mixing = Mixing(self.measure, moments, self.budget.confidence)
        reply = self._find_reply(mixing, moments, crew, folder) if self.values["best_response"] else None
        return {
            "order": order,
            "equilibrium_gain": max(0.0, mixing.found.gain),
            "best_response": reply and reply.to_dict(),
        }

    def _find_reply(
        self, mixing: Mixing, moments: Moments, crew: Crew, folder: ExperimentFolder | None
    ) -> BestResponse:
        from fivetowers_sim.experiments.tuning_plan import Budget
        from fivetowers_sim.questions.tournament.best_response import Field, find_best_response
        from fivetowers_sim.questions.tournament.tuned_reply import TunedReply

        table = self.arms[0]

        def watch(state: Progress) -> None:
            crew.watch_step("played for the best response", state.games_done, state.games)

        search = TunedReply(table, Budget(), crew, folder and folder.path / JOURNAL_NAME, watch)
        field = Field(table, tuple(self.strategies), mixing.found.mix)
        return find_best_response(field, search, moments.games * len(self.arms), Crew(crew.workers, crew.backend))

    def tabulate(self, findings: Findings) -> Mapping[str, pl.DataFrame]:
        """Return the figures as frames: of strategies, of every two both ways round, and of line-ups."""
        rows = list_rows(findings)
        # What isn't known has columns all the same.
        unknown = Estimate(math.nan, math.nan, math.nan, 0).to_dict()
        ratings = [{name: unknown if own is None else own for name, own in row.items()} for row in rows["strategies"]]
        matchups = [{**row, "lineup": " + ".join(row["lineup"])} for row in rows["matchups"]]
        tables = {"ratings": ratings, "pairs": rows["pairs"], "matchups": matchups}
        return {name: make_frame(own) for name, own in tables.items()}

    @classmethod
    def content(cls, finished: Finished) -> Section:
        """Say who wins most, who can't be told apart, and whether there are circles."""
        from fivetowers_sim.questions.tournament.content import write_tournament

        return write_tournament(cls, finished)

    @classmethod
    def draw(cls, finished: Finished) -> Mapping[str, bytes]:
        """Return a picture of win shares, and of who finishes ahead of whom."""
        from fivetowers_sim.questions.tournament.picture import draw_all

        return draw_all(finished)
