"""Folders at an address, such as ``s3://bucket/run``: whatever fsspec can reach.

An object store knows whole objects only: none is renamed, none is added to, and a name with slashes is no folder. So a
file is put there in one go, and is there in full or not at all.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import urlsplit
from urllib.request import url2pathname

from fivetowers_sim.dataset.errors import RunError
from fivetowers_sim.user_files import make_absolute

SEPARATOR: Final = "://"
MEMORY: Final = "memory"

_LOCAL: Final = ("file", "local")


@dataclass(frozen=True, slots=True)
class Address:
    """A place at an address. It has those methods of :class:`pathlib.Path` that run folders need.

    Attributes
    ----------
    url : str
        The address, without a slash at its end.
    """

    url: str

    def __truediv__(self, name: str) -> Address:
        """Return the place of this name inside."""
        return Address(f"{self.url}/{name}")

    def __str__(self) -> str:
        """Return the address."""
        return self.url

    @property
    def name(self) -> str:
        """What follows the last slash."""
        return self.url.rpartition("/")[2]

    @property
    def in_memory(self) -> bool:
        """Whether only this process can see it."""
        return self.url.startswith(MEMORY + SEPARATOR)

    def relative_to(self, folder: Address) -> PurePosixPath:
        """Return where in a folder this is."""
        return PurePosixPath(self.url.removeprefix(folder.url + "/"))

    def exists(self) -> bool:
        """Say whether there is a file here, or anything below."""
        return self.is_file() or self.is_dir()

    def is_file(self) -> bool:
        """Say whether there is a file here."""
        with _files(self) as (system, path):
            return system.isfile(path)

    def is_dir(self) -> bool:
        """Say whether there are files below."""
        return next(iter(self.rglob()), None) is not None

    def rglob(self, pattern: str = "*") -> Iterator[Address]:
        """Yield all files below, in order of their names; other patterns than ``*`` aren't known."""
        with _files(self) as (system, root):
            found = system.find(root)
        for path in sorted(set(found) - {root}):
            yield self / path.removeprefix(root).lstrip("/")

    def iterdir(self) -> Iterator[Address]:
        """Yield what is directly inside: files, and names that others begin with."""
        names = {place.relative_to(self).parts[0] for place in self.rglob()}
        return (self / name for name in sorted(names))

    def read_bytes(self) -> bytes:
        """Return a file's content."""
        with _files(self) as (system, path):
            return system.cat_file(path)

    def put(self, data: bytes) -> None:
        """Write a file in one go, replacing one of that name.

        Raises
        ------
        OSError
            If it can't be written, or is of another size afterwards.
        """
        with _files(self) as (system, path):
            system.pipe_file(path, data)
            size = system.info(path)["size"]
        if size != len(data):
            raise OSError(f"{self} is of {size} bytes instead of {len(data)} after it was written")

    def put_new(self, data: bytes) -> None:
        """Write a file that isn't there yet; FileExistsError if it is, as far as the store can tell."""
        with _files(self) as (system, path):
            system.pipe_file(path, data, mode="create")

    def unlink(self, missing_ok: bool = False) -> None:
        """Remove a file."""
        try:
            with _files(self) as (system, path):
                system.rm_file(path)
        except FileNotFoundError:
            if not missing_ok:
                raise


Place = Path | Address
"""Where files are: a folder of this machine's, or an address."""


def as_place(path: str | Place) -> Place:
    """Return a place by its name: a folder of this machine's, or an address.

    Parameters
    ----------
    path : str or Place
        What is given; a text with ``://`` in it is an address, and one that begins with ``file://`` a folder after all.

    Returns
    -------
    Path or Address
        The place.
    """
    if not isinstance(path, str) or SEPARATOR not in path:
        return path if isinstance(path, Address) else Path(path)
    scheme, _, rest = path.partition(SEPARATOR)
    if scheme in _LOCAL:
        return Path(url2pathname(urlsplit(path).path if rest.startswith("/") else rest))
    return Address(path.rstrip("/"))


def as_absolute(path: str | Place) -> Place:
    """Return a place by its name, a folder of this machine's with its path from the root."""
    place = as_place(path)
    return place if isinstance(place, Address) else make_absolute(place)


def unlink_all(folder: Address, names: Iterable[str]) -> None:
    """Remove files of a folder, many at a time where the store can."""
    if wanted := list(names):
        with _files(folder) as (system, path):
            system.rm([f"{path}/{name}" for name in wanted])


def read_all(folder: Address, names: Iterable[str]) -> list[bytes]:
    """Return the content of files of a folder, many at a time where the store can."""
    wanted = list(names)
    if not wanted:
        return []
    with _files(folder) as (system, path):
        found = system.cat([f"{path}/{name}" for name in wanted])
    # A store says one file's content for a list of one.
    return [found] if isinstance(found, bytes) else [found[f"{path}/{name}"] for name in wanted]


def as_source(place: Place) -> Path | io.BytesIO:
    """Return what Polars can read a file from: its path, or its content where there is none."""
    return io.BytesIO(place.read_bytes()) if isinstance(place, Address) else place


def _reach(place: Address) -> tuple[Any, str]:
    """Return the store's file system, and what the place is called in it."""
    try:
        from fsspec.core import url_to_fs
    except ModuleNotFoundError as error:
        install = "pip install 'fivetowers-sim[dask]'"
        raise RunError(f"{place}: addresses need the package {error.name}; {install}") from None
    try:
        # Connections are kept by fsspec. What others write meanwhile has to be seen.
        return url_to_fs(place.url, use_listings_cache=False)
    except (ImportError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise RunError(f"{place}: this address can't be used: {reason}") from None


@contextmanager
def _files(place: Address) -> Iterator[tuple[Any, str]]:
    """Yield a place's file system and its path in it; what the store's own library raises is raised as for files."""
    try:
        yield _reach(place)
    except (OSError, RunError, NotImplementedError):
        raise
    except Exception as error:
        reason = " ".join(str(error).split())
        raise OSError(None, f"{type(error).__name__}: {reason}", str(place)) from error
