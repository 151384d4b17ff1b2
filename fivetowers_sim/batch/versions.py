"""Which program plays: versions, and the very source."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Final

PACKAGE: Final = "fivetowers_sim"

_ROOT: Final = Path(__file__).parents[1]


def current_versions() -> dict[str, str]:
    """Return the versions of what makes and writes the games."""
    versions = {"python": platform.python_version()}
    for name in (PACKAGE, "numpy", "numba", "polars"):
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            versions[name] = "not installed"
    return versions


@cache
def source_sha256() -> str:
    """Return the SHA-256 of all modules of this package: two that differ may play differently."""
    digest = hashlib.sha256()
    for file in sorted(_ROOT.rglob("*.py")):
        digest.update(file.relative_to(_ROOT).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def describe_program() -> dict[str, str]:
    """Return what decides how games go and what their files look like; asked in each worker and compared."""
    versions = current_versions()
    versions["python"] = versions["python"].rpartition(".")[0]
    return {**versions, "source code": source_sha256()[:12]}


def compare_programs(there: Mapping[str, str], here: Mapping[str, str]) -> str | None:
    """Say what a worker's program has otherwise than this one, as the rest of a sentence about that worker.

    Parameters
    ----------
    there : mapping of str to str
        The worker's, from :func:`describe_program`.
    here : mapping of str to str
        This one's.

    Returns
    -------
    str or None
        None if they are the same, so that games go the same way.
    """
    for name, version in here.items():
        if (known := there.get(name, "unknown")) != version:
            return f"has {name} {known} and this machine {version}; accepted are the same"
    return None
