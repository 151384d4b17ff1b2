"""Files that a user names: where they are, and what they hold.

Their paths are those of the folder in which the program stands, whatever a user's own code does to that meanwhile.
"""

from __future__ import annotations

import codecs
import json
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

MOST_BYTES: Final = 1 << 26
"""The size up to which a file is read: far more than any that a person writes."""

_OTHER_TEXT: Final = {
    "UTF-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
    "UTF-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
}


class UserFileError(ValueError):
    """A file that can't be found or read; the message is a line, or the end of one that names the file."""


class _Visit:
    """How many threads run a user's own code, and the folder that the program stood in before the first of them."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.running = 0
        self.folder = ""

    def begin(self) -> None:
        with self.lock:
            if not self.running:
                self.folder = _working_folder()
            self.running += 1

    def end(self) -> None:
        with self.lock:
            self.running -= 1
            if self.folder != _working_folder():
                with suppress(OSError):
                    os.chdir(self.folder)


_visit: Final = _Visit()


def _working_folder() -> str:
    """Return the folder in which the process stands; nothing if somebody has removed it."""
    try:
        return os.getcwd()
    except OSError:
        return ""


@contextmanager
def keep_working_folder() -> Iterator[None]:
    """Run a user's own code in the block: the program's working folder is the same afterwards.

    The folder belongs to the whole process. While such code runs in any thread, :func:`make_absolute` goes by the one
    from before.
    """
    _visit.begin()
    try:
        yield
    finally:
        _visit.end()


def make_absolute(path: Path) -> Path:
    """Return a path from the root, as seen from the folder in which the program stands."""
    if path.is_absolute():
        return path
    with _visit.lock:
        return Path(_visit.folder if _visit.running else _working_folder()) / path


def expand_home(text: str) -> str:
    """Write a home folder out where a path begins with one, as a shell does: ``~/run``, ``~user/run``.

    Parameters
    ----------
    text : str
        A path or an address, as the user wrote it.

    Returns
    -------
    str
        The same if it doesn't begin with ``~``.

    Raises
    ------
    UserFileError
        If it isn't known which folder that is.
    """
    if not text.startswith("~"):
        return text
    user = text.replace(os.sep, "/").partition("/")[0]
    home = os.path.expanduser(user)
    # With an empty HOME, Python takes the root for the home folder.
    if not os.path.isabs(home) or (user == "~" and os.environ.get("HOME") == ""):
        raise UserFileError(f"no home folder of {user} is known; accepted is the path in full")
    return home.rstrip("/") + text[len(user) :] or "/"


def locate(path: str | Path) -> Path:
    """Return where a file or folder is, from the root.

    Parameters
    ----------
    path : str or Path
        A text is as the user wrote it, and may begin with a home folder.

    Returns
    -------
    Path
        The place.

    Raises
    ------
    UserFileError
        If the home folder isn't known.
    """
    return make_absolute(Path(expand_home(path)) if isinstance(path, str) else path)


def read_user_bytes(path: str | Path) -> bytes:
    """Read a file that a user named.

    Parameters
    ----------
    path : str or Path
        The file, as :func:`locate` accepts it.

    Returns
    -------
    bytes
        What it holds.

    Raises
    ------
    UserFileError
        If it can't be read, or is something that reading might never end of, or too large, or not UTF-8 by its first
        bytes. The message doesn't name the file.
    """
    try:
        place = locate(path)
        _check_is_file(place)
        with place.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise UserFileError(error.strerror or str(error)) from None
    except UserFileError:
        raise
    except ValueError as error:
        # What no path may hold.
        raise UserFileError(str(error)) from None
    if len(content) > MOST_BYTES:
        raise UserFileError(f"it is larger than {MOST_BYTES >> 20} MB")
    for name, marks in _OTHER_TEXT.items():
        if content.startswith(marks):
            raise UserFileError(f"not UTF-8 text but {name}; accepted is UTF-8, which editors can save it as")
    return content


def _check_is_file(place: Path) -> None:
    mode = place.stat().st_mode
    # A shell's <(command) is a pipe without a name; one with a name may never be written to.
    nameless_pipe = stat.S_ISFIFO(mode) and not os.path.exists(os.path.realpath(place))
    if not (stat.S_ISREG(mode) or nameless_pipe):
        raise UserFileError("it is a folder" if stat.S_ISDIR(mode) else "it is a device or a pipe, not a file")


def read_user_text(path: str | Path) -> str:
    """Read a text file that a user named; a byte order mark, which some editors put in front, isn't part of it.

    Raises
    ------
    UserFileError
        As :func:`read_user_bytes` says, and if it isn't UTF-8.
    """
    return decode_user_text(read_user_bytes(path))


def decode_user_text(content: bytes) -> str:
    """Return the text of a file's content; see :func:`read_user_text`."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserFileError("not UTF-8 text") from None


def parse_written_json(data: bytes | str) -> Any:
    """Return the value of JSON that this program wrote and somebody may have changed; ValueError if it has none."""
    try:
        return json.loads(data)
    except RecursionError:
        raise ValueError("nested too deeply") from None
