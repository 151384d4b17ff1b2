"""The answer to "what may I take here?": every bid that a seat can carry out, and how."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from fivetowers_sim.rules.cards import card_name
from fivetowers_sim.rules.position import Position
from fivetowers_sim.rules.takes import legal_takes


def answer_legal(position: Position) -> dict[str, Any]:
    """List what the seat to speak may take.

    Parameters
    ----------
    position : Position
        The table.

    Returns
    -------
    dict
        ``seat`` and ``high_bid`` as in the position; ``highest_bid``, the highest bid that the seat can
        carry out, whether it is above the high bid or not (0: none); ``takes``, every (``bid``, cards to
        ``take``, number of tree cards to ``pay``) above the high bid that can be carried out, each once,
        cards in the order of the display.
    """
    place = {card: place for place, card in reversed(list(enumerate(position.display())))}
    takes = [
        (bid, pay, sorted((card_name(code) for code in cards), key=place.__getitem__))
        for bid, cards, pay in legal_takes(position.compile_rules()[0], position.game[0], position.seat, 0)
    ]
    takes.sort(key=lambda take: (take[0], take[1], [place[card] for card in take[2]]))
    return {
        "seat": position.seat,
        "high_bid": position.high_bid,
        "highest_bid": max((bid for bid, _, _ in takes), default=0),
        "takes": [{"bid": bid, "take": cards, "pay": pay} for bid, pay, cards in takes if bid > position.high_bid],
    }


def tell_legal(answer: dict[str, Any], position: Position) -> str:
    """Write an answer for people: the display, then the takes, bid by bid.

    Parameters
    ----------
    answer : dict
        From :func:`answer_legal`.
    position : Position
        What it is about.

    Returns
    -------
    str
        The text, a line feed after the last line.
    """
    over = f"over a bid of {answer['high_bid']}" if answer["high_bid"] else "with no bid so far"
    lines = [f"Display: {'  '.join(position.display())}", f"Seat {answer['seat']} speaks, {over}."]
    if answer["highest_bid"]:
        lines.append(f"The highest bid it can carry out is {answer['highest_bid']}.")
    if not answer["takes"]:
        return "\n".join([*lines, "It can only pass." if answer["high_bid"] else "It can carry out no bid."]) + "\n"
    columns = max(1, *(len(take["take"]) for take in answer["takes"]))
    for bid, group in groupby(answer["takes"], key=lambda take: take["bid"]):
        takes = list(group)
        lines += ["", f"Bid {bid}: {len(takes)} way{'' if len(takes) == 1 else 's'}"]
        lines += [f"  {_tell_take(take, columns)}" for take in takes]
    return "\n".join(lines) + "\n"


def _tell_take(take: dict[str, Any], columns: int) -> str:
    cards = "".join(f"{card:<10}" for card in take["take"] or ["no card"])
    pay = f"pay {take['pay']}" if take["pay"] else ""
    return f"take {cards:<{10 * columns}}{pay}".rstrip()
