"""What is kept about a finished part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fivetowers_sim.batch.plan import Part


@dataclass(frozen=True, slots=True)
class PartFile:
    """What one Parquet file of a part was when it was written.

    Attributes
    ----------
    file : str
        Its path inside the run folder, with forward slashes.
    rows : int
        Rows in it.
    bytes : int
        Its size.
    sha256 : str
        SHA-256 of its bytes, in hexadecimal.
    """

    file: str
    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class PartRecord:
    """A finished part: its games, and its file in each table.

    Attributes
    ----------
    part : Part
        Position and games.
    files : dict of str to PartFile
        Table name to file.
    """

    part: Part
    files: dict[str, PartFile]

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain JSON values."""
        tables = {
            name: {"file": file.file, "rows": file.rows, "bytes": file.bytes, "sha256": file.sha256}
            for name, file in self.files.items()
        }
        return {
            "part": self.part.index,
            "first_game": self.part.first_game,
            "games": self.part.games,
            "tables": tables,
        }

    @classmethod
    def from_dict(cls, entry: Mapping[str, Any]) -> PartRecord:
        """Return the record that :meth:`to_dict` described."""
        part = Part(int(entry["part"]), int(entry["first_game"]), int(entry["games"]))
        return cls(
            part,
            {
                name: PartFile(str(file["file"]), int(file["rows"]), int(file["bytes"]), str(file["sha256"]))
                for name, file in entry["tables"].items()
            },
        )


def part_file(table: str, index: int) -> str:
    """Return where in a run folder a table's part is kept, with forward slashes."""
    return f"{table}/part-{index:06d}.parquet"
