"""Compare an experiment's folder, byte for byte, with what its manifest says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from fivetowers_sim.batch.plan import hash_plan
from fivetowers_sim.bench.folder import TABLES_FOLDER, read_experiment_manifest
from fivetowers_sim.bench.kept import check_sums
from fivetowers_sim.dataset.errors import RunError
from fivetowers_sim.dataset.lock import LOCK_NAME
from fivetowers_sim.dataset.manifest import MANIFEST_NAME
from fivetowers_sim.dataset.verify import Problem, compare_file

_SUMS_SUFFIX: Final = ".npz"
_JOURNAL_SUFFIX: Final = ".journal"


def verify_experiment(path: str | Path) -> list[Problem]:
    """Check every file of an experiment's folder.

    Parameters
    ----------
    path : str or Path
        The folder.

    Returns
    -------
    list of Problem
        What is wrong. Games aren't named: all figures are about all of them.

    Raises
    ------
    RunError
        If there is no manifest in it.
    """
    folder = Path(path)
    try:
        manifest = read_experiment_manifest(folder)
    except RunError as error:
        if not (folder / MANIFEST_NAME).is_file():
            raise
        return [Problem("manifest", MANIFEST_NAME, f"can't vouch for any file: {error}")]
    if not manifest["complete"]:
        message = "the experiment is unfinished; go on with its command and --resume"
        return [*_find_bad_sums(folder, manifest), Problem("unfinished", MANIFEST_NAME, message)]
    return [*_find_changed(folder, manifest["files"]), *_find_strangers(folder, manifest["files"])]


def _find_changed(folder: Path, files: Mapping[str, Mapping[str, Any]]) -> Iterator[Problem]:
    owners = {listed["sha256"]: name for name, listed in files.items()}
    for name, listed in files.items():
        kind, message, _ = compare_file(folder / name, listed["sha256"], listed["bytes"], owners)
        if message:
            yield Problem(kind, name, message)


def _find_bad_sums(folder: Path, manifest: Mapping[str, Any]) -> Iterator[Problem]:
    for file in sorted(folder.glob(f"*{_SUMS_SUFFIX}")):
        try:
            check_sums(file, hash_plan(manifest["plan"]))
        except RunError as error:
            yield Problem("changed", file.name, str(error))


def _find_strangers(folder: Path, files: Mapping[str, Any]) -> Iterator[Problem]:
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder).as_posix()
        ours = name in files or name in (MANIFEST_NAME, LOCK_NAME) or name.endswith(_JOURNAL_SUFFIX)
        if not ours and name.partition("/")[0] != TABLES_FOLDER:
            yield Problem("foreign", name, "does not belong to this experiment; it is not read, and may be removed")
