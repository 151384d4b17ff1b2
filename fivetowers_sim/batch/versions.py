"""Which program plays: versions, and the very source."""

from __future__ import annotations

import hashlib
import platform
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
