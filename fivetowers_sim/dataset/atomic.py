"""Files that are either there in full or not there at all."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from typing import Final

from fivetowers_sim.dataset.address import Address, Place

TEMPORARY_SUFFIX: Final = ".fivetowers.tmp"
"""Marks a file as one of this program's: files of other names are never removed."""


def write_atomically(path: Place, data: bytes) -> None:
    """Write a file beside its final name, make sure that it is on disk and reads back, then rename it.

    Parameters
    ----------
    path : Place
        The final name; a file of that name is replaced. At an address it is written in one go.
    data : bytes
        The whole content.

    Raises
    ------
    OSError
        If the file can't be written or doesn't read back as it was written. Nothing is left behind then.
    """
    if isinstance(path, Address):
        path.put(data)
        return
    # Two workers may be given the same part after a lost connection, hence a name of one's own.
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}{TEMPORARY_SUFFIX}")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if temporary.read_bytes() != data:
            raise OSError(f"{path} does not read back as it was written")
        temporary.replace(path)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            error.filename = str(path)
        raise


def remove_temporaries(folder: Place) -> None:
    """Remove what killed processes left half-written in a folder and the folders directly below it."""
    if isinstance(folder, Address):
        return
    for pattern in (f"*{TEMPORARY_SUFFIX}", f"*/*{TEMPORARY_SUFFIX}"):
        for temporary in folder.glob(pattern):
            if temporary.is_file():
                temporary.unlink(missing_ok=True)


def sync_folder(folder: Place) -> None:
    """Make sure that renames in a folder survive a power cut. Windows can't open folders, nor needs it."""
    if isinstance(folder, Address):
        return
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
