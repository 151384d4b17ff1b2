"""Positions: what lies on the table when a seat is about to speak, read from and written to JSON."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from fivetowers_sim.rules.cards import TOWER_TOP, TOWER_TYPES, TREE, card_code, card_name, parse_card
from fivetowers_sim.rules.json_fields import FieldError, parse_json, quote, read_list, read_object, read_whole, refuse
from fivetowers_sim.rules.ruleset import PLAYER_COUNTS, POWERS, RuleSet
from fivetowers_sim.rules.ruleset_files import load_rules, named_rules, rules_from_mapping
from fivetowers_sim.rules.state import new_games
from fivetowers_sim.rules.tables import compile_rules
from fivetowers_sim.user_files import UserFileError, read_user_text

POSITION_FORMAT: Final = "fivetowers-position/1"

_REQUIRED: Final = ("format", "players", "rules", "display", "seats", "turn")
_OPTIONAL: Final = ("powers_by_seat", "discard", "deck_pass", "start")


class PositionError(ValueError):
    """A position that isn't accepted; the message is one line with the field's path."""


@dataclass(frozen=True, slots=True)
class Position:
    """A seat about to speak.

    Attributes
    ----------
    rules : RuleSet
        The rule set.
    powers_by_seat : tuple of tuple of str
        Great Powers of each seat, in the order of :data:`POWERS`.
    game : ndarray of GAME, shape (1,)
        The table. The deck holds the unseen cards, sorted: their order is unknown.
    seat : int
        Who is to speak.
    high_bid : int
        The highest bid so far in this round, 0 for none.
    """

    rules: RuleSet
    powers_by_seat: tuple[tuple[str, ...], ...]
    game: np.ndarray
    seat: int
    high_bid: int

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.powers_by_seat)

    def compile_rules(self) -> np.ndarray:
        """Return the kernels' record of the rules, shape (1,)."""
        return compile_rules(self.rules, self.players, self.powers_by_seat)

    def display(self) -> list[str]:
        """Name the cards on display, in order."""
        return _names(self.game[0]["display"], self.game[0]["display_size"])

    def to_dict(self) -> dict[str, Any]:
        """Return the position as plain JSON values that :func:`position_from_dict` reads back."""
        game = self.game[0]
        return {
            "format": POSITION_FORMAT,
            "players": self.players,
            "rules": self.rules.to_dict(),
            "powers_by_seat": [list(powers) for powers in self.powers_by_seat],
            "display": self.display(),
            "discard": _names(game["discard"], game["discard_size"]),
            "deck_pass": int(game["deck_pass"]) + 1,
            "start": int(game["start"]),
            "seats": [self._seat_to_dict(seat) for seat in range(self.players)],
            "turn": {"seat": self.seat, "high_bid": self.high_bid},
        }

    def _seat_to_dict(self, seat: int) -> dict[str, Any]:
        game = self.game[0]
        towers = {
            kind: game["tower"][seat, number, 1 : game["height"][seat, number] + 1].tolist()
            for number, kind in enumerate(TOWER_TYPES)
            if game["height"][seat, number]
        }
        return {"towers": towers, "teardown": _names(game["pile"][seat], game["pile_size"][seat])}


def load_position(path: str | Path) -> Position:
    """Read a position file.

    Parameters
    ----------
    path : str or Path
        A JSON file.

    Returns
    -------
    Position
        The checked position.

    Raises
    ------
    PositionError
        If the file can't be read or isn't accepted; the message starts with its path.
    """
    try:
        text = read_user_text(path)
    except UserFileError as error:
        raise PositionError(f"{path}: can't be read: {error}") from None
    try:
        return parse_position(text)
    except PositionError as error:
        raise PositionError(f"{path}: {error}") from None


def parse_position(text: str) -> Position:
    """Read a position from JSON text; see :func:`position_from_dict`."""
    try:
        return position_from_dict(parse_json(text))
    except FieldError as error:
        raise PositionError(str(error)) from None


def position_from_dict(values: Mapping[str, Any]) -> Position:
    """Check a ``fivetowers-position/1`` object.

    Parameters
    ----------
    values : mapping
        Plain JSON values.

    Returns
    -------
    Position
        The checked position.

    Raises
    ------
    PositionError
        For the first fault: the field's path, what was given, and what is accepted.
    """
    try:
        return _read_position(values)
    except FieldError as error:
        raise PositionError(str(error)) from None


def _read_position(values: Any) -> Position:
    fields = read_object(values, "", _REQUIRED, _OPTIONAL)
    if fields["format"] != POSITION_FORMAT:
        refuse("format", fields["format"], quote(POSITION_FORMAT))
    players = read_whole(fields["players"], "players", PLAYER_COUNTS[0], PLAYER_COUNTS[-1])
    rules = _read_rules(fields["rules"])
    powers = _read_powers(fields["powers_by_seat"], players) if "powers_by_seat" in fields else [rules.powers] * players
    powers_by_seat = tuple(tuple(power for power in POWERS if power in own) for own in powers)
    turn = read_object(fields["turn"], "turn", ("seat", "high_bid"), ())
    seat = read_whole(turn["seat"], "turn.seat", 0, players - 1)

    games = new_games()
    game, cards = games[0], _CardCount(rules, players)
    game["round"] = 1
    game["start"] = read_whole(fields.get("start", seat), "start", 0, players - 1)
    game["deck_pass"] = read_whole(fields.get("deck_pass", 1), "deck_pass", 1, rules.deck_passes) - 1
    accepted = f"a list of 1 to {rules.display_size} cards"
    display = read_list(fields["display"], "display", accepted, 1, rules.display_size)
    game["display_size"] = _put(game["display"], cards.read(display, "display"))
    discard = read_list(fields.get("discard", []), "discard", "a list of cards")
    game["discard_size"] = _put(game["discard"], cards.read(discard, "discard"))
    accepted = f"a list of {players} objects, one for each seat, {{}} for a seat that has nothing"
    for number, given in enumerate(read_list(fields["seats"], "seats", accepted, players, players)):
        _read_seat(given, number, game, cards)
    game["deck_size"] = _put(game["deck"], cards.unseen())
    return Position(rules, powers_by_seat, games, seat, _read_high_bid(turn["high_bid"], game, powers_by_seat))


class _CardCount:
    """The cards in play, and where those named so far lie."""

    def __init__(self, rules: RuleSet, players: int) -> None:
        self.rules = rules
        self.players = players
        self.copies = Counter(rules.deck(players))
        self.places: defaultdict[int, list[str]] = defaultdict(list)

    def use(self, code: int, path: str, value: Any) -> int:
        """Note that a card lies at this path; refuse it if all its copies lie elsewhere."""
        places, copies = self.places[code], self.copies[code]
        if len(places) >= copies:
            raise FieldError(
                f"{path} is {quote(value)}, but {card_name(code)} is also at {' and '.join(places)}; accepted "
                f"is {'one copy' if copies == 1 else f'{copies} copies'} of it with {self.players} players"
            )
        places.append(path)
        return code

    def read(self, names: list[Any], path: str) -> list[int]:
        """Read a list of card names."""
        return [self.use(self._read_card(name, f"{path}[{i}]"), f"{path}[{i}]", name) for i, name in enumerate(names)]

    def _read_card(self, name: Any, path: str) -> int:
        highest = self.rules.highest_value
        try:
            code = parse_card(name) if isinstance(name, str) else -1
        except ValueError:
            code = -1
        if code not in self.copies or card_name(code) != name:
            refuse(path, name, f"type-value, with type one of {', '.join(TOWER_TYPES)} and value 0 to {highest}")
        return code

    def unseen(self) -> list[int]:
        """Return the copies that lie nowhere, lowest code first."""
        return sorted((self.copies - Counter({code: len(at) for code, at in self.places.items()})).elements())


def _read_rules(value: Any) -> RuleSet:
    try:
        if isinstance(value, str):
            return load_rules(value)
        if isinstance(value, dict):
            return rules_from_mapping(value, "its dials")
    except ValueError as error:
        # A name or dial may hold a line break, and the message quotes it.
        raise FieldError(f"rules: {' '.join(str(error).removeprefix('its dials: ').split())}") from None
    refuse("rules", value, f"a name ({', '.join(named_rules())}), the path of a .toml file, or an object of dials")


def _read_powers(value: Any, players: int) -> list[list[str]]:
    accepted = f"a list of {players} lists of powers, one for each seat"
    for seat, given in enumerate(read_list(value, "powers_by_seat", accepted, players, players)):
        path = f"powers_by_seat[{seat}]"
        for i, power in enumerate(read_list(given, path, f"a list of powers out of {', '.join(POWERS)}")):
            if power not in POWERS or power in given[:i]:
                refuse(f"{path}[{i}]", power, f"each of {', '.join(POWERS)} once at most")
    return value


def _read_seat(value: Any, seat: int, game: np.void, cards: _CardCount) -> None:
    path = f"seats[{seat}]"
    fields = read_object(value, path, (), ("towers", "teardown"))
    towers = read_object(fields.get("towers", {}), f"{path}.towers", (), TOWER_TYPES)
    for number, kind in enumerate(TOWER_TYPES):
        tower = _read_tower(towers.get(kind, []), f"{path}.towers.{kind}", number, cards)
        game["height"][seat, number] = len(tower)
        game["tower"][seat, number, 1 : len(tower) + 1] = tower
    pile = read_list(fields.get("teardown", []), f"{path}.teardown", "a list of cards")
    codes = cards.read(pile, f"{path}.teardown")
    for i, code in enumerate(codes):
        if code % 32 == TOWER_TOP:
            refuse(f"{path}.teardown[{i}]", pile[i], "any card but a 0, which can't be torn down")
    game["pile_size"][seat] = _put(game["pile"][seat], codes)


def _read_tower(value: Any, path: str, kind: int, cards: _CardCount) -> list[int]:
    """Check a tower: with either end open to building, each card must fit on the one below it."""
    highest = cards.rules.highest_value
    tower = read_list(value, path, "a list of values, bottom to top")
    for i, given in enumerate(tower):
        read_whole(given, f"{path}[{i}]", 0, highest)
        cards.use(card_code(kind, given), f"{path}[{i}]", given)
        if i and not cards.rules.fits_on(given, tower[i - 1]):
            fitting = [str(fit) for fit in range(highest + 1) if cards.rules.fits_on(fit, tower[i - 1])]
            refuse(
                f"{path}[{i}]", given, f"what may lie on the {tower[i - 1]} below: {', '.join(fitting) or 'nothing'}"
            )
    return tower


def _read_high_bid(value: Any, game: np.void, powers: tuple[tuple[str, ...], ...]) -> int:
    """Check the highest bid: up to the display's size, and as far beyond as a tree power could have paid."""
    payable = [0]
    for seat, own in enumerate(powers):
        height = game["height"][seat, TREE]
        if "tree" in own and game["tower"][seat, TREE, height] != TOWER_TOP:
            payable.append(int(height))
    return read_whole(value, "turn.high_bid", 0, int(game["display_size"]) + max(payable))


def _put(array: np.ndarray, codes: list[int]) -> int:
    """Write codes to the start of an array and return how many."""
    array[: len(codes)] = codes
    return len(codes)


def _names(codes: np.ndarray, count: int) -> list[str]:
    return [card_name(code) for code in codes[:count].tolist()]
