"""Where Dask workers come from: a cluster of this machine's own, or a scheduler that is running already."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self
from urllib.parse import urlsplit

from fivetowers_sim.batch.dask_workers import DaskWorkers
from fivetowers_sim.batch.plan import Plan
from fivetowers_sim.batch.starting import deaf_to_interrupts
from fivetowers_sim.batch.threads import one_thread_each
from fivetowers_sim.batch.versions import PACKAGE, compare_programs, describe_program
from fivetowers_sim.batch.workers import Task

if TYPE_CHECKING:
    from distributed import Client, LocalCluster

GUARD_NEEDED: Final = (
    'each worker loads the script that starts it, which needs `if __name__ == "__main__":` before what it does'
)
"""What to do about workers that end before they begin."""

SCHEMES: Final = ("tcp", "tls", "ws", "wss", "ucx")

# On one machine there is no better place for a part whose worker died, so it isn't tried as often as elsewhere.
_OWN_SETTINGS: Final = {"distributed.scheduler.allowed-failures": 1}
_SECONDS_TO_CONNECT: Final = 5
_SECONDS_TO_CLOSE: Final = 10
_END_AT_ONCE: Final = getattr(signal, "SIGKILL", signal.SIGTERM)
_SECONDS_TO_CLOSE_IN_A_HURRY: Final = 0.3


class ClusterError(Exception):
    """No Dask cluster to work with; the message is one line for the user."""


class DaskCluster:
    """A connection to a Dask cluster. Made by :func:`start_cluster` and :func:`join_cluster`.

    Attributes
    ----------
    workers : int
        Threads of all workers together when the connection was made.

    Notes
    -----
    As a context manager it ends the connection, and the cluster if it is one of this machine's own.
    """

    def __init__(self, client: Client, own: LocalCluster | None = None) -> None:
        self._client = client
        self._own = own
        self.workers = sum(client.nthreads().values())

    def hire(self, workers: int, plan: Plan, task: Task[Any]) -> DaskWorkers:
        """Make workers for a plan; a :data:`~fivetowers_sim.batch.workers.Backend`.

        Parameters
        ----------
        workers : int
            How many parts are carried out at the same time; the cluster decides where.
        plan : Plan
            The plan.
        task : Task
            What is done to each part.

        Returns
        -------
        DaskWorkers
            The workers.
        """
        return DaskWorkers(self._client, plan, task)

    def check_programs(self) -> None:
        """Refuse workers that run another program than this one: their games might go differently.

        Raises
        ------
        ClusterError
            Naming a worker, and what is different.
        """
        here = describe_program()
        for worker, there in self._client.run(describe_program, on_error="return").items():
            if not isinstance(there, dict):
                reason = " ".join(str(there).split())
                raise ClusterError(
                    f"worker {worker} can't run this program ({reason}); install {PACKAGE} there as it is here"
                )
            if different := compare_programs(there, here):
                raise ClusterError(f"worker {worker} {different}")

    def close(self, in_a_hurry: bool = False) -> None:
        """End the connection, and the cluster if it is one of this machine's own.

        Parameters
        ----------
        in_a_hurry : bool
            Whether to end worker processes the hard way. What they were told to stop they have stopped.
        """
        seconds = _SECONDS_TO_CLOSE_IN_A_HURRY if in_a_hurry else _SECONDS_TO_CLOSE
        with suppress(Exception):
            self._client.close(timeout=seconds)
        if self._own is None:
            return
        if in_a_hurry:
            for nanny in self._own.workers.values():
                nanny.auto_restart = False
                with suppress(OSError, TypeError):
                    os.kill(nanny.pid, _END_AT_ONCE)
        with suppress(Exception):
            self._own.close(timeout=seconds)
        # Or it would be tried once more, for ten seconds, when this process ends.
        self._own.shutdown_on_close = False

    def __enter__(self) -> Self:
        """Return the cluster itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close, without much ado if something went wrong or the user interrupted."""
        self.close(in_a_hurry=kind is not None)


def start_cluster(workers: int) -> DaskCluster:
    """Start a scheduler and worker processes on this machine, each with one thread.

    Parameters
    ----------
    workers : int
        How many processes.

    Returns
    -------
    DaskCluster
        To be closed.

    Raises
    ------
    ClusterError
        If ``distributed`` isn't installed, or the processes don't start.
    """
    require_dask()
    _end_copy_of_script()
    import dask
    from distributed import Client, LocalCluster

    os.environ.update(one_thread_each())
    try:
        # All that is started in here, now or later, is deaf to Ctrl-C: this process decides what it means.
        with deaf_to_interrupts(), dask.config.set(_OWN_SETTINGS):
            own = LocalCluster(
                host="127.0.0.1",
                n_workers=workers,
                threads_per_worker=1,
                dashboard_address=None,
                # Without a dashboard it still serves pages, by itself at a port that another cluster may have taken.
                scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
                memory_limit=0,
                silence_logs=logging.CRITICAL,
            )
            # A worker that dies while it starts isn't started again by itself.
            own.adapt(minimum=workers, maximum=workers)
            client = Client(own, set_as_default=False)
    except (OSError, RuntimeError, TimeoutError) as error:
        reason = " ".join(str(error).split()).rstrip(".") or type(error).__name__
        raise ClusterError(f"can't start a Dask cluster on this machine: {reason}; {GUARD_NEEDED}") from error
    return DaskCluster(client, own)


def _end_copy_of_script() -> None:
    """End a process that should become a worker and does all that the script does instead.

    Each of Dask's worker processes loads the script that has started it. Without a guard that asks for workers once
    more, which can't be had there. The first process tells the user.
    """
    process = multiprocessing.current_process()
    if getattr(process, "_inheriting", False) and process.name.startswith("Dask Worker"):
        raise SystemExit(1)


def join_cluster(scheduler: str) -> DaskCluster:
    """Connect with a scheduler that is running.

    Parameters
    ----------
    scheduler : str
        Its address, such as ``tcp://10.0.0.1:8786``.

    Returns
    -------
    DaskCluster
        To be closed; its workers run the same program as this process.

    Raises
    ------
    ClusterError
        If ``distributed`` isn't installed, nobody answers at this address, or workers run another program.
    """
    require_dask()
    from distributed import Client

    try:
        client = Client(scheduler, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise ClusterError(f"no Dask scheduler answers at {scheduler}: {reason}") from error
    cluster = DaskCluster(client)
    try:
        cluster.check_programs()
    except BaseException:
        cluster.close()
        raise
    return cluster


def require_dask() -> None:
    """Make sure that Dask can be used.

    Raises
    ------
    ClusterError
        If ``distributed`` isn't installed.
    """
    try:
        import distributed  # noqa: F401
    except ModuleNotFoundError as error:
        raise ClusterError(f"needs the package {error.name}; pip install 'fivetowers-sim[dask]'") from error


def is_scheduler_address(text: str) -> bool:
    """Say whether a text is an address such as ``tcp://10.0.0.1:8786``."""
    try:
        parts = urlsplit(text)
        return parts.scheme in SCHEMES and bool(parts.hostname) and parts.port is not None and not parts.path.strip("/")
    except ValueError:
        return False
