"""The one place that configures Numba: how kernels compile, and where compiled code is kept.

Numba's cache notices an edited function, but not an edited function that it calls in another module.
So compiled code lives in a folder named after a hash of all the kernels' source and of the versions
that matter: after any edit the folder is another one.
"""

from __future__ import annotations

import gc
import hashlib
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
import platformdirs
from numba import types

from fivetowers_sim.kernel_pipeline import PartPipeline, WholePipeline

CACHE_VARIABLE = "FIVETOWERS_CACHE_DIR"
KEEP_CACHES_DAYS = 30
KERNEL_FOLDERS = (".", "rules", "strategies", "engine")
"""Where kernels live; an edit elsewhere keeps the compiled code."""

_OBJECTS_BEFORE_COLLECTING = 200_000

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


def _cache_folder() -> Path:
    """Choose the first writable place; the last, a temporary one, only lasts for this process."""
    key = source_key()
    given = os.environ.get(CACHE_VARIABLE)
    base = Path(given) if given else Path(platformdirs.user_cache_dir("fivetowers_sim"))
    for folder in (base / key, Path(tempfile.gettempdir()) / "fivetowers_sim" / key):
        if _usable(folder):
            _forget_old_caches(folder)
            return folder
    return Path(tempfile.mkdtemp(prefix="fivetowers_sim"))


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


def _compile_once_a_type(dispatcher: Any) -> Any:
    """Let Numba compile a function for numbers, and not anew for each constant that it is called with."""
    find_template = dispatcher.get_call_template

    def find_template_without_constants(args: Any, named: Any) -> Any:
        args = tuple(types.unliteral(argument) for argument in args)
        return find_template(args, {name: types.unliteral(argument) for name, argument in named.items()})

    dispatcher.get_call_template = find_template_without_constants
    return dispatcher


def entry_point(function: Callable[..., Any]) -> Any:
    """Compile a kernel that Python calls, and keep its machine code for the next process."""
    # Numba reads the setting when the decorator runs; other users of Numba keep theirs.
    saved = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_FOLDER)
    try:
        return numba.njit(function, cache=True, pipeline_class=WholePipeline, **_ALL)
    finally:
        numba.config.CACHE_DIR = saved


def is_cached() -> bool:
    """Say whether an earlier process has left compiled code of this very source."""
    return any(CACHE_FOLDER.rglob("*.nbc"))


def call_recovering(call: Callable[[], Result]) -> Result:
    """Run a call that may load compiled code; if that code is damaged, discard it and run again.

    Parameters
    ----------
    call : callable
        Has no effect before its kernels are loaded, so that it can be run twice.

    Returns
    -------
    object
        What the call returns.
    """
    try:
        return _collecting_seldom(call)
    except Exception:
        # A truncated file raises whatever the unpickler met first. Only a fault that is still there
        # with an empty cache is the caller's.
        if not is_cached():
            raise
        shutil.rmtree(CACHE_FOLDER, ignore_errors=True)
        CACHE_FOLDER.mkdir(parents=True, exist_ok=True)
        return _collecting_seldom(call)


def _collecting_seldom(call: Callable[[], Result]) -> Result:
    """Run a call that may compile; Numba heaps up objects, and looking through them as often as usual takes time."""
    usual = gc.get_threshold()
    gc.set_threshold(_OBJECTS_BEFORE_COLLECTING, *usual[1:])
    try:
        return call()
    finally:
        gc.set_threshold(*usual)
