"""Ctrl-C that waits for a good moment, so that no finished part is forgotten."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def hold_interrupts() -> Iterator[Callable[[], bool]]:
    """Note the first Ctrl-C inside the block instead of raising KeyboardInterrupt wherever the program is.

    A second Ctrl-C raises it at once. Outside the main thread, and where somebody else handles the signal,
    nothing is changed.

    Yields
    ------
    callable
        Says whether Ctrl-C was pressed. Whoever asks should then wind up and raise KeyboardInterrupt.

    Raises
    ------
    KeyboardInterrupt
        At the end, if Ctrl-C was pressed and the block ended as if it hadn't been.
    """
    pressed = False

    def note(number: int, frame: Any) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True

    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is not signal.default_int_handler:
        yield lambda: False
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt
