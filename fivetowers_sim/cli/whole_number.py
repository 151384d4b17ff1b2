"""Whole numbers on the command line, as people write large ones."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

import typer

_THOUSANDS: Final = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9}
# Digits in groups or not, a fraction, a power of ten, and a multiple; none of them without the digits.
_WRITTEN: Final = re.compile(r"([+-]?\d+(?:[_,]\d{3})*(?:_\d+)*(?:\.\d+)?(?:[eE]\+?\d{1,2})?)([kMG]?)")


def read_whole_number(text: str | int) -> int:
    """Read an option's whole number; to be given to Typer as its parser.

    Parameters
    ----------
    text : str or int
        What was typed, such as 1000000, 1_000_000, 1,000,000, 1e6 or 1M, or the option's default.

    Returns
    -------
    int
        The number.

    Raises
    ------
    typer.BadParameter
        If it isn't a whole number. The message goes on from the option's name.
    """
    if isinstance(text, int):
        return text
    if found := _WRITTEN.fullmatch(text.strip()):
        number = Decimal(re.sub("[_,]", "", found[1])) * _THOUSANDS[found[2]]
        if number == number.to_integral_value():
            return int(number)
    raise typer.BadParameter(f"is {text!r}; accepted is a whole number, such as 20000, 1e6 or 1M")
