"""What is done to parts, as it travels to workers in other processes, and how these hear that they should stop."""

from __future__ import annotations

import pickle
import secrets
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import cloudpickle

from fivetowers_sim.batch.plan import Part, Plan
from fivetowers_sim.batch.workers import StopRequested, Task

_stopped: set[str] = set()


@dataclass(frozen=True)
class Work:
    """What is done to every part: unpacked once in each process, by the first part there. It is its own stop signal.

    Attributes
    ----------
    packed : bytes
        The plan and the task, pickled.
    key : str
        Names this work in :func:`stop_work`.
    """

    packed: bytes
    key: str

    @classmethod
    def pack(cls, plan: Plan, task: Task[Any]) -> Self:
        """Pack a plan and a task, with what is defined in the script that is run: no other process loads that."""
        return cls(cloudpickle.dumps((plan, task)), f"fivetowers-{secrets.token_hex(8)}")

    def __getstate__(self) -> dict[str, Any]:
        """Leave behind what was unpacked here."""
        return {"packed": self.packed, "key": self.key}

    @cached_property
    def plan_and_task(self) -> tuple[Plan, Task[Any]]:
        """The plan and the task."""
        return pickle.loads(self.packed)

    def is_set(self) -> bool:
        """Say whether this process was told to stop the work."""
        return self.key in _stopped

    def carry_out(self, part: Part) -> Any:
        """Do it to a part.

        Parameters
        ----------
        part : Part
            The part.

        Returns
        -------
        object
            The task's result.

        Raises
        ------
        StopRequested
            If this process was told to stop.
        """
        if self.is_set():
            raise StopRequested
        plan, task = self.plan_and_task
        return task(plan, part, self)


def stop_work(key: str) -> None:
    """Tell this process to stop a work."""
    _stopped.add(key)
