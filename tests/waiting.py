"""Waiting for what must come, on a machine that may be busy with anything."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_SECONDS = 900
"""Nothing takes so long but what never ends."""


def wait_until(happened: Callable[[], object]) -> None:
    """Wait until something has happened; an error says that it never did."""
    limit = time.monotonic() + PATIENCE_SECONDS
    while not happened():
        assert time.monotonic() < limit
        time.sleep(0.01)
