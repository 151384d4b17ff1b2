"""Folders that a call writes to: those that are named, temporary ones, and copies."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fivetowers_sim.dataset.errors import RunError, as_run_error
from fivetowers_sim.user_files import locate


class TemporaryFolder:
    """A folder for what is kept nowhere else. It goes when this object does, or at the program's end.

    Attributes
    ----------
    path : Path
        The folder.
    """

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="fivetowers-"))
        self._finalizer = weakref.finalize(self, _remove_own, self.path, os.getpid())

    def remove(self) -> None:
        """Remove it now."""
        self._finalizer()


def _remove_own(path: Path, process: int) -> None:
    # A process that was forked off has the object too, and no claim to the folder.
    if os.getpid() == process:
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def place_for(out: Any, name: str) -> Iterator[tuple[Any, TemporaryFolder | None]]:
    """Find the place to write to.

    Parameters
    ----------
    out : str, Path or None
        What was given.
    name : str
        What to call it if nothing was.

    Yields
    ------
    tuple of object, TemporaryFolder or None
        The place, and the folder that it is in if that is a temporary one, which is removed if the block fails.
    """
    if out is not None:
        yield out, None
        return
    keeper = TemporaryFolder()
    try:
        yield keeper.path / name, keeper
    except BaseException:
        keeper.remove()
        raise


def refuse_resuming_nothing(resume: bool, keeper: TemporaryFolder | None) -> None:
    """Refuse to go on with what was begun nowhere.

    Raises
    ------
    ValueError
        If ``resume`` is given without ``out``.
    """
    if resume and keeper is not None:
        raise ValueError("resume is True without out; accepted is the folder that was begun")


def copy_folder(source: Path, path: str | Path) -> Path:
    """Copy a folder: it is there in full, or not at all.

    Parameters
    ----------
    source : Path
        The folder.
    path : str or Path
        The copy, which must be new. Folders above it are made.

    Returns
    -------
    Path
        The copy, from the root.

    Raises
    ------
    RunError
        If something of that name exists, or it can't be written.
    """
    place = locate(path)
    check_is_new(place, path)
    with as_run_error("write", place):
        place.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f"{place.name}.", suffix=".tmp", dir=place.parent))
        try:
            copied = shutil.copytree(source, beside / place.name)
            check_is_new(place, path)
            copied.rename(place)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    return place


def check_is_new(place: Path, path: str | Path) -> None:
    """Refuse a name that something has already; RunError says so."""
    if place.exists() or place.is_symlink():
        raise RunError(f"{path} exists already; accepted is a new name")
