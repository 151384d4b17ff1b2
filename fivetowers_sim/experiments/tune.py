"""Tune a strategy's parameters against a field, and say on fresh deals what that has brought.

A search that tries hundreds of candidates on a few thousand games each finds one that was good *and* lucky. So
nothing that was measured during a search is reported. Each search's answer is played on fresh deals, and so is the
strategy that it all began with; the best of them is chosen there, and played once more on deals that nothing was
chosen by. That last figure is free of the winner's curse.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Any, Final

from fivetowers_sim.analysis.estimates import CONFIDENCE, Estimate
from fivetowers_sim.batch.staff import ALONE, Staff
from fivetowers_sim.batch.versions import PACKAGE, current_versions
from fivetowers_sim.bench.journal import Journal
from fivetowers_sim.experiments.candidates import Deals, purpose_seed
from fivetowers_sim.experiments.contest import AIMS
from fivetowers_sim.experiments.optimise import (
    Effort,
    Generation,
    Measurement,
    Point,
    draw_point,
    maximise,
    settle,
)
from fivetowers_sim.experiments.tuning_bench import Bench, Progress
from fivetowers_sim.experiments.tuning_plan import TuningPlan
from fivetowers_sim.strategies.parameters import Strategy
from fivetowers_sim.strategies.presets import TUNED, Preset

TUNING_FORMAT: Final = "fivetowers-tuning/1"


@dataclass(frozen=True, slots=True)
class Search:
    """What one of several searches came to.

    Attributes
    ----------
    begun : str
        The strategy that it began with.
    generations : int
        How many steps it took.
    answer : Strategy
        Where it ended.
    score, gain : Estimate
        How it did by the aim, and how much better than the starting strategy, on the deals by which one of the
        searches was chosen.
    """

    begun: str
    generations: int
    answer: Strategy
    score: Estimate
    gain: Estimate


@dataclass(frozen=True, slots=True)
class Tuned:
    """A tuned strategy, and how good it is on deals that had no part in finding it.

    Attributes
    ----------
    plan : TuningPlan
        What was asked.
    strategy : Strategy
        The best search's answer.
    scores, start_scores : dict of str to Estimate
        By aim, how it and the starting strategy did: a share, or VP.
    gains : dict of str to Estimate
        By aim, how much better it did than the starting strategy, on the same deals and taken game by game. A lower
        bound of what can be gained: a longer search may find more.
    searches : tuple of Search
        Every search.
    chosen : int
        Which of them the strategy is from.
    games : int
        Games played in all.
    """

    plan: TuningPlan
    strategy: Strategy
    scores: dict[str, Estimate]
    start_scores: dict[str, Estimate]
    gains: dict[str, Estimate]
    searches: tuple[Search, ...]
    chosen: int
    games: int

    @property
    def improved(self) -> bool:
        """Whether the whole interval of the gain, by the aim, is above 0."""
        return self.gains[self.plan.aim].low > 0

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain JSON values."""
        return {
            "format": TUNING_FORMAT,
            "plan": self.plan.to_dict(),
            "confidence": CONFIDENCE,
            "strategy": self.strategy.name,
            "games": self.games,
            "fresh_games": self.plan.budget.fresh_games,
            "scores": _to_dicts(self.scores),
            "start_scores": _to_dicts(self.start_scores),
            "gains": _to_dicts(self.gains),
            "chosen": self.chosen,
            "searches": [
                {
                    "begun": search.begun,
                    "generations": search.generations,
                    "answer": search.answer.name,
                    "score": search.score.to_dict(),
                    "gain": search.gain.to_dict(),
                }
                for search in self.searches
            ],
        }


def _to_dicts(estimates: dict[str, Estimate]) -> dict[str, Any]:
    return {name: estimate.to_dict() for name, estimate in estimates.items()}


def tune(
    plan: TuningPlan,
    staff: Staff = ALONE,
    journal: Journal | None = None,
    watch: Callable[[Progress], None] = lambda progress: None,
) -> Tuned:
    """Look for parameters that do better against a field.

    Parameters
    ----------
    plan : TuningPlan
        What to tune, against whom, and how much to play.
    staff : Staff
        Who plays. Changes no figure.
    journal : Journal, optional
        Where to keep what was measured, and to find what an interrupted call had measured; its plan is
        :func:`describe_tuning`.
    watch : callable, optional
        Told how far it has come, several times a second while games are played.

    Returns
    -------
    Tuned
        The best of the searches, and what it is worth on fresh deals.

    Raises
    ------
    BatchError
        If games failed.
    KeyboardInterrupt
        If the user interrupted; the journal then has every generation that was finished.
    """
    bench = Bench(plan, staff, journal or Journal(None, {}), watch)
    found = [_search(bench, restart) for restart in range(plan.budget.restarts)]
    answers = [plan.strategy_at(settle(plan.axes, generations)) for _, generations in found]
    _, *others = bench.measure("choosing among the results", [plan.start, *answers], bench.fresh_deals("choose"))
    searches = tuple(
        Search(begun, len(generations), answer, bench.score(standing), bench.gain(standing))
        for (begun, generations), answer, standing in zip(found, answers, others, strict=True)
    )
    totals = [standing.scores[plan.aim].total for standing in others]
    chosen = totals.index(max(totals))
    deals = bench.fresh_deals("confirm")
    start, best = bench.measure("measuring the best", [plan.start, answers[chosen]], deals)
    return Tuned(
        plan,
        answers[chosen],
        {aim: bench.score(best, aim) for aim in AIMS},
        {aim: bench.score(start, aim) for aim in AIMS},
        {aim: bench.gain(best, aim) for aim in AIMS},
        searches,
        chosen,
        bench.games_played,
    )


def describe_tuning(plan: TuningPlan) -> dict[str, Any]:
    """Return everything that the measurements of a tuning depend on, as plain JSON values."""
    versions = current_versions()
    return {
        "tuning": plan.to_dict(),
        "versions": {PACKAGE: versions[PACKAGE], "numpy": versions["numpy"], "cma": metadata.version("cma")},
    }


def make_tuned_preset(tuned: Tuned, name: str, command: str) -> Preset:
    """Make a preset of a tuned strategy.

    Parameters
    ----------
    tuned : Tuned
        The result.
    name : str
        What to call it.
    command : str
        What was typed, or what else would do the same again.

    Returns
    -------
    Preset
        With everything in its provenance that a reader needs to judge it.
    """
    plan, contest = tuned.plan, tuned.plan.contest
    changed = tuned.strategy.name.split(":")[1:]
    figures = {"": tuned.scores, "_of_start": tuned.start_scores, "_gain": tuned.gains}
    result = {f"{aim}{kind}": estimates[aim].to_dict() for aim in AIMS for kind, estimates in figures.items()}
    provenance = {
        "made": TUNED,
        "command": command,
        "version": current_versions()[PACKAGE],
        "seed": plan.seed,
        "start": plan.start.name,
        "field": list(contest.field),
        "players": contest.players,
        "rules": contest.rules.name,
        "powers": ["+".join(powers) or "none" for powers in contest.powers_by_seat],
        "aim": plan.aim,
        "games": tuned.games,
        "result": {"games": plan.budget.fresh_games, **result},
    }
    intent = f"Tuned from {plan.start.short_name} for {plan.aim.replace('_', ' ')} against {', '.join(contest.field)}."
    parameters = dict(text.split("=", 1) for text in changed)
    return Preset(name, tuned.strategy.family, parameters, intent, provenance, f"preset {name}")


def _search(bench: Bench, restart: int) -> tuple[str, list[Generation]]:
    """Climb from the starting strategy the first time, and from a random place every other time."""
    plan = bench.plan
    seed = purpose_seed(plan.seed, f"tune restart {restart}")
    start: Point = {axis.name: plan.start[axis.name] for axis in plan.axes}
    if restart > 0:
        start = draw_point(plan.axes, seed)
    effort = Effort(plan.budget.generations, plan.budget.points)

    def objective(points: Sequence[Point], generation: int) -> Sequence[Measurement]:
        candidates = [plan.strategy_at(point) for point in points]
        deals = Deals(seed, generation * plan.budget.games, plan.budget.games)
        name = f"search {restart + 1} of {plan.budget.restarts}, step {generation + 1} of {effort.generations}"
        standings = bench.measure(name, candidates, deals)
        return bench.note_best(candidates, standings)

    generations = list(maximise(objective, plan.axes, start, effort, seed))
    bench.skip(effort.generations - len(generations))
    return plan.strategy_at(start).name, generations
