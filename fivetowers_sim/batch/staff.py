"""How many workers there are, and where they work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from fivetowers_sim.batch.joblib_workers import count_registered, hire_registered, registered_backends
from fivetowers_sim.batch.plan import PlanError
from fivetowers_sim.batch.process_workers import ProcessWorkers
from fivetowers_sim.batch.workers import Backend, ThreadWorkers

BACKENDS: Final[Mapping[str, Backend]] = {"threads": ThreadWorkers, "processes": ProcessWorkers}
"""The backends that need nothing but this machine, by name."""


@dataclass(frozen=True, slots=True)
class Staff:
    """Who carries parts out. Changes no figure.

    Attributes
    ----------
    workers : int
        Parts carried out at the same time. What is given as -1 for all cores is counted; see :func:`count_workers`.
    backend : str or Backend
        Where, as :func:`~fivetowers_sim.batch.run.run_parts` accepts it.
    """

    workers: int = 1
    backend: str | Backend = "threads"

    def __post_init__(self) -> None:
        """Count the workers."""
        object.__setattr__(self, "workers", count_workers(self.workers, self.backend))


def count_cores() -> int:
    """Return how many cores this process may use, by its affinity and its container's quota too."""
    from joblib import cpu_count

    return cpu_count()


def count_workers(workers: int, backend: str | Backend = "threads") -> int:
    """Return how many workers a number means, as joblib understands it.

    Parameters
    ----------
    workers : int
        From 1, or -1 for all cores that this process may use, -2 for all but one, and so on. With a backend that is
        registered with joblib, all that this one has.
    backend : str or Backend
        Where they work.

    Returns
    -------
    int
        At least 1.

    Raises
    ------
    PlanError
        If the number or the backend is not accepted.
    """
    own = not isinstance(backend, str)
    if not isinstance(workers, int) or not workers or (own and workers < 0):
        negative = "" if own else ", or -1 for all cores, -2 for all but one"
        raise PlanError(f"workers is {workers!r}; accepted is a whole number from 1{negative}")
    if workers > 0:
        return workers
    if backend in BACKENDS:
        return max(1, count_cores() + 1 + workers)
    find_backend(backend)
    return count_registered(str(backend), workers)


def find_backend(backend: str | Backend) -> Backend:
    """Return what makes workers, by the name of a backend.

    Parameters
    ----------
    backend : str or Backend
        ``threads``, ``processes``, a name that is registered with joblib, or what makes workers.

    Returns
    -------
    Backend
        What makes workers.

    Raises
    ------
    PlanError
        If there is no such backend.
    """
    if not isinstance(backend, str):
        return backend
    if backend in BACKENDS:
        return BACKENDS[backend]
    registered = registered_backends()
    if backend not in registered:
        raise PlanError(
            f"backend is {backend!r}; accepted are {', '.join(BACKENDS)}, and what is registered with joblib "
            f"({', '.join(registered)})"
        )
    return partial(hire_registered, backend)


ALONE: Final = Staff()
"""One thread of this process."""
