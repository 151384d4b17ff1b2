"""Learn the network of ``expert`` by self-play: play, learn what positions led to, play with that, repeat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.batch.plan import Part, Plan
from fivetowers_sim.batch.staff import Staff
from fivetowers_sim.batch.workers import StopRequested, StopSignal
from fivetowers_sim.dataset.scratch import scratch_folder
from fivetowers_sim.engine.learning import learn, look_forward, new_net
from fivetowers_sim.engine.lessons import Lessons, join_lessons, play_lessons
from fivetowers_sim.engine.setup import GameSetup, make_setup
from fivetowers_sim.experiments.fit import Fit, FitPlan
from fivetowers_sim.experiments.learning import BLOCK, Learning, Watch, share_to_dict
from fivetowers_sim.rules.ruleset import POWERS, RuleSet
from fivetowers_sim.strategies.net_files import ExpertNet, write_net
from fivetowers_sim.strategies.value_files import write_tables

BEGINNER: Final = "value"
"""Who plays the games of the first step, and whom every step's network is tried against."""

STEPS: Final = 5

# How often a step's lessons are gone through, and how far weights move at first.
_TIMES, _LATER_TIMES = 8, 4
_RATE, _SLOWER = 1e-3, 0.8
# How much of what a position teaches is what came of it in the end, and not what the network says a round later.
_KEPT = 0.6
# The first step's games are played by others; from this step on they are no longer learned from.
_FORGOTTEN_FROM = 3
# Lessons that take as long to learn as a game to play.
_LESSONS_A_GAME = 50


@dataclass(frozen=True)
class ExpertPlan:
    """What to learn, and from how many games.

    Attributes
    ----------
    rules : RuleSet
        The rule set.
    players : int
        2 to 5.
    powers : tuple of str
        Great Powers of every seat; with some, other sets of them are learned too.
    games : int
        Games that each step adds to what is learned from.
    trial_games : int
        Games that each trial of a step's network takes.
    seed : int
        Decides all chance.
    """

    rules: RuleSet
    players: int
    powers: tuple[str, ...]
    games: int
    trial_games: int
    seed: int

    def setup(self, strategies: list[str], seed: int) -> GameSetup:
        """Return games of these rules; the first strategy takes every seat in turn if there are several."""
        seats = strategies if len(strategies) == 1 else strategies[:1] + strategies[1:] * (self.players - 1)
        return make_setup(self.rules, self.players, seats, seed, [self.powers] * self.players)

    def list_powers(self) -> list[list[tuple[str, ...]]]:
        """List the sets of powers to learn with, by seat: the plan's own, some of them for all, and some for each."""
        if not self.powers:
            return [[()] * self.players]
        chance = Random(self.seed)
        some = [tuple(power for power in POWERS if chance.random() < 0.5) for _ in range(1 + self.players)]
        return [[self.powers] * self.players, [some[0]] * self.players, some[1:]]


@dataclass(frozen=True)
class ExpertStep:
    """One round of learning.

    Attributes
    ----------
    number : int
        From 1.
    error : float
        Mean squared error of the shares that it was taught, summed over seats.
    against_beginner, against_best : Estimate
        Win share of the new network in one seat, all others playing ``value``, or the best network so far.
    is_best : bool
        Whether it is the best so far.
    """

    number: int
    error: float
    against_beginner: Estimate
    against_best: Estimate
    is_best: bool

    def to_dict(self) -> dict[str, Any]:
        """Return the step as plain JSON values."""
        return {
            "step": self.number,
            "error": round(self.error, 5),
            "against_value": share_to_dict(self.against_beginner),
            "against_best_so_far": share_to_dict(self.against_best),
            "is_best": self.is_best,
        }


def take_lessons(plan: Plan, part: Part, stop: StopSignal) -> Lessons:
    """Play a part's games and return their positions; raises StopRequested if told to stop."""
    lessons = []
    for first in range(part.first_game, part.first_game + part.games, BLOCK):
        if stop.is_set():
            raise StopRequested
        games = min(BLOCK, part.first_game + part.games - first)
        lessons.append(play_lessons(plan.setup, first, games))  # type: ignore[arg-type]
    return join_lessons(lessons)


class ExpertFit(Learning):
    """Learning in progress.

    Parameters
    ----------
    plan : ExpertPlan
        What to learn.
    staff : Staff
        Who plays; changes no figure.
    watch : callable, optional
        Called with the games done and the games in all of a step; learning counts as games that take as long.

    Attributes
    ----------
    best : ExpertNet
        The best network so far, without provenance.
    steps : list of ExpertStep
        What was tried.
    """

    beginner: Final = BEGINNER

    def __init__(self, plan: ExpertPlan, staff: Staff, watch: Watch = lambda done, games: None) -> None:
        super().__init__(plan, staff, watch)
        self.steps: list[ExpertStep] = []
        self.best = self._net = ExpertNet(new_net(plan.seed), plan.players, bool(plan.powers))
        self._tables: str | None = None

    def run(self) -> Iterator[ExpertStep]:
        """Learn, step by step.

        Yields
        ------
        ExpertStep
            After each step.
        """
        plan, taught = self.plan, []
        with scratch_folder() as folder:
            beginner = self._find_beginner(folder)
            latest = best = ""
            for number in range(1, STEPS + 1):
                line_ups = _list_line_ups(latest, beginner, plan.players)
                self.begin(plan.games + plan.trial_games * (1 if number == 1 else 2))
                lessons = self._play(line_ups, number)
                taught = [*(taught if number != _FORGOTTEN_FROM else []), (lessons, lessons.rows["share"].copy())]
                error = self._learn(taught, number)
                latest = str(folder / f"step-{number}.json")
                Path(latest).write_text(write_net(self._net, self._tables), encoding="utf-8")
                share, _ = self.try_out([latest, beginner], number)
                rival = share if number == 1 else self.try_out([latest, best], number)[0]
                is_best = rival.value > 1 / plan.players
                if is_best or number == 1:
                    self.best, best = replace(self._net, net=self._net.net.copy()), latest
                self.steps.append(ExpertStep(number, error, share, rival, is_best))
                yield self.steps[-1]

    def _find_beginner(self, folder: Path) -> str:
        """Return ``value`` as it knows these rules: with tables learned now, where none for them are shipped."""
        plan = self.plan
        if plan.rules.to_dict() == RuleSet().to_dict() and plan.powers in ((), POWERS):
            return BEGINNER
        fit = Fit(
            FitPlan(plan.rules, plan.players, plan.powers, plan.games, plan.trial_games, plan.seed),
            self._staff,
            self._watch,
        )
        for _ in fit.run():
            pass
        self._tables = write_tables(fit.best, plan.rules.highest_value)
        file = folder / "tables.json"
        file.write_text(self._tables, encoding="utf-8")
        return str(file)

    def _play(self, line_ups: Sequence[list[str]], number: int) -> Lessons:
        """Play a step's games, as many of every line-up with every set of powers."""
        plan, lessons = self.plan, list[Lessons]()
        seated = [(strategies, powers) for strategies in line_ups for powers in plan.list_powers()]
        for nth, (strategies, powers) in enumerate(seated):
            seed = plan.seed + 100 * number + nth
            setup = make_setup(plan.rules, plan.players, strategies, seed, powers)
            receipts = self.run_games(setup, plan.games // len(seated), take_lessons)
            lessons += [receipt.result for receipt in sorted(receipts, key=lambda receipt: receipt.part)]
        return join_lessons(lessons)

    def _learn(self, taught: list[tuple[Lessons, np.ndarray]], number: int) -> float:
        plan, net = self.plan, self._net.net
        for lessons, shares in taught:
            lessons.rows["share"] = shares
            if number > 1:
                look_forward(net, plan.players, lessons, _KEPT)
        times, rate = (_TIMES, _RATE) if number == 1 else (_LATER_TIMES, _RATE)
        for _ in range(number - 2):
            rate *= _SLOWER
        lessons = join_lessons([one for one, _ in taught])
        return learn(net, plan.players, lessons, times, rate, plan.seed + number)

    def finish(self, command: str, version: str) -> ExpertNet:
        """Try the best network once more, on deals that no choice was made by, and write down where it comes from.

        Parameters
        ----------
        command : str
            What makes it again.
        version : str
            This program's.

        Returns
        -------
        ExpertNet
            With provenance.
        """
        plan = self.plan
        self.begin(3 * plan.trial_games)
        with scratch_folder() as folder:
            beginner = BEGINNER
            if self._tables is not None:
                beginner = str(folder / "tables.json")
                Path(beginner).write_text(self._tables, encoding="utf-8")
            path = folder / "best.json"
            path.write_text(write_net(self.best, self._tables), encoding="utf-8")
            share, _ = self.try_out([str(path), beginner], 2 * STEPS)
            rest, _ = self.try_out([beginner, str(path)], 2 * STEPS)
            _, winning = self.try_out([str(path)], 2 * STEPS)
        provenance = {
            "made_by": command,
            "version": version,
            "rules": plan.rules.to_dict(),
            "players": plan.players,
            "powers": list(plan.powers),
            "games_a_step": plan.games,
            "seed": plan.seed,
            "steps": [step.to_dict() for step in self.steps],
            "win_share_against_value": share_to_dict(share),
            "win_share_of_one_value_against_it": share_to_dict(rest),
            "winners_vp_among_themselves": share_to_dict(winning),
        }
        return replace(self.best, provenance=provenance)

    def write(self, expert: ExpertNet) -> str:
        """Return a network as a file that plays anywhere, with the tables that were learned for it."""
        return write_net(expert, self._tables)


def _list_line_ups(latest: str, beginner: str, players: int) -> list[list[str]]:
    """List who plays: the beginner alone at first, then the latest network among beginners and among itself."""
    if not latest:
        return [[beginner] * players]
    line_ups = [[latest] + [beginner] * (players - 1), [latest] * players]
    return line_ups if players == 2 else [*line_ups, [latest] * (players - 1) + [beginner]]
