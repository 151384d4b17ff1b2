"""Ctrl-C: what a command says when it is pressed, and that it ends soon even in the midst of what can't be interrupted.

Python looks at Ctrl-C between two steps of its own. The compiler, or a library that is at work on one large thing, may
take longer over a step than anybody wants to wait. Then a thread that has waited in vain for the command's end tidies
up and says the command's last words.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from fivetowers_sim.cli.errors import INTERRUPTED, Interrupted

# With the time that workers are waited for, and what it takes to notice, less than two seconds.
_PATIENCE_SECONDS: Final = 1.5
_SHOW_CURSOR: Final = "\x1b[?25h"


class _Leaving:
    """Which of the two threads speaks.

    Attributes
    ----------
    is_watched : bool
        Whether there is a second one, which sees to it that the program ends.
    """

    def __init__(self) -> None:
        self.is_watched = False
        self._lock = threading.Lock()
        self._said = self._given_up = False

    def may_say(self) -> bool:
        """Say whether the main thread may speak, which is then the end of it."""
        with self._lock:
            self._said = not self._given_up
            return self._said

    def may_give_up(self) -> bool:
        """Say whether the main thread hasn't spoken; it may not any more then."""
        with self._lock:
            self._given_up = not self._said
            return self._given_up


_pending: list[Callable[[], Interrupted]] = []
_leaving = _Leaving()


@contextmanager
def end_well(tell: Callable[[], Interrupted]) -> Iterator[None]:
    """Raise what the user is to be told if Ctrl-C is pressed inside the block.

    Parameters
    ----------
    tell : callable
        Returns it; called when it is needed.

    Raises
    ------
    Interrupted
        After Ctrl-C.
    """
    _pending.append(tell)
    try:
        yield
    except KeyboardInterrupt:
        if not _leaving.is_watched:
            _pending.remove(tell)
        # Else it stays on the list: what is around this block may take too long to end.
        raise tell() from None
    except Interrupted:
        raise
    except BaseException:
        _pending.remove(tell)
        raise
    _pending.remove(tell)


def leave_in_time() -> None:
    """From now on, see to it that the program ends soon after Ctrl-C. Called once, in the main thread."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    # The system's own handler writes there, whatever Python is at.
    signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    _leaving.is_watched = True
    threading.Thread(target=_wait_for_interrupt, args=(reader, writer), daemon=True).start()


def say(error: Interrupted) -> None:
    """Print on standard error what is kept and how to go on, once."""
    if not _leaving.may_say():
        # The other thread is saying it, and ends the program then.
        time.sleep(60)
    print(_describe(error), file=sys.stderr)


def end_program(code: int) -> None:
    """End the program; after Ctrl-C without waiting for threads that are at work on a slow game."""
    if code == INTERRUPTED and any(thread is not threading.main_thread() for thread in _threads_to_wait_for()):
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        os._exit(code)
    # The system takes all memory back at once; Python would look through every object first.
    gc.disable()
    gc.freeze()
    sys.exit(code)


def _threads_to_wait_for() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if not thread.daemon]


def _wait_for_interrupt(reader: socket.socket, writer: socket.socket) -> None:
    # The other end is only kept from being closed.
    while signal.SIGINT not in reader.recv(64):
        pass
    time.sleep(_PATIENCE_SECONDS)
    if not _leaving.may_give_up():
        return
    _tidy_up()
    # What the innermost has kept, and how the outermost was typed.
    told = [tell() for tell in _pending] or [Interrupted("interrupted")]
    last = _describe(Interrupted(str(told[-1]), told[0].resume_command))
    cursor = _SHOW_CURSOR if sys.stderr.isatty() else ""
    # Not by way of Python's file, which the other thread may be at.
    with suppress(OSError, ValueError):
        os.write(sys.stderr.fileno(), f"{cursor}{last}\n".encode(errors="backslashreplace"))
    os._exit(INTERRUPTED)


def _tidy_up() -> None:
    from fivetowers_sim.dataset.atomic import remove_temporaries
    from fivetowers_sim.dataset.held import held_folders
    from fivetowers_sim.dataset.lock import LOCK_NAME
    from fivetowers_sim.dataset.scratch import remove_scratch_folders

    remove_scratch_folders()
    for folder in held_folders():
        with suppress(OSError):
            remove_temporaries(folder)
            (folder / LOCK_NAME).unlink(missing_ok=True)


def _describe(error: Interrupted) -> str:
    return f"{error}:\n{error.resume_command}" if error.resume_command else str(error)
