"""A question: declared by a class, asked by an object of it, and found out the same way whatever it is about.

A class says what can be told (``params``), what is played (``arms``), what is measured of it (``measure``), which
figures follow (``estimate``), and what is said of them (``content``, ``draw``). When to look, the folder, going on with
what was begun, a stronger player's check, results and tables follow from that.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from fivetowers_sim.analysis.estimates import CONFIDENCE, Estimate
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.batch.plan import Setup
from fivetowers_sim.batch.versions import current_versions
from fivetowers_sim.bench.arms import ArmsPlan, Crew, Measure, Progress, play_arms
from fivetowers_sim.bench.budget import Budget, Main, make_budget
from fivetowers_sim.bench.content import Section
from fivetowers_sim.bench.findings import Findings, Found, judge_findings
from fivetowers_sim.bench.finished import Finished
from fivetowers_sim.bench.folder import SUMS_NAME, Asked, ExperimentFolder
from fivetowers_sim.bench.kept import Kept
from fivetowers_sim.bench.params import Param, RefusedError, check_given
from fivetowers_sim.bench.strategy_files import describe_strategy_files, list_strategy_files

if TYPE_CHECKING:
    import polars as pl

CHECK_SUMS_NAME: Final = "check.npz"


class Question:
    """What a class of questions has in common; an object is one of them, with everything that can be told.

    Parameters
    ----------
    given : mapping of str to object
        Parameter to value; what is missing has its default.
    command : str
        What to type to get the same figures. Decides nothing.

    Attributes
    ----------
    values : dict of str to object
        A value for every parameter.
    command : str
        What to type.
    check : Question or None
        The same asked of a stronger player, in fewer games.
    strategies, labels : sequence of str
        Who is asked, by full name, and what tables call each.

    Raises
    ------
    RefusedError
        If something isn't accepted; the message names the parameter, what was given and what is accepted.
    """

    name: ClassVar[str]
    """What the command and the folder's experiment are called."""
    title: ClassVar[str] = ""
    """A heading."""
    asks: ClassVar[str] = ""
    """What it answers, as a question."""
    params: ClassVar[tuple[Param[Any], ...]] = ()
    """What it can be told, ``games`` and ``precision`` among it."""
    main: ClassVar[Main]
    """What it plays for."""
    format_version: ClassVar[int] = 1
    first_look: ClassVar[int] = 480
    """Deals at the first look."""
    typed: ClassVar[str] = ""
    """What is typed after the program's name to ask it, if that isn't its name."""
    files: ClassVar[Mapping[str, str]] = {}
    """The SHA-256 of the files that it comes from by path, if it doesn't come with the program."""
    measure: Measure
    """What is measured of each deal."""
    strategies: Sequence[str] = ()
    labels: Sequence[str] = ()

    def __init__(self, given: Mapping[str, Any], command: str = "") -> None:
        self.values = check_given(self.params, given)
        self.command = command
        self.check: Self | None = None
        self.prepare()
        _ = self.budget, self.arms
        self.check = self.make_check()

    def prepare(self) -> None:
        """Check what values mean together, and keep what follows from them."""

    def make_check(self) -> Self | None:
        """Return the same question to a stronger player; None if nobody is asked."""
        return None

    @cached_property
    def arms(self) -> tuple[Setup, ...]:
        """What is played, each on the same deals."""
        raise NotImplementedError(f"{type(self).__name__} has no arms")

    def estimate(self, moments: Moments) -> Iterable[Found]:
        """Yield every figure that follows from what was measured."""
        raise NotImplementedError(f"{type(self).__name__} has no figures")

    def follow_up(self, moments: Moments, crew: Crew, folder: ExperimentFolder | None) -> Mapping[str, Any]:
        """Return what results say besides figures, as plain JSON values; what it takes is played by the crew.

        Parameters
        ----------
        moments : Moments
            What was measured.
        crew : Crew
            Who plays what depends on it, if anything does.
        folder : ExperimentFolder, optional
            Where to keep what is played.

        Returns
        -------
        mapping of str to object
            Further fields of the results.
        """
        return {}

    def list_main(self, moments: Moments) -> Iterable[Estimate]:
        """Yield the estimates that ``precision`` is about."""
        return [one.estimate for one in self.estimate(moments)]

    def describe(self) -> dict[str, Any]:
        """Return as plain JSON values what decides the games, how many apart."""
        return {}

    def count(self, deals: int) -> dict[str, int]:
        """Say how much was played, by what results call it."""
        return {"deals": deals, "games": deals * len(self.arms)}

    def tell(self, findings: Findings) -> dict[str, Any]:
        """Return findings as results list them, as plain JSON values."""
        return findings.to_dict()

    def tabulate(self, findings: Findings) -> Mapping[str, pl.DataFrame]:
        """Return findings, those of the check among them, as frames by file name without ending."""
        return {"findings": findings.frame()}

    @classmethod
    def content(cls, finished: Finished) -> Section:
        """Say what was found; a question that has nothing special to say has a table of its findings."""
        from fivetowers_sim.bench.plain import write_plainly

        return write_plainly(cls.title or cls.name.replace("-", " ").capitalize(), cls.asks, cls.main, finished)

    @classmethod
    def draw(cls, finished: Finished) -> Mapping[str, bytes]:
        """Return pictures as files, by name."""
        from fivetowers_sim.bench.plain import draw_plainly

        return draw_plainly(cls.name, cls.main, finished)

    def notes(self) -> list[str]:
        """Say what figures rest on besides games and intervals, a sentence or more each."""
        return []

    @contextmanager
    def learn(self, crew: Crew, folder: ExperimentFolder | None) -> Iterator[Self]:
        """Have players learn before the first game, and keep what they learned as long as it is needed.

        Parameters
        ----------
        crew : Crew
            Who plays.
        folder : ExperimentFolder or None
            Where what is learned stays.

        Yields
        ------
        Question
            The question with those who learned for its players, whose plan has a further field,
            :data:`~fivetowers_sim.bench.folder.SETTLED`; itself if nobody learns.
        """
        yield self

    def warm_up(self) -> None:
        """Load or compile what plays the arms."""
        for arm in self.arms:
            arm.warm_up()  # type: ignore[attr-defined]

    # ---- What follows ----

    @property
    def multiple(self) -> int:
        """Deals come in multiples of this, so that seats come out even."""
        return 1

    @property
    def per_deal(self) -> int:
        """How many of what ``games`` counts a deal gives."""
        return len(self.arms)

    @cached_property
    def budget(self) -> Budget:
        """How much to play."""
        games, precision = self.values["games"], self.values["precision"]
        if games is not None and precision is not None:
            raise RefusedError(f"games is {games} and --precision is {precision:g}; accepted is one of them")
        wanted = self.main.precision if games is None and precision is None else precision
        return make_budget(games, wanted, self.per_deal, self.multiple, self.first_look, self.main.unit)

    @property
    def format(self) -> str:
        """Name and version of the results' format."""
        return f"fivetowers-{self.name}/{self.format_version}"

    def asked(self) -> Asked:
        """Return what the folder of this experiment is about."""
        files = {"strategy_files": list_strategy_files(self.arms)}
        plan = {"format": self.format, **self.budget.to_dict(), **self.describe(), **files}
        if self.files:
            plan["question_files"] = {path: {"sha256": sha256} for path, sha256 in self.files.items()}
        if self.check:
            own = describe_strategy_files(self.check.arms)
            plan["check"] = {"strategies": list(self.check.strategies), **self.check.budget.to_dict(), **own}
        return Asked(self.name, plan)

    def widest_margin(self, moments: Moments) -> float:
        """Return half of the width of the main figure's widest interval; not a number at first."""
        if moments.games < 2:
            return math.nan
        return self.main.scale * max((one.margin for one in self.list_main(moments)), default=math.nan)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found.

    Attributes
    ----------
    asked : Question
        What was asked.
    findings : Findings
        The figures.
    deals : int
        Deals behind each.
    look : int
        At which look it ended, from 0.
    reached : float
        Half of the width of the main figure's widest interval.
    further : mapping of str to object
        What results say besides figures.
    check : Outcome, optional
        What was found of a stronger player.
    """

    asked: Question
    findings: Findings
    deals: int
    look: int
    reached: float
    further: Mapping[str, Any] = field(default_factory=dict)
    check: Outcome | None = None

    @property
    def all_findings(self) -> Findings:
        """The figures, and those of the check."""
        return Findings(self.findings.findings + (self.check.findings.findings if self.check else ()))

    def to_dict(self) -> dict[str, Any]:
        """Return question and figures as plain JSON values."""
        asked = self.asked
        return {
            "format": asked.format,
            "command": asked.command,
            "asked": asked.asked().plan,
            **asked.count(self.deals),
            "confidence": CONFIDENCE,
            "looks_planned": len(asked.budget.looks),
            "looks_taken": self.look + 1,
            "labels": dict(zip(asked.strategies, asked.labels, strict=True)),
            **asked.tell(self.findings),
            **self.further,
            **({"check": self.check.to_dict()} if self.check else {}),
        }

    def finish(self) -> Finished:
        """Return what there is to tell, with verdicts and what they rest on, as a report reads it from a folder."""
        manifest = {"experiment": self.asked.name, "plan": self.asked.asked().plan, "versions": current_versions()}
        results = self.to_dict()
        basis = [describe_precision(self.asked.budget, self.deals, self.look, self.reached, self.asked.main.name)]
        section = self.asked.content(Finished(None, manifest, results, {}))
        results |= {"verdicts": [one.to_dict() for one in section.verdicts], "section": section.to_dict()}
        results["basis"] = [*basis, *self.asked.notes()]
        return Finished(None, manifest, results, {})


def find_out(asked: Question, crew: Crew, folder: ExperimentFolder | None = None) -> Outcome:
    """Find out what was asked, and then the same with the stronger player.

    Parameters
    ----------
    asked : Question
        What to find out.
    crew : Crew
        Who plays.
    folder : ExperimentFolder, optional
        Where to keep what is played, and the results.

    Returns
    -------
    Outcome
        The figures. They depend on what was asked alone.

    Raises
    ------
    BatchError, RunError
        If games failed, or the folder can't be written. What was finished is kept.
    KeyboardInterrupt
        If the user interrupted. What was finished is kept, if there is a folder.
    """
    with asked.learn(crew, folder) as taught:
        if folder and taught is not asked:
            folder.settle(taught.asked())
        outcome = _play(taught, crew, folder, SUMS_NAME)
    if asked.check:
        what = f"played by {asked.check.labels[0]}"

        def watch(state: Progress) -> None:
            crew.watch_step(what, state.games_done, state.games)

        checked = _play(asked.check, replace(crew, watch=watch), folder, CHECK_SUMS_NAME)
        outcome = replace(outcome, check=checked)
    if folder:
        from fivetowers_sim.dataset.schema import encode_parquet

        finished = outcome.finish()
        frames = asked.tabulate(outcome.all_findings)
        tables = {f"{name}.parquet": encode_parquet(frame, {}) for name, frame in frames.items()}
        folder.complete(finished.results, {**tables, **asked.draw(finished)})
    return outcome


def _play(asked: Question, crew: Crew, folder: ExperimentFolder | None, sums_name: str) -> Outcome:
    measure, budget = asked.measure, asked.budget
    kept = folder.open_sums(measure.columns, asked.arms, sums_name) if folder else Kept(measure.columns)
    plan, wanted = ArmsPlan(asked.arms, measure, budget.looks), budget.precision or 0.0
    look = play_arms(plan, kept, lambda moments: asked.widest_margin(moments) <= wanted, crew)
    moments = kept.moments
    findings = judge_findings(asked.estimate(moments), budget)
    further = asked.follow_up(moments, crew, folder)
    return Outcome(asked, findings, moments.games, look, asked.widest_margin(moments), further)


def describe_precision(budget: Budget, deals: int, look: int, reached: float, figure: str) -> str:
    """Say what the intervals are, and whether the precision asked for was reached."""
    basis = f"± is half of a {CONFIDENCE:.0%} interval over {budget.over}"
    if budget.precision is None:
        return f"{basis}."
    came = "reached" if reached <= budget.precision else "not reached"
    return (
        f"{basis}. Asked for ± {budget.precision:g} {budget.unit.name} in every {figure}: {came} at look {look + 1} of "
        f"{len(budget.looks)}, for which all intervals are {budget.widening(deals):.2f} times as wide."
    )
