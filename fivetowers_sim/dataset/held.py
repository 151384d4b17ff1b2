"""Which runs this process holds a lock on, for a program that has to end at once."""

from __future__ import annotations

from typing import Final

from fivetowers_sim.dataset.address import Place

_held: Final[set[Place]] = set()


def note_held(place: Place) -> None:
    """Remember that this process holds a lock."""
    _held.add(place)


def forget_held(place: Place) -> None:
    """Forget a lock that this process lets go of."""
    _held.discard(place)


def held_folders() -> list[Place]:
    """Return the folders and addresses that this process holds a lock on."""
    return list(_held)
