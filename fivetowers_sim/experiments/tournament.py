"""A tournament: every strategy against every other at every kind of table, all on the same deals."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from fivetowers_sim.analysis.cycles import pair_confidence
from fivetowers_sim.analysis.estimates import CONFIDENCE
from fivetowers_sim.analysis.looks import look_confidence, plan_looks
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.batch.plan import hash_plan
from fivetowers_sim.bench.arms import ArmsPlan, Crew, play_arms
from fivetowers_sim.bench.folder import Asked, ExperimentFolder
from fivetowers_sim.bench.kept import Kept
from fivetowers_sim.bench.strategy_files import describe_strategy_files
from fivetowers_sim.engine.setup import GameSetup, make_setup
from fivetowers_sim.experiments.best_response import BestResponse, Field, FindReply, find_best_response
from fivetowers_sim.experiments.circles import Circles, list_circles
from fivetowers_sim.experiments.places import Places
from fivetowers_sim.experiments.ranking import Played, estimate_standings
from fivetowers_sim.experiments.standings import Standings
from fivetowers_sim.experiments.tournament_tables import encode_tables
from fivetowers_sim.strategies.families import read_strategy

EXPERIMENT: Final = "tournament"
TOURNAMENT_FORMAT: Final = "fivetowers-tournament/1"

MOST_STRATEGIES: Final = 26
MOST_GAMES: Final = 10**9
FINEST_PRECISION: Final = 0.0005
COARSEST_PRECISION: Final = 0.25

# Fewer deals would say little about the spread of what they give.
_FIRST_LOOK: Final = 60
# Standard errors that an interval reaches at any look, at most, whatever the number of looks here.
_WIDEST: Final = 3.2


class TournamentError(ValueError):
    """A tournament that can't be played; the message names the field, the value and what is accepted."""


@dataclass(frozen=True)
class Tournament:
    """What a tournament is to find out.

    Attributes
    ----------
    table : GameSetup
        The games: rules, powers and seed. Who sits there is left to the tournament.
    strategies : tuple of str
        The strategies, as canonically written.
    games : int or None
        Games to play, all circles together; None to go by the precision.
    precision : float or None
        Half of the width wanted of every strategy's win share, as a share from 0 to 1.
    labels : tuple of str
        What tables call the strategies: a preset's name for those that were given by one. Decides nothing.
    """

    table: GameSetup
    strategies: tuple[str, ...]
    games: int | None
    precision: float | None
    labels: tuple[str, ...] = field(compare=False)

    @cached_property
    def circles(self) -> Circles:
        """Who sits with whom."""
        return list_circles(len(self.strategies), self.table.players)

    @cached_property
    def looks(self) -> tuple[int, ...]:
        """After how many deals to look."""
        players = self.table.players
        if self.precision is None:
            deals = -(-(self.games or 1) // len(self.circles.played))
            return (-(-deals // players) * players,)
        # A share is between 0 and 1, so its standard deviation is one half at most: by then it is precise enough.
        most = (_WIDEST / 2 / self.precision) ** 2
        return plan_looks(_FIRST_LOOK, int(most) + 1, players)

    @cached_property
    def confidence(self) -> float:
        """Confidence of the interval at each look."""
        return look_confidence(self.looks, CONFIDENCE)

    @cached_property
    def pair_confidence(self) -> float:
        """Confidence of each pair's interval at each look, with which all pairs are decided together."""
        return look_confidence(self.looks, pair_confidence(len(self.strategies), CONFIDENCE))

    @cached_property
    def places(self) -> Places:
        """What is measured."""
        return Places(len(self.strategies), self.circles.played)

    def played(self, moments: Moments) -> Played:
        """Return what has been measured, with everything that its figures depend on."""
        return Played(self.places, self.strategies, moments, self.confidence, self.pair_confidence)

    @cached_property
    def plan(self) -> ArmsPlan:
        """What is played: an arm for each circle."""
        arms = tuple(self._seat(circle) for circle in self.circles.played)
        return ArmsPlan(arms, self.places, self.looks)

    def _seat(self, circle: Sequence[int]) -> GameSetup:
        table = self.table
        names = [self.strategies[own] for own in circle]
        return make_setup(table.rules, table.players, names, table.seed, table.powers_by_seat, "rotate")

    def to_dict(self) -> dict[str, Any]:
        """Return everything that decides the results, as plain JSON values."""
        table = self.table.to_dict()
        games = {name: table[name] for name in ("players", "powers_by_seat", "rules", "seed")}
        asked = {"strategies": list(self.strategies), "games": self.games, "precision": self.precision}
        asked |= describe_strategy_files(self.plan.arms)
        # Whatever else setups may say of themselves is in this.
        arms = hash_plan({"arms": [arm.to_dict() for arm in self.plan.arms]})
        return {"format": TOURNAMENT_FORMAT, **asked, "looks": list(self.looks), **games, "arms_sha256": arms}


def make_tournament(
    table: GameSetup, strategies: Sequence[str], games: int | None = None, precision: float | None = None
) -> Tournament:
    """Check what is to be played.

    Parameters
    ----------
    table : GameSetup
        The games: rules, powers, number of players and seed; who sits there makes no difference.
    strategies : sequence of str
        At least two that differ.
    games : int, optional
        Games in all. They are rounded up so that every circle is played on the same deals, in every rotation equally
        often.
    precision : float, optional
        Instead: half of the width of the interval wanted for every win share.

    Returns
    -------
    Tournament
        The checked tournament.

    Raises
    ------
    TournamentError, fivetowers_sim.strategies.parameters.StrategyError
        Naming the field, the value and what is accepted.
    """
    read = [read_strategy(text) for text in strategies]
    names = tuple(strategy.name for strategy in read)
    for name in names:
        if names.count(name) > 1:
            raise TournamentError(f"strategies names {name} {names.count(name)} times; accepted is each strategy once")
    if not 2 <= len(names) <= MOST_STRATEGIES:
        raise TournamentError(
            f"strategies names {len(names)}, {', '.join(names)}; accepted is 2 to {MOST_STRATEGIES} different ones"
        )
    if (games is None) == (precision is None):
        given = "both given" if games is not None else "both left out"
        raise TournamentError(f"games and precision are {given}; accepted is one of them")
    if games is not None and not 1 <= games <= MOST_GAMES:
        raise TournamentError(f"games is {games}; accepted is 1 to {MOST_GAMES}")
    if precision is not None and not FINEST_PRECISION <= precision <= COARSEST_PRECISION:
        raise TournamentError(
            f"precision is {precision:g}; accepted is a share from {FINEST_PRECISION:g} to {COARSEST_PRECISION:g}"
        )
    labels = tuple(strategy.short_name for strategy in read)
    return Tournament(table, names, games, precision, labels if len(set(labels)) == len(names) else names)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A tournament and what it found.

    Attributes
    ----------
    tournament : Tournament
        What was asked.
    standings : Standings
        The figures.
    look : int
        At which look it ended, from 0.
    best_response : BestResponse or None
        What a search found against the equilibrium mix, if there was one.
    """

    tournament: Tournament
    standings: Standings
    look: int
    best_response: BestResponse | None = None

    @property
    def labels(self) -> dict[str, str]:
        """What tables call each strategy."""
        return dict(zip(self.tournament.strategies, self.tournament.labels, strict=True))

    @property
    def reached(self) -> float:
        """Half of the width of the widest interval of a win share."""
        return max(row.win_share.margin for row in self.standings.strategies)

    def to_dict(self) -> dict[str, Any]:
        """Return question and figures as plain JSON values."""
        circles = self.tournament.circles
        tables = {
            "circles": len(circles.played),
            "lineups": circles.lineups,
            "lineups_played": circles.lineups_played,
            "every_order": circles.every_order,
        }
        looks = {"looks_planned": len(self.tournament.looks), "looks_taken": self.look + 1}
        asked = self.tournament.to_dict()
        found = self.best_response and self.best_response.to_dict()
        figures = {"labels": self.labels, **self.standings.to_dict(), "best_response": found}
        return {"format": asked.pop("format"), "asked": asked, **tables, **looks, **figures}


def widest_margin(tournament: Tournament, moments: Moments) -> float:
    """Return half of the width of the widest interval of a win share so far; not a number before two deals."""
    if moments.games < 2:
        return float("nan")
    played = tournament.played(moments)
    return max(played.win_share(own).margin for own in range(len(tournament.strategies)))


def run_tournament(
    tournament: Tournament,
    crew: Crew,
    folder: ExperimentFolder | None = None,
    illustrate: Callable[[Outcome], Mapping[str, bytes]] = lambda outcome: {},
    find: FindReply | None = None,
) -> Outcome:
    """Play a tournament and work out its figures.

    Parameters
    ----------
    tournament : Tournament
        What to find out.
    crew : Crew
        Who plays.
    folder : ExperimentFolder, optional
        Where to keep what is played, and the results.
    illustrate : callable, optional
        Makes the files that go into the folder besides the figures, by name.
    find : callable, optional
        A search for a strategy that beats the equilibrium mix.

    Returns
    -------
    Outcome
        The figures. They depend on the tournament alone.

    Raises
    ------
    BatchError, RunError
        If games failed, or the folder can't be written. What was finished is kept.
    KeyboardInterrupt
        If the user interrupted. What was finished is kept, if there is a folder.
    """
    places = tournament.places
    kept = folder.open_sums(places.columns, tournament.plan.arms) if folder else Kept(places.columns)
    wanted = tournament.precision or 0.0
    look = play_arms(tournament.plan, kept, lambda moments: widest_margin(tournament, moments) <= wanted, crew)
    standings = estimate_standings(tournament.played(kept.moments), tournament.circles.every_lineup)
    outcome = Outcome(tournament, standings, look)
    if find and standings.equilibrium:
        mixed = Field(tournament.table, tournament.strategies, standings.equilibrium.mix)
        alone = Crew(crew.workers, crew.backend)
        outcome = replace(outcome, best_response=find_best_response(mixed, find, standings.games, alone))
    if folder:
        folder.complete(outcome.to_dict(), {**encode_tables(outcome.standings), **illustrate(outcome)})
    return outcome


def warm_up(tournament: Tournament) -> None:
    """Load or compile the kernels for every kind of table."""
    kinds = {frozenset(arm.strategies): arm for arm in tournament.plan.arms}
    for arm in kinds.values():
        # A copy, or each would keep what it worked out.
        copy.copy(arm).warm_up()


def asked_of(tournament: Tournament) -> Asked:
    """Return what the tournament's folder is about."""
    return Asked(EXPERIMENT, tournament.to_dict())
