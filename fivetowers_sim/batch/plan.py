"""Plans: which games to play, of what kind, recorded in how much detail."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np

from fivetowers_sim.layout import Layout

PLAN_FORMAT: Final = "fivetowers-plan/1"

LARGEST_PART: Final[Mapping[str, int]] = {"games": 200_000, "rounds": 50_000, "bids": 20_000}
"""Most games in a part by level of detail, so that a part is some megabytes and plays in seconds."""

_USUAL_LARGEST_PART: Final = 50_000
_PART_STEP: Final = 250
_PARTS_WANTED: Final = 20
# Where parts are this large, as many again, so that workers end closer to each other.
_HALVED_FROM: Final = 5_000


class PlanError(ValueError):
    """A plan that can't be carried out; the message names the field, the value and what is accepted."""


@runtime_checkable
class Setup(Protocol):
    """What one game is: the seam between a simulator and everything that runs or records it.

    A setup is frozen, hashable and picklable. Its :meth:`play` may be called from several threads at once
    and should release the interpreter lock. Game ``i`` must come out the same whatever block it is in.
    """

    def to_dict(self) -> dict[str, Any]:
        """Return the whole setup as plain JSON values; two setups are equal if and only if these are."""

    def layouts(self, detail: str) -> tuple[Layout, ...]:
        """Return the tables that this level of detail records; ValueError if there is no such level."""

    def labels(self) -> Mapping[str, tuple[str, ...]]:
        """Return the names that columns with ``labels_from_plan`` refer to, by key."""

    def notes(self) -> Mapping[str, Any]:
        """Return what is worth keeping with the games though it decides nothing about them, as plain JSON values."""

    def play(self, first_game: int, games: int, detail: str) -> Mapping[str, np.ndarray]:
        """Play games ``first_game`` up to ``first_game + games`` and record them.

        Returns
        -------
        mapping of str to numpy.ndarray
            Table name to one-dimensional record array of that layout's dtype, rows in game order.
        """


@dataclass(frozen=True, slots=True, order=True)
class Part:
    """A run of consecutive games that one worker plays and writes as a whole.

    Attributes
    ----------
    index : int
        Position among the plan's parts, from 0.
    first_game : int
        Number of its first game.
    games : int
        How many games it has, at least 1.
    """

    index: int
    first_game: int
    games: int

    @property
    def game_range(self) -> str:
        """The part's games in words, such as ``games 200 to 399``."""
        return describe_games(self.first_game, self.games)


def describe_games(first_game: int, games: int) -> str:
    """Return a range of games in words, such as ``game 7`` or ``games 200 to 399``."""
    if games == 1:
        return f"game {first_game}"
    return f"games {first_game} to {first_game + games - 1}"


@dataclass(frozen=True)
class Plan:
    """A number of games of one setup, at one level of detail.

    Two plans are equal, and have the same :attr:`sha256`, if they give the same recorded content. How the
    games are cut into parts is therefore left out of the comparison, and so is everything about workers.

    Attributes
    ----------
    setup : Setup
        What one game is.
    games : int
        How many games, numbered from 0; at least 1 and no more than the ``game`` column can count.
    detail : str
        Level of detail; the setup says which there are.
    part_games : int, optional
        Games in a part (the last may have fewer). 0 chooses by detail and number of games.

    Raises
    ------
    PlanError
        On construction, if a field is out of range or the setup has no such detail.
    """

    setup: Setup
    games: int
    detail: str = "games"
    part_games: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        """Check the fields and choose the size of the parts."""
        try:
            most = min(_most_games(layout) for layout in self.setup.layouts(self.detail))
        except (ValueError, KeyError) as error:
            reason = str(error.args[0] if error.args else error)
            raise PlanError(f"detail is {self.detail!r}: {reason}") from error
        for name, value, least in (("games", self.games, 1), ("part_games", self.part_games, 0)):
            if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
                raise PlanError(f"{name} is {value!r}; accepted is a whole number from {least} to {most}")
        if self.part_games == 0:
            object.__setattr__(self, "part_games", _choose_part_games(self.games, self.detail))

    def to_dict(self) -> dict[str, Any]:
        """Return what decides the plan's content, as plain JSON values."""
        return {
            "format": PLAN_FORMAT,
            "games": self.games,
            "detail": self.detail,
            "setup": self.setup.to_dict(),
        }

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of :meth:`to_dict` as canonical JSON, in hexadecimal."""
        return hash_plan(self.to_dict())

    @property
    def part_count(self) -> int:
        """How many parts the plan has."""
        return -(-self.games // self.part_games)

    def part(self, index: int) -> Part:
        """Return the part at this position.

        Raises
        ------
        IndexError
            If there is no such part.
        """
        if not 0 <= index < self.part_count:
            raise IndexError(f"part {index} of {self.part_count}")
        first_game = index * self.part_games
        return Part(index, first_game, min(self.part_games, self.games - first_game))

    def parts(self) -> Iterator[Part]:
        """Yield the parts in game order, one at a time."""
        return (self.part(index) for index in range(self.part_count))


def hash_plan(plan: Mapping[str, Any]) -> str:
    """Return the SHA-256 (hexadecimal) of a plan given as plain JSON values."""
    return hashlib.sha256(canonical_json(plan).encode()).hexdigest()


def canonical_json(value: Any) -> str:
    """Return the one JSON text for this value: keys sorted, no spaces, ASCII only.

    Raises
    ------
    ValueError
        If the value holds a number that JSON can't express (infinity or not-a-number).
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def first_difference(begun: Any, now: Any, field: str = "") -> tuple[str, str, str]:
    """Find the first field in which two plans differ.

    Parameters
    ----------
    begun, now : object
        Plans, or parts of them, as plain JSON values.
    field : str, optional
        Where they are found.

    Returns
    -------
    tuple of (str, str, str)
        The field's path, and its value in either plan as JSON.
    """
    if isinstance(begun, Mapping) and isinstance(now, Mapping):
        for name in [*begun, *(name for name in now if name not in begun)]:
            if begun.get(name) != now.get(name):
                return first_difference(begun.get(name), now.get(name), f"{field}.{name}" if field else name)
    if isinstance(begun, list) and isinstance(now, list) and len(begun) == len(now):
        for place, (then, here) in enumerate(zip(begun, now, strict=True)):
            if then != here:
                return first_difference(then, here, f"{field}[{place}]")
    return field, canonical_json(begun), canonical_json(now)


def _most_games(layout: Layout) -> int:
    return int(np.iinfo(layout.columns[0].dtype).max)


def _choose_part_games(games: int, detail: str) -> int:
    # Small enough that the last parts don't leave workers idle, large enough that files aren't a burden.
    wanted = -(-games // _PARTS_WANTED)
    wanted = max(min(wanted, _HALVED_FROM), -(-wanted // 2))
    rounded = -(-wanted // _PART_STEP) * _PART_STEP
    return min(rounded, LARGEST_PART.get(detail, _USUAL_LARGEST_PART))
