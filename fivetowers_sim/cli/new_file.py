"""A file that a command writes line by line: it is there in full, or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from fivetowers_sim.cli.errors import CommandError, UsageError
from fivetowers_sim.user_files import make_absolute


def write_new_file(path: Path, lines: Iterable[str], option: str) -> None:
    """Write lines beside a file's final name, then give it that name.

    Parameters
    ----------
    path : Path
        The file; it must not exist, its folder must.
    lines : iterable of str
        Without line feeds; taken one by one.
    option : str
        Who named the file, for messages.

    Raises
    ------
    UsageError
        If there is something of that name already, or no such folder.
    CommandError
        If it can't be written. Nothing is left behind then.
    """
    check_new_file(path, option)
    given, path = path, make_absolute(path)
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("x", encoding="utf-8", newline="\n") as file:
            for line in lines:
                file.write(line + "\n")
            file.flush()
            os.fsync(file.fileno())
        # Somebody else may have made it while this was written.
        _check_is_new(given, option)
        temporary.rename(path)
    except OSError as error:
        raise CommandError(f"{option} {given}: can't be written: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def check_new_file(path: Path, option: str) -> None:
    """Refuse a path that :func:`write_new_file` would refuse, before work is put into its content.

    Parameters
    ----------
    path : Path
        The file.
    option : str
        Who named it, for messages.

    Raises
    ------
    UsageError
        If there is something of that name already, or no such folder.
    """
    _check_is_new(path, option)
    if not path.parent.is_dir():
        raise UsageError(
            f"{option} {path}: there is no folder {path.parent}; accepted is a file in a folder that exists"
        )


def _check_is_new(path: Path, option: str) -> None:
    if path.exists() or path.is_symlink():
        raise UsageError(f"{option} {path}: it exists already; accepted is the name of a new file")
