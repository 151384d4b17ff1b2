"""Who plays: the options about workers that every command with games shares, and what they mean."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

import typer

from fivetowers_sim.cli.errors import CommandError, UsageError
from fivetowers_sim.cli.progress import notice_if_slow
from fivetowers_sim.cli.whole_number import read_whole_number

if TYPE_CHECKING:
    from fivetowers_sim.batch.staff import Staff

Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="W",
        parser=read_whole_number,
        help="Parts played at the same time. [default: all cores, or all of the cluster]",
    ),
]
Backend = Annotated[
    str, typer.Option("--backend", metavar="WORD", help="Workers are threads, processes, or a Dask cluster's (dask).")
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help="With --backend dask: a running cluster's, such as tcp://10.0.0.1:8786. [default: one of this machine's]",
    ),
]

DEFAULT_BACKEND: Final = "threads"
DASK: Final = "dask"
MOST_WORKERS: Final = 256
MOST_CLUSTER_WORKERS: Final = 10_000


@dataclass(frozen=True, slots=True)
class WantedStaff:
    """What the options say of the workers.

    Attributes
    ----------
    workers : int or None
        How many parts are played at the same time; None for as many as the cluster has threads.
    backend : str
        Value of ``--backend``.
    scheduler : str or None
        Value of ``--scheduler``.
    """

    workers: int | None
    backend: str
    scheduler: str | None

    @property
    def options(self) -> list[str]:
        """The options as they are typed."""
        backend = None if self.backend == DEFAULT_BACKEND else self.backend
        given = {"--workers": self.workers, "--backend": backend, "--scheduler": self.scheduler}
        return [word for name, value in given.items() if value is not None for word in (name, str(value))]

    @contextmanager
    def gather(self, quiet: bool = False) -> Iterator[Staff]:
        """Start or connect what the workers need, and end it at the end.

        Parameters
        ----------
        quiet : bool
            Whether to say nothing if that takes long.

        Yields
        ------
        Staff
            The workers.

        Raises
        ------
        CommandError
            If there is no cluster to be had.
        """
        from fivetowers_sim.batch.staff import Staff

        if self.backend != DASK:
            yield Staff(self.workers or 1, self.backend)
            return
        from fivetowers_sim.batch.dask_cluster import ClusterError, join_cluster, start_cluster

        what = f"Connecting with {self.scheduler} …" if self.scheduler else f"Starting {self.workers} Dask workers …"
        try:
            with nullcontext() if quiet else notice_if_slow(what):
                cluster = join_cluster(self.scheduler) if self.scheduler else start_cluster(self.workers or 1)
        except ClusterError as error:
            raise CommandError(f"--backend dask: {error}") from None
        with cluster:
            if not (self.workers or cluster.workers):
                raise CommandError(
                    f"--scheduler {self.scheduler}: the cluster has no workers; start some, or say with --workers how "
                    "many parts to hand out if it starts them by itself"
                )
            yield Staff(self.workers or cluster.workers, cluster.hire)


def read_staff(workers: int | None, backend: str = DEFAULT_BACKEND, scheduler: str | None = None) -> WantedStaff:
    """Check what is wanted of workers, and keep the numerical libraries from starting more threads than that.

    Call this before anything that loads them.

    Parameters
    ----------
    workers : int, optional
        Value of ``--workers``; one for each core that this process may use, or each thread of the cluster, if not
        given.
    backend : str
        Value of ``--backend``.
    scheduler : str, optional
        Value of ``--scheduler``.

    Returns
    -------
    WantedStaff
        The workers that are wanted.

    Raises
    ------
    UsageError
        If one is not accepted, or the backend can't be used here.
    """
    from fivetowers_sim.batch.threads import limit_threads

    if workers is None and scheduler is None:
        workers = min(count_cores(), MOST_WORKERS)
    most = MOST_WORKERS if scheduler is None else MOST_CLUSTER_WORKERS
    if workers is not None and not 1 <= workers <= most:
        raise UsageError(f"--workers is {workers}; accepted is 1 to {most}")
    limit_threads((workers or 1) if backend == "threads" else 1)
    from fivetowers_sim.batch.workers import BACKENDS

    if backend not in (*BACKENDS, DASK):
        raise UsageError(f"--backend is {backend!r}; accepted are {', '.join((*BACKENDS, DASK))}")
    if scheduler is not None and backend != DASK:
        raise UsageError(f"--scheduler is given with --backend {backend}; accepted is --backend dask")
    if backend == DASK:
        _check_dask(scheduler)
    return WantedStaff(workers, backend, scheduler)


def _check_dask(scheduler: str | None) -> None:
    from fivetowers_sim.batch.dask_cluster import SCHEMES, ClusterError, is_scheduler_address, require_dask

    if scheduler is not None and not is_scheduler_address(scheduler):
        schemes = ", ".join(f"{scheme}://" for scheme in SCHEMES)
        accepted = f"an address with a port such as tcp://10.0.0.1:8786, of {schemes}"
        raise UsageError(f"--scheduler is {scheduler!r}; accepted is {accepted}")
    try:
        require_dask()
    except ClusterError as error:
        raise UsageError(f"--backend dask: {error}") from None


def count_cores() -> int:
    """Return how many cores this process may use."""
    if sys.platform != "win32" and hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
