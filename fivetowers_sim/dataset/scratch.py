"""Folders for files that nobody needs once a computation is over."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_in_use: set[Path] = set()


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder where the system keeps temporary files, and remove it at the end of the block.

    Yields
    ------
    Path
        The folder.
    """
    with tempfile.TemporaryDirectory(prefix="fivetowers-") as name:
        folder = Path(name)
        _in_use.add(folder)
        try:
            yield folder
        finally:
            _in_use.discard(folder)


def remove_scratch_folders() -> None:
    """Remove those in use, for a program that ends at once."""
    for folder in list(_in_use):
        shutil.rmtree(folder, ignore_errors=True)
