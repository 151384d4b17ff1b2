"""Progress in a notebook: one line below the cell, which is written anew as things go on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final


class NotebookLine:
    """A line of a cell's output. It appears when something is first said; any thread may say something."""

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, text: str) -> None:
        """Write this instead of what was there."""
        from IPython.display import display

        shown = {"text/plain": text}
        if self._handle is None:
            self._handle = display(shown, raw=True, display_id=True)
        else:
            self._handle.update(shown, raw=True)


_line: Final[ContextVar[NotebookLine | None]] = ContextVar("line", default=None)


def is_in_notebook() -> bool:
    """Say whether this process is the kernel of a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


def find_line() -> NotebookLine | None:
    """Return the line that progress goes to in this thread; None if it goes to standard error."""
    return _line.get()


@contextmanager
def show_in_notebook() -> Iterator[None]:
    """Have all that the block has to say about its progress go to one line, in a notebook."""
    token = _line.set(NotebookLine() if is_in_notebook() else None)
    try:
        yield
    finally:
        _line.reset(token)
