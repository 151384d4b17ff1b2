"""How far a command has come: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

from fivetowers_sim.cli.console import make_console
from fivetowers_sim.cli.notebook import find_line

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

# What is over sooner needs no progress.
_PATIENCE_SECONDS: Final = 2.0
_SECONDS_BETWEEN_LINES: Final = 5.0
_SECONDS_BETWEEN_LOOKS: Final = 1.0
_SECONDS_BETWEEN_UPDATES: Final = 0.3


class Preparable(Protocol):
    """A setup, as far as this module knows it."""

    def warm_up(self) -> None:
        """Load or compile the kernels."""


def warm_up_engine(setup: Preparable, quiet: bool = False) -> None:
    """Load or compile the kernels in this thread, and say so when it takes long.

    Parameters
    ----------
    setup : Preparable
        The setup whose games come next.
    quiet : bool
        Whether to say nothing.
    """
    with nullcontext() if quiet else notice_if_compiling():
        setup.warm_up()


def notice_if_compiling() -> AbstractContextManager[None]:
    """Say that kernels may be being compiled, if what follows takes longer than loading compiled ones should.

    Say at once where they can't be kept as the user wants.
    """
    from fivetowers_sim.compiled import CACHE_FOLDER, COMPILES
    from fivetowers_sim.kernel_cache import describe_unused_place

    if not COMPILES:
        return notice_if_slow("Numba is switched off (NUMBA_DISABLE_JIT): Python plays, some thousand times slower …")
    if line := describe_unused_place(CACHE_FOLDER):
        print(line, file=sys.stderr, flush=True)
    return notice_if_slow("Preparing the game engine; for a new kind of game it is compiled first, once on a machine …")


@contextmanager
def notice_if_slow(message: str) -> Iterator[None]:
    """Say something if what follows takes more than a moment."""
    line = find_line()
    timer = threading.Timer(_PATIENCE_SECONDS, lambda: say_aside(message) if line is None else line.show(message))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def say_aside(message: str) -> None:
    """Say something that belongs to no result: on standard error, or in a notebook's line."""
    line = find_line()
    if line is None:
        print(message, file=sys.stderr, flush=True)
    else:
        line.show(message)


class GamesProgress:
    """Tells on standard error, or in a notebook's line, how many games are done, how fast, and how long it still takes.

    Parameters
    ----------
    done_word : str
        What happens to the games, such as ``played``.
    quiet : bool
        Whether to say nothing.

    Attributes
    ----------
    games_done, games : int
        As last reported; both 0 before the first report.
    seconds : float
        Since the first report.

    Notes
    -----
    Time is that of a clock which nobody can set. A line comes every few seconds, also while no report does.
    """

    def __init__(self, done_word: str, quiet: bool = False) -> None:
        self.games_done = 0
        self.games = 0
        self._note = ""
        self._done_word = done_word
        self._quiet = quiet
        self._begun: float | None = None
        self._reported = 0.0
        self._games_before = 0
        self._last_line = 0.0
        self._bar: Bar | None = None
        self._task: Any = None
        self._line = find_line()
        self._last_update = 0.0
        self._showing = threading.Lock()
        self._over = threading.Event()

    @property
    def seconds(self) -> float:
        """Seconds since the first report."""
        return 0.0 if self._begun is None else time.perf_counter() - self._begun

    def report(self, games_done: int, games: int, note: str = "") -> None:
        """Take note of how far it has come, and of a word on it; the first report marks the start."""
        begins = self._begun is None
        if begins or games_done < self.games_done:
            # Fewer than before: something else is counted now.
            self._begun = time.perf_counter()
            self._games_before = games_done
            self._last_line = self._last_update = 0.0
        self.games_done, self.games, self._note, self._reported = games_done, games, note, self.seconds
        if self._quiet:
            return
        if begins:
            threading.Thread(target=self._keep_showing, daemon=True).start()
        self._show()

    def say(self, line: str) -> None:
        """Write a line above the bar, unless nothing is to be said."""
        if not self._quiet:
            make_console(errors=True).print(line, soft_wrap=True) if self._bar is None else self._bar.print(line)

    def __enter__(self) -> Self:
        """Return the progress itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Take the bar away."""
        with self._showing:
            self._over.set()
            if self._bar is not None:
                self._bar.stop()
            if self._line is not None and self._last_update:
                self._line.show(self._describe_share())

    def _keep_showing(self) -> None:
        # The first part of a slow game may take minutes.
        while not self._over.wait(_SECONDS_BETWEEN_LOOKS):
            # What comes after the last game takes long at times too.
            if self.games_done < self.games or self._is_waiting():
                self._show()

    def _is_waiting(self) -> bool:
        return self.seconds - self._reported >= _PATIENCE_SECONDS

    def _show(self) -> None:
        with self._showing:
            if self._over.is_set():
                return
            if self._line is not None:
                if self.seconds >= self._last_update + _SECONDS_BETWEEN_UPDATES:
                    self._last_update = self.seconds
                    self._line.show(self._describe_share())
            elif sys.stderr.isatty():
                self._draw()
            elif self.seconds >= max(_PATIENCE_SECONDS, self._last_line + _SECONDS_BETWEEN_LINES):
                self._last_line = self.seconds
                print(self._describe_share(), file=sys.stderr, flush=True)

    def _describe_share(self) -> str:
        share = min(self.games_done / self.games, 1.0) if self.games else 1.0
        return f"{share:4.0%}  {self._describe()}"

    def _describe(self) -> str:
        return "; ".join(filter(None, (self._describe_pace(), self._note)))

    def _describe_pace(self) -> str:
        done = f"{self.games_done:,} of {self.games:,} games {self._done_word}"
        here = self.games_done - self._games_before
        if self.games_done >= self.games:
            return f"{done}; working out what they say" if self._is_waiting() else done
        if here <= 0:
            return f"{done}, {describe_seconds(self.seconds)} so far" if self.seconds >= _PATIENCE_SECONDS else done
        # The rate is that of the last report; what has passed since is taken off the time left.
        rate = here / max(self._reported, 1e-9)
        left = (self.games - self.games_done) / rate - (self.seconds - self._reported)
        return f"{done}, {rate:,.0f} games/s, {describe_seconds(max(left, 0.0))} left"

    def _draw(self) -> None:
        if self._bar is None:
            from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

            columns = BarColumn(bar_width=24), TaskProgressColumn(), TextColumn("{task.description}", markup=False)
            self._bar = Progress(*columns, console=make_console(errors=True), transient=True)
            self._task = self._bar.add_task("", total=self.games)
            self._bar.start()
        self._bar.update(self._task, completed=self.games_done, total=self.games, description=self._describe())


class StepsProgress:
    """Progress of what comes before or after an experiment's main games, one step after another.

    Parameters
    ----------
    quiet : bool
        Whether to say nothing.
    """

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._what = ""
        self._step: GamesProgress | None = None

    def report(self, what: str, done: int, games: int) -> None:
        """Take note of what is done to the games, and of how many are done."""
        if self._step is None or what != self._what:
            self.__exit__()
            self._what, self._step = what, GamesProgress(what, self._quiet)
        self._step.report(done, games)
        if done >= games:
            self.__exit__()

    def __enter__(self) -> Self:
        """Return the progress itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Take the bar away."""
        if self._step is not None:
            self._step.__exit__(None, None, None)
            self._step = None


def describe_seconds(seconds: float) -> str:
    """Return a duration in words, such as ``8.1 s``, ``2 min 5 s`` or ``3 h 20 min``."""
    whole = round(seconds)
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
