"""Starting processes that Ctrl-C doesn't hit, and that leave nothing behind when they are killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker

from fivetowers_sim.batch.interrupt import hold_interrupts


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Let processes that are started inside the block start deaf to Ctrl-C, which reaches them too.

    A process that dies while it starts can leave its parent waiting for ever. The parent hears of a Ctrl-C
    inside the block right after it.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Python lets Ctrl-C through again when it starts these helpers, which every new process needs.
    start_helpers()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def start_helpers() -> None:
    """Start the processes, Python's and loky's, that free what killed ones leave behind, and without a word."""
    with hold_interrupts():
        from joblib.externals.loky.backend import resource_tracker as tracker_of_loky

    before = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = ",".join(filter(None, (before, "ignore:resource_tracker")))
    try:
        resource_tracker.ensure_running()
        tracker_of_loky.ensure_running()
    finally:
        if before is None:
            del os.environ["PYTHONWARNINGS"]
        else:
            os.environ["PYTHONWARNINGS"] = before
