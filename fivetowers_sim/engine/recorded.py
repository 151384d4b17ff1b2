"""Compare a game that was played again with what was recorded of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

_POINTS: Final = ("total", "cards", "tops", "main", "pairs", "teardown")


def first_difference(
    played: Mapping[str, Any], game: Mapping[str, Any], seats: Sequence[Mapping[str, Any]]
) -> str | None:
    """Find out in what a trace differs from the recorded rows of the same game.

    Parameters
    ----------
    played : mapping
        The game's trace, as :func:`fivetowers_sim.engine.trace.trace_game` writes it.
    game : mapping
        The game's row in the table ``games``, by column.
    seats : sequence of mapping
        Its rows in the table ``seats``, in the order of the seats.

    Returns
    -------
    str or None
        The first difference in words, with the figure recorded and the figure played; None if there is none.
    """
    for what, recorded, now in _compared(played, game, seats):
        if recorded != now:
            return f"{what}: {recorded} recorded, {now} here"
    return None


def _compared(
    played: Mapping[str, Any], game: Mapping[str, Any], seats: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[str, Any, Any]]:
    """Yield what is compared, as recorded and as played now."""
    scores = played["scores"]
    yield "rounds", game["rounds"], len(played["rounds"])
    yield "seats", len(seats), len(scores)
    for seat, score in zip(seats, scores, strict=True):
        for points in _POINTS:
            # Another version's tables may lack a column.
            if points in seat:
                yield f"{points} of seat {score['seat']}", seat[points], score[points]
    yield "winners", [seat["seat"] for seat in seats if seat["win_share"] > 0], played["winners"]
