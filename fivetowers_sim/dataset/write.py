"""Play a plan into a run folder."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

from fivetowers_sim.batch.interrupt import hold_interrupts
from fivetowers_sim.batch.plan import Plan
from fivetowers_sim.batch.run import BatchError, run_parts
from fivetowers_sim.batch.staff import Staff
from fivetowers_sim.batch.threads import limit_threads
from fivetowers_sim.batch.workers import Backend
from fivetowers_sim.dataset.address import Address, Place, as_place
from fivetowers_sim.dataset.errors import RunError, as_run_error, describe_os_error
from fivetowers_sim.dataset.manifest import Manifest
from fivetowers_sim.dataset.parts import WritePart
from fivetowers_sim.dataset.store import RunWriter, create_run, resume_run


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come.

    Attributes
    ----------
    games_done, games : int
        Games that are safely written, and games in the whole run.
    games_kept : int
        Those of ``games_done`` that an earlier session had written.
    seconds : float
        Since this session began.
    checking : bool
        Whether these are games of an earlier session that are being compared with the manifest, before any are played.
    """

    games_done: int
    games: int
    games_kept: int
    seconds: float
    checking: bool = False

    @property
    def games_per_second(self) -> float:
        """Games written a second in this session."""
        return (self.games_done - self.games_kept) / max(self.seconds, 1e-9)

    @property
    def seconds_left(self) -> float | None:
        """Seconds to the end at this rate; None before the first part is done."""
        if self.games_done == self.games_kept:
            return None
        return (self.games - self.games_done) / self.games_per_second


@dataclass(frozen=True, slots=True)
class Summary:
    """What a finished run folder holds, and what this session did for it.

    Attributes
    ----------
    path : Place
        The folder, or the address.
    games, games_kept : int
        Games in it, and how many of them an earlier session had written.
    rows : dict of str to int
        Rows by table.
    bytes : int
        Bytes of all parts.
    seconds : float
        How long this session took.
    """

    path: Place
    games: int
    games_kept: int
    rows: dict[str, int]
    bytes: int
    seconds: float


def write_run(
    plan: Plan,
    path: str | Place,
    workers: int = 1,
    backend: str | Backend = "threads",
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Summary:
    """Play a plan and write it into a run folder.

    Parameters
    ----------
    plan : Plan
        What to play.
    path : str or Place
        The run folder, or an address such as ``s3://bucket/run``.
    workers : int
        How many parts to play and write at the same time; -1 for as many as there are cores.
    backend : str or Backend
        Where, as :func:`~fivetowers_sim.batch.run.run_parts` accepts it. Workers that are elsewhere must see the folder
        under the same name.
    resume : bool
        Whether to go on with a run that was begun.
    progress : callable, optional
        Called at the start and after every part; when a run is resumed, during the check of what is written too.

    Returns
    -------
    Summary
        What the folder holds now.

    Raises
    ------
    RunError
        If the folder can't be used or written. What was finished is kept.
    BatchError
        If the simulator failed on some parts, naming their games. What was finished is kept.
    KeyboardInterrupt
        If the user interrupted. What was finished is kept, and nothing half-written is left.
    """
    begun = time.perf_counter()
    staff = Staff(workers, backend)
    limit_threads(staff.workers if backend == "threads" else 1)

    def report_check(done: int, games: int) -> None:
        if progress is not None:
            progress(Progress(done, games, 0, time.perf_counter() - begun, checking=True))

    with resume_run(path, plan, report_check) if resume else create_run(path, plan) as writer:
        kept = writer.games_done

        def report() -> None:
            if progress is not None:
                done = writer.games_done
                progress(Progress(done, plan.games, kept, time.perf_counter() - begun))

        report()
        # A part that is finished just when the user interrupts is noted too.
        with hold_interrupts() as interrupted:
            _write_missing(writer, staff, report, interrupted)
    rows, size = _count_rows_and_bytes(writer.manifest)
    return Summary(as_place(path), plan.games, kept, rows, size, time.perf_counter() - begun)


def _write_missing(
    writer: RunWriter, staff: Staff, report: Callable[[], None], interrupted: Callable[[], bool]
) -> None:
    task = WritePart(_seen_by_workers(writer.path, staff.backend), writer.manifest.layouts)
    parts = writer.missing_parts()
    with closing(run_parts(writer.plan, parts, task, staff.workers, staff.backend, interrupted)) as receipts:
        try:
            for receipt in receipts:
                with as_run_error("write", writer.path):
                    writer.add(receipt.result)
                report()
        except BatchError as error:
            part, cause = error.failures[0]
            if not isinstance(cause, OSError):
                raise
            line = describe_os_error("write", writer.path, cause)
            kept = f"{writer.games_done} of {writer.plan.games} games are written and kept"
            raise RunError(f"{part.game_range} failed: {line}; {kept}, and the run can be resumed") from error


def _seen_by_workers(place: Place, backend: str | Backend) -> Place:
    """Return a place as workers have to be told of it; RunError if they can't get there."""
    if not isinstance(place, Address):
        return place
    if place.in_memory and backend != "threads":
        raise RunError(f"{place} is in this process's memory; accepted with workers elsewhere is what they can see")
    return place


def _count_rows_and_bytes(manifest: Manifest) -> tuple[dict[str, int], int]:
    rows = {layout.name: 0 for layout in manifest.layouts}
    size = 0
    for record in manifest.records.values():
        for table, file in record.files.items():
            rows[table] += file.rows
            size += file.bytes
    return rows, size
