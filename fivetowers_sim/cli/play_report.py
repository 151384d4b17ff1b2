"""Play what a report needs and doesn't find, and write the report."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fivetowers_sim.cli.errors import INTERRUPTED, Interrupted, UsageError
from fivetowers_sim.cli.interrupt import end_well
from fivetowers_sim.cli.play_run import repeat_command
from fivetowers_sim.cli.progress import say_aside

if TYPE_CHECKING:
    from fivetowers_sim.cli.staff import WantedStaff
    from fivetowers_sim.report.build import Built

DEFAULT_EXPERIMENTS: Final = Path("data/report")

# What is typed for an experiment until it is precise enough for a report, and what where a number of games is given.
_RECIPES: Final = {
    "bid-values": ("--strategies value,greedy,cautious --precision 0.2", "--strategies value,greedy,cautious"),
    "teardown-costs": (
        "--strategies value,greedy --precision 0.3",
        "--strategies value,greedy --no-refit --decisions {games}",
    ),
    "powers": ("--strategies value,greedy --precision 0.3", "--strategies value,greedy"),
    "game-shape": (
        "--players 2,3,4,5 --strategies value,greedy --precision 1",
        "--players 2,3,4,5 --strategies value,greedy",
    ),
    # The player of the checks among them, to say how strong it is; it is slow to compile.
    "tournament": (
        "--strategies value,greedy,cautious,bold,rollout:rollouts=20:ahead=2 --precision 0.02",
        "--strategies value,greedy,random,cautious,bold",
    ),
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """The experiments that a report is about.

    Attributes
    ----------
    folder : Path
        Where they are, or will be, each in a folder of its own.
    questions : tuple of str
        Which experiments.
    games : int or None
        Games of each that is missing; None to play until it is precise enough.
    seed : int
        What decides all chance of those.
    staff : WantedStaff
        Who plays.
    quiet : bool
        Whether to show no progress.
    """

    folder: Path
    questions: tuple[str, ...]
    games: int | None
    seed: int
    staff: WantedStaff
    quiet: bool

    def arguments(self, question: str) -> list[str]:
        """Return what is typed for an experiment."""
        precise, hurried = _RECIPES[question]
        typed = precise if self.games is None else f"{hurried} --games {self.games}".format(games=self.games)
        where = ("--out", str(self.folder / question), "--resume", *self.staff.options)
        return [
            *typed.split(),
            "--seed",
            str(self.seed),
            *where,
            *(["--quiet"] if self.quiet else []),
        ]


def read_questions(text: str | None) -> tuple[str, ...]:
    """Read the names of experiments, separated by commas; all if there are none.

    Raises
    ------
    UsageError
        For an unknown name.
    """
    if text is None:
        return tuple(_RECIPES)
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    for name in names:
        if name not in _RECIPES:
            raise UsageError(f"--questions: there is no {name!r}; accepted are {', '.join(_RECIPES)}")
    return names


def play_missing(wanted: Wanted) -> list[Path]:
    """Play the experiments that aren't there yet, or not to their end.

    Parameters
    ----------
    wanted : Wanted
        The experiments.

    Returns
    -------
    list of Path
        Their folders, all complete.

    Raises
    ------
    Interrupted
        If the user pressed Ctrl-C. The same command goes on.
    UsageError, RunError, BatchError
        As the experiments' commands say.
    """
    from fivetowers_sim.bench.finished import is_finished
    from fivetowers_sim.cli.command import load_command

    folders = [wanted.folder / question for question in wanted.questions]
    for question, folder in zip(wanted.questions, folders, strict=True):
        if is_finished(folder):
            continue
        if not wanted.quiet:
            say_aside(f"{question}:")
        folder.parent.mkdir(parents=True, exist_ok=True)
        try:
            with redirect_stdout(io.StringIO()):
                code = load_command(question).main(wanted.arguments(question), standalone_mode=False)
        except Interrupted as error:
            raise Interrupted(str(error), repeat_command(sys.argv)) from None
        if code == INTERRUPTED:
            # What Typer makes of Ctrl-C before the experiment has begun.
            raise KeyboardInterrupt
    return folders


def end_well_with_report() -> AbstractContextManager[None]:
    """Say how to go on with a report if Ctrl-C is pressed inside the block."""
    told = "interrupted: what is played of its experiments is kept; go on with"
    return end_well(lambda: Interrupted(told, repeat_command(sys.argv)))


def check_report_place(out: Path) -> None:
    """Refuse, before anything is played, a folder in which a report would replace what is not of one."""
    from fivetowers_sim.report.build import check_replaceable

    check_replaceable(out)


def write_report(folders: Sequence[Path], out: Path) -> Built:
    """Write the report on some experiments; RunError if one can't be read, or the report can't be written."""
    from fivetowers_sim.bench.finished import read_finished
    from fivetowers_sim.dataset.errors import RunError
    from fivetowers_sim.report.build import build_report

    finished = [read_finished(folder) for folder in folders]
    try:
        return build_report(finished, out)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        # Their files are as they were written, so another version wrote them.
        names = ", ".join(map(str, folders))
        raise RunError(f"{names}: results of another form than this version's ({error!r}); play them anew") from error
