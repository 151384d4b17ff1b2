"""What ``--backend`` may say beside threads, processes and dask: a backend that is registered with joblib, or how."""

from __future__ import annotations

import os
import re
import sys
from functools import cache
from importlib import import_module
from typing import Final

from fivetowers_sim.cli.errors import UsageError

# Names that are known, what registers them, and what has to be installed for that.
_KNOWN: Final = {
    "ray": ("ray.util.joblib:register_ray", "ray"),
    "spark": ("joblibspark:register_spark", "joblibspark pyspark"),
}
_FUNCTION: Final = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):([A-Za-z_]\w*)")


def name_backends(own: tuple[str, ...]) -> str:
    """Return what ``--backend`` accepts, in words; ``own`` are the names that joblib knows nothing of."""
    from fivetowers_sim.batch.joblib_workers import registered_backends

    names = ", ".join(dict.fromkeys((*own, *_KNOWN, *registered_backends())))
    return f"{names}, and MODULE:FUNCTION, which registers another with joblib"


def find_registered(word: str) -> str | None:
    """Find the backend that is meant, and have it registered with joblib first if need be.

    Parameters
    ----------
    word : str
        Value of ``--backend``.

    Returns
    -------
    str or None
        The name by which joblib knows it; None if there is no such backend.

    Raises
    ------
    UsageError
        If what should register it isn't installed, or fails.
    """
    from fivetowers_sim.batch.joblib_workers import registered_backends

    if word in registered_backends():
        return word
    where, needed = _KNOWN.get(word, (word, ""))
    if not (found := _FUNCTION.fullmatch(where)):
        return None
    try:
        return _register(found[1], found[2])
    except ModuleNotFoundError as error:
        hint = f"; pip install {needed}" if needed else ""
        raise UsageError(f"--backend {word}: needs the module {error.name}{hint}") from None
    except UsageError as error:
        raise UsageError(f"--backend {word}: {error}") from None
    except Exception as error:
        reason = " ".join(str(error).split())
        raise UsageError(f"--backend {word} failed to register: {type(error).__name__}: {reason}") from None


@cache
def _register(module: str, function: str) -> str:
    from joblib.parallel import BACKENDS

    if os.getcwd() not in sys.path:
        # What lies in the working folder is found last, as a module of the user's own.
        sys.path.append(os.getcwd())
    before = dict(BACKENDS)
    register = getattr(import_module(module), function, None)
    if not callable(register):
        raise UsageError(f"{module} has no function {function}")
    register()
    new = [name for name, factory in BACKENDS.items() if before.get(name) is not factory]
    if len(new) != 1:
        told = ", ".join(new) or "none"
        raise UsageError(f"has to register one backend with joblib and registered {told}")
    return new[0]
