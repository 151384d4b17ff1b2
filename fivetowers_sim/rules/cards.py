"""Cards and their names (rules 1.1 and 1.3).

A card is one unsigned byte, its *code*: ``tower_type * 32 + value``. The copies of a card share a
code, because nothing in the game tells them apart.
"""

from __future__ import annotations

from typing import Final

TOWER_TYPES: Final = ("candy", "scary", "tree", "scrap", "sand")
"""The five tower types, in the rulebook's order (rule 1.1)."""

CANDY, SCARY, TREE, SCRAP, SAND = range(5)

VALUE_LIMIT: Final = 31
"""Values are below this number; the number itself stands for "no card" (see :data:`EMPTY`)."""

EMPTY: Final = 31
"""What lies below the first card of a tower: every card may go on it."""

TOWER_TOP: Final = 0
"""The value that closes a tower (rule 2.5)."""


def card_code(tower_type: int, value: int) -> int:
    """Return the code of the card of this type and value.

    Parameters
    ----------
    tower_type : int
        Index into :data:`TOWER_TYPES`.
    value : int
        Printed value, 0 to 30.

    Returns
    -------
    int
        The code, 0 to 158.

    Examples
    --------
    >>> card_code(CANDY, 11), card_code(SAND, 0)
    (11, 128)
    """
    return tower_type * 32 + value


def card_name(code: int) -> str:
    """Write a card as the rulebook does (rule 1.3).

    Parameters
    ----------
    code : int
        A card code.

    Returns
    -------
    str
        ``type-value``.

    Examples
    --------
    >>> card_name(11), card_name(128)
    ('candy-11', 'sand-0')
    """
    return f"{TOWER_TYPES[int(code) // 32]}-{int(code) % 32}"


def parse_card(name: str) -> int:
    """Read a card written ``type-value`` (rule 1.3).

    Parameters
    ----------
    name : str
        For example ``candy-11``.

    Returns
    -------
    int
        The card's code.

    Raises
    ------
    ValueError
        If the text is not a card; the message says what is accepted.

    Examples
    --------
    >>> parse_card("tree-7")
    71
    """
    kind, _, value = str(name).partition("-")
    if kind not in TOWER_TYPES or not (value.isascii() and value.isdigit()) or int(value) >= VALUE_LIMIT:
        raise ValueError(
            f"{name!r} is not a card; cards are written type-value, type one of "
            f"{', '.join(TOWER_TYPES)}, for example candy-11"
        )
    return card_code(TOWER_TYPES.index(kind), int(value))
