"""How many threads the numerical libraries may start.

The workers already use every core they were given. A library that starts a thread per core inside each
worker only makes them wait for each other.
"""

from __future__ import annotations

import os
import sys
from typing import Final

_ONE_A_WORKER: Final = {
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
    limit_inner_threads()
    if "polars" not in sys.modules:
        os.environ.setdefault("POLARS_MAX_THREADS", str(workers))
    return "polars" not in sys.modules or "POLARS_MAX_THREADS" in os.environ


def limit_inner_threads() -> None:
    """Keep NumPy and Numba to one thread, unless they are loaded; for what loads them to count the workers."""
    for library, variables in _ONE_A_WORKER.items():
        if library not in sys.modules:
            for variable in variables:
                os.environ.setdefault(variable, "1")


def one_thread_each() -> dict[str, str]:
    """Return the variables that keep the libraries of a new process to one thread each; what the user has set stays.

    They read them when they are loaded, which in a new process is before anybody could ask them to.

    Returns
    -------
    dict of str to str
        Values of environment variables by name.
    """
    variables = ("POLARS_MAX_THREADS", *(name for names in _ONE_A_WORKER.values() for name in names))
    return {name: os.environ.get(name, "1") for name in variables}
