"""One writer at a time in a run folder."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

from filelock import FileLock, Timeout

from fivetowers_sim.dataset.address import Address, Place
from fivetowers_sim.dataset.errors import RunError, describe_os_error
from fivetowers_sim.dataset.held import forget_held, note_held
from fivetowers_sim.dataset.remote_lock import RemoteLock
from fivetowers_sim.user_files import make_absolute

LOCK_NAME: Final = "run.lock"


class Lock(Protocol):
    """What keeps other writers out of a run."""

    def check(self) -> None:
        """Make sure that it is still held; RunError if not."""

    def release(self) -> None:
        """Let go."""


def lock_place(place: Place) -> Lock:
    """Lock a run, wherever it is.

    Raises
    ------
    RunError
        If somebody else writes there, or the lock can't be written.
    """
    return RemoteLock(place, LOCK_NAME) if isinstance(place, Address) else RunLock(place)


class RunLock:
    """The operating system's lock on a run folder.

    The system lets go of it when the process ends, however it ends, so a killed run blocks nobody.

    Parameters
    ----------
    folder : Path
        The run folder; it must exist.

    Raises
    ------
    RunError
        If another process (or another writer in this one) holds it, or the folder can't be written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = make_absolute(folder)
        self._path = self._folder / LOCK_NAME
        self._lock = FileLock(self._path, timeout=0)
        try:
            self._check_is_own()
            self._lock.acquire()
            while not self._path.exists():
                # Whoever held it removed the file after this process had opened it: that lock keeps nobody out.
                self._lock.release()
                self._lock.acquire()
        except Timeout:
            raise RunError(f"{folder} is being written by another process; wait for it or stop it") from None
        except OSError as error:
            raise RunError(describe_os_error("write", self._path, error)) from error
        except NotImplementedError:
            reason = "this file system has no locks; choose a folder on one that has"
            raise RunError(f"can't write {self._path}: {reason}") from None
        note_held(self._folder)

    def check(self) -> None:
        """Do nothing: the system keeps its locks."""

    def release(self) -> None:
        """Let go, and remove the lock's file."""
        # While still held, so that nobody's fresh lock is removed instead; Windows only allows it afterwards.
        forget_held(self._folder)
        removed = self._remove()
        self._lock.release()
        if not removed:
            self._remove()

    def _check_is_own(self) -> None:
        """Refuse a file that has any content: locks are empty, and it would be lost."""
        with suppress(FileNotFoundError):
            if self._path.stat().st_size > 0:
                raise RunError(f"{self._path} is not this program's; move it away, or choose another folder")

    def _remove(self) -> bool:
        with suppress(OSError):
            self._path.unlink()
            return True
        return False
