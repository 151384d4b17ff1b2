"""Learn value tables or a network with progress, and write them when all is done."""

from __future__ import annotations

import shlex
import time
from contextlib import nullcontext
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from fivetowers_sim.cli.errors import Interrupted, UsageError
from fivetowers_sim.cli.interrupt import end_well
from fivetowers_sim.cli.new_file import check_new_file, write_new_file
from fivetowers_sim.cli.progress import GamesProgress, describe_seconds, notice_if_compiling, say_aside
from fivetowers_sim.cli.typed import typed_words

if TYPE_CHECKING:
    from fivetowers_sim.analysis.estimates import Estimate
    from fivetowers_sim.batch.staff import Staff
    from fivetowers_sim.engine.setup import GameSetup
    from fivetowers_sim.experiments.fit import FitPlan, Step
    from fivetowers_sim.experiments.fit_expert import ExpertPlan, ExpertStep

FEWEST_GAMES: Final = 500
MOST_GAMES: Final = 10_000_000
FILE_SUFFIX: Final = ".json"


VALUE, EXPERT = FAMILIES = "value", "expert"
"""What can learn."""


def read_fit_plan(family: str, setup: GameSetup, games: int, trial_games: int) -> FitPlan | ExpertPlan:
    """Make a plan of the options.

    Raises
    ------
    UsageError
        Naming the option, what was given and what is accepted.
    """
    from fivetowers_sim.experiments.fit import FitPlan
    from fivetowers_sim.experiments.fit_expert import ExpertPlan

    if family not in FAMILIES:
        raise UsageError(f"--family is {family!r}; accepted are {', '.join(FAMILIES)}")
    for option, value in (("--games", games), ("--trial-games", trial_games)):
        if not FEWEST_GAMES <= value <= MOST_GAMES:
            raise UsageError(f"{option} is {value}; accepted is {FEWEST_GAMES} to {MOST_GAMES}")
    make = ExpertPlan if family == EXPERT else FitPlan
    return make(setup.rules, setup.players, setup.powers_by_seat[0], games, trial_games, setup.seed)


def learn_player(plan: FitPlan | ExpertPlan, out: Path, staff: Staff, quiet: bool) -> str:
    """Learn tables or a network, and write them into a new file.

    Parameters
    ----------
    plan : FitPlan or ExpertPlan
        What to learn.
    out : Path
        The file.
    staff : Staff
        Who plays.
    quiet : bool
        Whether to show no progress.

    Returns
    -------
    str
        A line that says how strong they are, and where they are.

    Raises
    ------
    UsageError
        If the file is there already, or its folder isn't, or its name doesn't end in ``.json``.
    Interrupted
        If the user pressed Ctrl-C; nothing is written then.
    """
    from fivetowers_sim.experiments.fit import Fit, FitPlan
    from fivetowers_sim.experiments.fit_expert import ExpertFit

    command = shlex.join(["fivetowers", *typed_words()[1:]])
    if out.suffix != FILE_SUFFIX:
        raise UsageError(f"--out is {str(out)!r}; accepted is the name of a new file that ends in {FILE_SUFFIX}")
    check_new_file(out, "--out")
    begun = time.perf_counter()
    progress = StepProgress(quiet)
    told = Interrupted("interrupted: nothing is written; begin again with", command)
    with end_well(lambda: told), progress, nullcontext() if quiet else notice_if_compiling():
        kind = Fit if isinstance(plan, FitPlan) else ExpertFit
        fit = kind(plan, staff, progress.report)
        for step in fit.run():
            progress.end_step(_describe_step(step, fit.beginner))
        learned = fit.finish(command, version("fivetowers_sim"))
    seconds = time.perf_counter() - begun
    write_new_file(out, fit.write(learned).splitlines(), "--out")
    share = learned.provenance[f"win_share_against_{fit.beginner}"]
    winning = learned.provenance["winners_vp_among_themselves"]
    return (
        f"{out}: {len(fit.steps)} steps in {describe_seconds(seconds)}. Against {fit.beginner} in all other seats it "
        f"wins {share['value']:.3f} ({share['low']:.3f} to {share['high']:.3f}, {share['games']:,} games); among "
        f"themselves winners score {winning['value']:.1f} VP. Play with it: --strategies {out}"
    )


class StepProgress:
    """Progress of one step after another.

    Parameters
    ----------
    quiet : bool
        Whether to say nothing.
    """

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._step = GamesProgress("played in this step", quiet)

    def report(self, done: int, games: int) -> None:
        """Take note of how far the step has come."""
        self._step.report(done, games)

    def end_step(self, line: str) -> None:
        """Say how the step ended, and begin the next."""
        self._step.__exit__(None, None, None)
        if not self._quiet:
            say_aside(line)
        self._step = GamesProgress("played in this step", self._quiet)

    def __enter__(self) -> Self:
        """Return the progress itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Take the bar away."""
        self._step.__exit__(None, None, None)


def _describe_step(step: Step | ExpertStep, beginner: str) -> str:
    verdict = "the best so far" if step.is_best else "no better than the best so far"
    return (
        f"step {step.number}: wins {_share(step.against_beginner)} against {beginner}, "
        f"{_share(step.against_best)} against the best before; {verdict}"
    )


def _share(estimate: Estimate) -> str:
    return f"{estimate.value:.3f} ± {estimate.margin:.3f}"
