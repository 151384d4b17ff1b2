"""Environments in which libraries work with other instructions, or with another number of threads, than by themselves.

What a library picks at start can be changed by variables: OpenBLAS's kernels (``OPENBLAS_CORETYPE``), NumPy's
(``NPY_DISABLE_CPU_FEATURES``), those of the C library (``GLIBC_TUNABLES``), and the processor that Numba compiles for
(``NUMBA_CPU_NAME``). So one machine can stand for many.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from typing import Final

from numpy._core import _multiarray_umath as numpy_core

Environment = Mapping[str, str]

# OpenBLAS's kernels, and what a processor must have to run them, in NumPy's words.
_X86_KERNELS: Final = {
    "Prescott": (),
    "Nehalem": ("SSE42",),
    "Sandybridge": ("AVX",),
    "Haswell": ("AVX2", "FMA3"),
    "Zen": ("AVX2", "FMA3"),
    "SkylakeX": ("AVX512F", "AVX512BW", "AVX512DQ", "AVX512VL"),
}
_ARM_KERNELS: Final = {"ARMV8": (), "CORTEXA57": ()}


def list_environments() -> dict[str, Environment]:
    """Return the environments that this machine can run in, by name; each sets variables and leaves the rest."""
    has = {name for name, there in numpy_core.__cpu_features__.items() if there}
    kernels = {"x86_64": _X86_KERNELS, "AMD64": _X86_KERNELS}.get(platform.machine(), _ARM_KERNELS)
    found = {
        f"OpenBLAS for {name}": {"OPENBLAS_CORETYPE": name}
        for name, needed in kernels.items()
        if has.issuperset(needed)
    }
    switched = [name for name in numpy_core.__cpu_dispatch__ if name in has]
    if switched:
        found["NumPy without instructions of its own choice"] = {"NPY_DISABLE_CPU_FEATURES": " ".join(switched)}
    if platform.libc_ver()[0] == "glibc" and kernels is _X86_KERNELS:
        without = ",".join(f"-{name}" for name in ("AVX512F", "AVX2", "AVX2_Usable", "FMA", "FMA_Usable", "FMA4"))
        found["a C library without fused operations"] = {"GLIBC_TUNABLES": f"glibc.cpu.hwcaps={without}"}
    found["kernels for any processor"] = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    found["one thread"] = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}
    found["four threads"] = {"OPENBLAS_NUM_THREADS": "4", "OMP_NUM_THREADS": "4", "POLARS_MAX_THREADS": "4"}
    return found


def oldest_processor() -> Environment:
    """Return one environment for all libraries, that of the oldest processor which this machine can stand for."""
    found = list_environments()
    kernels = [environment for name, environment in found.items() if name.startswith("OpenBLAS")]
    rest = [environment for name, environment in found.items() if name.startswith(("NumPy", "a C library"))]
    return {name: value for environment in (*kernels[:1], *rest) for name, value in environment.items()}
