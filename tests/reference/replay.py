"""Replaying one round of a trace, word by word and card by card, and naming every broken rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from fivetowers_sim.rules.cards import SAND, SCRAP, TOWER_TYPES, TREE
from fivetowers_sim.rules.ruleset import RuleSet
from tests.reference.builds import fits_on, fits_under, type_and_value
from tests.reference.game import ends_bidding


@dataclass
class Bidding:
    """What a round's words come to.

    ``heard`` lists every word with its seat, the bid it had to beat and the undone bid it had to stay
    under (or None). ``finished`` is false if words are missing.
    """

    problems: list[str] = field(default_factory=list)
    winner: int | None = None
    bid: int = 0
    finished: bool = False
    heard: list[tuple[int, int | None, int, int | None]] = field(default_factory=list)


def replay_bidding(
    words: Sequence[dict[str, Any]],
    start: int,
    display_size: int,
    powers_by_seat: Sequence[Sequence[str]],
    limits: Sequence[int],
    can_build: Callable[[int, int], bool],
) -> Bidding:
    """Replay a bidding (rules 3.2, 3.6, 3.8, 6.1a).

    Parameters
    ----------
    words : sequence of dict
        The round's ``bids``.
    start, display_size : int
        Starting seat and cards in the display.
    powers_by_seat : sequence of sequence of str
        Every seat's Great Powers.
    limits : sequence of int
        The highest number each seat may say.
    can_build : callable
        Whether a seat could carry out a bid; asked about undone bids only.
    """
    result = Bidding()
    players = len(powers_by_seat)
    standing: list[tuple[int, int, int | None]] = []
    undone: set[int] = set()
    below = None
    for place, word in enumerate(words):
        if result.finished:
            result.problems.append(f"word {place + 1}: seat {word['seat']} speaks after the bidding was over")
            break
        position = len(standing)
        seat, bid = word["seat"], word["bid"]
        expected = (start + position) % players
        if seat != expected:
            result.problems.append(f"word {place + 1}: seat {seat} speaks, but it is seat {expected}'s turn")
            return result
        high_bid = max((said or 0 for _, _, said in standing), default=0)
        result.heard.append((seat, bid, high_bid, below))
        result.problems += _check_word(place, bid, position == 0, high_bid, below, limits[seat])
        standing.append((place, seat, bid))
        below = None
        if not ends_bidding(bid, position, start, display_size, powers_by_seat):
            continue
        best = max(standing, key=lambda said: said[2] or 0)
        if best[2] and words[best[0]].get("void"):
            if can_build(best[1], best[2]):
                result.problems.append(f"seat {best[1]}'s bid of {best[2]} was undone, but can be carried out")
            back_to = standing.index(best)
            undone |= {said[0] for said in standing[back_to:]}
            standing, below = standing[:back_to], best[2]
            continue
        result.finished = True
        if best[2]:
            result.winner, result.bid = best[1], best[2]
    if not result.finished:
        result.problems.append("the bidding stops before everyone has spoken")
    for place, word in enumerate(words):
        if bool(word.get("void")) != (place in undone):
            result.problems.append(f"word {place + 1} is {'not ' if place in undone else ''}marked void, wrongly")
    return result


def _check_word(place: int, bid: int | None, is_start: bool, high_bid: int, below: int | None, limit: int) -> list[str]:
    """Check one word of a bidding."""
    said = f"word {place + 1}"
    if bid is None:
        return [f"{said}: the starting player passes instead of saying 0"] if is_start else []
    if type(bid) is not int or bid < 0:
        return [f"{said}: {bid!r} is not a bid"]
    if not is_start and bid <= high_bid:
        return [f"{said}: bid {bid} does not raise the bid of {high_bid}"]
    if below is not None and bid >= below:
        return [f"{said}: revised bid {bid} is not below the undone bid of {below}"]
    if bid > limit:
        return [f"{said}: bid {bid} is above the highest possible bid of {limit}"]
    return []


def torn_cards(action: dict[str, Any]) -> list[str]:
    """Return a round's torn cards in tearing order, however the trace writes them."""
    torn = action.get("teardown")
    if torn is None:
        return []
    return [torn] if isinstance(torn, str) else list(torn)


class Builder:
    """One seat's building step, replayed on its towers and teardown pile, which change in place.

    Parameters
    ----------
    rules : RuleSet
        The dials.
    powers : iterable of str
        The seat's Great Powers.
    towers : dict of str to list of int
        Towers by type name, bottom to top.
    pile : list of str
        The teardown pile.
    """

    def __init__(self, rules: RuleSet, powers: Iterable[str], towers: dict[str, list[int]], pile: list[str]) -> None:
        self.rules = rules
        self.powers = frozenset(powers)
        self.towers = towers
        self.pile = pile
        self.problems: list[str] = []
        self.sand_end = ""
        self.may_fetch = False

    def replay(self, action: dict[str, Any], display: Sequence[str], bid: int) -> list[str]:
        """Replay a round's actions (rules 3.3 to 3.5, 6.1 to 6.3) and return what is wrong with them."""
        taken, paid = list(action["taken"]), list(action["paid"])
        for card in (Counter(taken) - Counter(display)).elements():
            self.problems.append(f"takes {card}, which is not in the display")
        if len(taken) + len(paid) != bid:
            self.problems.append(f"takes {len(taken)} and pays {len(paid)} for a bid of {bid}")
        if paid:
            self._pay(paid, taken)
        self._tear_down(torn_cards(action))
        hand = Counter(taken)
        for step in action["placements"]:
            self._place(step, hand)
        for card in sorted(hand.elements()):
            self.problems.append(f"takes {card} but does not build it")
        return self.problems

    def _pay(self, paid: list[str], taken: list[str]) -> None:
        tower = self.towers[TOWER_TYPES[TREE]]
        if "tree" not in self.powers:
            self.problems.append("pays with tree cards without the tree power")
        if tower and tower[-1] == 0:
            self.problems.append("pays from a tree tower that has a top")
        if any(type_and_value(card)[0] == TREE for card in taken):
            self.problems.append("takes a tree card from the display while paying")
        if len(taken) < self.rules.tree_min_take:
            self.problems.append(f"takes {len(taken)} while paying; at least {self.rules.tree_min_take} must be taken")
        for card in paid:
            kind, value = type_and_value(card)
            if kind != TREE or tower[-1:] != [value]:
                self.problems.append(f"pays {card}, which is not the top of the tree tower")
            if tower:
                tower.pop()

    def _tear_down(self, torn: list[str]) -> None:
        if len(torn) > self.rules.teardown_limit:
            self.problems.append(f"tears down {len(torn)} cards; at most {self.rules.teardown_limit} may be")
        for card in torn:
            kind, value = type_and_value(card)
            tower = self.towers[TOWER_TYPES[kind]]
            if value == 0:
                self.problems.append(f"tears down the tower top {card}")
            if tower[-1:] != [value]:
                self.problems.append(f"tears down {card}, which is not the top of its tower")
            if tower:
                tower.pop()
            self.pile.append(card)

    def _place(self, step: dict[str, Any], hand: Counter[str]) -> None:
        card, end, source = step["card"], step["end"], step["from"]
        kind, value = type_and_value(card)
        if source == "hand":
            if hand[card] < 1:
                self.problems.append(f"builds {card}, which is not in hand")
            hand[card] -= 1
        elif source == "teardown":
            self._fetch(card)
        else:
            self.problems.append(f"builds {card} from {source!r}; known are hand and teardown")
        self._check_end(kind, value, card, end)
        tower = self.towers[TOWER_TYPES[kind]]
        if tower and kind == SAND:
            self.sand_end = end
        tower.insert(0 if end == "bottom" else len(tower), value)
        self.may_fetch = kind == SCRAP

    def _fetch(self, card: str) -> None:
        if "scrap" not in self.powers:
            self.problems.append(f"fetches {card} without the scrap power")
        elif not self.may_fetch:
            self.problems.append(f"fetches {card} without having just added a scrap card")
        if card in self.pile:
            self.pile.remove(card)
        else:
            self.problems.append(f"fetches {card}, which is not in the teardown pile")

    def _check_end(self, kind: int, value: int, card: str, end: str) -> None:
        tower = self.towers[TOWER_TYPES[kind]]
        if end not in ("top", "bottom"):
            self.problems.append(f"adds {card} at {end!r}; known are top and bottom")
        if end == "bottom" and (kind != SAND or "sand" not in self.powers):
            self.problems.append(f"adds {card} at the bottom, which only the sand power allows, to the sand tower")
        if not tower:
            return
        if tower[-1] == 0:
            self.problems.append(f"adds {card} to a tower that has a top")
        elif end == "top" and not fits_on(self.rules, value, tower[-1]):
            self.problems.append(f"adds {card} on a {tower[-1]}")
        elif end == "bottom" and not fits_under(self.rules, value, tower[0]):
            self.problems.append(f"slides {card} under a {tower[0]}")
        if kind == SAND and self.sand_end not in ("", end):
            self.problems.append(f"adds {card} at the {end} of the sand tower after adding at the {self.sand_end}")
