"""How options and arguments read paths: a home folder is written out, and addresses stay as they are."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from fivetowers_sim.user_files import UserFileError, expand_home


def read_place(text: str) -> str:
    """Read a path or an address.

    Raises
    ------
    typer.BadParameter
        If it begins with a home folder that isn't known. The caller puts the option's name before the message.
    """
    try:
        return expand_home(text)
    except UserFileError as error:
        raise typer.BadParameter(f"is {text!r}: {error}") from None


def read_path(text: str | os.PathLike[str]) -> Path:
    """Read a path, which may be a default; see :func:`read_place`."""
    return Path(read_place(text) if isinstance(text, str) else text)


def read_folder(text: str | os.PathLike[str]) -> Path:
    """Read the name of a folder that has to be on this machine, which may be a default.

    Raises
    ------
    typer.BadParameter
        If it is an address, or as :func:`read_place` says.
    """
    from fivetowers_sim.dataset.address import SEPARATOR

    if isinstance(text, str) and SEPARATOR in text:
        raise typer.BadParameter(f"is {text!r}, an address; accepted is a folder of this machine's")
    return read_path(text)
