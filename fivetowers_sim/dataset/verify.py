"""Compare a run folder, byte for byte, with what its manifest says."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Literal

from fivetowers_sim.batch.plan import describe_games
from fivetowers_sim.dataset.address import Place, as_place
from fivetowers_sim.dataset.errors import RunError, describe_os_error
from fivetowers_sim.dataset.journal import is_note
from fivetowers_sim.dataset.lock import LOCK_NAME
from fivetowers_sim.dataset.manifest import MANIFEST_NAME, Manifest, read_manifest, watch_parts
from fivetowers_sim.dataset.part_record import PartFile, PartRecord, part_file

Kind = Literal["missing", "truncated", "changed", "swapped", "foreign", "unlisted", "unfinished", "manifest"]

_KNOWN_FILES: Final = {MANIFEST_NAME, LOCK_NAME}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a run folder that isn't as it should be.

    Attributes
    ----------
    kind : str
        ``missing``, ``truncated`` (or grown), ``changed``, ``swapped``, ``foreign``, ``unlisted`` (a part's file that
        the manifest doesn't know yet), ``unfinished`` or ``manifest``.
    file : str
        The file, inside the run folder.
    message : str
        What is wrong with it.
    first_game, games : int
        The games that are affected; ``games`` is 0 if none are.
    """

    kind: Kind
    file: str
    message: str
    first_game: int = 0
    games: int = 0

    def __str__(self) -> str:
        """Return one line: the file, what is wrong, and the games affected."""
        affected = f" ({describe_games(self.first_game, self.games)})" if self.games else ""
        return f"{self.file}: {self.message}{affected}"


def verify_run(path: str | Place, watch: Callable[[int, int], None] | None = None) -> list[Problem]:
    """Check every part of a run folder against its manifest.

    Parameters
    ----------
    path : str or Place
        The run folder, or its address.
    watch : callable, optional
        Called at the start and after every part with the games checked and the games to check.

    Returns
    -------
    list of Problem
        What is wrong, in the order of tables and games; empty if the run is whole and untouched.

    Raises
    ------
    RunError
        If there is no such folder, or it is not a run folder at all.
    """
    folder = as_place(path)
    try:
        manifest = read_manifest(folder)
    except RunError as error:
        if not (folder / MANIFEST_NAME).is_file():
            raise
        return [Problem("manifest", MANIFEST_NAME, f"can't vouch for any part: {error}")]
    owners = {file.sha256: file.file for record in manifest.records.values() for file in record.files.values()}
    problems: list[Problem] = []
    for record in watch_parts(manifest, watch):
        problems += check_record(folder, manifest, record, owners)
    return problems + list(_find_missing_parts(manifest)) + list(_find_strangers(folder, manifest))


def check_record(
    folder: Place, manifest: Manifest, record: PartRecord, owners: Mapping[str, str] | None = None
) -> list[Problem]:
    """Compare a finished part's files with its record.

    Parameters
    ----------
    folder : Place
        The run.
    manifest : Manifest
        Its manifest.
    record : PartRecord
        The part.
    owners : mapping of str to str, optional
        Which file each SHA-256 belongs to, so that an exchanged file can be named.

    Returns
    -------
    list of Problem
        One for each file that isn't as it was written.
    """
    found = (_check_file(folder, manifest, file, owners or {}) for file in record.files.values())
    part = record.part
    return [Problem(kind, file, message, part.first_game, part.games) for kind, file, message in found if message]


def _check_file(
    folder: Place, manifest: Manifest, expected: PartFile, owners: Mapping[str, str]
) -> tuple[Kind, str, str]:
    kind, message, data = compare_file(folder / expected.file, expected.sha256, expected.bytes, owners)
    if message and kind in ("truncated", "changed") and (other_plan := _other_plan(data, manifest.plan_sha256)):
        return "swapped", expected.file, f"was written for another plan ({other_plan[:12]})"
    return kind, expected.file, message


def compare_file(path: Place, sha256: str, size: int, owners: Mapping[str, str]) -> tuple[Kind, str, bytes]:
    """Compare a file with what was written.

    Parameters
    ----------
    path : Place
        The file.
    sha256 : str
        Of what was written.
    size : int
        How many bytes that was.
    owners : mapping of str to str
        Which file each SHA-256 belongs to, so that an exchanged file can be named.

    Returns
    -------
    tuple of (Kind, str, bytes)
        What is wrong, in a word and in a phrase that is empty if nothing is, and what the file holds.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return "missing", "is missing", b""
    except OSError as error:
        return "missing", describe_os_error("read", path, error), b""
    found = hashlib.sha256(data).hexdigest()
    if found == sha256 and len(data) == size:
        return "changed", "", data
    if found in owners:
        return "swapped", f"holds the content of {owners[found]}", data
    if len(data) != size:
        word = "cut short" if len(data) < size else "too long"
        return "truncated", f"is {word}: {len(data)} bytes instead of {size}", data
    return "changed", "was changed: its SHA-256 is not the one it was written with", data


def _other_plan(data: bytes, plan_sha256: str) -> str:
    import polars as pl

    # Whatever a damaged file makes the reader raise, it is reported as damaged.
    with suppress(Exception):
        stated = pl.read_parquet_metadata(io.BytesIO(data)).get("plan_sha256", "")
        return "" if stated == plan_sha256 else stated
    return ""


def _find_missing_parts(manifest: Manifest) -> Iterator[Problem]:
    # Neighbours are reported together: a run that was stopped early lacks thousands.
    first: int | None = None
    for index in range(manifest.part_count + 1):
        missing = index < manifest.part_count and index not in manifest.records
        if missing and first is None:
            first = index
        elif not missing and first is not None:
            begin, last = manifest.part(first), manifest.part(index - 1)
            games = last.first_game + last.games - begin.first_game
            message = "the run is unfinished: these games are not in it; resume it to play them"
            yield Problem("unfinished", MANIFEST_NAME, message, begin.first_game, games)
            first = None


def _find_strangers(folder: Place, manifest: Manifest) -> Iterator[Problem]:
    listed = {file.file for record in manifest.records.values() for file in record.files.values()}
    tables = {layout.name for layout in manifest.layouts}
    awaited = {
        part_file(table, index): manifest.part(index)
        for index in range(manifest.part_count)
        if index not in manifest.records
        for table in tables
    }
    for path in sorted(folder.rglob("*"), key=str):
        name = path.relative_to(folder).as_posix()
        if name in listed or name in _KNOWN_FILES or is_note(name) or (name in tables and path.is_dir()):
            continue
        if name in awaited:
            part = awaited[name]
            message = "is not listed yet: the run is being written or was stopped; resume it to play these games again"
            yield Problem("unlisted", name, message, part.first_game, part.games)
        else:
            yield Problem("foreign", name, "does not belong to this run; it is not read, and may be removed")
