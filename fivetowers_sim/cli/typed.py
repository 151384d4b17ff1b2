"""What was typed for the command that is carried out, for what is written down about where results come from."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_called: Final[ContextVar[Sequence[str] | None]] = ContextVar("called", default=None)


def typed_words() -> Sequence[str]:
    """Return the program as it was started, and its arguments; for a call from Python, what one would type for it."""
    return _called.get() or sys.argv


@contextmanager
def called_as(words: Sequence[str]) -> Iterator[None]:
    """Have these words stand for what was typed, for this thread in the block."""
    token = _called.set(words)
    try:
        yield
    finally:
        _called.reset(token)
