"""A run folder from Python: its tables as lazy frames, and what its commands say about it."""

from __future__ import annotations

import copy
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from fivetowers_sim.api.folders import TemporaryFolder, copy_folder
from fivetowers_sim.api.shown import show_text
from fivetowers_sim.dataset.address import Address, Place, as_absolute
from fivetowers_sim.dataset.errors import RunError
from fivetowers_sim.dataset.scan import scan_table
from fivetowers_sim.dataset.store import open_run
from fivetowers_sim.rules.described import describe_population

if TYPE_CHECKING:
    import polars as pl

    from fivetowers_sim.api.answer import Answer

_DETAILS: Final = {"games": "games", "seats": "games", "rounds": "rounds", "bids": "bids"}
# Frames are read when they are collected, which may be long after the run that they are of was forgotten.
_kept_to_the_end: Final[list[TemporaryFolder]] = []


class Run:
    """Games that were played. Returned by ``simulate`` and ``open_run``.

    Parameters
    ----------
    place : str or Place
        The run folder, or its address.
    keeper : TemporaryFolder, optional
        The temporary folder that it is in. It stays until Python ends.
    """

    def __init__(self, place: str | Place, keeper: TemporaryFolder | None = None) -> None:
        # Frames are read later, perhaps from another folder.
        self._run = open_run(as_absolute(place))
        if keeper is not None:
            _kept_to_the_end.append(keeper)

    @property
    def path(self) -> Place:
        """The run folder, or its address."""
        return self._run.path

    @property
    def plan(self) -> dict[str, Any]:
        """What was to be played, as plain JSON values."""
        return copy.deepcopy(self._run.manifest.plan)

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables that were recorded."""
        return tuple(layout.name for layout in self._run.manifest.layouts)

    @property
    def games(self) -> pl.LazyFrame:
        """A row for each game."""
        return self._scan("games")

    @property
    def seats(self) -> pl.LazyFrame:
        """A row for each seat of each game."""
        return self._scan("seats")

    @property
    def rounds(self) -> pl.LazyFrame:
        """A row for each round. If they weren't recorded, the games are played once more for them, at the first use."""
        return self._scan("rounds")

    @property
    def bids(self) -> pl.LazyFrame:
        """A row for each word of the bidding. If they weren't recorded, it is as with :attr:`rounds`."""
        return self._scan("bids")

    def digest(self, quiet: bool = False) -> str:
        """Return one hash of all games; see ``fivetowers_sim.digest``."""
        from fivetowers_sim.api.keeping import digest

        return digest(self, quiet=quiet)

    def verify(self, quiet: bool = False) -> list[str]:
        """Return what isn't as it was written; see ``fivetowers_sim.verify``."""
        from fivetowers_sim.api.keeping import verify

        return verify(self, quiet=quiet)

    def summary(self, quiet: bool = False) -> Answer:
        """Return who won how often and with how many VP; see ``fivetowers_sim.summary``."""
        from fivetowers_sim.api.keeping import summary

        return summary(self, quiet=quiet)

    def replay(self, game: int) -> Answer:
        """Tell one game; see ``fivetowers_sim.replay``."""
        from fivetowers_sim.api.keeping import replay

        return replay(self, game)

    def save(self, path: str | Path) -> Run:
        """Copy the run folder.

        Parameters
        ----------
        path : str or Path
            A new folder.

        Returns
        -------
        Run
            The copy.

        Raises
        ------
        RunError
            If something of that name exists, it can't be written, or the run is at an address.
        """
        if isinstance(self.path, Address):
            raise RunError(f"{self.path} is an address; accepted are runs in folders of this machine's")
        return Run(copy_folder(self.path, path))

    def _scan(self, table: str) -> pl.LazyFrame:
        if table in self.tables:
            return scan_table(self._run, table)
        return scan_table(self._detailed[_DETAILS[table]], table)

    @cached_property
    def _detailed(self) -> _PlayedAgain:
        return _PlayedAgain(self.path)

    def __fspath__(self) -> str:
        """Return the path or address, so that a run can be given wherever one is named."""
        return str(self.path)

    def __repr__(self) -> str:
        manifest = self._run.manifest
        done = sum(record.part.games for record in manifest.records.values())
        games = (
            f"{manifest.games:,} games" if manifest.complete else f"{done:,} of {manifest.games:,} games, unfinished"
        )
        population = describe_population(manifest.plan["setup"], manifest.notes.get("short_names", {}))
        return f"<run {self.path}: {games}>\n  {population}\n  tables: {', '.join(self.tables)}"

    def _repr_html_(self) -> str:
        return show_text(repr(self).replace("<", "").replace(">", ""))


class _PlayedAgain(dict[str, Place]):
    """Folders of a run's games with more recorded, by detail. Equal plans give equal games."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self._place = place

    def __missing__(self, detail: str) -> Place:
        from fivetowers_sim.api.again import play_again

        self[detail], keeper = play_again(self._place, detail)
        if keeper is not None:
            _kept_to_the_end.append(keeper)
        return self[detail]
