"""Who plays: the options about workers that every command with games shares, and what they mean."""

from __future__ import annotations

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
        help="Parts played at the same time; -1: all cores, or all of the cluster; -2: all but one. [default: -1]",
    ),
]
Backend = Annotated[
    str,
    typer.Option(
        "--backend",
        metavar="WORD",
        help="Workers are threads, processes, a Dask cluster's (dask), or those of a backend registered with joblib.",
    ),
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
HERE: Final = (DEFAULT_BACKEND, "processes")
ALL: Final = -1
MOST_WORKERS: Final = 256
MOST_CLUSTER_WORKERS: Final = 10_000


@dataclass(frozen=True, slots=True)
class WantedStaff:
    """What the options say of the workers.

    Attributes
    ----------
    workers : int or None
        How many parts are played at the same time; None for as many as the cluster has threads. Below zero as for
        joblib, where the cores aren't this machine's.
    backend : str
        Value of ``--backend``.
    scheduler : str or None
        Value of ``--scheduler``.
    registered : str or None
        The name by which joblib knows the backend, if it is joblib's.
    """

    workers: int | None
    backend: str
    scheduler: str | None
    registered: str | None = None

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
        from fivetowers_sim.batch.workers import WorkersLostError

        if self.backend != DASK:
            try:
                staff = Staff(self.workers or ALL, self.registered or self.backend)
            except WorkersLostError as error:
                raise CommandError(f"--backend {self.backend}: {error}") from None
            yield staff
            return
        from fivetowers_sim.batch.dask_cluster import ClusterError, join_cluster, start_cluster

        what = f"Connecting with {self.scheduler} …" if self.scheduler else f"Starting {self.workers} Dask workers …"
        try:
            with nullcontext() if quiet else notice_if_slow(what):
                cluster = join_cluster(self.scheduler) if self.scheduler else start_cluster(self.workers or 1)
        except ClusterError as error:
            raise CommandError(f"--backend dask: {error}") from None
        with cluster:
            if not cluster.workers and (self.workers or ALL) < 0:
                raise CommandError(
                    f"--scheduler {self.scheduler}: the cluster has no workers; start some, or say with --workers how "
                    "many parts to hand out if it starts them by itself"
                )
            workers = self.workers or ALL
            yield Staff(workers if workers > 0 else max(1, cluster.workers + 1 + workers), cluster.hire)


def read_staff(workers: int | None, backend: str = DEFAULT_BACKEND, scheduler: str | None = None) -> WantedStaff:
    """Check what is wanted of workers, and keep the numerical libraries from starting more threads than that.

    Call this before anything that loads them.

    Parameters
    ----------
    workers : int, optional
        Value of ``--workers``; -1, for each core that this process may use or each thread of the cluster, if not given.
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
    from fivetowers_sim.batch.threads import limit_inner_threads, limit_threads

    limit_inner_threads()
    here = backend in HERE or (backend == DASK and scheduler is None)
    most = MOST_WORKERS if here else MOST_CLUSTER_WORKERS
    if workers is not None and not (workers < 0 or 1 <= workers <= most):
        raise UsageError(f"--workers is {workers}; accepted is 1 to {most}, or -1 for all, -2 for all but one")
    if here and (workers or ALL) < 0:
        from fivetowers_sim.batch.staff import count_workers

        workers = min(count_workers(workers or ALL), MOST_WORKERS)
    limit_threads((workers or 1) if backend == DEFAULT_BACKEND else 1)
    registered = None if backend in (*HERE, DASK) else _find_registered(backend)
    if scheduler is not None and backend != DASK:
        raise UsageError(f"--scheduler is given with --backend {backend}; accepted is --backend dask")
    if backend == DASK:
        _check_dask(scheduler)
    return WantedStaff(workers, backend, scheduler, registered)


def _find_registered(backend: str) -> str:
    from fivetowers_sim.cli.joblib_backend import find_registered, name_backends

    if registered := find_registered(backend):
        return registered
    raise UsageError(f"--backend is {backend!r}; accepted are {name_backends((*HERE, DASK))}")


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
