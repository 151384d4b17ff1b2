"""The one place that configures Numba: how kernels compile, and where compiled code is kept.

Numba's cache notices an edited function, but not an edited function that it calls in another module.
So compiled code lives in a folder named after a hash of all the kernels' source and of the versions
that matter: after any edit the folder is another one. And Numba believes whatever a file in its cache
holds, while machine code with one wrong bit may crash or play other games: so each file is sealed.
"""

from __future__ import annotations

import atexit
import gc
import hashlib
import os
import pickle
import platform
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
import platformdirs
from numba import extending, types
from numba.core.caching import FunctionCache
from numba.core.serialize import dumps

from fivetowers_sim.kernel_pipeline import PartPipeline, WholePipeline
from fivetowers_sim.user_files import UserFileError, locate

CACHE_VARIABLE = "FIVETOWERS_CACHE_DIR"
KEEP_CACHES_DAYS = 30
KERNEL_FOLDERS = (".", "rules", "strategies", "engine")
"""Where kernels live; an edit elsewhere keeps the compiled code."""

_OBJECTS_BEFORE_COLLECTING = 200_000
_SEAL_BYTES = hashlib.sha256().digest_size

Result = TypeVar("Result")


def source_key() -> str:
    """Return a hash of the kernels' source and of the versions that shape compiled code.

    Returns
    -------
    str
        16 hexadecimal digits.
    """
    package = Path(__file__).parent
    digest = hashlib.sha256()
    for part in (numba.__version__, np.__version__, sys.version, platform.machine()):
        digest.update(part.encode() + b"\0")
    digest.update(os.environ.get("NUMBA_BOUNDSCHECK", "").encode())
    for file in sorted(file for folder in KERNEL_FOLDERS for file in (package / folder).glob("*.py")):
        digest.update(file.relative_to(package).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


def _usable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _cache_folder() -> Path | None:
    """Choose the first writable place; the last, a temporary one, only lasts for this process. None if all are full."""
    key = source_key()
    given = os.environ.get(CACHE_VARIABLE)
    try:
        base = locate(given) if given else Path(platformdirs.user_cache_dir("fivetowers_sim"))
    except UserFileError as error:
        raise UserFileError(f"{CACHE_VARIABLE} is {given!r}: {error}") from None
    for folder in (base / key, *_temporary_folders(key)):
        if _usable(folder):
            _forget_old_caches(folder)
            return folder
    try:
        folder = Path(tempfile.mkdtemp(prefix="fivetowers_sim"))
    except OSError:
        return None
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _temporary_folders(key: str) -> list[Path]:
    """Return a place among temporary files, unless somebody else could have put code there for this user to run."""
    try:
        shared = Path(tempfile.gettempdir()) / "fivetowers_sim"
        shared.mkdir(mode=0o700, exist_ok=True)
        own = not hasattr(os, "getuid") or shared.stat().st_uid == os.getuid()
    except OSError:
        return []
    return [shared / key] if own else []


def _forget_old_caches(folder: Path) -> None:
    """Delete siblings that nobody has used for a month, and mark this one as used."""
    oldest = time.time() - KEEP_CACHES_DAYS * 86_400
    try:
        os.utime(folder)
        for sibling in folder.parent.iterdir():
            named_by_hash = len(sibling.name) == len(folder.name) and sibling != folder
            if named_by_hash and sibling.is_dir() and sibling.stat().st_mtime < oldest:
                shutil.rmtree(sibling, ignore_errors=True)
    except OSError:
        pass


CACHE_FOLDER = _cache_folder()


_ALL = {"nogil": True, "error_model": "numpy"}
_INNER = {**_ALL, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": PartPipeline}


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that other kernels call often or in one place: it is inlined into them."""
    return _compile_once_a_type(numba.njit(function, forceinline=True, **_INNER))


def rare_kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that other kernels seldom call: it stays out of their way."""
    # Said in so many words, since Numba has a function inherit what its first caller was compiled with.
    return _compile_once_a_type(numba.njit(function, forceinline=False, **_INNER))


def stage(function: Callable[..., Any]) -> Any:
    """Compile a function that leads, by way of kernels that it is given, to itself: it becomes a part of each caller.

    Were it compiled by itself, Numba would take that for recursion, and link the call by a name that two kernels in
    one process can't share: the second would jump to nowhere.
    """
    return numba.njit(function, inline="always", **_ALL)


@extending.intrinsic
def count_bits(context, bits):
    """Return how many bits of an integer are set, in the machine's own instruction for it."""

    def write(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), write


def _compile_once_a_type(dispatcher: Any) -> Any:
    """Let Numba compile a function for numbers, and not anew for each constant that it is called with."""
    find_template = dispatcher.get_call_template

    def find_template_without_constants(args: Any, named: Any) -> Any:
        args = tuple(types.unliteral(argument) for argument in args)
        return find_template(args, {name: types.unliteral(argument) for name, argument in named.items()})

    dispatcher.get_call_template = find_template_without_constants
    return dispatcher


class _SealedFiles:
    """A kernel's files in the cache: one for each signature, which opens with the SHA-256 of the rest.

    A file that isn't as it was written, or that two processes wrote for different signatures, counts as missing.

    Parameters
    ----------
    folder : str
        Where they are.
    name : str
        The kernel's, unique in this folder.
    stamp : object
        Changes with the file that the kernel is in.
    """

    def __init__(self, folder: str, name: str, stamp: Any) -> None:
        self._folder = Path(folder)
        self._name = name
        self._stamp = stamp

    def load(self, key: Any) -> Any:
        """Return what was saved under a key; None if nothing was, or it can't be trusted."""
        try:
            content = self._path(key).read_bytes()
        except OSError:
            return None
        seal, data = content[:_SEAL_BYTES], content[_SEAL_BYTES:]
        if hashlib.sha256(data).digest() != seal:
            return None
        *found, saved = pickle.loads(data)
        return saved if found == [key, self._stamp] else None

    def save(self, key: Any, saved: Any) -> None:
        """Write a file beside its final name, then give it that name; OSError if that can't be done."""
        data = dumps((key, self._stamp, saved))
        path = self._path(key)
        temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
        try:
            temporary.write_bytes(hashlib.sha256(data).digest() + data)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)

    def _path(self, key: Any) -> Path:
        return self._folder / f"{self._name}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.nbc"


class _SealedCache(FunctionCache):
    """Numba's cache of a kernel over sealed files; without a place to write to, code is compiled but not kept."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _SealedFiles(self.cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return a kernel's code, or None if it has to be compiled."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            # Sealed by another build of the same version of a library, for one. What is wrong with it doesn't matter.
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a kernel's code if the disk isn't full and the folder is still there."""
        with suppress(OSError):
            super().save_overload(sig, data)


def entry_point(function: Callable[..., Any]) -> Any:
    """Compile a kernel that Python calls, and keep its machine code for the next process."""
    dispatcher = numba.njit(function, pipeline_class=WholePipeline, **_ALL)
    if CACHE_FOLDER is None:
        return dispatcher
    # Numba reads the setting when a cache is made; other users of Numba keep theirs.
    saved = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_FOLDER)
    try:
        dispatcher._cache = _SealedCache(function)
    finally:
        numba.config.CACHE_DIR = saved
    return dispatcher


def call_compiling(call: Callable[[], Result]) -> Result:
    """Run a call that may compile; Numba heaps up objects, and looking through them as often as usual takes time.

    Parameters
    ----------
    call : callable
        The call.

    Returns
    -------
    object
        What it returns.
    """
    usual = gc.get_threshold()
    gc.set_threshold(max(_OBJECTS_BEFORE_COLLECTING, usual[0]), *usual[1:])
    try:
        return call()
    finally:
        gc.set_threshold(*usual)
