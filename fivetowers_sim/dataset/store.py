"""Make, open and resume run folders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

from fivetowers_sim.batch.plan import Part, Plan
from fivetowers_sim.dataset.address import Address, Place, as_absolute, as_place
from fivetowers_sim.dataset.atomic import remove_temporaries
from fivetowers_sim.dataset.errors import RunError, as_run_error, describe_os_error
from fivetowers_sim.dataset.folder import check_same_plan, holds_nothing_yet, make_new_folder
from fivetowers_sim.dataset.journal import append_to_journal
from fivetowers_sim.dataset.lock import Lock, lock_place
from fivetowers_sim.dataset.manifest import (
    RUN_FORMAT,
    Manifest,
    check_is_run,
    read_manifest,
    watch_parts,
    write_manifest,
)
from fivetowers_sim.dataset.part_record import PartRecord
from fivetowers_sim.dataset.verify import check_record


@dataclass(frozen=True, slots=True)
class Run:
    """A run folder, opened for reading.

    Attributes
    ----------
    path : Place
        The folder, or the address.
    manifest : Manifest
        What it holds.
    """

    path: Place
    manifest: Manifest


class RunWriter:
    """A run folder, locked for writing. Made by :func:`create_run` and :func:`resume_run`.

    Attributes
    ----------
    path : Place
        The folder, or the address.
    plan : Plan
        The plan, cut into the parts of this folder.
    manifest : Manifest
        What is written so far.
    games_done : int
        How many games that is.

    Notes
    -----
    As a context manager it brings the manifest up to date and lets go of the folder at the end, whatever happened.
    """

    def __init__(self, path: Place, plan: Plan, manifest: Manifest, lock: Lock) -> None:
        # A user's own strategy may move to another folder while it plays.
        self.path = as_absolute(path)
        self.plan = plan
        self.manifest = manifest
        self.games_done = sum(record.part.games for record in manifest.records.values())
        self._lock = lock

    def missing_parts(self) -> Iterator[Part]:
        """Yield the parts that aren't written yet, in game order."""
        return (part for part in self.plan.parts() if part.index not in self.manifest.records)

    def add(self, record: PartRecord) -> None:
        """Note a part whose files are in place.

        Raises
        ------
        OSError
            If the note can't be written.
        RunError
            If another process has taken the run over.
        """
        self._lock.check()
        append_to_journal(self.path, record)
        self.manifest.records[record.part.index] = record
        self.games_done += record.part.games

    def __enter__(self) -> Self:
        """Return the writer itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Merge the journal into the manifest and let go of the folder."""
        try:
            if error is not None:
                # Of a worker that died, or that nobody waited for.
                with suppress(OSError):
                    remove_temporaries(self.path)
            self._lock.check()
            write_manifest(self.path, self.manifest)
        except OSError as failure:
            # If something else went wrong before, that is the thing to report; the journal is still there.
            if error is None:
                raise RunError(describe_os_error("write", self.path, failure)) from failure
        finally:
            self._lock.release()


def create_run(path: str | Place, plan: Plan) -> RunWriter:
    """Make a new run folder.

    Parameters
    ----------
    path : str or Place
        The folder; it must not exist. Folders above it are made.
    plan : Plan
        What will be written.

    Returns
    -------
    RunWriter
        The folder, locked, with every part missing.

    Raises
    ------
    RunError
        If something of that name exists, or the folder can't be made.
    """
    path = as_place(path)
    lock = make_new_folder(path, "run")
    try:
        return _begin(path, plan, lock)
    except BaseException:
        if not isinstance(path, Address):
            with suppress(OSError):
                path.rmdir()
        raise


def open_run(path: str | Place) -> Run:
    """Open a run folder for reading; the run may be unfinished.

    Parameters
    ----------
    path : str or Place
        The folder.

    Returns
    -------
    Run
        The folder and what its manifest says.

    Raises
    ------
    RunError
        If it isn't a run folder, or its manifest is unreadable or damaged.
    """
    place = as_place(path)
    return Run(place, read_manifest(place))


def resume_run(path: str | Place, plan: Plan, watch: Callable[[int, int], None] | None = None) -> RunWriter:
    """Open a run folder to write what is missing, or begin it if there is nothing yet.

    Every part that is listed is read in full; one that isn't as it was written counts as missing.

    Parameters
    ----------
    path : str or Place
        The folder. If it doesn't exist, or a killed process left it empty, the run begins.
    plan : Plan
        The plan that the run was begun with. The run's own part size goes on.
    watch : callable, optional
        Called at the start and after every part with the games read and the games that are listed.

    Returns
    -------
    RunWriter
        The folder, locked.

    Raises
    ------
    RunError
        If it isn't a run folder, is in use, or was begun with another plan or version.
    """
    path = as_place(path)
    if not path.exists():
        return create_run(path, plan)
    if not path.is_dir():
        raise RunError(f"{path} is a file, not a run folder")
    with as_run_error("resume", path):
        if not holds_nothing_yet(path):
            # Before the lock is written: in anybody else's folder a file of its name is anybody else's.
            check_is_run(path)
    lock = lock_place(path)
    try:
        with as_run_error("resume", path):
            remove_temporaries(path)
            if holds_nothing_yet(path):
                return _begin(path, plan, lock)
            manifest = read_manifest(path)
            check_same_plan(path, manifest.plan, plan.to_dict(), manifest.versions)
            if manifest.format != RUN_FORMAT:
                raise RunError(
                    f"{path} is of format {manifest.format}, whose columns have other types; accepted is {RUN_FORMAT}, "
                    "so resume it with the version that began it"
                )
            manifest.records = {
                record.part.index: record
                for record in watch_parts(manifest, watch)
                if not check_record(path, manifest, record)
            }
            write_manifest(path, manifest)
    except BaseException:
        lock.release()
        raise
    return RunWriter(path, replace(plan, part_games=manifest.part_games), manifest, lock)


def _begin(path: Place, plan: Plan, lock: Lock) -> RunWriter:
    manifest = Manifest.from_plan(plan)
    try:
        with as_run_error("write", path):
            write_manifest(path, manifest)
    except BaseException:
        lock.release()
        raise
    return RunWriter(path, plan, manifest, lock)
