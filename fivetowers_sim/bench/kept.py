"""What an experiment has measured so far: in memory, or in a file that a later session goes on from."""

from __future__ import annotations

import io
import time
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import numpy as np

from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.dataset.atomic import write_atomically
from fivetowers_sim.dataset.errors import RunError, as_run_error

# A crash costs no more than the parts of this time; Ctrl-C costs none.
_SECONDS_BETWEEN_WRITES: Final = 3.0


class Kept:
    """The sums of the parts that are done.

    Parameters
    ----------
    columns : int
        How many things are measured.

    Attributes
    ----------
    parts : set of int
        The parts that are done, by index.
    moments : Moments
        Their sums.

    Notes
    -----
    As a context manager it brings the file up to date at the end, whatever happened.
    """

    def __init__(self, columns: int) -> None:
        self.parts: set[int] = set()
        self.moments = Moments.zero(columns)

    @property
    def last_part(self) -> int:
        """The highest index of a part that is done, -1 if there is none."""
        return max(self.parts, default=-1)

    def add(self, part: int, moments: Moments) -> None:
        """Take note of a part."""
        self.parts.add(part)
        self.moments = self.moments + moments

    def write(self) -> None:
        """Bring the file up to date, if there is one."""

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Bring the file up to date."""
        self.write()


class KeptInFile(Kept):
    """The sums of the parts that are done, and a file that is never more than seconds behind.

    Parameters
    ----------
    columns : int
        How many things are measured.
    path : Path
        The file. It is read if it is there.
    plan_sha256 : str
        Hash of the plan that the parts belong to.

    Raises
    ------
    RunError
        If the file is there and can't be read, or belongs to another plan.
    """

    def __init__(self, columns: int, path: Path, plan_sha256: str) -> None:
        super().__init__(columns)
        self._path = path
        self._plan_sha256 = plan_sha256
        self._written = 0
        self._written_at = time.monotonic()
        if path.exists():
            self._read(columns)

    def add(self, part: int, moments: Moments) -> None:
        """Take note of a part; now and then the file is written.

        Raises
        ------
        RunError
            If it can't be written.
        """
        super().add(part, moments)
        if time.monotonic() - self._written_at > _SECONDS_BETWEEN_WRITES:
            self.write()

    def write(self) -> None:
        """Bring the file up to date.

        Raises
        ------
        RunError
            If it can't be written; the file from before is still there then.
        """
        if self._written == len(self.parts):
            return
        buffer = io.BytesIO()
        np.savez(
            buffer,
            plan_sha256=np.array(self._plan_sha256),
            parts=np.array(sorted(self.parts), np.int64),
            games=np.array(self.moments.games, np.int64),
            sums=self.moments.sums,
            products=self.moments.products,
        )
        with as_run_error("write", self._path):
            write_atomically(self._path, buffer.getvalue())
        self._written, self._written_at = len(self.parts), time.monotonic()

    def _read(self, columns: int) -> None:
        found = check_sums(self._path, self._plan_sha256)
        if found["products"].shape != (columns, columns):
            raise RunError(f"{self._path} belongs to another plan; remove it to begin anew")
        self.parts = set(map(int, found["parts"]))
        self.moments = Moments(int(found["games"]), found["sums"], found["products"])
        self._written = len(self.parts)


def check_sums(path: Path, plan_sha256: str) -> dict[str, np.ndarray]:
    """Read a file of sums, and check that it is whole and belongs to a plan.

    Parameters
    ----------
    path : Path
        The file.
    plan_sha256 : str
        Hash of the plan.

    Returns
    -------
    dict of str to ndarray
        What the file holds, by name.

    Raises
    ------
    RunError
        If it can't be read, was damaged, or belongs to another plan.
    """
    try:
        # By way of memory: a file that is no archive would be left open.
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            found = {name: file[name] for name in ("plan_sha256", "parts", "games", "sums", "products")}
            games, shape = int(found["games"]), found["sums"].shape
    except OSError as error:
        raise RunError(f"{path} can't be read: {error.strerror or error}; remove it to begin anew") from error
    except Exception as error:
        # An archive with a wrong bit makes its reader raise all kinds of things.
        raise RunError(f"{path} is damaged ({error}); remove it to begin anew") from error
    if str(found["plan_sha256"]) != plan_sha256:
        raise RunError(f"{path} belongs to another plan; remove it to begin anew")
    if games < 0 or found["products"].shape != 2 * shape:
        raise RunError(f"{path} is damaged (its tables don't fit together); remove it to begin anew")
    return found
