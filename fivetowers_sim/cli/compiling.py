"""Say that a command takes long because its kernel is compiled first."""

from __future__ import annotations

import sys
from typing import Any


def say_if_compiling(kernel: Any, what: str) -> None:
    """Write a line to standard error, unless an earlier process has left the kernel's compiled code.

    Parameters
    ----------
    kernel : compiled function
        The entry point that is about to be called.
    what : str
        What it is, for the line.
    """
    from fivetowers_sim.compiled import CACHE_FOLDER

    if not any(CACHE_FOLDER.rglob(f"*{kernel.__name__}*.nbc")):
        print(f"Compiling {what} for this machine; this happens once …", file=sys.stderr, flush=True)
