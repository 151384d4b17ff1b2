"""Where compiled code is kept, and how what nobody uses any longer is removed: only what was made, and marked, here."""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import platformdirs

from fivetowers_sim.user_files import UserFileError, locate

CACHE_VARIABLE: Final = "FIVETOWERS_CACHE_DIR"
KEEP_CACHES_DAYS: Final = 30

CODE_SUFFIX: Final = ".nbc"
TEMPORARY_SUFFIX: Final = ".tmp"

_MARK_NAME: Final = "CACHEDIR.TAG"
# The first line is what programs that make backups look for (https://bford.info/cachedir/).
_MARK: Final = """Signature: 8a477f597d28d172789f06886806bc55
# Compiled code that fivetowers_sim keeps, and removes when nobody has used it for a month.
"""


def choose_cache_folder(key: str) -> Path | None:
    """Choose the first writable place for compiled code; the last one only lasts for this process.

    Parameters
    ----------
    key : str
        Names the folder, besides those of other kernels.

    Returns
    -------
    Path or None
        The folder; None if there is nowhere to write.
    """
    for base in (*_lasting_places(), *_temporary_places()):
        folder = base / key
        if _usable(folder):
            _forget_old_caches(folder)
            return folder
    try:
        folder = Path(tempfile.mkdtemp(prefix="fivetowers_sim"))
    except OSError:
        return None
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _lasting_places() -> list[Path]:
    """Return where code is kept for good: where the user wants it, or where the system has users' caches."""
    given = os.environ.get(CACHE_VARIABLE)
    try:
        if given:
            return [locate(given)]
    except UserFileError as error:
        raise UserFileError(f"{CACHE_VARIABLE} is {given!r}: {error}") from None
    # A user may be without a home folder, in a container for example, or in a folder that is gone.
    with suppress(RuntimeError, OSError):
        return [Path(platformdirs.user_cache_dir("fivetowers_sim")).expanduser().absolute()]
    return []


def _temporary_places() -> list[Path]:
    """Return a place among temporary files, unless somebody else could have put code there for this user to run."""
    user = os.getuid() if hasattr(os, "getuid") else None
    try:
        place = Path(tempfile.gettempdir()) / ("fivetowers_sim" if user is None else f"fivetowers_sim-{user}")
        place.mkdir(mode=0o700, exist_ok=True)
        found = place.lstat()
    except OSError:
        return []
    private = user is None or (found.st_uid == user and not found.st_mode & 0o022)
    return [place] if stat.S_ISDIR(found.st_mode) and private else []


def _usable(folder: Path) -> bool:
    """Say whether files can be written into a folder; it is made, and marked as made here, if it isn't there."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        try:
            folder.mkdir()
        except FileExistsError:
            pass
        else:
            (folder / _MARK_NAME).write_text(_MARK, "utf-8")
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _forget_old_caches(folder: Path) -> None:
    """Delete siblings that were made here and that nobody has used for a month, and mark this one as used."""
    oldest = time.time() - KEEP_CACHES_DAYS * 86_400
    with suppress(OSError):
        os.utime(folder)
        for mark in folder.parent.glob(f"*/{_MARK_NAME}"):
            sibling = mark.parent
            if sibling != folder and not sibling.is_symlink() and sibling.stat().st_mtime < oldest:
                _remove_cache(sibling)


def _remove_cache(folder: Path) -> None:
    """Remove what was made here: the folder, if it is marked, and code in it; what anybody has added stays."""
    with suppress(OSError, ValueError):
        if (folder / _MARK_NAME).read_text("utf-8") != _MARK:
            return
        for inner in folder.iterdir():
            if inner.is_dir() and not inner.is_symlink():
                _remove_code(inner)
        (folder / _MARK_NAME).unlink()
        folder.rmdir()


def _remove_code(folder: Path) -> None:
    for pattern in (f"*{CODE_SUFFIX}", f"*{CODE_SUFFIX}.*{TEMPORARY_SUFFIX}"):
        for file in folder.glob(pattern):
            file.unlink()
    with suppress(OSError):
        folder.rmdir()


def describe_unused_place(folder: Path | None) -> str:
    """Say that code isn't kept where the user wants it; nothing if it is, or if the user wants nothing.

    Parameters
    ----------
    folder : Path or None
        Where it is kept.
    """
    given = os.environ.get(CACHE_VARIABLE)
    if not given or (folder is not None and folder.parent in _lasting_places()):
        return ""
    instead = f"it is kept in {folder}" if folder else "it is compiled anew each time"
    return f"{CACHE_VARIABLE} is {given!r}, where no compiled code can be kept; {instead}"
