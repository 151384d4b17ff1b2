"""Interrupting what is under way for certain, and not when a clock says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def stop_after(games: int) -> Callable[[Any], None]:
    """Return a watch that presses Ctrl-C as soon as so many games are done."""

    def watch(state: Any) -> None:
        if state.games_done >= games:
            raise KeyboardInterrupt

    return watch
