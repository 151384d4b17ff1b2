"""One writer at a time at an address, as far as an object store can tell.

No store lets go of a lock when a process dies. So the lock is an object that its owner writes anew every few seconds:
if it stays as it is for a while, the owner is gone. Nobody's clock is asked.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import threading
import time
from contextlib import suppress
from typing import Final

from fivetowers_sim.dataset.address import Address
from fivetowers_sim.dataset.errors import RunError, describe_os_error
from fivetowers_sim.dataset.held import forget_held, note_held
from fivetowers_sim.user_files import parse_written_json

BEAT_SECONDS: Final = 4.0
"""How often the owner writes."""

SILENT_SECONDS: Final = 14.0
"""How long the lock must stay as it is before somebody else takes it."""

_LOOK_SECONDS: Final = 0.5


class RemoteLock:
    """The lock on a run at an address.

    Parameters
    ----------
    folder : Address
        The run.
    name : str
        What the lock is called.

    Raises
    ------
    RunError
        If somebody else holds it, or it can't be written.

    Notes
    -----
    It takes :data:`SILENT_SECONDS` to see that whoever held it was killed. Two that begin within the same moment are
    told apart where the store refuses to make an object twice, and elsewhere almost always.
    """

    def __init__(self, folder: Address, name: str) -> None:
        self._folder = folder
        self._place = folder / name
        self._owner = {"owner": secrets.token_hex(8), "host": socket.gethostname(), "process": os.getpid()}
        self._beats = 0
        self._lost = False
        self._done = threading.Event()
        try:
            self._take()
        except OSError as error:
            raise RunError(describe_os_error("write", self._place, error)) from error
        note_held(folder)
        self._beating = threading.Thread(target=self._beat, name="fivetowers-lock", daemon=True)
        self._beating.start()

    def check(self) -> None:
        """Make sure that nobody has taken it over.

        Raises
        ------
        RunError
            If somebody has: this process was silent for too long.
        """
        if self._lost:
            raise RunError(f"{self._folder} was taken over by another process; this one had not been heard of")

    def release(self) -> None:
        """Let go, and remove the lock."""
        forget_held(self._folder)
        self._done.set()
        self._beating.join()
        with suppress(OSError):
            if self._is_own():
                self._place.unlink(missing_ok=True)

    def _take(self) -> None:
        try:
            self._place.put_new(self._text())
        except FileExistsError:
            self._await_silence()
            self._place.put(self._text())
        # Where two could make it, the later one has it.
        if not self._is_own():
            raise self._refuse()

    def _await_silence(self) -> None:
        """Wait until whoever holds it must be gone; RunError if they show that they aren't."""
        first = self._read()
        silent_at = time.monotonic() + SILENT_SECONDS
        while first and time.monotonic() < silent_at:
            time.sleep(_LOOK_SECONDS)
            now = self._read()
            if not now:
                return
            if now != first:
                raise self._refuse()

    def _beat(self) -> None:
        while not self._done.wait(BEAT_SECONDS):
            # One that can't be written now is written the next time.
            with suppress(OSError):
                if not self._is_own():
                    self._lost = True
                    return
                self._beats += 1
                self._place.put(self._text())

    def _text(self) -> bytes:
        return json.dumps({**self._owner, "beat": self._beats}).encode()

    def _read(self) -> bytes:
        with suppress(FileNotFoundError):
            return self._place.read_bytes()
        return b""

    def _is_own(self) -> bool:
        return self._owner["owner"].encode() in self._read()

    def _refuse(self) -> RunError:
        who = "another process"
        with suppress(ValueError, KeyError, TypeError):
            found = parse_written_json(self._read())
            who = f"process {found['process']} on {found['host']}"
        return RunError(f"{self._folder} is being written by {who}; wait for it or stop it")
