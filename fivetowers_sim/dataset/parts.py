"""A worker's task: play one part block by block, and write its file in each table."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from fivetowers_sim.batch.plan import Part, Plan
from fivetowers_sim.batch.workers import StopRequested, StopSignal
from fivetowers_sim.dataset.address import Address, Place
from fivetowers_sim.dataset.atomic import write_atomically
from fivetowers_sim.dataset.part_record import PartFile, PartRecord, part_file
from fivetowers_sim.dataset.schema import build_frame, check_parquet, encode_parquet
from fivetowers_sim.layout import Layout

# Blocks grow from one game until each takes about this long, so that a stop is noticed in time however slow the
# players think.
_BLOCK_SECONDS: Final = 0.2
_BLOCK_GROWTH: Final = 8
_LARGEST_BLOCK: Final = 10_000


@dataclass(frozen=True, slots=True)
class WritePart:
    """The task that plays a part and writes it into a run folder.

    Attributes
    ----------
    folder : Place
        The run; workers see it under the same name.
    layouts : tuple of Layout
        The tables, with labels resolved.
    """

    folder: Place
    layouts: tuple[Layout, ...]

    def __call__(self, plan: Plan, part: Part, stop: StopSignal) -> PartRecord:
        """Play and write the part.

        Parameters
        ----------
        plan : Plan
            The plan that the part belongs to.
        part : Part
            The games to play.
        stop : StopSignal
            Looked at before every block of games.

        Returns
        -------
        PartRecord
            What was written.

        Raises
        ------
        OSError
            If a file can't be written.
        ValueError
            If the simulator's records don't fit their layouts or aren't the part's games in order.
        StopRequested
            If told to stop; nothing is written then.
        """
        blocks: dict[str, list[np.ndarray]] = {layout.name: [] for layout in self.layouts}
        for tables in play_in_blocks(plan, part, stop):
            for name, rows in blocks.items():
                rows.append(tables[name])
        files: dict[str, PartFile] = {}
        try:
            for layout in self.layouts:
                # Whoever stopped this may not have waited for its last game, and has let go of the folder.
                if stop.is_set():
                    raise StopRequested
                files[layout.name] = self._write(plan, part, layout, blocks.pop(layout.name))
        except BaseException:
            # Half a part is of no use, and the disk may be full. Polars raises KeyboardInterrupt in any thread.
            for file in files.values():
                (self.folder / file.file).unlink(missing_ok=True)
            raise
        return PartRecord(part, files)

    def _write(self, plan: Plan, part: Part, layout: Layout, blocks: list[np.ndarray]) -> PartFile:
        frame = build_frame(layout, blocks)
        _check_games(layout, part, frame[layout.columns[0].name].to_numpy())
        # The file says by itself what it is part of, for the day its manifest is lost or exchanged.
        notes = {"plan_sha256": plan.sha256, "first_game": str(part.first_game), "games": str(part.games)}
        data = encode_parquet(frame, notes)
        check_parquet(data, layout, frame.height)
        name = part_file(layout.name, part.index)
        path = self.folder / name
        if not isinstance(path, Address):
            path.parent.mkdir(exist_ok=True)
        write_atomically(path, data)
        return PartFile(name, frame.height, len(data), hashlib.sha256(data).hexdigest())


def play_in_blocks(plan: Plan, part: Part, stop: StopSignal) -> Iterator[Mapping[str, np.ndarray]]:
    """Play a part's games in blocks that each take a fraction of a second.

    Parameters
    ----------
    plan : Plan
        The plan that the part belongs to.
    part : Part
        The games to play.
    stop : StopSignal
        Looked at before every block.

    Yields
    ------
    mapping of str to numpy.ndarray
        Record arrays by table, block by block in game order.

    Raises
    ------
    StopRequested
        If told to stop.
    """
    game, end, block = part.first_game, part.first_game + part.games, 1
    while game < end:
        if stop.is_set():
            raise StopRequested
        games = min(block, end - game)
        begun = time.perf_counter()
        yield plan.setup.play(game, games, plan.detail)
        seconds = max(time.perf_counter() - begun, 1e-6)
        game += games
        block = max(1, min(block * _BLOCK_GROWTH, int(games * _BLOCK_SECONDS / seconds), _LARGEST_BLOCK))


def _check_games(layout: Layout, part: Part, games: np.ndarray) -> None:
    inside = len(games) == 0 or (games[0] >= part.first_game and games[-1] < part.first_game + part.games)
    if not inside or not (games[1:] >= games[:-1]).all():
        raise ValueError(f"table {layout.name}: the simulator's rows are not {part.game_range} in order")
