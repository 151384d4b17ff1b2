"""What the game is like: who wins from where, where points come from, how the lead goes, and what luck does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.bench.budget import POINTS, Main
from fivetowers_sim.bench.findings import Found
from fivetowers_sim.bench.params import Param, RefusedError
from fivetowers_sim.engine.setup import GameSetup, make_setup
from fivetowers_sim.game import (
    CHECKED,
    DIALS,
    GAMES,
    POWERS_HELD,
    RULES,
    SEED,
    STRATEGIES,
    TowersQuestion,
    precision_of,
)
from fivetowers_sim.questions.game_shape.figures import CROSSED, less_fair_share, name_place
from fivetowers_sim.questions.game_shape.measure import RESULTS, ShapeGames
from fivetowers_sim.rules.ruleset import PLAYER_COUNTS

if TYPE_CHECKING:
    from fivetowers_sim.bench.content import Section
    from fivetowers_sim.bench.finished import Finished

_FROM_TO: Final = f"{PLAYER_COUNTS[0]} to {PLAYER_COUNTS[-1]}"
COUNTS: Final = Param(
    "players", str, "3", f"Numbers of players, each {_FROM_TO} and played by itself.", metavar="P,Q,…"
)


class GameShape(TowersQuestion):
    """Say who wins from which seat, what scores are made of, how the lead goes, and what is luck.

    The main figure, for --precision, is each seat's win share.
    """

    name = "game-shape"
    title = "The game itself"
    asks = "Who wins from which seat, how long does a game stay open, and how much of it is luck?"
    main = Main("seat's win share", POINTS, 0.5, 100)
    params = (
        COUNTS,
        replace(STRATEGIES, help="Each plays in all seats, and in each seat among the first. Up to 4."),
        POWERS_HELD,
        SEED,
        RULES,
        DIALS,
        GAMES,
        precision_of("every seat's win share", "points", main.precision),
        *CHECKED,
    )

    def list_players(self) -> tuple[int, ...]:
        """Return the numbers of players, in order."""
        text = self.values["players"]
        try:
            counts = [int(part) for part in text.split(",")]
        except ValueError:
            raise RefusedError(
                f"players is {text!r}; accepted are numbers from {_FROM_TO}, such as 3 or 2,3,4,5"
            ) from None
        for number in counts:
            if number not in PLAYER_COUNTS:
                raise RefusedError(f"players is {number}; accepted is {_FROM_TO}")
        if len(set(counts)) < len(counts):
            raise RefusedError(f"players is {text}; accepted are different numbers from {_FROM_TO}")
        return tuple(sorted(counts))

    @cached_property
    def measure(self) -> ShapeGames:
        """What is measured."""
        return ShapeGames(self.list_players(), len(self.strategies))

    @cached_property
    def arms(self) -> tuple[GameSetup, ...]:
        """The setups, in the measure's order."""
        setups = []
        for arm in self.measure.arms:
            own, first = self.strategies[arm.strategy], self.strategies[0]
            by_seat = [own if arm.seat in (None, seat) else first for seat in range(arm.players)]
            setups.append(make_setup(self.rules, arm.players, by_seat, self.seed, seating="fixed"))
        return tuple(setups)

    def describe(self) -> dict[str, Any]:
        """Return as plain JSON values what decides the games."""
        return {**super().describe(), "players": list(self.measure.players)}

    def list_main(self, moments: Moments) -> list[Estimate]:
        """Return every seat's win share."""
        shares = (key for key in self.measure.figures() if key.figure == "win_share")
        return [self.measure.estimate(moments, key, self.budget.confidence) for key in shares]

    def estimate(self, moments: Moments) -> Iterator[Found]:
        """Yield the figures of seats, tower types, parts of the game and whole games; from two deals on, of luck."""
        measure, confidence = self.measure, self.budget.confidence
        for key in measure.figures():
            found = measure.estimate(moments, key, confidence)
            about = {"players": key.players, "strategy": self.strategies[key.strategy], "figure": key.figure}
            tested = less_fair_share(found, key.players) if key.figure == "win_share" else None
            yield Found({**about, "place": name_place(key)}, found, tested)
        if moments.games < 2:
            return
        for players in measure.players:
            for result in RESULTS:
                about = {"players": players, "strategy": CROSSED}
                for part in measure.split(moments, players, result, confidence):
                    yield Found({**about, "figure": f"{result}_variance", "place": part.name}, part.variance)
                    yield Found({**about, "figure": f"{result}_share", "place": part.name}, part.share)

    @classmethod
    def content(cls, finished: Finished) -> Section:
        """Say who wins from which seat, how long games stay open, and how much is luck."""
        from fivetowers_sim.questions.game_shape.content import write_shape

        return write_shape(cls, finished)

    @classmethod
    def draw(cls, finished: Finished) -> Mapping[str, bytes]:
        """Return a picture of seats, and for each number of players of scores, the lead and luck."""
        from fivetowers_sim.questions.game_shape.picture import draw_all

        return draw_all(finished)
