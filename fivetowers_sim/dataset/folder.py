"""What every folder has in common that something long is written into: it is new, or it is gone on with as it was."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from fivetowers_sim.batch.plan import canonical_json, first_difference
from fivetowers_sim.batch.versions import PACKAGE, current_versions
from fivetowers_sim.dataset.address import Address, Place
from fivetowers_sim.dataset.atomic import TEMPORARY_SUFFIX
from fivetowers_sim.dataset.errors import RunError, as_run_error, describe_os_error
from fivetowers_sim.dataset.lock import LOCK_NAME, Lock, lock_place


def make_new_folder(path: Place, what: str) -> Lock:
    """Make a folder and lock it.

    Parameters
    ----------
    path : Place
        The folder; it must not exist. Folders above it are made.
    what : str
        What will be in it, such as ``run``, for messages.

    Returns
    -------
    Lock
        Its lock.

    Raises
    ------
    RunError
        If something of that name exists, or the folder can't be made.
    """
    if isinstance(path, Address):
        with as_run_error("read", path):
            if path.exists():
                raise RunError(f"{path} exists already; choose another address, or resume the {what} if it is one")
        return lock_place(path)
    try:
        path.mkdir(parents=True)
    except FileExistsError:
        state = "is a file" if path.is_file() else "exists already"
        raise RunError(f"{path} {state}; choose another folder, or resume the {what} if it is one") from None
    except OSError as error:
        raise RunError(describe_os_error("make", path, error)) from error
    try:
        return lock_place(path)
    except BaseException:
        with suppress(OSError):
            path.rmdir()
        raise


def holds_nothing_yet(path: Place) -> bool:
    """Say whether a folder holds no more than a process leaves that is, or was, about to begin.

    Raises
    ------
    OSError
        If it can't be read.
    """
    return all(entry.name == LOCK_NAME or entry.name.endswith(TEMPORARY_SUFFIX) for entry in path.iterdir())


def check_same_plan(path: Place, begun: Mapping[str, Any], now: Mapping[str, Any], versions: Mapping[str, str]) -> None:
    """Refuse to go on with a folder that was begun with another plan, or by another version of the program.

    Parameters
    ----------
    path : Place
        The folder.
    begun, now : mapping
        The plan that it was begun with, and the one it is to be gone on with, as plain JSON values.
    versions : mapping of str to str
        The versions that began it.

    Raises
    ------
    RunError
        Naming the first difference.
    """
    if canonical_json(begun) != canonical_json(now):
        field, then, given = first_difference(begun, now)
        raise RunError(f"{path} was begun with another plan: {field} is {then} there and {given} here")
    begun_with, now_with = versions.get(PACKAGE), current_versions()[PACKAGE]
    if begun_with != now_with:
        raise RunError(
            f"{path} was begun with {PACKAGE} {begun_with} and this is {now_with}; "
            "games of two versions may differ, so resume it with the version that began it"
        )
