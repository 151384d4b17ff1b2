"""What a long experiment has measured so far, kept on disk so that it can go on after an interruption.

The experiment is begun again from its start and asks for the same things in the same order; what the journal has is
not measured again. There is nothing else to restore, so an interrupted experiment can't end differently. Two
processes that go on with the same journal write the same lines. Each entry has a hash of its own: one that was cut
short or changed is measured again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from fivetowers_sim.batch.plan import canonical_json, first_difference, hash_plan
from fivetowers_sim.dataset.atomic import write_atomically
from fivetowers_sim.dataset.errors import RunError, as_run_error
from fivetowers_sim.user_files import make_absolute, parse_written_json

JOURNAL_FORMAT: Final = "fivetowers-journal/1"


class Journal:
    """A file with the experiment's plan in its first line, and an entry in every other.

    Parameters
    ----------
    path : Path or None
        The file; None keeps everything in memory only.
    plan : mapping
        What is measured, as plain JSON values: everything that the entries depend on.
    resume : bool
        Whether the file may be there already.

    Raises
    ------
    RunError
        If the file can't be read or written, is there though it may not be, or is about another plan.
    """

    def __init__(self, path: Path | None, plan: Mapping[str, Any], resume: bool = False) -> None:
        # A user's own strategy may move to another folder while it plays.
        self._path = None if path is None else make_absolute(path)
        self._entries: dict[str, Any] = {}
        if path is None:
            return
        head = {"format": JOURNAL_FORMAT, "plan": plan}
        with as_run_error("use", path):
            if not path.exists():
                write_atomically(path, canonical_json(head).encode())
            elif not resume:
                raise RunError(f"{path} is there from an interrupted command; resume that, or remove the file")
            else:
                self._read(path, head)

    def find(self, name: str) -> Any:
        """Return what was noted under a name, or None."""
        return self._entries.get(name)

    def note(self, name: str, entry: Any) -> None:
        """Note plain JSON values under a name, and make sure that they are on disk.

        Raises
        ------
        RunError
            If they can't be written.
        """
        self._entries[name] = entry
        if self._path is not None:
            with as_run_error("write", self._path):
                note = {"name": name, "entry": entry}
                self._append(self._path, {**note, "sha256": hash_plan(note)})

    def remove(self) -> None:
        """Remove the file, when the experiment is over and its result is kept."""
        if self._path is not None:
            with as_run_error("remove", self._path):
                self._path.unlink(missing_ok=True)

    @staticmethod
    def _append(path: Path, line: Any) -> None:
        with path.open("ab") as file:
            # The line feed comes first: a line that a kill left unfinished must not swallow the next.
            file.write(b"\n" + canonical_json(line).encode())
            file.flush()
            os.fsync(file.fileno())

    def _read(self, path: Path, head: Mapping[str, Any]) -> None:
        first, *lines = path.read_bytes().split(b"\n")
        written: Any = None
        with suppress(ValueError, KeyError, TypeError, RecursionError):
            found = parse_written_json(first)
            # Written once more, since it can hold what has no place in a plan.
            written = json.loads(canonical_json(found["plan"])) if found["format"] == JOURNAL_FORMAT else None
        if not isinstance(written, dict):
            raise RunError(f"{path} is not the journal of an interrupted command; move it away, or choose another name")
        if canonical_json(written) != canonical_json(head["plan"]):
            field, begun, now = first_difference(written, json.loads(canonical_json(head["plan"])))
            raise RunError(f"{path} was begun with another plan: {field} is {begun} there and {now} here")
        for line in lines:
            with suppress(ValueError, KeyError, TypeError, AttributeError, RecursionError):
                note = parse_written_json(line)
                if note.pop("sha256") == hash_plan(note):
                    self._entries[note["name"]] = note["entry"]
