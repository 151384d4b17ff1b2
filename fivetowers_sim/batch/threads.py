"""How many threads the numerical libraries may start.

The workers already use every core they were given. A library that starts a thread per core inside each
worker only makes them wait for each other.
"""

from __future__ import annotations

import os
import sys
from typing import Final

_READ_ON_IMPORT: Final = {
    "polars": ("POLARS_MAX_THREADS",),
    "numpy": ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"),
    "numba": ("NUMBA_NUM_THREADS",),
}


def limit_threads(workers: int) -> bool:
    """Keep Polars to as many threads as there are workers, and NumPy and Numba to one a worker.

    The libraries read these settings once, when they are imported, so call this before. What the user has set
    in the environment stays. A library that is loaded already is left as it is.

    Parameters
    ----------
    workers : int
        Workers that share this process, at least 1.

    Returns
    -------
    bool
        Whether the setting for Polars was in time (or had been made by the user).
    """
    for library, variables in _READ_ON_IMPORT.items():
        if library in sys.modules:
            continue
        for variable in variables:
            os.environ.setdefault(variable, str(workers if library == "polars" else 1))
    return "polars" not in sys.modules or "POLARS_MAX_THREADS" in os.environ


def limit_threads_of_children() -> None:
    """Keep the libraries of processes that are started from now on to one thread each, whatever is loaded in this one.

    They read the settings when they are loaded, which in a new process is before anybody could ask them to.
    """
    for variables in _READ_ON_IMPORT.values():
        for variable in variables:
            os.environ.setdefault(variable, "1")
