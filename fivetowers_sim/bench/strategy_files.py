"""The files that an experiment's players come from: they stand in its plan, and nothing is played with others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, Protocol, TypeVar

from fivetowers_sim.dataset.errors import RunError

SHA256: Final = "sha256"


class FromFiles(Protocol):
    """Games whose players may come from files."""

    @property
    def strategy_files(self) -> tuple[tuple[str, str], ...]:
        """The files, each with its SHA-256."""


Games = TypeVar("Games", bound=FromFiles)


def list_strategy_files(setups: Iterable[FromFiles]) -> dict[str, dict[str, str]]:
    """Return what a plan says of the files behind some games, as plain JSON values.

    Parameters
    ----------
    setups : iterable of FromFiles
        All games that will be played.

    Returns
    -------
    dict of str to dict
        The SHA-256 of each file, by its path as written.
    """
    return {path: {SHA256: sha256} for setup in setups for path, sha256 in setup.strategy_files}


def describe_strategy_files(setups: Iterable[FromFiles]) -> dict[str, Any]:
    """Return the field of a plan that holds those files: none where there are no files."""
    files = list_strategy_files(setups)
    return {"strategy_files": files} if files else {}


def check_strategy_files(plan: Mapping[str, Any], setups: Iterable[FromFiles]) -> None:
    """Refuse to play games with a file that their plan doesn't vouch for.

    Parameters
    ----------
    plan : mapping
        The plan, as plain JSON values. It vouches for every file whose SHA-256 stands in it.
    setups : iterable of FromFiles
        The games.

    Raises
    ------
    RunError
        Naming the file.
    """
    vouched = set(_list_hashes(plan))
    for path, own in list_strategy_files(setups).items():
        if own[SHA256] not in vouched:
            raise RunError(
                f"strategy file {path} has changed since this was begun: its SHA-256 is {own[SHA256]} now, which the "
                "plan doesn't have"
            )


def keep_to_files(setup: Games, files: Iterable[tuple[str, str]]) -> Games:
    """Return games that refuse to be played when one of their files isn't what it was.

    Parameters
    ----------
    setup : games
        The games, made after their plan was.
    files : iterable of (str, str)
        Strategy files, each with its SHA-256 in the plan.

    Returns
    -------
    games
        The same with these hashes.
    """
    then = dict(files)
    return replace(setup, strategy_files=tuple((path, then.get(path, own)) for path, own in setup.strategy_files))


def _list_hashes(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, own in value.items():
            if name == SHA256:
                yield own
            else:
                yield from _list_hashes(own)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _list_hashes(one)
