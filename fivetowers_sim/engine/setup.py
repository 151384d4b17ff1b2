"""What one game is: rules, players, strategies, seating and seed. The engine's side of a plan."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from fivetowers_sim.compiled import call_compiling
from fivetowers_sim.engine.block import new_record, play_block
from fivetowers_sim.engine.fork import lay_game_table
from fivetowers_sim.engine.log import MAX_WORDS, ROUND_LOG
from fivetowers_sim.engine.record import BIDS, DETAILS, ROUNDS
from fivetowers_sim.layout import Layout, lone_record
from fivetowers_sim.rules.ruleset import PLAYER_COUNTS, POWERS, RuleSet
from fivetowers_sim.rules.tables import compile_rules, power_bits
from fivetowers_sim.strategies.custom_file import check_files, find_files, is_custom
from fivetowers_sim.strategies.families import check_players, make_minds, read_strategy
from fivetowers_sim.strategies.table import Table

if TYPE_CHECKING:
    from fivetowers_sim.engine.custom_play import CustomPlay
    from fivetowers_sim.strategies.parameters import Strategy

SEATINGS: Final = ("rotate", "fixed")
LARGEST_SEED: Final = (1 << 63) - 1

# Rows set aside for a game on average; longer games only make more, smaller blocks.
_USUAL_WORDS = 4


class SetupError(ValueError):
    """Games that can't be played; the message names the field, the value and what is accepted."""


@dataclass(frozen=True)
class GameSetup:
    """Everything that decides how a numbered game goes.

    Attributes
    ----------
    rules : RuleSet
        The rule set.
    strategies : tuple of str
        One for each seat, as canonically written.
    powers_by_seat : tuple of tuple of str
        Great Powers of each seat, in the order of :data:`POWERS`.
    seating : str
        ``rotate``: the strategies move one seat on with every game; ``fixed``: they stay.
    seed : int
        With the game's number, decides all chance.
    strategy_files : tuple of (str, str)
        The files that strategies come from, each with its SHA-256.
    short_names : tuple of (str, str)
        What tables call those strategies that were given by the name of a preset. Decides nothing.
    """

    rules: RuleSet
    strategies: tuple[str, ...]
    powers_by_seat: tuple[tuple[str, ...], ...]
    seating: str
    seed: int
    strategy_files: tuple[tuple[str, str], ...] = ()
    short_names: tuple[tuple[str, str], ...] = field(default=(), compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Take only the fields along to another process; what is worked out from them is worked out there."""
        names = self.strategy_files, self.short_names
        fields = self.rules, self.strategies, self.powers_by_seat, self.seating, self.seed, *names
        return GameSetup, fields

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.strategies)

    @cached_property
    def distinct_strategies(self) -> tuple[str, ...]:
        """The different strategies, in the order first named."""
        return tuple(dict.fromkeys(self.strategies))

    def to_dict(self) -> dict[str, Any]:
        """Return the setup as plain JSON values."""
        return {
            "players": self.players,
            "strategies": list(self.strategies),
            "seating": self.seating,
            "powers_by_seat": [list(powers) for powers in self.powers_by_seat],
            "rules": self.rules.to_dict(),
            "seed": self.seed,
            **self._files_to_dict(),
        }

    def _files_to_dict(self) -> dict[str, Any]:
        """Return the strategy files; nothing where there are none, as plans without them were always written."""
        files = {path: {"sha256": sha256} for path, sha256 in self.strategy_files}
        return {"strategy_files": files} if files else {}

    def layouts(self, detail: str) -> tuple[Layout, ...]:
        """Return the tables that a level of detail records; ValueError if there is no such level."""
        if detail not in DETAILS:
            raise SetupError(f"detail is {detail!r}; accepted are {', '.join(DETAILS)}")
        return DETAILS[detail]

    def labels(self) -> Mapping[str, tuple[str, ...]]:
        """Return the names of the strategies, for the column that holds their number."""
        return {"strategies": self.distinct_strategies}

    def notes(self) -> Mapping[str, Any]:
        """Return what is worth keeping with the games though it decides nothing about them."""
        return {"short_names": dict(self.short_names)}

    def seats_of(self, number: int) -> tuple[str, ...]:
        """Return the strategy of each seat in a game."""
        row = self._seating_rows[number % len(self._seating_rows)]
        return tuple(self.distinct_strategies[strategy] for strategy in row)

    def seat_players(self, table: Table, number: int) -> None:
        """Seat the strategies at a table as in this game; a block of games does so itself."""
        table.seats["seated"][: self.players] = self.mind_rows[number % len(self.mind_rows)]

    def lay_table(self) -> Table:
        """Lay a table for these games; each thread needs its own."""
        return lay_game_table(self._compiled_rules, self._minds)

    def play(self, first_game: int, games: int, detail: str) -> dict[str, np.ndarray]:
        """Play games and record them.

        Parameters
        ----------
        first_game, games : int
            Number of the first game, and how many.
        detail : str
            Level of detail, one of :data:`DETAILS`.

        Returns
        -------
        dict of str to ndarray
            Table name to record array, rows in game order.
        """
        layouts = self.layouts(detail)
        table, log = self.lay_table(), lone_record(ROUND_LOG)
        pieces: dict[str, list[np.ndarray]] = {layout.name: [] for layout in layouts}
        played = 0
        while played < games:
            record = self._new_record(layouts, games - played)
            block = np.array([self.seed, first_game + played, games - played, self.most_rounds], np.int64)
            count = self._play_block(table, log, self.mind_rows, block, record)
            played += count
            pieces["games"].append(record.games[:count])
            pieces["seats"].append(record.seats[: count * self.players])
            if ROUNDS in layouts:
                pieces["rounds"].append(record.rounds[: record.used[0]])
            if BIDS in layouts:
                pieces["bids"].append(record.bids[: record.used[1]])
        return {name: parts[0] if len(parts) == 1 else np.concatenate(parts) for name, parts in pieces.items()}

    def warm_up(self) -> None:
        """Load or compile the kernels, so that the first games are as quick as the others."""
        block = np.array([self.seed, 0, 0, self.most_rounds], np.int64)
        log = lone_record(ROUND_LOG)
        record, table, play = new_record(0, self.players, 0, 0), self.lay_table(), self._play_block
        call_compiling(lambda: play(table, log, self.mind_rows, block, record))

    @cached_property
    def custom_play(self) -> CustomPlay:
        """What plays these games where a user's own strategy sits."""
        from fivetowers_sim.engine.custom_play import CustomPlay

        return CustomPlay(self.rules, self._parsed_strategies, self.seats_of)

    @property
    def has_own_strategies(self) -> bool:
        """Whether a user's own class sits at the table."""
        return any(map(is_custom, self.strategies))

    @property
    def _play_block(self) -> Callable[..., int]:
        return self.custom_play.play_block if self.has_own_strategies else play_block

    @cached_property
    def most_rounds(self) -> int:
        """Rounds that no game can exceed: every pass reveals at most the whole deck."""
        deck = int(self._compiled_rules[0]["deck_size"])
        return self.rules.deck_passes * math.ceil(deck / self.rules.display_size)

    def _new_record(self, layouts: Iterable[Layout], games: int) -> Any:
        wanted = set(layouts)
        rounds = (games + 1) * self.most_rounds if ROUNDS in wanted else 0
        words = rounds * min(self.players, _USUAL_WORDS) + self.most_rounds * MAX_WORDS if BIDS in wanted else 0
        return new_record(games, self.players, rounds, words)

    @cached_property
    def _compiled_rules(self) -> np.ndarray:
        return _compile_once(self.rules, self.players, self.powers_by_seat)

    @cached_property
    def _minds(self) -> np.ndarray:
        """The strategies' minds, one for each set of powers that the strategy plays with."""
        strategies = [self._parsed_strategies[number] for number, _ in self._mind_numbers]
        minds = make_minds(strategies, self._compiled_rules, [powers for _, powers in self._mind_numbers])
        minds["label"] = [number for number, _ in self._mind_numbers]
        return minds

    @cached_property
    def _mind_numbers(self) -> dict[tuple[int, int], int]:
        """Number of the mind by number of the strategy and powers of the seat (bits)."""
        pairs = dict.fromkeys(
            (int(number), power_bits(self.powers_by_seat[seat]))
            for row in self._seating_rows
            for seat, number in enumerate(row)
        )
        return {pair: number for number, pair in enumerate(pairs)}

    @cached_property
    def mind_rows(self) -> np.ndarray:
        """Mind of each seat, one row for each seating."""
        powers = [power_bits(powers) for powers in self.powers_by_seat]
        return np.array(
            [
                [self._mind_numbers[int(number), powers[seat]] for seat, number in enumerate(row)]
                for row in self._seating_rows
            ]
        )

    @cached_property
    def _parsed_strategies(self) -> list[Strategy]:
        read = [read_strategy(name) for name in self.distinct_strategies]
        check_files(read, dict(self.strategy_files))
        return read

    @cached_property
    def _seating_rows(self) -> np.ndarray:
        """Strategy number of each seat, one row for each seating that games go through in turn."""
        numbers = [self.distinct_strategies.index(name) for name in self.strategies]
        turns = range(self.players if self.seating == "rotate" else 1)
        return np.array([[numbers[(seat - turn) % self.players] for seat in range(self.players)] for turn in turns])


@lru_cache(maxsize=128)
def _compile_once(rules: RuleSet, players: int, powers_by_seat: tuple[tuple[str, ...], ...]) -> np.ndarray:
    """Compile rules for all setups that share them; whoever tries many strategies would wait for nothing else."""
    compiled = compile_rules(rules, players, powers_by_seat)
    compiled.flags.writeable = False
    return compiled


def make_setup(
    rules: RuleSet,
    players: int,
    strategies: Sequence[str],
    seed: int,
    powers_by_seat: Sequence[Iterable[str]] | None = None,
    seating: str | None = None,
) -> GameSetup:
    """Check what is to be played and make a setup of it.

    Parameters
    ----------
    rules : RuleSet
        The rule set.
    players : int
        2 to 5.
    strategies : sequence of str
        One for each seat, or one for all.
    seed : int
        0 to :data:`LARGEST_SEED`.
    powers_by_seat : sequence of iterable of str, optional
        Great Powers of each seat; those of the rule set for all if not given.
    seating : str, optional
        One of :data:`SEATINGS`; ``rotate`` if the strategies differ, else ``fixed``.

    Returns
    -------
    GameSetup
        The checked setup.

    Raises
    ------
    SetupError, fivetowers_sim.strategies.parameters.StrategyError
        Naming the field, the value and what is accepted.
    """
    if players not in PLAYER_COUNTS:
        raise SetupError(f"players is {players}; accepted is {PLAYER_COUNTS[0]} to {PLAYER_COUNTS[-1]}")
    if len(strategies) not in (1, players):
        raise SetupError(
            f"strategies names {len(strategies)}, {', '.join(strategies)}; accepted is one for each of the "
            f"{players} players, or one for all"
        )
    if not 0 <= seed <= LARGEST_SEED:
        raise SetupError(f"seed is {seed}; accepted is 0 to {LARGEST_SEED}")
    read = tuple(read_strategy(text) for text in strategies)
    for strategy in read:
        check_players(strategy, players)
    names = tuple(strategy.name for strategy in read) * (players // len(strategies))
    if seating is None:
        seating = "rotate" if len(set(names)) > 1 else "fixed"
    if seating not in SEATINGS:
        raise SetupError(f"seating is {seating!r}; accepted are {', '.join(SEATINGS)}")
    seats = powers_by_seat if powers_by_seat is not None else [rules.powers] * players
    if len(seats) != players:
        raise SetupError(f"powers are given for {len(seats)} seats; accepted is one set for each of {players} players")
    for powers in seats:
        unknown = set(powers) - set(POWERS)
        if unknown:
            raise SetupError(f"there is no power {min(unknown)!r}; the powers are {', '.join(POWERS)}")
    ordered = tuple(tuple(power for power in POWERS if power in set(powers)) for powers in seats)
    short = {strategy.name: strategy.short_name for strategy in read if strategy.short_name != strategy.name}
    files = tuple(sorted(find_files(read).items()))
    return GameSetup(rules, names, ordered, seating, seed, files, tuple(short.items()))
