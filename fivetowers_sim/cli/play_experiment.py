"""Play an experiment with progress, in a folder or in memory only, and end well when interrupted."""

from __future__ import annotations

import math
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from fivetowers_sim.cli.errors import Interrupted, UsageError, name_option
from fivetowers_sim.cli.interrupt import end_well
from fivetowers_sim.cli.number import read_number
from fivetowers_sim.cli.paths import read_folder
from fivetowers_sim.cli.play_run import resume_command
from fivetowers_sim.cli.progress import GamesProgress, StepsProgress, notice_if_compiling
from fivetowers_sim.cli.whole_number import read_whole_number

if TYPE_CHECKING:
    from fivetowers_sim.batch.staff import Staff
    from fivetowers_sim.bench.arms import Crew, Progress
    from fivetowers_sim.bench.folder import Asked, ExperimentFolder

Outcome = TypeVar("Outcome")

Games = Annotated[
    int | None,
    typer.Option(
        "--games", metavar="N", parser=read_whole_number, help="Games in all, rounded up to a balanced number."
    ),
]
PrecisionInVP = Annotated[
    float | None,
    typer.Option(
        "--precision",
        metavar="VP",
        parser=read_number,
        help="Play until the main figure is known to ± this many VP. [default: 0.2, without --games]",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        parser=read_folder,
        help="A new folder for figures, tables, pictures and what is played.",
    ),
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with what was begun in --out.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print every figure with its interval as JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Show no progress.")]

DEFAULT_PRECISION_IN_VP = 0.2


@dataclass(frozen=True, slots=True)
class Manner:
    """How an experiment is played, as far as that changes none of its games.

    Attributes
    ----------
    staff : Staff
        Who plays.
    out : Path or None
        The folder to write.
    resume : bool
        Whether to go on with what is in it.
    quiet : bool
        Whether to show no progress.
    """

    staff: Staff
    out: Path | None
    resume: bool
    quiet: bool


@dataclass(frozen=True, slots=True)
class Show:
    """What is needed around the games.

    Attributes
    ----------
    warm_up : callable
        Loads or compiles the kernels.
    describe : callable
        Says how precise the figures are so far; may say nothing.
    """

    warm_up: Callable[[], None]
    describe: Callable[[Progress], str]


def play_experiment(
    asked: Asked, manner: Manner, show: Show, play: Callable[[Crew, ExperimentFolder | None], Outcome]
) -> Outcome:
    """Play an experiment.

    Parameters
    ----------
    asked : Asked
        What its folder is about.
    manner : Manner
        How to go about it.
    show : Show
        What is done before the games, and said during them.
    play : callable
        Plays it, with a crew and in a folder if there is one.

    Returns
    -------
    object
        What ``play`` returns.

    Raises
    ------
    UsageError
        If there is nothing to resume.
    Interrupted
        If the user pressed Ctrl-C; the message says how to go on, if that is possible.
    RunError, BatchError
        If the folder can't be used or games failed.
    """
    from fivetowers_sim.bench.arms import Crew
    from fivetowers_sim.bench.folder import begin_experiment

    out = manner.out
    if manner.resume and out is None:
        raise UsageError("--resume is given without --out; accepted is the folder that was begun")
    with GamesProgress("played", manner.quiet) as progress:
        steps = StepsProgress(manner.quiet)

        def watch(state: Progress) -> None:
            progress.report(state.games_done, state.games, show.describe(state))

        def tell() -> Interrupted:
            if out is None:
                return Interrupted("interrupted: nothing is kept, since --out names no folder")
            kept = f"interrupted: {progress.games_done:,} games are played and kept; go on with"
            return Interrupted(kept, resume_command(sys.argv))

        with end_well(tell), nullcontext() if out is None else begin_experiment(out, asked, manner.resume) as folder:
            # Only now is it sure that the folder can be used: nobody waits for a compiler to learn that it can't.
            with nullcontext() if manner.quiet else notice_if_compiling():
                show.warm_up()
            with steps:
                return play(Crew(manner.staff.workers, manner.staff.backend, watch, steps.report), folder)


@contextmanager
def name_options() -> Iterator[None]:
    """Turn what questions say of fields that aren't accepted into UsageError, which names the options."""
    from fivetowers_sim.bench.budget import BudgetError
    from fivetowers_sim.engine.setup import SetupError
    from fivetowers_sim.experiments.question import QuestionError
    from fivetowers_sim.experiments.refit import RefitError
    from fivetowers_sim.strategies.parameters import StrategyError

    try:
        yield
    except StrategyError as error:
        raise UsageError(f"--strategies: {error}") from None
    except (BudgetError, QuestionError, RefitError, SetupError) as error:
        raise UsageError(name_option(error)) from None


def describe_margin(asked: Any, figure: str, unit: str = "") -> Callable[[Progress], str]:
    """Return what says how precise the main figure of a question is so far; nothing if no precision is asked for.

    Parameters
    ----------
    asked : Question or Variants
        With ``budget.precision`` and ``widest_margin``.
    figure : str
        What the figure is called.
    unit : str
        Its unit, with a space before it, where the name doesn't say it.

    Returns
    -------
    callable
        For :class:`Show`.
    """

    def describe(state: Progress) -> str:
        wanted = asked.budget.precision
        margin = asked.widest_margin(state.moments) if wanted else math.nan
        so_far = f"{margin:.2f}" if margin >= 0.1 else f"{margin:.2g}"
        return "" if math.isnan(margin) else f"{figure} ± {so_far}{unit}, wanted ± {wanted:g}"

    return describe


def choose_budget(
    games: int | None, precision: float | None, default: float = DEFAULT_PRECISION_IN_VP
) -> tuple[int | None, float | None]:
    """Return the games and the precision to go by, one of them None.

    Raises
    ------
    UsageError
        If both are given.
    """
    if games is not None and precision is not None:
        raise UsageError(f"--games is {games} and --precision is {precision:g}; accepted is one of them")
    return games, default if games is None and precision is None else precision


def write_command(name: str, words: Sequence[str], options: Mapping[str, object]) -> str:
    """Return what to type to get the same figures.

    Parameters
    ----------
    name : str
        The command.
    words : sequence of str
        Its arguments.
    options : mapping of str to object
        Option to value; a list is an option repeated, and None or False one that isn't given.

    Returns
    -------
    str
        A line for the shell.
    """
    typed = ["fivetowers", name, *words]
    for option, value in options.items():
        if value is True:
            typed.append(option)
        elif isinstance(value, Iterable) and not isinstance(value, str):
            typed += [word for item in value for word in (option, str(item))]
        elif value is not None and value is not False:
            typed += [option, str(value)]
    return shlex.join(typed)
