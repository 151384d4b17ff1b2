"""How many workers there are, and where they work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fivetowers_sim.batch.workers import Backend


@dataclass(frozen=True, slots=True)
class Staff:
    """Who carries parts out. Changes no figure.

    Attributes
    ----------
    workers : int
        Parts carried out at the same time.
    backend : str or Backend
        Where, as :func:`~fivetowers_sim.batch.run.run_parts` accepts it.
    """

    workers: int = 1
    backend: str | Backend = "threads"


ALONE: Final = Staff()
"""One thread of this process."""
