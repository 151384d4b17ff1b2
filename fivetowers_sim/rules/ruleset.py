"""Rule sets: every number a designer may change, checked.

A :class:`RuleSet` is plain, frozen and hashable. The kernels never see it: they get the arrays that
:func:`fivetowers_sim.rules.tables.compile_rules` makes of it. :mod:`fivetowers_sim.rules.ruleset_files` reads
rule sets from files and options.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any, Final

from fivetowers_sim.rules.cards import TOWER_TYPES, card_code

PLAYER_COUNTS: Final = (2, 3, 4, 5)
POWERS: Final = ("tree", "scrap", "sand", "pairs")
"""The Great Powers' names (rules 6.1 to 6.4), in the order of their bits."""

MAX_DISPLAY: Final = 7
MAX_DECK: Final = 250
MAX_COPIES: Final = 4
MAX_TEARDOWN_LIMIT: Final = 3
MAX_VP: Final = 100
MAX_LISTED: Final = 32

_LONGEST_QUOTE: Final = 60


class RuleSetError(ValueError):
    """A rule set that can't be played; the message names the dial, the value and what is accepted."""


def _dial(default: Any, rule: str, accepts: str, meaning: str) -> Any:
    return field(default=default, metadata={"rule": rule, "accepts": accepts, "meaning": meaning})


_VALUES_LIST = "a list of values from 0 to highest_value"


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The dials of the game; the defaults are the printed base game.

    Attributes
    ----------
    name : str
        What the set is called in plans, tables and reports.
    **dials
        Each other field is a dial. Its rule, meaning and accepted values are in its metadata, and
        :func:`explain_dials` lists them.

    Raises
    ------
    RuleSetError
        On construction, if a dial's value is not accepted or the set can't be played.
    """

    name: str = "base"
    highest_value: int = _dial(15, "1.1", "1 to 30", "Card values run from 0 to this.")
    copies: int = _dial(1, "1.2", "1 to 4", "Copies of each card of each type.")
    extra_copies_2: tuple[int, ...] = _dial(
        (), "1.2", _VALUES_LIST, "Values with one more copy of each type with 2 players; named twice: two more."
    )
    extra_copies_3: tuple[int, ...] = _dial((), "1.2", _VALUES_LIST, "The same with 3 players.")
    extra_copies_4: tuple[int, ...] = _dial((0, 2, 5, 7, 10, 12), "1.2", _VALUES_LIST, "The same with 4 players.")
    extra_copies_5: tuple[int, ...] = _dial((0, 2, 5, 7, 10, 12), "1.2", _VALUES_LIST, "The same with 5 players.")
    display_size: int = _dial(5, "3.1", f"3 to {MAX_DISPLAY}", "Cards revealed each round, and the highest bid.")
    deck_passes: int = _dial(2, "4.2", "1 to 3", "How many times the deck runs out before the game ends.")
    anything_goes_on: tuple[int, ...] = _dial(
        (8,), "2.3", "a list of values from 1 to highest_value", "Values on which any value may go."
    )
    goes_on_anything: tuple[int, ...] = _dial(
        (9,), "2.4", "a list of values from 1 to highest_value", "Values that may go on any value except 0."
    )
    teardown_limit: int = _dial(
        1, "3.4", f"0 to {MAX_TEARDOWN_LIMIT}", "Cards a builder may tear down before building."
    )
    teardown_costs: tuple[int, ...] = _dial(
        (1, 2),
        "5.4",
        f"a list of 1 to {MAX_LISTED} costs from 0 to {MAX_VP}",
        "VP lost for the first card in the teardown pile, the second, and so on. Past the list's end the last "
        "step goes on: 1,2 means 1, 2, 3, 4 …; a single cost stays the same; costs never fall below 0.",
    )
    vp_per_card: int = _dial(1, "5.1", f"0 to {MAX_VP}", "VP per card in a tower without a top.")
    vp_per_topped_card: int = _dial(2, "5.2", f"0 to {MAX_VP}", "VP per card in a tower with a top.")
    vp_main_tower: int = _dial(1, "5.3", f"0 to {MAX_VP}", "Further VP per card of the main tower.")
    power_tree: bool = _dial(False, "6.1", "true or false", "Tree power: pay tree cards to bid higher.")
    power_scrap: bool = _dial(False, "6.2", "true or false", "Scrap power: a scrap card fetches a torn card.")
    power_sand: bool = _dial(False, "6.3", "true or false", "Sand power: build at the top or the bottom.")
    power_pairs: bool = _dial(False, "6.4", "true or false", "Scary and candy power: VP for pairs.")
    tree_min_take: int = _dial(
        0, "6.1b", f"0 to {MAX_DISPLAY}", "Fewest cards to take from the display when paying with tree cards."
    )
    pair_vp: int = _dial(3, "6.4", f"0 to {MAX_VP}", "VP for each pair of equal values in the scary and candy towers.")

    def __post_init__(self) -> None:
        """Check every dial, then the set as a whole."""
        if not isinstance(self.name, str) or not self.name.strip() or not self.name.isprintable():
            raise RuleSetError(f"name is {_quote(self.name)}; accepted is a line of text")
        for dial in list_dials():
            _check_dial(dial, getattr(self, dial.name), self.highest_value)
        if self.tree_min_take > self.display_size:
            raise RuleSetError(
                f"tree_min_take is {self.tree_min_take}; accepted is 0 to display_size ({self.display_size})"
            )
        for players in PLAYER_COUNTS:
            extra = self.extra_copies(players)
            most = self.copies + max((extra.count(value) for value in extra), default=0)
            if most > MAX_COPIES:
                raise RuleSetError(
                    f"copies and extra_copies_{players} make {most} copies of a card; accepted are {MAX_COPIES} at most"
                )
            count = len(self.deck(players))
            if count > MAX_DECK:
                raise RuleSetError(
                    f"copies and extra_copies_{players} make a deck of {count} cards; accepted are {MAX_DECK} at most"
                )
            if count < self.display_size:
                raise RuleSetError(
                    f"highest_value {self.highest_value} makes a deck of {count} cards with {players} players; "
                    f"accepted is at least display_size ({self.display_size})"
                )

    def deck(self, players: int) -> list[int]:
        """List the cards in play (rule 1.2).

        Parameters
        ----------
        players : int
            2 to 5.

        Returns
        -------
        list of int
            Card codes: copy by copy, type by type, lowest value first.
        """
        extra = self.extra_copies(players)
        most = self.copies + max((extra.count(value) for value in extra), default=0)
        return [
            card_code(kind, value)
            for copy in range(most)
            for kind in range(len(TOWER_TYPES))
            for value in range(self.highest_value + 1)
            if copy < self.copies + extra.count(value)
        ]

    def extra_copies(self, players: int) -> tuple[int, ...]:
        """Return the values with an extra copy for this many players (rule 1.2)."""
        return getattr(self, f"extra_copies_{players}")

    def fits_on(self, value: int, top: int | None) -> bool:
        """Say whether a card may go on a tower (rules 2.2 to 2.5).

        Parameters
        ----------
        value : int
            The card's value.
        top : int or None
            The value of the tower's top card; None for no tower.

        Returns
        -------
        bool
            Whether the card may be placed there.
        """
        if top is None:
            return True
        if top == 0:
            return False
        return value < top or top in self.anything_goes_on or value in self.goes_on_anything

    def teardown_cost(self, torn: int) -> int:
        """Return the VP lost for a teardown pile of this many cards (rule 5.4)."""
        costs = list(self.teardown_costs)
        step = costs[-1] - costs[-2] if len(costs) > 1 else 0
        while len(costs) < torn:
            costs.append(max(0, costs[-1] + step))
        return sum(costs[:torn])

    @property
    def powers(self) -> frozenset[str]:
        """The Great Powers in play for every seat, unless a plan says otherwise."""
        return frozenset(power for power in POWERS if getattr(self, f"power_{power}"))

    def with_powers(self, powers: Iterable[str]) -> RuleSet:
        """Return the same rules with exactly these Great Powers in play."""
        chosen = set(powers)
        return replace(self, **{f"power_{power}": power in chosen for power in POWERS})

    def to_dict(self) -> dict[str, Any]:
        """Return name and dials as plain numbers, lists and booleans."""
        return {f.name: _plain(getattr(self, f.name)) for f in fields(self)}

    def to_toml(self, explain: bool = False) -> str:
        """Write the set as TOML that :func:`~fivetowers_sim.rules.ruleset_files.load_rules` reads back.

        Parameters
        ----------
        explain : bool, optional
            Put each dial's rule, meaning and accepted values above it.

        Returns
        -------
        str
            The TOML text.
        """
        lines = [f'name = "{_escape(self.name)}"']
        for dial in list_dials():
            if explain:
                about = dial.metadata
                lines += ["", f"# Rule {about['rule']}. {about['meaning']}", f"# Accepted: {about['accepts']}."]
            lines.append(f"{dial.name} = {write_value(getattr(self, dial.name))}")
        return "\n".join(lines) + "\n"


def list_dials() -> tuple[Field[Any], ...]:
    """Return the fields of a rule set that are dials, in the order of the rules."""
    return tuple(f for f in fields(RuleSet) if f.name != "name")


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def write_value(value: Any) -> str:
    """Return a dial's value as TOML; text, which no dial accepts, in quotes."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(_plain(value)) if isinstance(value, (str, tuple)) else str(value)


def shorten(text: str) -> str:
    """Cut a text that is to be quoted in a message short if it is long."""
    return text if len(text) <= _LONGEST_QUOTE else f"{text[: _LONGEST_QUOTE - 2]} …"


def _quote(value: Any) -> str:
    try:
        return shorten(write_value(value))
    except ValueError:
        # Python writes no number of more than some thousand digits.
        return "a number of thousands of digits"
    except RecursionError:
        return "something nested too deeply"


def _check_dial(dial: Field[Any], value: Any, highest_value: int) -> None:
    """Refuse a value that the dial does not accept."""
    accepts = dial.metadata["accepts"]
    given = f"{dial.name} is {_quote(value)}; accepted is"
    wrong = RuleSetError(f"{given} {accepts}")
    if isinstance(dial.default, bool):
        if not isinstance(value, bool):
            raise wrong
    elif isinstance(dial.default, tuple):
        if not isinstance(value, tuple) or not all(type(item) is int for item in value):
            raise wrong
        if dial.name == "teardown_costs":
            if not 1 <= len(value) <= MAX_LISTED or not all(0 <= item <= MAX_VP for item in value):
                raise wrong
        else:
            lowest = 0 if dial.name.startswith("extra_copies") else 1
            if len(value) > 3 * MAX_LISTED or not all(lowest <= item <= highest_value for item in value):
                raise RuleSetError(f"{wrong} ({highest_value} here)")
    else:
        low, _, high = accepts.partition(" to ")
        if type(value) is not int:
            raise RuleSetError(f"{given} a whole number from {accepts}")
        if not int(low) <= value <= int(high):
            raise wrong


def explain_dials() -> list[dict[str, Any]]:
    """List every dial with its rule number, default, accepted values and meaning."""
    return [
        {
            "dial": dial.name,
            "default": _plain(dial.default),
            **{k: dial.metadata[k] for k in ("rule", "accepts", "meaning")},
        }
        for dial in list_dials()
    ]
