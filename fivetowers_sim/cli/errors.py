"""What a command says when it can't do what it was asked, and the exit code that goes with it."""

from __future__ import annotations

from typing import Final

FAILED: Final = 1
BAD_USAGE: Final = 2
INTERRUPTED: Final = 130


class CommandError(Exception):
    """A command that ends early; the message is one line for the user.

    Attributes
    ----------
    exit_code : int
        What the program ends with.
    """

    exit_code = FAILED


class UsageError(CommandError):
    """An option or a file that isn't accepted; the message names it, what was given and what is accepted."""

    exit_code = BAD_USAGE


class Interrupted(CommandError):  # noqa: N818 - stopping is what the user asked for
    """The user pressed Ctrl-C; the message says what is kept.

    Attributes
    ----------
    resume_command : str
        A line for the shell that goes on with the work; empty if nothing is kept.
    """

    exit_code = INTERRUPTED

    def __init__(self, message: str, resume_command: str = "") -> None:
        super().__init__(message)
        self.resume_command = resume_command


def name_option(error: Exception) -> str:
    """Turn ``part_games is 0; …``, which names a field, into ``--part-games is 0; …``, which names its option."""
    field, space, rest = str(error).partition(" ")
    return f"--{field.replace('_', '-')}{space}{rest}"
