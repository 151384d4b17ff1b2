"""Notes of finished parts while a run is being written.

In a folder they are the lines of one file. An object store can't add to a file: there each is an object of its own.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from fivetowers_sim.batch.plan import canonical_json
from fivetowers_sim.dataset.address import Address, Place, read_all, unlink_all
from fivetowers_sim.dataset.errors import RunError, describe_os_error
from fivetowers_sim.dataset.part_record import PartRecord
from fivetowers_sim.user_files import parse_written_json

JOURNAL_NAME: Final = "parts.jsonl"
NOTES_FOLDER: Final = "parts"


def append_to_journal(folder: Place, record: PartRecord) -> None:
    """Note a finished part, and make sure that the note is kept.

    Raises
    ------
    OSError
        If it can't be written.
    """
    note = canonical_json(record.to_dict()).encode() + b"\n"
    if isinstance(folder, Address):
        (folder / NOTES_FOLDER / f"part-{record.part.index:06d}.json").put(note)
        return
    with (folder / JOURNAL_NAME).open("ab") as journal:
        journal.write(note)
        journal.flush()
        os.fsync(journal.fileno())


def read_journal(folder: Place) -> list[PartRecord]:
    """Return the notes, in the order in which they were made or of their parts.

    Raises
    ------
    RunError
        If they can't be read.
    """
    try:
        lines = _read_notes(folder) if isinstance(folder, Address) else _read_lines(folder / JOURNAL_NAME)
    except OSError as error:
        raise RunError(describe_os_error("read", folder / JOURNAL_NAME, error)) from error
    records = []
    for line in lines:
        # A kill or a full disk can leave a line half-written; its part is then played again.
        with suppress(ValueError, KeyError, TypeError, AttributeError, OverflowError):
            records.append(PartRecord.from_dict(parse_written_json(line)))
    return records


def remove_journal(folder: Place) -> None:
    """Remove all notes.

    Raises
    ------
    OSError
        If they can't be removed.
    """
    if isinstance(folder, Address):
        unlink_all(folder, _list_notes(folder))
    else:
        (folder / JOURNAL_NAME).unlink(missing_ok=True)


def is_note(name: str) -> bool:
    """Say whether a file of a run, named from the run's folder, belongs to the journal."""
    return name == JOURNAL_NAME or re.fullmatch(rf"{NOTES_FOLDER}/part-\d{{6,}}\.json", name) is not None


def _read_lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines() if path.exists() else []


def _read_notes(folder: Address) -> list[bytes]:
    return read_all(folder, _list_notes(folder))


def _list_notes(folder: Address) -> list[str]:
    names = (place.relative_to(folder).as_posix() for place in (folder / NOTES_FOLDER).rglob())
    return [name for name in names if is_note(name)]
