"""Play several setups on the same deals, and sum up what is measured of each deal.

An *arm* is one way to play: a rule set, a table of strategies, a set of powers. All arms of an experiment play the
games of the same numbers, and what they give on one deal is put together before it is summed: so differences between
arms keep the precision that the same deals give them. Rows of games are dropped as soon as they are measured.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.batch.interrupt import hold_interrupts
from fivetowers_sim.batch.plan import Part, Plan, Setup
from fivetowers_sim.batch.run import run_parts
from fivetowers_sim.batch.staff import Staff
from fivetowers_sim.batch.workers import StopSignal
from fivetowers_sim.bench.kept import Kept
from fivetowers_sim.dataset.parts import play_in_blocks

_PARTS_BETWEEN_LOOKS: Final = 8
_LARGEST_PART: Final = 20_000
_MOST_KEPT: Final = 300


class Measure(Protocol):
    """What is measured of a deal. Frozen and picklable."""

    columns: int
    detail: str

    def add(self, arm: int, tables: Mapping[str, np.ndarray], into: np.ndarray) -> None:
        """Add what an arm gave.

        Parameters
        ----------
        arm : int
            Which arm.
        tables : mapping of str to numpy.ndarray
            Its games, as its setup recorded them at this level of detail.
        into : ndarray of int64, shape (games, columns)
            A row for each of these games, in order; other arms add to the same rows.
        """


@dataclass(frozen=True)
class ArmsPlan:
    """Arms, what to measure of them, and when to look at the result.

    Attributes
    ----------
    arms : tuple of Setup
        The setups; each plays games 0, 1, 2 …
    measure : Measure
        What is measured.
    looks : tuple of int
        Rising numbers of deals. After each of them the experiment may end; after the last it does.
    parts : int
        Parts between looks, at the least; more where games are slow.
    """

    arms: tuple[Setup, ...]
    measure: Measure
    looks: tuple[int, ...]
    parts: int = _PARTS_BETWEEN_LOOKS

    def parts_by_look(self) -> Iterator[list[Part]]:
        """Yield the parts of deals that lead from each look to the next. Parts are numbered throughout."""
        index = begun = 0
        for look in self.looks:
            size = min(math.ceil((look - begun) / self.parts), max(1, _LARGEST_PART // len(self.arms)))
            firsts = range(begun, look, size)
            yield [Part(index + nth, first, min(size, look - first)) for nth, first in enumerate(firsts)]
            index, begun = index + len(firsts), look


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an experiment has come.

    Attributes
    ----------
    games_done, games : int
        Games played, all arms together, and games up to the next look.
    look : int
        The look that it is on the way to, from 0.
    moments : Moments
        What has been measured so far.
    """

    games_done: int
    games: int
    look: int
    moments: Moments


@dataclass(frozen=True, slots=True)
class Crew(Staff):
    """Who plays, and who wants to know how it goes.

    Attributes
    ----------
    watch : callable
        Called at the start and after every part.
    watch_step : callable
        Called during what comes before or after those parts: with what is done to the games, and games done and in all.
    """

    watch: Callable[[Progress], None] = lambda progress: None
    watch_step: Callable[[str, int, int], None] = lambda what, done, games: None


def play_arms(plan: ArmsPlan, kept: Kept, enough: Callable[[Moments], bool], crew: Crew) -> int:
    """Play all arms until the result is good enough at one of the looks.

    Parameters
    ----------
    plan : ArmsPlan
        What to play.
    kept : Kept
        Gets the sums, and may hold those of an earlier session. What it is told is the same whatever the workers, and
        however often that was interrupted.
    enough : callable
        Asked at each look but the last whether to end.
    crew : Crew
        Who plays.

    Returns
    -------
    int
        The look at which it ended, from 0.

    Raises
    ------
    BatchError
        If games failed. What was finished is kept.
    RunError
        If what was measured can't be kept.
    KeyboardInterrupt
        If the user interrupted. What was finished is kept.
    """
    last = len(plan.looks) - 1
    with kept, hold_interrupts() as interrupted:
        for look, parts in enumerate(plan.parts_by_look()):
            if kept.last_part > parts[-1].index:
                # An earlier session looked here, and went on.
                continue
            _play_parts(plan, parts, kept, crew, interrupted)
            if look == last or enough(kept.moments):
                break
    return look


def _play_parts(plan: ArmsPlan, parts: list[Part], kept: Kept, crew: Crew, interrupted: Callable[[], bool]) -> None:
    look, arms = parts[-1].first_game + parts[-1].games, len(plan.arms)

    def report() -> None:
        moments = kept.moments
        crew.watch(Progress(moments.games * arms, look * arms, plan.looks.index(look), moments))

    report()
    missing = [part for part in parts if part.index not in kept.parts]
    with closing(run_parts(plan, missing, measure_part, crew.workers, crew.backend, interrupted)) as receipts:
        for receipt in receipts:
            kept.add(receipt.part.index, receipt.result)
            report()


def measure_part(plan: ArmsPlan, part: Part, stop: StopSignal) -> Moments:
    """Play a part's deals with every arm and sum up what is measured; the task of the workers.

    Parameters
    ----------
    plan : ArmsPlan
        What is played.
    part : Part
        The deals.
    stop : StopSignal
        Looked at before every block of games.

    Returns
    -------
    Moments
        Of these deals.

    Raises
    ------
    StopRequested
        If told to stop.
    """
    measured = np.zeros((part.games, plan.measure.columns), np.int64)
    for arm, setup in enumerate(plan.arms):
        # A copy takes along only what it was made of: what hundreds of setups work out would fill memory.
        own = setup if len(plan.arms) <= _MOST_KEPT else copy.copy(setup)
        playing = Plan(own, part.first_game + part.games, plan.measure.detail)
        done = 0
        for tables in play_in_blocks(playing, part, stop):
            games = len(tables["games"])
            plan.measure.add(arm, tables, measured[done : done + games])
            done += games
    return Moments.of(measured)
