"""What the other functions return: what their commands would print, as text, plain values and tables."""

from __future__ import annotations

import copy
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fivetowers_sim.api.folders import TemporaryFolder, check_is_new
from fivetowers_sim.api.shown import show_text
from fivetowers_sim.bench.frames import make_frame
from fivetowers_sim.dataset.errors import as_run_error
from fivetowers_sim.user_files import locate

if TYPE_CHECKING:
    import polars as pl


class Answer:
    """An answer: a text for people, and the same for programs.

    Parameters
    ----------
    text : str
        What the command prints.
    values : object
        The same as plain JSON values.
    rows : mapping of str to iterable of mapping, optional
        Tables of it, by name, the main one first.
    """

    def __init__(self, text: str, values: Any, rows: Mapping[str, Iterable[Mapping[str, Any]]] | None = None) -> None:
        self._text = text.rstrip()
        self._values = values
        self._rows = dict(rows or {})

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables, the main one first; there may be none."""
        return tuple(self._rows)

    def frame(self, name: str | None = None) -> pl.DataFrame:
        """Return a table.

        Parameters
        ----------
        name : str, optional
            One of :attr:`tables`; the first if not given.

        Returns
        -------
        polars.DataFrame
            A figure ``x`` has its interval in ``x_low`` and ``x_high``.

        Raises
        ------
        ValueError
            If there is no such table.
        """
        names = self.tables
        name = names[0] if name is None and names else name
        if name not in self._rows:
            raise ValueError(f"name is {name!r}; accepted are {', '.join(names) or 'none: this has no table'}")
        return make_frame(self._rows[name])

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return dict(copy.deepcopy(self._values))

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return show_text(self._text)


class Player(Answer):
    """A strategy that was found, in a file of its own. It may be given wherever a strategy's name is.

    Parameters
    ----------
    text, values : str, object
        As :class:`Answer` takes them.
    path : Path
        The file.
    keeper : TemporaryFolder, optional
        The temporary folder that it is in.

    Attributes
    ----------
    path : Path
        The file. Without ``out`` it is in a temporary folder, which goes when this object does.
    """

    def __init__(self, text: str, values: Any, path: Path, keeper: TemporaryFolder | None = None) -> None:
        super().__init__(text, values)
        self.path = locate(path)
        self._keeper = keeper

    def __fspath__(self) -> str:
        """Return the path, so that it can be given as a strategy."""
        return str(self.path)

    def save(self, path: str | Path) -> Path:
        """Copy the file.

        Parameters
        ----------
        path : str or Path
            A new file, which ends as this one does.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        ValueError
            If it ends otherwise.
        RunError
            If something of that name exists, or it can't be written.
        """
        place = locate(path)
        if place.suffix != self.path.suffix:
            raise ValueError(f"path is {str(path)!r}; accepted is a new file that ends in {self.path.suffix}")
        check_is_new(place, path)
        with as_run_error("write", place):
            shutil.copyfile(self.path, place)
        return Path(path)


class Report(Answer):
    """A report that was written.

    Parameters
    ----------
    text, values : str, object
        As :class:`Answer` takes them.

    Attributes
    ----------
    html, markdown : Path
        The pages.
    """

    def __init__(self, text: str, values: Any) -> None:
        super().__init__(text, values)
        self.html = Path(values["html"])
        self.markdown = Path(values["markdown"])
