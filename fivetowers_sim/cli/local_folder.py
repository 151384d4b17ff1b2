"""How options read a folder that has to be on this machine."""

from __future__ import annotations

from pathlib import Path

import typer


def read_folder(text: str) -> Path:
    """Read the name of a folder.

    Raises
    ------
    typer.BadParameter
        If it is an address; the message says what is accepted, and the caller puts the option's name before it.
    """
    from fivetowers_sim.dataset.address import SEPARATOR

    if SEPARATOR in text:
        raise typer.BadParameter(f"is {text!r}, an address; accepted is a folder of this machine's")
    return Path(text)
