"""What can go wrong with a run folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class RunError(Exception):
    """A run folder can't be made, read, resumed or written; the message is one line for the user."""


def describe_os_error(action: str, path: str | Path, error: OSError) -> str:
    """Return one line such as ``can't write data/run/manifest.json: No space left on device``."""
    return f"can't {action} {error.filename or path}: {error.strerror or error}"


@contextmanager
def as_run_error(action: str, path: str | Path) -> Iterator[None]:
    """Turn an OSError inside the block into a :class:`RunError` that says what couldn't be done."""
    try:
        yield
    except OSError as error:
        raise RunError(describe_os_error(action, path, error)) from error
