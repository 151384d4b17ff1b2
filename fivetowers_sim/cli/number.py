"""Numbers with a fraction on the command line."""

from __future__ import annotations

import typer


def read_number(text: str | float) -> float:
    """Read an option's number; to be given to Typer as its parser.

    Parameters
    ----------
    text : str or float
        What was typed, or the option's default.

    Returns
    -------
    float
        The number.

    Raises
    ------
    typer.BadParameter
        If it isn't a number. The message goes on from the option's name.
    """
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"is {text!r}; accepted is a number") from None
