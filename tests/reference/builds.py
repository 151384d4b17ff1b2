"""Everything that a bidder could do with a display, found by trying all of it (rules 2, 3.3 to 3.5, 6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

from fivetowers_sim.rules.cards import SAND, SCRAP, TOWER_TYPES, TREE, parse_card
from fivetowers_sim.rules.ruleset import RuleSet

Towers = tuple[tuple[int, ...], ...]
"""The five towers in the order of ``TOWER_TYPES``, each from bottom to top; an empty one is no tower."""


class Build(NamedTuple):
    """One way to carry out a bid.

    Attributes
    ----------
    take, torn, fetched, pile : tuple of str
        Sorted names: cards taken from the display, torn down, fetched from the teardown pile, and the
        teardown pile afterwards.
    pay : int
        Tree cards paid.
    towers : tuple of tuple of int
        The five towers afterwards.
    """

    take: tuple[str, ...]
    pay: int
    torn: tuple[str, ...]
    fetched: tuple[str, ...]
    towers: Towers
    pile: tuple[str, ...]

    @property
    def bid(self) -> int:
        """The bid that this build carries out (rule 6.1: cards taken and cards paid)."""
        return len(self.take) + self.pay


class State(NamedTuple):
    """A builder between two cards: what is still to build, and what lies in front of them."""

    hand: tuple[str, ...]
    towers: Towers
    pile: tuple[str, ...]
    sand_end: str
    may_fetch: bool


@cache
def type_and_value(name: str) -> tuple[int, int]:
    """Split a card's name into the index of its type and its value."""
    code = parse_card(name)
    return code // 32, code % 32


def as_towers(towers: Mapping[str, Sequence[int]] | Sequence[Sequence[int]]) -> Towers:
    """Return towers given by type name (missing: empty), or in the types' order, as five tuples."""
    if isinstance(towers, Mapping):
        return tuple(tuple(towers.get(kind, ())) for kind in TOWER_TYPES)
    return tuple(tuple(tower) for tower in towers)


def replace_tower(towers: Towers, kind: int, tower: tuple[int, ...]) -> Towers:
    """Return the towers with one of them exchanged."""
    return (*towers[:kind], tower, *towers[kind + 1 :])


def without(cards: Iterable[str], gone: Iterable[str]) -> tuple[str, ...]:
    """Return the sorted cards that are left after one copy of each card of ``gone`` has left."""
    left = sorted(cards)
    for card in gone:
        if card in left:
            left.remove(card)
    return tuple(left)


def fits_on(rules: RuleSet, value: int, top: int) -> bool:
    """Say whether a card may lie on another (rules 2.2 to 2.5)."""
    if top == 0:
        return False
    if top in rules.anything_goes_on:
        return True
    if value in rules.goes_on_anything:
        return True
    return value < top


def fits_under(rules: RuleSet, value: int, bottom: int) -> bool:
    """Say whether a card may be slid under a tower's lowest card (rule 6.3)."""
    return fits_on(rules, bottom, value)


def ends_for(rules: RuleSet, powers: Iterable[str], tower: Sequence[int], card: str, sand_end: str) -> list[str]:
    """List the ends of its tower to which a card may be added now (rules 2.1 to 2.5 and 6.3).

    ``sand_end`` is the end to which sand cards have been added this round, or empty. The first card of
    a tower is said to be added at the top.
    """
    kind, value = type_and_value(card)
    if not tower:
        return ["top"]
    if tower[-1] == 0:
        return []
    ends = []
    if fits_on(rules, value, tower[-1]) and not (kind == SAND and sand_end == "bottom"):
        ends.append("top")
    if kind == SAND and "sand" in powers and fits_under(rules, value, tower[0]) and sand_end != "top":
        ends.append("bottom")
    return ends


def placed(rules: RuleSet, powers: Iterable[str], state: State, card: str, source: str) -> Iterator[tuple[dict, State]]:
    """Yield each way to add one card from the hand or the teardown pile, with what it leads to."""
    kind, value = type_and_value(card)
    tower = state.towers[kind]
    for end in ends_for(rules, powers, tower, card, state.sand_end):
        higher = (*tower, value) if end == "top" else (value, *tower)
        commits = kind == SAND and "sand" in powers and len(tower) > 0
        after = State(
            hand=without(state.hand, [card]) if source == "hand" else state.hand,
            towers=replace_tower(state.towers, kind, higher),
            pile=without(state.pile, [card]) if source == "teardown" else state.pile,
            sand_end=end if commits else state.sand_end,
            may_fetch=kind == SCRAP and "scrap" in powers,
        )
        yield {"card": card, "end": end, "from": source}, after


def next_steps(rules: RuleSet, powers: Iterable[str], state: State) -> Iterator[tuple[dict, State]]:
    """Yield everything a builder may do next: build a card of the hand, or fetch one (rules 3.5, 6.2)."""
    for card in sorted(set(state.hand)):
        yield from placed(rules, powers, state, card, "hand")
    if state.may_fetch:
        for card in sorted(set(state.pile)):
            yield from placed(rules, powers, state, card, "teardown")


Outcomes = frozenset[tuple[Towers, tuple[str, ...]]]


def outcomes(rules: RuleSet, powers: Iterable[str], state: State, known: dict[State, Outcomes]) -> Outcomes:
    """Return the towers and teardown piles that can be reached once all cards of the hand are built."""
    if state not in known:
        found = {(state.towers, state.pile)} if not state.hand else set()
        for _, after in next_steps(rules, powers, state):
            found |= outcomes(rules, powers, after, known)
        known[state] = frozenset(found)
    return known[state]


def payable(powers: Iterable[str], towers: Towers) -> int:
    """Return how many tree cards may be paid at most (rule 6.1)."""
    tree = towers[TREE]
    if "tree" not in powers or not tree or tree[-1] == 0:
        return 0
    return len(tree)


def takes(rules: RuleSet, powers: Iterable[str], towers: Towers, display: Sequence[str]) -> Iterator[tuple[tuple, int]]:
    """Yield each choice of cards from the display with each number of tree cards paid (rules 3.3, 6.1)."""
    for pay in range(payable(powers, towers) + 1):
        for count in range(len(display) + 1):
            if count + pay == 0 or (pay > 0 and count < rules.tree_min_take):
                continue
            for take in sorted(set(combinations(sorted(display), count))):
                if pay > 0 and any(type_and_value(card)[0] == TREE for card in take):
                    continue
                yield take, pay


def teardowns(rules: RuleSet, towers: Towers) -> set[tuple[tuple[str, ...], Towers]]:
    """Return each choice of cards torn down, sorted, with the towers it leaves (rule 3.4)."""
    reached = {((), towers)}
    for _ in range(rules.teardown_limit):
        for torn, left in list(reached):
            for kind, tower in enumerate(left):
                if tower and tower[-1] != 0:
                    card = f"{TOWER_TYPES[kind]}-{tower[-1]}"
                    reached.add((tuple(sorted((*torn, card))), replace_tower(left, kind, tower[:-1])))
    return reached


def all_builds(
    rules: RuleSet,
    powers: Iterable[str],
    towers: Mapping[str, Sequence[int]] | Towers,
    teardown_pile: Iterable[str],
    display: Sequence[str],
    only_bid: int | None = None,
) -> set[Build]:
    """Return everything that one seat could do as the builder of a round.

    Parameters
    ----------
    rules : RuleSet
        The dials; its power dials are ignored.
    powers : iterable of str
        The seat's Great Powers.
    towers : mapping of str to sequence of int
        Each tower's values from bottom to top; a missing tower is empty.
    teardown_pile, display : iterable of str
        Card names.
    only_bid : int, optional
        Leave out builds for other bids.

    Returns
    -------
    set of Build
        Builds that differ in cards taken, paid, torn down or fetched, or in the towers afterwards.
    """
    powers = frozenset(powers)
    start = as_towers(towers)
    pile = tuple(teardown_pile)
    known: dict[State, Outcomes] = {}
    builds = set()
    for take, pay in takes(rules, powers, start, display):
        if only_bid is not None and len(take) + pay != only_bid:
            continue
        paid = replace_tower(start, TREE, start[TREE][: len(start[TREE]) - pay])
        for torn, left in teardowns(rules, paid):
            before = tuple(sorted((*pile, *torn)))
            for final, final_pile in outcomes(rules, powers, State(take, left, before, "", False), known):
                builds.add(Build(take, pay, torn, without(before, final_pile), final, final_pile))
    return builds


def carry_out(
    rules: RuleSet,
    powers: Iterable[str],
    towers: Mapping[str, Sequence[int]] | Towers,
    teardown_pile: Iterable[str],
    build: Build,
) -> dict[str, Any]:
    """Spell a build out card by card, as a round of a trace does.

    Returns
    -------
    dict
        ``paid``, ``taken``, ``teardown`` (null, a name, or a list of names in tearing order) and
        ``placements``.

    Raises
    ------
    ValueError
        If the build can't be carried out from these towers.
    """
    powers = frozenset(powers)
    start = as_towers(towers)
    cut = len(start[TREE]) - build.pay
    left = replace_tower(start, TREE, start[TREE][:cut])
    torn = []
    waiting = list(build.torn)
    while waiting:
        tops = [f"{kind}-{tower[-1]}" for kind, tower in zip(TOWER_TYPES, left, strict=True) if tower]
        card = next((name for name in waiting if name in tops), None)
        if card is None:
            raise ValueError(f"{waiting} can't be torn down from {left}")
        kind = type_and_value(card)[0]
        left = replace_tower(left, kind, left[kind][:-1])
        waiting.remove(card)
        torn.append(card)
    pile = tuple(sorted((*teardown_pile, *torn)))
    goal = State((), build.towers, build.pile, "", False)
    steps = _find_steps(rules, powers, State(build.take, left, pile, "", False), goal, set())
    if steps is None:
        raise ValueError(f"{build} can't be carried out from {start} with pile {pile}")
    return {
        "paid": [f"tree-{value}" for value in reversed(start[TREE][cut:])],
        "taken": list(build.take),
        "teardown": torn[0] if len(torn) == 1 else torn or None,
        "placements": steps,
    }


def _find_steps(
    rules: RuleSet, powers: frozenset[str], state: State, goal: State, dead: set[State]
) -> list[dict] | None:
    """Return the placements that lead from one state to another, or None."""
    if (state.hand, state.towers, state.pile) == goal[:3]:
        return []
    if state not in dead:
        for step, after in next_steps(rules, powers, state):
            rest = _find_steps(rules, powers, after, goal, dead)
            if rest is not None:
                return [step, *rest]
    dead.add(state)
    return None
