"""The manifest: what a run folder holds, and how to tell that it still does.

Parts are first noted in a journal, one line each, so that ten thousand parts cost ten thousand lines and not ten
thousand copies of a growing file. Whenever a run ends, by itself or by Ctrl-C, the journal is merged into
``manifest.json`` and removed. Only a killed run leaves one; whoever reads the folder next takes both into account.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from fivetowers_sim.batch.plan import Part, Plan, canonical_json, hash_plan
from fivetowers_sim.batch.versions import current_versions
from fivetowers_sim.dataset.address import Place
from fivetowers_sim.dataset.atomic import sync_folder, write_atomically
from fivetowers_sim.dataset.errors import RunError, describe_os_error
from fivetowers_sim.dataset.first_format import FIRST_FORMAT
from fivetowers_sim.dataset.journal import read_journal, remove_journal
from fivetowers_sim.dataset.part_record import PartRecord, part_file
from fivetowers_sim.dataset.schema import layout_from_dict, layout_to_dict, resolve_labels
from fivetowers_sim.layout import Layout
from fivetowers_sim.user_files import parse_written_json

RUN_FORMAT: Final = "fivetowers-run/2"
MANIFEST_NAME: Final = "manifest.json"


@dataclass(slots=True)
class Manifest:
    """What a run folder holds.

    Attributes
    ----------
    plan : dict
        The plan as plain JSON values.
    plan_sha256 : str
        Its hash.
    part_games : int
        Games in each part but the last.
    layouts : tuple of Layout
        The tables, with labels resolved.
    versions : dict of str to str
        The versions that began the run.
    notes : dict
        What the setup wants kept with the run, though it decides nothing about the games; plain JSON values.
    records : dict of int to PartRecord
        The finished parts by position.
    format : str
        The format of the manifest and of the parts.
    """

    plan: dict[str, Any]
    plan_sha256: str
    part_games: int
    layouts: tuple[Layout, ...]
    versions: dict[str, str]
    notes: dict[str, Any] = field(default_factory=dict)
    records: dict[int, PartRecord] = field(default_factory=dict)
    format: str = RUN_FORMAT

    @classmethod
    def from_plan(cls, plan: Plan) -> Manifest:
        """Return the manifest of a run that has no parts yet."""
        layouts = resolve_labels(plan.setup.layouts(plan.detail), plan.setup.labels())
        notes = dict(plan.setup.notes())
        return cls(plan.to_dict(), plan.sha256, plan.part_games, layouts, current_versions(), notes)

    @property
    def games(self) -> int:
        """How many games the whole run has."""
        return int(self.plan["games"])

    @property
    def part_count(self) -> int:
        """How many parts the whole run has."""
        return -(-self.games // self.part_games)

    @property
    def complete(self) -> bool:
        """Whether every part is done."""
        return len(self.records) == self.part_count

    def part(self, index: int) -> Part:
        """Return the part at this position, finished or not."""
        first_game = index * self.part_games
        return Part(index, first_game, min(self.part_games, self.games - first_game))

    def expects(self, record: PartRecord) -> bool:
        """Say whether a record is of one of this run's parts, with a file for each table where it belongs."""
        index = record.part.index
        expected = {layout.name: part_file(layout.name, index) for layout in self.layouts}
        return (
            0 <= index < self.part_count
            and record.part == self.part(index)
            and {name: file.file for name, file in record.files.items()} == expected
        )

    def ordered_records(self) -> list[PartRecord]:
        """Return the finished parts in game order."""
        return [self.records[index] for index in sorted(self.records)]

    def layout(self, table: str) -> Layout:
        """Return a table's layout.

        Raises
        ------
        RunError
            If the run has no such table; the message lists those it has.
        """
        for layout in self.layouts:
            if layout.name == table:
                return layout
        names = ", ".join(layout.name for layout in self.layouts)
        raise RunError(f"this run has no table {table!r}; it has {names}")

    def to_text(self) -> str:
        """Return the manifest file's text: its own hash first, the parts last, one a line."""
        head = {
            "format": self.format,
            "complete": self.complete,
            "seed": self.plan["setup"].get("seed"),
            "games": self.games,
            "part_games": self.part_games,
            "plan_sha256": self.plan_sha256,
            "plan": self.plan,
            "versions": self.versions,
            "notes": self.notes,
            "tables": [layout_to_dict(layout) for layout in self.layouts],
        }
        parts = [record.to_dict() for record in self.ordered_records()]
        own = _hash_document({**head, "parts": parts})
        lines = [f'  "{name}": {json.dumps(value, allow_nan=False)},' for name, value in head.items()]
        listed = ",\n".join(f"    {json.dumps(part)}" for part in parts)
        return "\n".join(["{", f'  "manifest_sha256": "{own}",', *lines, '  "parts": [', f"{listed}\n  ]", "}", ""])


def watch_parts(manifest: Manifest, watch: Callable[[int, int], None] | None) -> Iterator[PartRecord]:
    """Yield the finished parts in game order, and tell how far that has come.

    Parameters
    ----------
    manifest : Manifest
        The run's manifest.
    watch : callable, optional
        Called at the start, and whenever the next part is asked for, with the games of the parts that are dealt
        with and the games of all finished parts.

    Yields
    ------
    PartRecord
        A finished part.
    """
    records = manifest.ordered_records()
    games, done = sum(record.part.games for record in records), 0
    if watch is not None:
        watch(0, games)
    for record in records:
        yield record
        done += record.part.games
        if watch is not None:
            watch(done, games)


def read_manifest(folder: Place) -> Manifest:
    """Read a run folder's manifest, and its journal if there is one.

    Parameters
    ----------
    folder : Place
        The run folder.

    Returns
    -------
    Manifest
        With every part that is listed in either.

    Raises
    ------
    RunError
        If the folder isn't a run, or the manifest is unreadable, damaged, or not of a format known here.
    """
    document = _read_document(folder)
    try:
        stated = document.pop("manifest_sha256")
        if stated != _hash_document(document) or document["plan_sha256"] != hash_plan(document["plan"]):
            raise RunError(f"{folder / MANIFEST_NAME} was changed or damaged: its content doesn't match its own hash")
        manifest = Manifest(
            document["plan"],
            document["plan_sha256"],
            int(document["part_games"]),
            tuple(layout_from_dict(table) for table in document["tables"]),
            document["versions"],
            document.get("notes", {}),
            format=document["format"],
        )
        records = [PartRecord.from_dict(entry) for entry in document["parts"]]
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise RunError(f"{folder / MANIFEST_NAME} is not complete: {error!r}") from error
    for record in records + read_journal(folder):
        if manifest.expects(record):
            manifest.records[record.part.index] = record
    return manifest


def check_is_run(folder: Place) -> None:
    """Make sure that a folder is a run's; RunError if it isn't, or its manifest can't be read."""
    _read_document(folder)


def _read_document(folder: Place) -> dict[str, Any]:
    path = folder / MANIFEST_NAME
    if not folder.exists():
        raise RunError(f"{folder} does not exist")
    if not folder.is_dir():
        raise RunError(f"{folder} is a file, not a run folder")
    if not path.is_file():
        raise RunError(f"{folder} is not a run folder: it has no {MANIFEST_NAME}")
    try:
        document = parse_written_json(path.read_bytes())
    except OSError as error:
        raise RunError(describe_os_error("read", path, error)) from error
    except ValueError as error:
        raise RunError(f"{path} can't be read as JSON: {error}") from error
    found = document.get("format") if isinstance(document, dict) else None
    if found not in (RUN_FORMAT, FIRST_FORMAT):
        raise RunError(f"{path} is of format {found!r}; accepted are {RUN_FORMAT} and {FIRST_FORMAT}")
    return document


def write_manifest(folder: Place, manifest: Manifest) -> None:
    """Write the manifest in one step and remove the journal, which is merged in by then.

    Raises
    ------
    OSError
        If it can't be written; the old manifest and the journal are still there then.
    """
    write_atomically(folder / MANIFEST_NAME, manifest.to_text().encode())
    # Parts don't need this: one whose rename a power cut undid is found missing and played again.
    sync_folder(folder)
    remove_journal(folder)


def _hash_document(document: Mapping[str, Any]) -> str:
    return hashlib.sha256(canonical_json(document).encode()).hexdigest()
