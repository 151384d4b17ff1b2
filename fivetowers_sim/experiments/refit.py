"""Learn tables anew for the rules of each arm, so that a changed game is played by somebody who knows it.

A table learned on other rules plays a changed game badly, and what then looks like the rules' doing is partly the
player's. So every rule set of the experiment, the unchanged one too, is learned with equal effort, on the same deals.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from fivetowers_sim.analysis.estimates import Estimate
from fivetowers_sim.batch.versions import PACKAGE, current_versions
from fivetowers_sim.bench.folder import SETTLED, TABLES_FOLDER
from fivetowers_sim.bench.strategy_files import keep_to_files
from fivetowers_sim.dataset.atomic import write_atomically
from fivetowers_sim.dataset.errors import RunError, as_run_error
from fivetowers_sim.dataset.scratch import scratch_folder
from fivetowers_sim.engine.setup import GameSetup, make_setup
from fivetowers_sim.experiments.fit import MOST_STEPS, Fit, FitPlan, share_to_dict
from fivetowers_sim.strategies.families import read_strategy
from fivetowers_sim.strategies.parameters import StrategyError
from fivetowers_sim.strategies.value_files import TABLES_SUFFIX, read_tables_file, write_tables

if TYPE_CHECKING:
    from fivetowers_sim.bench.arms import Crew
    from fivetowers_sim.bench.folder import ExperimentFolder
    from fivetowers_sim.strategies.value_tables import ValueTables

FEWEST_GAMES: Final = 500
MOST_GAMES: Final = 1_000_000
USUAL_GAMES: Final = 20_000

_REFITTED: Final = "value"
# From a player who knows the printed game, learning has little way to go.
_STEPS: Final = 4
_TRIED: Final = {"against_shipped": "win_share_against_shipped", "against_beginner": "win_share_against_greedy"}
# Deals on which new tables meet the shipped ones; no choice was made by them.
_LAST_TRIAL: Final = 2 * MOST_STEPS + 1


class RefitError(ValueError):
    """Tables that can't be learned; the message names the option, the value and what is accepted."""


@dataclass(frozen=True, slots=True)
class Refit:
    """How much to learn from.

    Attributes
    ----------
    games : int
        Games that each step of learning takes.
    """

    games: int = USUAL_GAMES

    def __post_init__(self) -> None:
        """Check the number."""
        if not FEWEST_GAMES <= self.games <= MOST_GAMES:
            raise RefitError(f"refit_games is {self.games}; accepted is {FEWEST_GAMES} to {MOST_GAMES}")

    @property
    def trial_games(self) -> int:
        """Games that each trial of a step's tables takes."""
        return max(FEWEST_GAMES, self.games // 4)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return {"games_a_step": self.games, "games_a_trial": self.trial_games, "steps": _STEPS}

    def plan(self, arm: GameSetup) -> FitPlan:
        """Return what is learned for an arm; arms with the same game have the same plan but for the rules' name."""
        if len(set(arm.powers_by_seat)) > 1:
            raise RefitError("refit: seats differ in their Great Powers; accepted are the same for all")
        powers = arm.powers_by_seat[0]
        effort = self.games, self.trial_games, arm.seed
        return FitPlan(arm.rules, arm.players, powers, *effort, start=_REFITTED, most_steps=_STEPS)


@dataclass(frozen=True, slots=True)
class Learned:
    """Tables learned for an arm.

    Attributes
    ----------
    file, sha256 : str
        The file's name, and the SHA-256 of its bytes.
    path : str
        Where it is now. Decides nothing.
    steps : int
        Steps of learning taken.
    against_shipped, against_beginner : Estimate
        Win share of the new tables in one seat where all others play the shipped ones, or ``greedy``, by these rules.
    """

    file: str
    sha256: str
    path: str
    steps: int
    against_shipped: Estimate
    against_beginner: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON values, without the place where it happens to be."""
        tried = {name: getattr(self, name).to_dict() for name in _TRIED}
        return {"file": f"{TABLES_FOLDER}/{self.file}", "sha256": self.sha256, "steps": self.steps, **tried}


def has_tables_to_refit(strategies: Sequence[str]) -> bool:
    """Say whether any of the strategies plays by the shipped tables of ``value``, which can be learned anew."""
    return any(name != _play_by(name, f"x{TABLES_SUFFIX}") for name in strategies)


def check_refit(arms: Sequence[GameSetup], refit: Refit | None) -> None:
    """Refuse to learn where nobody plays by tables that could be learned.

    Raises
    ------
    RefitError
        Saying who plays, and what is accepted.
    """
    names = list(dict.fromkeys(name for arm in arms for name in arm.strategies))
    if refit is None:
        return
    if not has_tables_to_refit(names):
        raise RefitError(
            f"refit: {', '.join(names)} can't be refitted; accepted are value and the presets made of it, which play "
            "by learned tables"
        )
    for arm in arms:
        refit.plan(arm)


def refit_arms(arms: Sequence[GameSetup], learned: Sequence[Learned]) -> tuple[GameSetup, ...]:
    """Return the arms with new tables in place of the shipped ones; ``learned`` has those of each arm."""
    setups = []
    for arm, tables in zip(arms, learned, strict=True):
        names = [_play_by(name, tables.path) for name in arm.strategies]
        setup = make_setup(arm.rules, arm.players, names, arm.seed, arm.powers_by_seat, arm.seating)
        setups.append(keep_to_files(setup, (*arm.strategy_files, (tables.path, tables.sha256))))
    return tuple(setups)


def _play_by(name: str, path: str) -> str:
    """Write a strategy with the tables in a file, if it plays by the shipped ones; its parameters stay."""
    strategy = read_strategy(name)
    if strategy.family != _REFITTED or strategy.path:
        return name
    return strategy.name.replace(_REFITTED, path, 1)


def describe_refit(refit: Refit | None, names: Sequence[str], learned: Sequence[Learned]) -> dict[str, Any]:
    """Return the part of a plan that is about learning: nothing where there is none, as plans were always written."""
    if refit is None:
        return {}
    tables = {name: tables.to_dict() for name, tables in zip(names, learned, strict=False)}
    return {"refit": refit.to_dict(), **({SETTLED: {"tables": tables}} if tables else {})}


@contextmanager
def learn_for_arms(
    refit: Refit | None, arms: Mapping[str, GameSetup], crew: Crew, folder: ExperimentFolder | None
) -> Iterator[tuple[Learned, ...]]:
    """Learn tables for each arm, and keep them as long as they are needed.

    Parameters
    ----------
    refit : Refit or None
        How much to learn from; None for not at all.
    arms : mapping of str to GameSetup
        By name, from which files get theirs. Arms that differ in nothing that is learned share a file.
    crew : Crew
        Who plays, and who is told how far it is.
    folder : ExperimentFolder, optional
        Where tables stay, and may be found of an earlier session. Without it they are gone in the end.

    Yields
    ------
    tuple of Learned
        The tables of each arm; empty if none are learned.

    Raises
    ------
    RunError
        If tables can't be written, or were changed since.
    """
    if refit is None:
        yield ()
    elif folder is None:
        with scratch_folder() as place:
            yield _learn(refit, arms, crew, place)
    else:
        yield _learn(refit, arms, crew, folder.path / TABLES_FOLDER)


def _learn(refit: Refit, arms: Mapping[str, GameSetup], crew: Crew, place: Path) -> tuple[Learned, ...]:
    plans: dict[str, FitPlan] = {}
    numbers: dict[str, int] = {}
    for name, arm in arms.items():
        plan = refit.plan(arm)
        key = json.dumps(_game_of(plan), sort_keys=True)
        if key not in plans:
            plans[key], numbers[key] = plan, len(plans) + 1
        numbers[name] = numbers[key]
    names = {number: name for name, number in reversed(numbers.items()) if name in arms}
    with as_run_error("write", place):
        place.mkdir(exist_ok=True)
    found = []
    for number, plan in enumerate(plans.values(), 1):
        file = f"{number:02}-{re.sub('[^A-Za-z0-9]+', '-', names[number]).strip('-') or 'rules'}{TABLES_SUFFIX}"
        if not (place / file).exists():
            data = _learn_tables(plan, crew, f"tables {number} of {len(plans)}")
            with as_run_error("write", place / file):
                write_atomically(place / file, data)
        found.append(_read_learned(place / file, plan))
    return tuple(found[numbers[name] - 1] for name in arms)


def _game_of(plan: FitPlan) -> dict[str, Any]:
    """Return what is learned, whatever the rules are called."""
    rules = {name: value for name, value in plan.rules.to_dict().items() if name != "name"}
    rules = {name: value for name, value in rules.items() if not name.startswith("power_")}
    return {"rules": rules, "players": plan.players, "powers": list(plan.powers)}


def _learn_tables(plan: FitPlan, crew: Crew, label: str) -> bytes:
    def watch(done: int, games: int) -> None:
        crew.watch_step(f"played to learn {label}, step {len(fit.steps) + 1}", done, games)

    fit = Fit(plan, crew, watch)
    for _ in fit.run():
        pass
    return _meet_shipped(fit, fit.finish("an experiment with --refit", current_versions()[PACKAGE]))


def _meet_shipped(fit: Fit, tables: ValueTables) -> bytes:
    """Try new tables against the shipped ones, and return their file with the result."""
    highest = fit.plan.rules.highest_value
    with scratch_folder() as place:
        path = place / f"new{TABLES_SUFFIX}"
        path.write_text(write_tables(tables, highest), encoding="utf-8")
        share, _ = fit.try_out([str(path), _REFITTED], _LAST_TRIAL)
    provenance = {**tables.provenance, _TRIED["against_shipped"]: share_to_dict(share)}
    return write_tables(replace(tables, provenance=provenance), highest).encode()


def _read_learned(path: Path, plan: FitPlan) -> Learned:
    try:
        provenance = read_tables_file(str(path)).provenance
        of_this_plan = {"rules": plan.rules.to_dict(), "players": plan.players, "powers": list(plan.powers)}
        of_this_plan |= {"games_a_step": plan.games, "seed": plan.seed}
        if any(provenance[name] != value for name, value in of_this_plan.items()):
            raise RunError(f"{path} was learned for another plan; remove it to learn it anew")
        tried = {name: Estimate(**provenance[field]) for name, field in _TRIED.items()}
        steps = len(provenance["steps"])
    except (StrategyError, KeyError, TypeError) as error:
        raise RunError(f"{path} is damaged ({error}); remove it to learn it anew") from error
    with as_run_error("read", path):
        sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    return Learned(path.name, sha256, str(path), steps, **tried)
