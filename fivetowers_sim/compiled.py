"""The one place that configures Numba: how kernels compile, and what of it is kept.

Numba's cache notices an edited function, but not an edited function that it calls in another module.
So compiled code lives in a folder named after a hash of all the kernels' source and of the versions
that matter: after any edit the folder is another one. And Numba believes whatever a file in its cache
holds, while machine code with one wrong bit may crash or play other games: so each file is sealed.
"""

from __future__ import annotations

import gc
import hashlib
import os
import pickle
import platform
import secrets
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba import extending, types
from numba.core.caching import FunctionCache
from numba.core.serialize import dumps

from fivetowers_sim import interpreted
from fivetowers_sim.kernel_cache import CODE_SUFFIX, TEMPORARY_SUFFIX, choose_cache_folder
from fivetowers_sim.kernel_pipeline import PartPipeline, WholePipeline

KERNEL_FOLDERS = ("rules", "strategies", "engine")
KERNEL_FILES = ("chance.py", "compiled.py", "interpreted.py", "kernel_pipeline.py", "layout.py")
"""Where kernels live, and what they are made with; an edit elsewhere keeps the compiled code."""

ROW = 32
"""How many numbers :func:`add_row` adds at once."""

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
    files = [package / name for name in KERNEL_FILES]
    files += sorted(file for folder in KERNEL_FOLDERS for file in (package / folder).glob("*.py"))
    for file in files:
        digest.update(file.relative_to(package).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


COMPILES = not numba.config.DISABLE_JIT
"""Whether kernels are compiled; NUMBA_DISABLE_JIT=1 has Python run them instead, to debug them or to measure what tests
cover."""

CACHE_FOLDER = choose_cache_folder(source_key()) if COMPILES else None

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
def _count_bits(context, bits):
    """Return how many bits of an integer are set, in the machine's own instruction for it."""

    def write(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), write


count_bits = _count_bits if COMPILES else interpreted.count_bits


@extending.intrinsic
def _add_row(context, into, row, times):
    """Add a row of :data:`ROW` float32, so many times, to another: in vectors, each number by itself."""

    def write(context, builder, signature, arguments):
        vector = ir.VectorType(ir.FloatType(), ROW)

        def locate(place):
            array = context.make_array(signature.args[place])(context, builder, arguments[place])
            return builder.bitcast(array.data, vector.as_pointer())

        lone = builder.insert_element(ir.Constant(vector, ir.Undefined), arguments[2], ir.Constant(ir.IntType(32), 0))
        first = ir.Constant(ir.VectorType(ir.IntType(32), ROW), [0] * ROW)
        factors = builder.shuffle_vector(lone, ir.Constant(vector, ir.Undefined), first)
        added = builder.fmul(factors, builder.load(locate(1), align=4))
        builder.store(builder.fadd(builder.load(locate(0), align=4), added), locate(0), align=4)
        return context.get_dummy_value()

    return types.none(into, row, types.float32), write


add_row = _add_row if COMPILES else interpreted.add_row


def _compile_once_a_type(dispatcher: Any) -> Any:
    """Let Numba compile a function for numbers, and not anew for each constant that it is called with."""
    if not COMPILES:
        # It is the function itself.
        return dispatcher
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
        temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}{TEMPORARY_SUFFIX}")
        try:
            temporary.write_bytes(hashlib.sha256(data).digest() + data)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)

    def _path(self, key: Any) -> Path:
        return self._folder / f"{self._name}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}{CODE_SUFFIX}"


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
    if not COMPILES:
        return interpreted.interpret(function)
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
