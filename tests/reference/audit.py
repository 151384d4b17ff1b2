"""An independent audit of traces (``fivetowers-trace/1``) against every rule of the game.

``python -m tests.reference.audit FILE.jsonl`` prints what is wrong; ``--strategies`` also checks that
seats playing greedy say and build what the brute-force greedy policy allows, which is slow.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from fivetowers_sim.rules.cards import TOWER_TYPES
from fivetowers_sim.rules.ruleset import POWERS, RuleSet
from tests.reference.builds import all_builds, as_towers, payable, without
from tests.reference.greedy import best_builds, worth
from tests.reference.replay import Builder, replay_bidding
from tests.reference.scoring import score


def audit_trace(trace: dict[str, Any], check_strategies: bool = False) -> list[str]:
    """Check one game.

    Parameters
    ----------
    trace : dict
        A ``fivetowers-trace/1`` object.
    check_strategies : bool, optional
        Also check the words and builds of seats whose strategy is exactly ``greedy``.

    Returns
    -------
    list of str
        What is wrong, with the round where it is; empty if the game was played by the rules.
    """
    audit = _Audit(check_strategies)
    try:
        audit.run(trace)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        audit.problems.append(f"{audit.where}: malformed trace, {type(error).__name__}: {error}")
    return audit.problems


def full_deck(rules: RuleSet, players: int) -> Counter[str]:
    """Count the cards in play (rule 1.2)."""
    extra = getattr(rules, f"extra_copies_{players}")
    return Counter(
        {
            f"{kind}-{value}": rules.copies + extra.count(value)
            for kind in TOWER_TYPES
            for value in range(rules.highest_value + 1)
        }
    )


def rules_of(trace: dict[str, Any]) -> RuleSet:
    """Return the trace's rule set, which has to name every dial."""
    dials = trace["rules"]
    missing = sorted(set(RuleSet().to_dict()) - set(dials))
    if missing:
        raise ValueError(f"rules lack {', '.join(missing)}")
    return RuleSet(**{name: tuple(value) if isinstance(value, list) else value for name, value in dials.items()})


class _Audit:
    """A game under audit: what lies where after the rounds replayed so far."""

    def __init__(self, check_strategies: bool) -> None:
        self.check_strategies = check_strategies
        self.problems: list[str] = []
        self.where = "header"

    def say(self, problem: str) -> None:
        self.problems.append(f"{self.where}: {problem}")

    def run(self, trace: dict[str, Any]) -> None:
        """Check the whole trace."""
        self.rules = rules_of(trace)
        self.players = trace["players"]
        self.powers = trace["powers_by_seat"]
        self.strategies = trace["strategies"]
        if not self._check_header(trace):
            return
        self.towers = [{kind: [] for kind in TOWER_TYPES} for _ in range(self.players)]
        self.piles: list[list[str]] = [[] for _ in range(self.players)]
        self.deck, self.discard = list(trace["deck"]), []
        self.start, self.passes, self.over = 0, 0, False
        self.reshuffles = list(trace["reshuffles"])
        for number, played in enumerate(trace["rounds"], start=1):
            self.where = f"round {number}"
            if self.over:
                self.say("is played after the game was over")
                break
            self._check_round(number, played)
        self.where = "end"
        if not self.over:
            self.say(f"the trace stops early, with {len(self.deck)} cards in the deck")
        for left in self.reshuffles:
            self.say(f"a reshuffle after round {left['after_round']} that the rules do not have")
        self._check_scores(trace)

    def _check_header(self, trace: dict[str, Any]) -> bool:
        if trace["format"] != "fivetowers-trace/1":
            self.say(f"format is {trace['format']!r}")
        for name in ("game", "seed"):
            if type(trace[name]) is not int:
                self.say(f"{name} is {trace[name]!r}")
        if self.players not in (2, 3, 4, 5):
            self.say(f"players is {self.players!r}")
            return False
        for name, listed in (("powers_by_seat", self.powers), ("strategies", self.strategies)):
            if len(listed) != self.players:
                self.say(f"{name} lists {len(listed)} seats of {self.players}")
                return False
        for seat, powers in enumerate(self.powers):
            if len(set(powers)) != len(powers) or not set(powers) <= set(POWERS):
                self.say(f"seat {seat} has powers {powers}")
        if Counter(trace["deck"]) != full_deck(self.rules, self.players):
            self.say("the deck is not made of the cards in play")
        return True

    def _check_round(self, number: int, played: dict[str, Any]) -> None:
        if played["round"] != number:
            self.say(f"is numbered {played['round']}")
        if played["start"] != self.start:
            self.say(f"seat {played['start']} starts, but seat {self.start} should")
            self.start = played["start"]
        display, self.deck = self.deck[: self.rules.display_size], self.deck[self.rules.display_size :]
        if Counter(played["display"]) != Counter(display):
            self.say(f"display is {played['display']}, but the deck shows {display}")
        elif played["display"] != display:
            self.say("display is not in drawing order")
        self._check_bidding(played, display)
        if played["winner"] is None:
            for action in ("paid", "taken", "teardown", "placements"):
                if played.get(action):
                    self.say(f"nobody won, but there is {action}")
            self.discard += display
        else:
            self._check_build(played, display)
            self.start = (played["winner"] + 1) % self.players
        if not self.deck:
            self._check_empty_deck(number)

    def _check_bidding(self, played: dict[str, Any], display: list[str]) -> None:
        def can_build(seat: int, bid: int) -> bool:
            return bool(self._builds(seat, display, bid))

        trees = [payable(self.powers[seat], as_towers(self.towers[seat])) for seat in range(self.players)]
        limits = [len(display) + payable_cards for payable_cards in trees]
        bidding = replay_bidding(played["bids"], played["start"], len(display), self.powers, limits, can_build)
        for problem in bidding.problems:
            self.say(problem)
        if bidding.finished and played["winner"] != bidding.winner:
            self.say(f"winner is {played['winner']}, but the words make it {bidding.winner}")
        elif bidding.finished and played["bid"] != bidding.bid:
            self.say(f"bid is {played['bid']}, but the words make it {bidding.bid}")
        if self.check_strategies:
            for seat, bid, high_bid, below in bidding.heard:
                if self.strategies[seat] == "greedy" and below is None:
                    self._check_greedy_word(seat, bid, high_bid, display)

    def _builds(self, seat: int, display: list[str], bid: int) -> set:
        return all_builds(self.rules, self.powers[seat], self.towers[seat], self.piles[seat], display, only_bid=bid)

    def _check_greedy_word(self, seat: int, bid: int | None, high_bid: int, display: list[str]) -> None:
        towers, pile = self.towers[seat], self.piles[seat]
        _, builds = best_builds(self.rules, self.powers[seat], towers, pile, display, high_bid)
        allowed = {build.bid for build in builds}
        if (bid or None) not in (allowed or {None}):
            self.say(f"greedy seat {seat} says {bid} over {high_bid}; allowed are {sorted(allowed) or 'no bids'}")

    def _check_build(self, played: dict[str, Any], display: list[str]) -> None:
        seat = played["winner"]
        best = None
        if self.check_strategies and self.strategies[seat] == "greedy":
            best, _ = best_builds(
                self.rules, self.powers[seat], self.towers[seat], self.piles[seat], display, played["bid"] - 1
            )
        builder = Builder(self.rules, self.powers[seat], self.towers[seat], self.piles[seat])
        for problem in builder.replay(played, display, played["bid"]):
            self.say(f"seat {seat} {problem}")
        if best is not None:
            reached = worth(self.rules, self.powers[seat], as_towers(self.towers[seat]), self.piles[seat])
            if reached != best:
                self.say(f"greedy seat {seat} reaches score and openness {reached}; the best is {best}")
        self.discard += [*played["paid"], *without(display, played["taken"])]

    def _check_empty_deck(self, number: int) -> None:
        """Reshuffle or end the game (rules 4.1 to 4.3)."""
        self.passes += 1
        if self.passes == self.rules.deck_passes or not self.discard:
            self.over = True
            return
        if not self.reshuffles or self.reshuffles[0]["after_round"] != number:
            self.say("the deck ran out, but the discard pile is not reshuffled")
            self.over = True
            return
        deck = list(self.reshuffles.pop(0)["deck"])
        if Counter(deck) != Counter(self.discard):
            self.say("the reshuffled deck is not made of the discard pile's cards")
        self.deck, self.discard = deck, []

    def _check_scores(self, trace: dict[str, Any]) -> None:
        totals = []
        if [line["seat"] for line in trace["scores"]] != list(range(self.players)):
            self.say("scores do not list every seat once, in order")
            return
        for seat, line in enumerate(trace["scores"]):
            counted = score(self.rules, self.powers[seat], self.towers[seat], self.piles[seat])
            totals.append(counted["total"])
            for part, points in counted.items():
                if line[part] != points:
                    self.say(f"seat {seat}: {part} is {line[part]}, but counts {points}")
        winners = [seat for seat, total in enumerate(totals) if total == max(totals)]
        if trace["winners"] != winners:
            self.say(f"winners are {trace['winners']}, but the scores make them {winners}")


def audit_file(path: str | Path, check_strategies: bool = False) -> tuple[int, list[str]]:
    """Check every game of a JSON Lines file.

    Returns
    -------
    games : int
        Number of games read.
    problems : list of str
        What is wrong, with line and game number.
    """
    games, problems = 0, []
    with Path(path).open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            games += 1
            try:
                trace = json.loads(line)
            except json.JSONDecodeError as error:
                problems.append(f"line {number}: not JSON, {error}")
                continue
            label = f"line {number}, game {trace.get('game') if isinstance(trace, dict) else '?'}"
            problems += [f"{label}: {problem}" for problem in audit_trace(trace, check_strategies)]
    return games, problems


def main(arguments: list[str] | None = None) -> int:
    """Audit files named on the command line; return 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description="Audit fivetowers-trace/1 files against the rules.")
    parser.add_argument("files", nargs="+", metavar="FILE.jsonl")
    parser.add_argument("--strategies", action="store_true", help="check greedy seats by brute force (slow)")
    chosen = parser.parse_args(arguments)
    found = 0
    for path in chosen.files:
        games, problems = audit_file(path, chosen.strategies)
        for problem in problems:
            print(f"{path}: {problem}")
        print(f"{path}: {games} games, {len(problems)} problems")
        found += len(problems)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
