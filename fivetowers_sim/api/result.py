"""What a question finds out: verdicts, figures, pictures, and the folder that holds all of them."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from fivetowers_sim.api.folders import TemporaryFolder, copy_folder
from fivetowers_sim.api.shown import ShownPicture, show_section
from fivetowers_sim.api.verdicts import write_section
from fivetowers_sim.bench.content import Section, Verdict
from fivetowers_sim.bench.finished import Finished, read_finished
from fivetowers_sim.bench.pictures import read_description
from fivetowers_sim.bench.verify import verify_experiment
from fivetowers_sim.user_files import locate

if TYPE_CHECKING:
    import polars as pl

_TABLE_SUFFIX: Final = ".parquet"
_MAIN_TABLES: Final = ("findings", "bids", "changes", "ratings")


class Result:
    """What an experiment found. Returned by the functions that ask a question, and by ``open_result``.

    Parameters
    ----------
    path : Path
        The experiment's folder, complete.
    text : str
        What its command prints; the verdicts if not given.
    keeper : TemporaryFolder, optional
        The temporary folder that it is in.

    Attributes
    ----------
    path : Path
        The experiment's folder. Without ``out`` it is a temporary one, which goes when the result does.
    """

    def __init__(self, path: Path, text: str = "", keeper: TemporaryFolder | None = None) -> None:
        self.path = locate(path)
        self._finished: Finished = read_finished(self.path)
        self._text = text
        self._keeper = keeper

    @property
    def experiment(self) -> str:
        """The experiment's name, such as ``powers``."""
        return self._finished.experiment

    @property
    def verdicts(self) -> Sequence[Verdict]:
        """The answers.

        Each has ``claim``, ``figure``, ``interval``, ``holds``, ``counted``, ``population``, ``seed`` and ``command``.
        """
        return tuple(self._section.verdicts)

    @property
    def command(self) -> str:
        """What to type in a shell to get the same figures."""
        return self.verdicts[0].command if self.verdicts else self._finished.command

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables, the main one first."""
        names = [name.removesuffix(_TABLE_SUFFIX) for name in self._finished.manifest["files"] if _is_table(name)]
        return tuple(sorted(names, key=lambda name: name not in _MAIN_TABLES))

    def frame(self, name: str | None = None) -> pl.DataFrame:
        """Return figures with the ends of their intervals.

        Parameters
        ----------
        name : str, optional
            One of :attr:`tables`; the first if not given.

        Returns
        -------
        polars.DataFrame
            A row for each figure, or for each player.

        Raises
        ------
        ValueError
            If there is no such table.
        """
        import polars as pl

        tables = self.tables
        name = tables[0] if name is None else name
        if name not in tables:
            raise ValueError(f"name is {name!r}; accepted are {', '.join(tables)}")
        return pl.read_parquet(self.path / f"{name}{_TABLE_SUFFIX}", glob=False)

    @cached_property
    def pictures(self) -> Mapping[str, ShownPicture]:
        """The pictures by name, each with ``svg``, ``png`` and ``save``. A notebook shows them."""
        found, files = {}, self._finished.pictures
        for file, svg in files.items():
            name, _, kind = file.rpartition(".")
            png = files.get(f"{name}.png")
            if kind == "svg" and png is not None:
                said = read_description(png)
                found[name] = ShownPicture(name, svg, png, said, said)
        return MappingProxyType(found)

    def to_dict(self) -> dict[str, Any]:
        """Return question and figures as plain JSON values: what ``--json`` prints."""
        return copy.deepcopy(dict(self._finished.results))

    def save(self, path: str | Path) -> Path:
        """Copy the experiment's folder: what ``--out`` writes, for ``verify``, ``report`` and ``open_result``.

        Parameters
        ----------
        path : str or Path
            A new folder.

        Returns
        -------
        Path
            The folder.

        Raises
        ------
        RunError
            If something of that name exists, or it can't be written.
        """
        copy_folder(self.path, path)
        return Path(path)

    def verify(self) -> list[str]:
        """Return what in the folder isn't as it was written; nothing if all is well."""
        return [str(problem) for problem in verify_experiment(self.path)]

    @cached_property
    def _section(self) -> Section:
        return write_section(self._finished)

    def __str__(self) -> str:
        return self._text.rstrip() or "\n\n".join(map(_describe, self.verdicts)) or repr(self)

    def __repr__(self) -> str:
        claims = "".join(f"\n  {verdict.claim}" for verdict in self.verdicts)
        names = ", ".join(self.pictures) or "none"
        kept = f"tables: {', '.join(self.tables)}; pictures: {names}"
        return f"<{self.experiment}: {self._finished.counted}>{claims}\n  {kept}"

    def _repr_html_(self) -> str:
        return show_section(self._section)


def _is_table(file: str) -> bool:
    return file.endswith(_TABLE_SUFFIX) and "/" not in file


def _describe(verdict: Verdict) -> str:
    lines = (verdict.claim, f"{verdict.figure}; {verdict.interval}. {verdict.holds}".rstrip())
    return "\n".join((*lines, f"{verdict.counted}; {verdict.population}; seed {verdict.seed}.", verdict.command))
