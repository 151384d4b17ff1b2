"""A trace told in words, round by round, for people at a terminal or a text file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from fivetowers_sim.rules.cards import TOWER_TOP, TOWER_TYPES

WIDTH: Final = 100
"""No line is longer, in characters."""

TOP_MARK: Final = "^"

_LABEL_WIDTH: Final = 11
_SCORE_COLUMNS: Final = ("cards", "tops", "main", "pairs", "teardown", "total")


class _Hoard:
    """What one seat has built and torn down so far."""

    def __init__(self) -> None:
        self.towers: dict[str, list[int]] = {kind: [] for kind in TOWER_TYPES}
        self.pile: list[str] = []

    def follow(self, played: dict[str, Any]) -> None:
        """Do what the trace says that the seat did in this round."""
        for card in played["paid"]:
            self.towers[_kind(card)].pop()
        for card in torn_down(played):
            self.towers[_kind(card)].pop()
            self.pile.append(card)
        for step in played["placements"]:
            tower = self.towers[_kind(step["card"])]
            tower.insert(0 if step["end"] == "bottom" else len(tower), int(step["card"].partition("-")[2]))
            if step["from"] == "teardown":
                self.pile.remove(step["card"])

    def lines(self, label: str) -> list[str]:
        """Draw the towers, and the teardown pile if there is one."""
        towers = [f"{kind} {draw_tower(tower)}" for kind, tower in self.towers.items() if tower]
        drawn = _wrap(label, towers or ["no towers"], "   ")
        return drawn + (_wrap("", ["torn down:", *_listed(self.pile)], " ") if self.pile else [])


def narrate_game(trace: dict[str, Any]) -> str:
    """Tell a game.

    Parameters
    ----------
    trace : dict
        A ``fivetowers-trace/1`` object.

    Returns
    -------
    str
        The text, plain, no line longer than :data:`WIDTH`, a line feed after the last.
    """
    hoards = [_Hoard() for _ in range(trace["players"])]
    new_decks = {made["after_round"]: made["deck"] for made in trace["reshuffles"]}
    left = len(trace["deck"])
    lines = _heading(trace)
    for played in trace["rounds"]:
        left -= len(played["display"])
        lines += ["", f"Round {played['round']} · seat {played['start']} starts · {_count(left)} left in the deck"]
        lines += _tell_round(played, hoards)
        if played["round"] in new_decks:
            left = len(new_decks[played["round"]])
            lines += _wrap_text(f"The deck has run out: the discard pile becomes a new deck of {_count(left)}.")
    lines += _wrap_text("The deck has run out: the game ends.")
    lines += ["", "Towers at the end"]
    for seat, hoard in enumerate(hoards):
        lines += hoard.lines(f"seat {seat}")
    return "\n".join([*lines, "", *_tell_scores(trace)]) + "\n"


def torn_down(played: dict[str, Any]) -> list[str]:
    """Return the cards torn down in a round of a trace, which names none, one, or a list."""
    torn = played["teardown"]
    if torn is None:
        return []
    return [torn] if isinstance(torn, str) else torn


def draw_tower(tower: Sequence[int]) -> str:
    """Draw a tower in a line, bottom to top.

    Parameters
    ----------
    tower : sequence of int
        Values, bottom to top.

    Returns
    -------
    str
        The values with hyphens between, the tower top marked; a dash for no tower.

    Examples
    --------
    >>> draw_tower([14, 11, 8, 12, 0])
    '14-11-8-12-0^'
    """
    if not tower:
        return "–"
    return "-".join(map(str, tower)) + (TOP_MARK if tower[-1] == TOWER_TOP else "")


def _heading(trace: dict[str, Any]) -> list[str]:
    lines = _wrap_text(
        f"Game {trace['game']} · seed {trace['seed']} · {trace['players']} players · rules {trace['rules']['name']}"
    )
    for seat, (strategy, powers) in enumerate(zip(trace["strategies"], trace["powers_by_seat"], strict=True)):
        lines += _wrap(f"seat {seat}", [strategy, *([f"powers: {', '.join(powers)}"] if powers else [])], " · ")
    return [*lines, *_wrap_text(f"Towers are drawn from bottom to top; {TOP_MARK} marks a tower top.")]


def _tell_round(played: dict[str, Any], hoards: Sequence[_Hoard]) -> list[str]:
    lines = _wrap("display", played["display"], "  ")
    lines += _wrap("bidding", [_word(word) for word in played["bids"]], " · ")
    winner = played["winner"]
    if winner is None:
        return [*lines, *_wrap("nobody", ["builds; the display is discarded"], " ")]
    hoards[winner].follow(played)
    taken = played["taken"] or ["no card"]
    lines += _wrap(f"seat {winner}", ["takes", *_listed(taken), "for a", "bid of", str(played["bid"])], " ")
    if played["paid"]:
        lines += _wrap("", ["pays", *_listed(played["paid"])], " ")
    if torn_down(played):
        lines += _wrap("", ["tears down", *_listed(torn_down(played))], " ")
    if played["placements"]:
        lines += _wrap("", ["builds", *_listed([_placement(step) for step in played["placements"]])], " ")
    return lines + hoards[winner].lines("towers")


def _word(word: dict[str, Any]) -> str:
    said = "pass" if word["bid"] is None else str(word["bid"])
    return f"seat {word['seat']}: {said}" + (" (undone)" if word.get("void") else "")


def _placement(step: dict[str, Any]) -> str:
    fetched = " (fetched)" if step["from"] == "teardown" else ""
    return step["card"] + fetched + (" (at the bottom)" if step["end"] == "bottom" else "")


def _tell_scores(trace: dict[str, Any]) -> list[str]:
    titles = ("torn down" if column == "teardown" else column for column in _SCORE_COLUMNS)
    lines = [f"{'Score in VP':<{_LABEL_WIDTH + 2}}" + "".join(f"{title:>11}" for title in titles)]
    for line in trace["scores"]:
        numbers = "".join(f"{line[column]:>11}" for column in _SCORE_COLUMNS)
        lines.append(f"  {'seat ' + str(line['seat']):<{_LABEL_WIDTH}}{numbers}")
    winners = [str(seat) for seat in trace["winners"]]
    most = max(line["total"] for line in trace["scores"])
    if len(winners) == 1:
        return [*lines, "", f"Seat {winners[0]} wins with {most} VP."]
    return [*lines, "", f"Seats {', '.join(winners[:-1])} and {winners[-1]} share the victory with {most} VP."]


def _kind(card: str) -> str:
    return card.partition("-")[0]


def _count(cards: int) -> str:
    return f"{cards} card{'' if cards == 1 else 's'}"


def _listed(items: Sequence[str]) -> list[str]:
    """Put commas after all but the last."""
    return [f"{item}," for item in items[:-1]] + list(items[-1:])


def _wrap_text(text: str) -> list[str]:
    """Indent a sentence and break it between words."""
    return _wrap(None, text.split(" "), " ")


def _wrap(label: str | None, pieces: Iterable[str], separator: str) -> list[str]:
    """Join pieces into lines behind a label, breaking only between them or, if one is too long, inside it."""
    first = "" if label is None else f"  {label:<{_LABEL_WIDTH}}"
    room = WIDTH - max(len(first), 4)
    lines: list[str] = []
    for piece in (part for whole in pieces for part in _split(whole, room)):
        if lines and len(lines[-1]) + len(separator) + len(piece) <= room:
            lines[-1] += separator + piece
        else:
            lines.append(piece)
    rest = " " * (len(first) or 4)
    return [(first if number == 0 else rest) + line for number, line in enumerate(lines)]


def _split(piece: str, room: int) -> list[str]:
    """Cut a piece that is longer than a line, behind a hyphen or colon if there is one."""
    parts = []
    while len(piece) > room:
        cut = max(piece.rfind("-", 1, room), piece.rfind(":", 1, room)) + 1 or room
        parts.append(piece[:cut])
        piece = piece[cut:]
    return [*parts, piece]
