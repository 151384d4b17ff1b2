"""Whole numbers on the command line."""

from __future__ import annotations

import typer


def read_whole_number(text: str | int) -> int:
    """Read an option's whole number; to be given to Typer as its parser.

    Parameters
    ----------
    text : str or int
        What was typed, or the option's default.

    Returns
    -------
    int
        The number.

    Raises
    ------
    typer.BadParameter
        If it isn't a whole number. The message goes on from the option's name.
    """
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"is {text!r}; accepted is a whole number") from None
