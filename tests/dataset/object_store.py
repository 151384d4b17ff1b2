"""A stand-in for an object store: whole objects with names, in a folder of the disk, so that all processes see them.

As in S3 nothing is renamed and nothing added to, names with slashes are no folders, and an object is there in full or
not at all. Importing this module makes addresses ``shelf://…`` known to fsspec; the folder is named by an environment
variable.
"""

from __future__ import annotations

import io
import os
import secrets
from pathlib import Path
from urllib.parse import quote, unquote

import fsspec
from fsspec.spec import AbstractFileSystem

PROTOCOL = "shelf"
FOLDER_VARIABLE = "SHELF_FOLDER"


class Shelf(AbstractFileSystem):
    """Objects as files of one flat folder."""

    protocol = PROTOCOL
    cachable = False

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self._folder = Path(os.environ[FOLDER_VARIABLE])

    def _file(self, path):
        return self._folder / quote(self._strip_protocol(path), safe="")

    def _names(self):
        return sorted(unquote(file.name) for file in self._folder.iterdir() if not file.name.startswith("."))

    def ls(self, path, detail=True, **options):
        path = self._strip_protocol(path).rstrip("/")
        below = [name.removeprefix(f"{path}/") for name in self._names() if name.startswith(f"{path}/")]
        if not below:
            return [self.info(path)] if detail else [path]
        found = {f"{path}/{name.partition('/')[0]}": "/" in name for name in below}
        entries = [
            {"name": name, "size": 0, "type": "directory"} if is_prefix else self.info(name)
            for name, is_prefix in found.items()
        ]
        return entries if detail else [entry["name"] for entry in entries]

    def info(self, path, **options):
        path = self._strip_protocol(path).rstrip("/")
        file = self._file(path)
        if file.exists():
            return {"name": path, "size": file.stat().st_size, "type": "file"}
        if any(name.startswith(f"{path}/") for name in self._names()):
            return {"name": path, "size": 0, "type": "directory"}
        raise FileNotFoundError(path)

    def _open(self, path, mode="rb", **options):
        if mode != "rb":
            raise NotImplementedError(f"an object store has no mode {mode!r}")
        return io.BytesIO(self._file(path).read_bytes())

    def pipe_file(self, path, value, mode="overwrite", **options):
        file = self._file(path)
        new = self._folder / f".{secrets.token_hex(8)}"
        new.write_bytes(value)
        if mode == "create":
            try:
                os.link(new, file)
            finally:
                new.unlink()
        else:
            new.replace(file)

    def rm_file(self, path):
        self._file(path).unlink()

    def mv(self, *args, **options):
        raise NotImplementedError("an object store renames nothing")

    def cp_file(self, *args, **options):
        raise NotImplementedError("copies cost as much as new objects")

    def mkdir(self, *args, **options):
        raise NotImplementedError("an object store has no folders")

    makedirs = mkdir


fsspec.register_implementation(PROTOCOL, Shelf, clobber=True)
