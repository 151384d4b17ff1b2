"""Disks for tests: a small one that fills up, and one that can't be written to."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


class SmallDisk:
    """A file system in memory."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def resize(self, kilobytes: int) -> None:
        """Make it larger or smaller."""
        self._remount(f"size={kilobytes}k")

    def make_read_only(self) -> None:
        """Refuse all writes from now on, those of the system's administrator too."""
        self._remount("ro")

    def _remount(self, options: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{options}", self.path], check=True, capture_output=True)


@contextmanager
def mount_small_disk(path: Path, kilobytes: int) -> Iterator[SmallDisk]:
    """Mount a disk of some kilobytes; where that isn't allowed, the test is skipped."""
    path.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", path]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("a small disk can only be mounted by the system's administrator, on Linux")
    try:
        yield SmallDisk(path)
    finally:
        subprocess.run(["umount", path], check=True, capture_output=True)


def limit_file_size(size: int) -> None:
    """Let this process write no file of more bytes: what a quota does, without needing one."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


can_limit_file_size = os.name == "posix"
