"""Scripts in processes of their own, to press Ctrl-C in."""

from __future__ import annotations

import subprocess
import sys


def begin(script: str, **options: object) -> subprocess.Popen[str]:
    """Start a script and wait for the first line that it prints."""
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )
    process.stdout.readline()
    return process
