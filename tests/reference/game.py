"""A plain turn loop (rules 3 and 4) whose words and builds come from callbacks.

Nothing a callback answers is checked here, so that the audit's tests can play illegal games;
:func:`tests.reference.audit.audit_trace` does the checking.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from fivetowers_sim.rules.cards import TOWER_TYPES
from fivetowers_sim.rules.ruleset import RuleSet
from tests.reference.builds import as_towers, payable, type_and_value, without
from tests.reference.scoring import score


class Chooser(Protocol):
    """Who makes the choices. ``view`` names seat, start, high_bid, below, limit, display, powers, towers, pile.

    ``high_bid`` is the bid to beat (0 for the starting player), ``limit`` the highest number the seat
    may say, and ``below`` the undone bid that a revised one must stay under, or None.
    """

    def word(self, view: dict[str, Any]) -> int | None:
        """Return a bid, or None to pass; a starting player's None becomes 0."""

    def build(self, view: dict[str, Any], bid: int) -> dict[str, Any] | None:
        """Return paid, taken, teardown and placements, or None if the bid can't be carried out."""


def ends_bidding(
    bid: int | None, position: int, start: int, display_size: int, powers_by_seat: Sequence[Sequence[str]]
) -> bool:
    """Say whether the word just spoken was the round's last (rules 3.2 and 6.1a).

    ``position`` counts the seats from the starting player's, 0, on.
    """
    players = len(powers_by_seat)
    if bid is not None and bid >= display_size:
        later = [(start + place) % players for place in range(position + 1, players)]
        if not any("tree" in powers_by_seat[seat] for seat in later):
            return True
    return position == players - 1


def play_reference_game(
    rules: RuleSet,
    players: int,
    powers_by_seat: Sequence[Sequence[str]],
    deck: Sequence[str],
    choose: Chooser,
    reshuffle: Callable[[list[str]], Sequence[str]],
) -> dict[str, Any]:
    """Play one game and return its trace (``fivetowers-trace/1``).

    ``deck`` is in drawing order; ``reshuffle`` gets the sorted discard pile and returns the new deck.
    """
    towers = [{kind: [] for kind in TOWER_TYPES} for _ in range(players)]
    piles: list[list[str]] = [[] for _ in range(players)]
    left, discard, start, passes = list(deck), [], 0, 0
    rounds, reshuffles = [], []
    while True:
        display, left = left[: rules.display_size], left[rules.display_size :]
        played = _play_round(powers_by_seat, towers, piles, display, start, choose)
        rounds.append({"round": len(rounds) + 1, "start": start, "display": display, **played})
        discard += [*played.get("paid", []), *without(display, played.get("taken", []))]
        if played["winner"] is not None:
            start = (played["winner"] + 1) % players
        if not left:
            passes += 1
            if passes == rules.deck_passes or not discard:
                break
            left, discard = list(reshuffle(sorted(discard))), []
            reshuffles.append({"after_round": len(rounds), "deck": list(left)})
    scores = [
        {"seat": seat, **score(rules, powers, towers[seat], piles[seat])} for seat, powers in enumerate(powers_by_seat)
    ]
    most = max(line["total"] for line in scores)
    return {
        "format": "fivetowers-trace/1", "game": 0, "seed": 0, "players": players, "rules": rules.to_dict(),
        "powers_by_seat": [list(powers) for powers in powers_by_seat], "strategies": ["reference"] * players,
        "deck": list(deck), "rounds": rounds, "reshuffles": reshuffles, "scores": scores,
        "winners": [line["seat"] for line in scores if line["total"] == most],
    }  # fmt: skip


def _play_round(
    powers_by_seat: Sequence[Sequence[str]],
    towers: list[dict[str, list[int]]],
    piles: list[list[str]],
    display: list[str],
    start: int,
    choose: Chooser,
) -> dict[str, Any]:
    """Bid and build until a build succeeds or nobody wants one (rules 3.2 to 3.8)."""
    players = len(powers_by_seat)
    words: list[dict[str, Any]] = []
    standing: list[dict[str, Any]] = []
    below = None
    while True:
        position = len(standing)
        seat = (start + position) % players
        high_bid = max((word["bid"] or 0 for word in standing), default=0)
        view = {
            "seat": seat, "start": start, "high_bid": high_bid, "below": below, "display": list(display),
            "limit": len(display) + payable(powers_by_seat[seat], as_towers(towers[seat])),
            "powers": frozenset(powers_by_seat[seat]), "towers": towers[seat], "pile": piles[seat],
        }  # fmt: skip
        bid = choose.word(view)
        word = {"seat": seat, "bid": 0 if bid is None and position == 0 else bid}
        words.append(word)
        standing.append(word)
        below = None
        if not ends_bidding(word["bid"], position, start, len(display), powers_by_seat):
            continue
        best = max(standing, key=lambda said: said["bid"] or 0)
        if not best["bid"]:
            return {"bids": words, "winner": None, "bid": 0}
        winner, bid = best["seat"], best["bid"]
        action = choose.build(
            {
                **view,
                "seat": winner,
                "powers": frozenset(powers_by_seat[winner]),
                "towers": towers[winner],
                "pile": piles[winner],
            },
            bid,
        )
        if action is not None:
            _apply(action, towers[winner], piles[winner])
            return {"bids": words, "winner": winner, "bid": bid, **action}
        back_to = standing.index(best)
        for undone in standing[back_to:]:
            undone["void"] = True
        standing, below = standing[:back_to], bid


def _apply(action: dict[str, Any], towers: dict[str, list[int]], pile: list[str]) -> None:
    """Change a seat's towers and teardown pile as the build says."""
    torn = action["teardown"] or []
    torn = [torn] if isinstance(torn, str) else torn
    tops = [*("tree" for _ in action["paid"]), *(card.partition("-")[0] for card in torn)]
    for kind_name in tops:
        del towers[kind_name][-1:]
    pile += torn
    for step in action["placements"]:
        kind, value = type_and_value(step["card"])
        tower = towers[TOWER_TYPES[kind]]
        tower.insert(len(tower) if step["end"] == "top" else 0, value)
        if step["from"] == "teardown" and step["card"] in pile:
            pile.remove(step["card"])
