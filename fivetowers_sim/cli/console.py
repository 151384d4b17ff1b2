"""Where the commands write, and in what width and colour."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final, TextIO

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

PLAIN_WIDTH: Final = 100
"""Columns of what goes to a file or another program."""

_paper: Final[ContextVar[TextIO | None]] = ContextVar("paper", default=None)


@contextmanager
def write_on(paper: TextIO) -> Iterator[None]:
    """Have consoles that this thread makes in the block write there instead of on standard output.

    A user's own strategy that prints still prints where it always does.
    """
    token = _paper.set(paper)
    try:
        yield
    finally:
        _paper.reset(token)


def make_console(errors: bool = False, wide: bool = False) -> Console:
    """Return a console that colours only on a terminal, and not there either if NO_COLOR is set.

    Parameters
    ----------
    errors : bool
        Whether it writes to standard error instead of standard output.
    wide : bool
        Whether it keeps :data:`PLAIN_WIDTH` columns on a narrower terminal too, for a table that would lose figures.

    Returns
    -------
    rich.console.Console
        As wide as the terminal. What goes elsewhere is :data:`PLAIN_WIDTH` columns wide.
    """
    from rich.console import Console

    stream = sys.stderr if errors else _paper.get() or sys.stdout
    width = None if stream.isatty() else PLAIN_WIDTH
    console = Console(file=stream, width=width, highlight=False, markup=False, emoji=False)
    if wide and console.width < PLAIN_WIDTH:
        console.width = PLAIN_WIDTH
    return console


def make_table(**options: object) -> Table:
    """Return an empty table in the style of all tables here."""
    from rich import box
    from rich.table import Table

    return Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold", **options)


def show_plainly(text: str) -> str:
    """Write a text with characters in it that a terminal would act upon, or not show, as one that it shows."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def print_error(message: str) -> None:
    """Write one line to standard error, whatever breaks the message has; the exit code tells if that is full."""
    from rich.text import Text

    line = Text.assemble(("error: ", "bold red"), show_plainly(" ".join(message.split())))
    with suppress(OSError):
        make_console(errors=True).print(line, soft_wrap=True)
