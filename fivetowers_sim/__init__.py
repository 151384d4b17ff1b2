"""Balance analysis for the card game 5 Towers: simulate by exact rules, store, measure.

There is a function for each command, with its options as arguments::

    import fivetowers_sim as ft

    run = ft.simulate(games=100_000, players=3, strategies="value,greedy,greedy", seed=1, out="data/x")
    found = ft.powers(players=3, strategies=["value"], precision=0.3)

What isn't accepted raises a ``ValueError`` that says what is. All is loaded when it is first used.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fivetowers_sim.api.answer import Answer as Answer
    from fivetowers_sim.api.answer import Player as Player
    from fivetowers_sim.api.answer import Report as Report
    from fivetowers_sim.api.asking import ask as ask
    from fivetowers_sim.api.asking import open_result as open_result
    from fivetowers_sim.api.keeping import digest as digest
    from fivetowers_sim.api.keeping import replay as replay
    from fivetowers_sim.api.keeping import report as report
    from fivetowers_sim.api.keeping import summary as summary
    from fivetowers_sim.api.keeping import verify as verify
    from fivetowers_sim.api.players import fit as fit
    from fivetowers_sim.api.players import rules as rules
    from fivetowers_sim.api.players import strategies as strategies
    from fivetowers_sim.api.players import tune as tune
    from fivetowers_sim.api.playing import open_run as open_run
    from fivetowers_sim.api.playing import simulate as simulate
    from fivetowers_sim.api.playing import trace as trace
    from fivetowers_sim.api.positions import evaluate as evaluate
    from fivetowers_sim.api.positions import legal as legal
    from fivetowers_sim.api.questions import bid_values as bid_values
    from fivetowers_sim.api.questions import compare as compare
    from fivetowers_sim.api.questions import game_shape as game_shape
    from fivetowers_sim.api.questions import powers as powers
    from fivetowers_sim.api.questions import sweep as sweep
    from fivetowers_sim.api.questions import teardown_costs as teardown_costs
    from fivetowers_sim.api.questions import tournament as tournament
    from fivetowers_sim.api.result import Result as Result
    from fivetowers_sim.api.run import Run as Run
    from fivetowers_sim.batch.run import BatchError as BatchError
    from fivetowers_sim.dataset.errors import RunError as RunError
    from fivetowers_sim.strategies.custom_file import CustomStrategyError as CustomStrategyError

    __version__: str

_HOMES = {
    "api.answer": ("Answer", "Player", "Report"),
    "api.asking": ("ask", "open_result"),
    "api.keeping": ("digest", "replay", "report", "summary", "verify"),
    "api.players": ("fit", "rules", "strategies", "tune"),
    "api.playing": ("open_run", "simulate", "trace"),
    "api.positions": ("evaluate", "legal"),
    "api.questions": ("bid_values", "compare", "game_shape", "powers", "sweep", "teardown_costs", "tournament"),
    "api.result": ("Result",),
    "api.run": ("Run",),
    "batch.run": ("BatchError",),
    "dataset.errors": ("RunError",),
    "strategies.custom_file": ("CustomStrategyError",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "__version__",
    *sorted(_HOME_OF),
]


class _CallablePackage(ModuleType):
    """A package that has the name of a function, ``rules`` for one: called, it is the function."""

    @property
    def __signature__(self) -> Any:
        """The function's, for editors and notebooks."""
        from inspect import signature

        return signature(_load(self.__name__.rpartition(".")[2]))

    def __call__(self, *args: Any, **options: Any) -> Any:
        return _load(self.__name__.rpartition(".")[2])(*args, **options)


class _FrontDoor(ModuleType):
    """The outermost package, in which one inside that a function is called like can be called."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _HOME_OF and type(value) is ModuleType:
            value.__class__ = _CallablePackage
        super().__setattr__(name, value)


def _load(name: str) -> Any:
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version(__name__)
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = _load(name)
    # Loading it may have put a package of the same name here, which stays.
    return globals().setdefault(name, found)


def __dir__() -> list[str]:
    return sorted(__all__)


sys.modules[__name__].__class__ = _FrontDoor
