"""How many workers there are, and where they work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fivetowers_sim.batch.workers import Backend, end_copy_of_script


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

    def __post_init__(self) -> None:
        """End a worker process that began to do all that the script does; see :func:`end_copy_of_script`."""
        if self.backend == "processes":
            end_copy_of_script()


ALONE: Final = Staff()
"""One thread of this process."""
