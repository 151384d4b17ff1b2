"""The folder of an experiment: what was asked, the sums of what is played so far, and in the end the results.

::

    manifest.json     what was asked, versions, and every file with its SHA-256 once it is complete
    sums.npz          sums over deals, from which all figures follow, and from which an interrupted experiment goes on
    results.json      every figure with its interval
    *.parquet …       the same figures as tables, and pictures
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from fivetowers_sim.batch.plan import first_difference, hash_plan
from fivetowers_sim.batch.versions import current_versions
from fivetowers_sim.bench.kept import Kept, KeptInFile
from fivetowers_sim.bench.strategy_files import FromFiles, check_strategy_files
from fivetowers_sim.dataset.atomic import remove_temporaries, sync_folder, write_atomically
from fivetowers_sim.dataset.errors import RunError, as_run_error, describe_os_error
from fivetowers_sim.dataset.folder import check_same_plan, holds_nothing_yet, make_new_folder
from fivetowers_sim.dataset.lock import RunLock
from fivetowers_sim.dataset.manifest import MANIFEST_NAME
from fivetowers_sim.user_files import make_absolute, parse_written_json

EXPERIMENT_FORMAT: Final = "fivetowers-experiment/1"
RESULTS_NAME: Final = "results.json"
SUMS_NAME: Final = "sums.npz"
TABLES_FOLDER: Final = "tables"
_FIELDS: Final = {"experiment": str, "complete": bool, "plan": dict, "versions": dict, "files": dict}
SETTLED: Final = "settled"
"""The field of a plan that is added once it is known; see :meth:`ExperimentFolder.settle`."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What an experiment is to find out.

    Attributes
    ----------
    experiment : str
        Its name, such as ``tournament``.
    plan : dict
        Everything that its results depend on, as plain JSON values.
    """

    experiment: str
    plan: dict[str, Any]


class ExperimentFolder:
    """An experiment's folder, locked for writing. Made by :func:`begin_experiment`.

    Attributes
    ----------
    path : Path
        The folder.
    asked : Asked
        What is to be found out.

    Notes
    -----
    As a context manager it lets go of the folder at the end, whatever happened.
    """

    def __init__(self, path: Path, asked: Asked, lock: RunLock) -> None:
        # A user's own strategy may move to another folder while it plays.
        self.path = make_absolute(path)
        self.asked = asked
        self._lock = lock

    def open_sums(self, columns: int, setups: Iterable[FromFiles], name: str = SUMS_NAME) -> Kept:
        """Return what is kept of the games played so far.

        Parameters
        ----------
        columns : int
            How many things are measured.
        setups : iterable of FromFiles
            The games that are about to be played.
        name : str
            Name of the file, where there is more than one.

        Returns
        -------
        Kept
            Written into the folder from time to time, and at the end of its use as a context manager.

        Raises
        ------
        RunError
            If there are sums that can't be read, or the plan doesn't vouch for a file that players come from.
        """
        check_strategy_files(self.asked.plan, setups)
        return KeptInFile(columns, self.path / name, hash_plan(self.asked.plan))

    def settle(self, asked: Asked) -> None:
        """Put into the plan what had to be worked out before the first game, so that all that follows belongs to it.

        Parameters
        ----------
        asked : Asked
            The plan that the folder was begun with, and a further field :data:`SETTLED`.

        Raises
        ------
        RunError
            If an earlier session worked out something else, or the manifest can't be read or written.
        """
        manifest = read_experiment_manifest(self.path)
        before = manifest["plan"].get(SETTLED)
        if before is None:
            with as_run_error("write", self.path):
                write_asked(self.path, asked, {})
        elif before != asked.plan[SETTLED]:
            field, then, now = first_difference(before, asked.plan[SETTLED])
            raise RunError(f"{self.path} was begun with other tables: {field} is {then} there and {now} here")
        self.asked = asked

    def complete(self, results: Mapping[str, Any], files: Mapping[str, bytes]) -> None:
        """Write the results, and then the manifest that vouches for them.

        Parameters
        ----------
        results : mapping
            Every figure, as plain JSON values.
        files : mapping of str to bytes
            Tables and pictures by file name.

        Raises
        ------
        RunError
            If something can't be written.
        """
        text = json.dumps(results, indent=2, allow_nan=False) + "\n"
        with as_run_error("write", self.path):
            listed = {}
            for name, data in {RESULTS_NAME: text.encode(), **files}.items():
                write_atomically(self.path / name, data)
                listed[name] = _describe(data)
            for sums in sorted(self.path.glob("*.npz")):
                listed[sums.name] = _describe(sums.read_bytes())
            write_asked(self.path, self.asked, listed)

    def __enter__(self) -> Self:
        """Return the folder itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Let go of the folder."""
        self._lock.release()


def begin_experiment(path: str | Path, asked: Asked, resume: bool = False) -> ExperimentFolder:
    """Make an experiment's folder, or open one to go on with it.

    Parameters
    ----------
    path : str or Path
        The folder. It must not exist unless ``resume`` is given; then it may, and must have been begun with the same
        plan by the same version.
    asked : Asked
        What is to be found out.
    resume : bool
        Whether to go on with what is there.

    Returns
    -------
    ExperimentFolder
        The folder, locked.

    Raises
    ------
    RunError
        If it can't be made, isn't an experiment's folder, is in use, or was begun with another plan or version.
    """
    path = Path(path)
    if not resume or not path.exists():
        lock = make_new_folder(path, "experiment")
    elif not path.is_dir():
        raise RunError(f"{path} is a file, not the folder of an experiment")
    else:
        with as_run_error("use", path):
            if not holds_nothing_yet(path):
                # Before the lock is written: in anybody else's folder a file of its name is anybody else's.
                read_experiment_manifest(path)
        lock = RunLock(path)
    try:
        with as_run_error("use", path):
            if holds_nothing_yet(path):
                write_asked(path, asked, {})
            else:
                _check_same(path, asked, read_experiment_manifest(path))
            remove_temporaries(path)
    except BaseException:
        lock.release()
        raise
    return ExperimentFolder(path, asked, lock)


def write_asked(path: Path, asked: Asked, files: Mapping[str, Mapping[str, Any]]) -> None:
    """Write the manifest: what was asked, by which versions, and the files of a complete experiment.

    Raises
    ------
    OSError
        If it can't be written; the one from before is still there then.
    """
    manifest = {
        "format": EXPERIMENT_FORMAT,
        "experiment": asked.experiment,
        "complete": bool(files),
        "plan_sha256": hash_plan(asked.plan),
        "plan": asked.plan,
        "versions": current_versions(),
        "files": files,
    }
    manifest = {"manifest_sha256": hash_plan(manifest), **manifest}
    write_atomically(path / MANIFEST_NAME, (json.dumps(manifest, indent=2, allow_nan=False) + "\n").encode())
    sync_folder(path)


def _describe(data: bytes) -> dict[str, Any]:
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def is_experiment(path: Path) -> bool:
    """Say whether a folder's manifest is one of an experiment, even if a damaged one."""
    file = path / MANIFEST_NAME
    with suppress(OSError, ValueError):
        manifest = parse_written_json(file.read_bytes()) if file.is_file() else None
        return isinstance(manifest, dict) and manifest.get("format") == EXPERIMENT_FORMAT
    return False


def read_experiment_manifest(path: Path) -> dict[str, Any]:
    """Return an experiment's manifest.

    Raises
    ------
    RunError
        If there is none, it can't be read, or its plan is not the one that it was written with.
    """
    file = path / MANIFEST_NAME
    if not file.is_file():
        raise RunError(f"{path} is not the folder of an experiment: it has no {MANIFEST_NAME}")
    try:
        manifest = parse_written_json(file.read_bytes())
        found = manifest["format"]
        if found != EXPERIMENT_FORMAT:
            raise RunError(f"{file} is of format {found!r}; accepted is {EXPERIMENT_FORMAT}")
        stated = manifest.pop("manifest_sha256", None)
        if stated not in (None, hash_plan(manifest)) or hash_plan(manifest["plan"]) != manifest["plan_sha256"]:
            raise RunError(f"{file} was changed or damaged: its content doesn't match its own hash")
        for name, kind in _FIELDS.items():
            if not isinstance(manifest[name], kind):
                raise TypeError(f"{name} is {manifest[name]!r}")
    except OSError as error:
        raise RunError(describe_os_error("read", file, error)) from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise RunError(f"{file} can't be read as a manifest: {error!r}") from error
    return dict(manifest)


def _check_same(path: Path, asked: Asked, manifest: Mapping[str, Any]) -> None:
    if manifest["experiment"] != asked.experiment:
        raise RunError(f"{path} was begun by {manifest['experiment']}; this is {asked.experiment}")
    begun = {name: value for name, value in manifest["plan"].items() if name != SETTLED}
    check_same_plan(path, begun, asked.plan, manifest["versions"])
