"""What the figures were measured on."""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

# More than this many cores at work for others disturbs what is measured.
QUIET_LOAD = 0.5


def describe_machine() -> dict[str, str | int | float | None]:
    """Return processor, cores, system, versions, date and load as JSON values."""
    return {
        "processor": processor_name(),
        "cores": count_cores(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{package: package_version(package) for package in ("numba", "numpy", "polars")},
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "load_at_start": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    }


def processor_name() -> str:
    """Return what the system calls its processor."""
    listing = Path("/proc/cpuinfo")
    if listing.exists():
        for line in listing.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    if sys.platform == "darwin":
        command = ["sysctl", "-n", "machdep.cpu.brand_string"]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return platform.processor() or platform.machine()


def count_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def package_version(package: str) -> str:
    """Return the version of an installed package."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
