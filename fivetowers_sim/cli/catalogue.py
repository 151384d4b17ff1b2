"""The commands in the order of what one wants to do, each with a line on it and two examples.

``fivetowers --help`` is written from this alone: a command's own module is loaded when it is called.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Command:
    """What is said of a command before it is loaded.

    Attributes
    ----------
    name : str
        As it is typed.
    does : str
        What it does, in one line.
    examples : tuple of str
        What can be typed after ``fivetowers``, each with the command's name.
    """

    name: str
    does: str
    examples: tuple[str, str]

    @property
    def module(self) -> str:
        """The module of the function that carries it out, both named alike."""
        return f"fivetowers_sim.cli.{self.function}"

    @property
    def function(self) -> str:
        """The function that carries it out."""
        return self.name.replace("-", "_")


GROUPS: Final[Mapping[str, tuple[Command, ...]]] = {
    "Play": (
        Command(
            "simulate",
            "Play games and write them into a run folder.",
            (
                "simulate --games 100_000 --strategies value,greedy,greedy --out data/first",
                "simulate --games 1M --players 4 --powers all --detail rounds --out data/powers",
            ),
        ),
        Command(
            "trace",
            "Write games down completely: one JSON object a line.",
            ("trace --games 10 --seed 7", "trace --games 1k --strategies value --out games.jsonl"),
        ),
        Command(
            "legal",
            "List every bid that can be carried out in a position.",
            ("legal position.json", "legal position.json --json"),
        ),
        Command(
            "rules",
            "List the rule sets, or print one with every dial explained.",
            ("rules", "rules base"),
        ),
    ),
    "Ask": (
        Command(
            "bid-values",
            "What is each bid worth against passing?",
            ("bid-values --strategies value --games 20k", "bid-values --players 4 --precision 0.3 --out data/bids"),
        ),
        Command(
            "teardown-costs",
            "What is tearing down worth, and what would other costs do?",
            (
                "teardown-costs --strategies value --precision 0.3",
                "teardown-costs --costs '0;2,2' --out data/teardown-costs",
            ),
        ),
        Command(
            "powers",
            "What is each Great Power worth, and are they alike?",
            ("powers --strategies value --precision 0.3", "powers --set pair_vp=4 --out data/powers"),
        ),
        Command(
            "game-shape",
            "Who wins from which seat, how does the lead go, what is luck?",
            ("game-shape --players 2,3,4,5 --precision 1", "game-shape --strategies value --games 30k --check none"),
        ),
        Command(
            "tournament",
            "Which strategy is stronger, and can the best mix be beaten?",
            (
                "tournament --strategies value,greedy,cautious,bold",
                "tournament --strategies value,greedy --players 2 --best-response",
            ),
        ),
        Command(
            "compare",
            "What differs between two rule sets?",
            ("compare base short-game", "compare base base --set-b display_size=6 --refit"),
        ),
        Command(
            "sweep",
            "What does each value of a dial change?",
            ("sweep --set display_size=4,6,7", "sweep --set pair_vp=1,2,4 --powers pairs --out data/pairs"),
        ),
        Command(
            "ask",
            "Ask a question of your own, from a Python file.",
            ("ask closeness.py:Closeness --help", "ask closeness.py:Closeness --players 4 --out data/closeness"),
        ),
        Command(
            "evaluate",
            "What is each bid worth in a position, and what to build?",
            ("evaluate position.json", "evaluate position.json --strategies value,greedy,greedy --precision 0.02"),
        ),
    ),
    "Improve players": (
        Command(
            "strategies",
            "List the strategies, or show one with its parameters.",
            ("strategies", "strategies value"),
        ),
        Command(
            "fit",
            "Learn what positions are worth, by self-play, for any rules.",
            ("fit --out tables.json", "fit --rules short-game --players 4 --games 200k --out short.json"),
        ),
        Command(
            "tune",
            "Find parameters with which a strategy does better.",
            (
                "tune greedy:misjudge=0.3 --against greedy --parameters misjudge,max_bid --out mine.toml",
                "tune value --against same --players 4 --out four.toml",
            ),
        ),
    ),
    "Keep and check": (
        Command(
            "verify",
            "Say whether a run or an experiment is as it was written.",
            ("verify data/first", "verify data/powers"),
        ),
        Command(
            "digest",
            "Print one hash of all games: equal for equal plan and seed.",
            ("digest data/first", "digest data/again"),
        ),
    ),
    "Tell": (
        Command(
            "summary",
            "Show who won how often and with how many VP.",
            ("summary data/first", "summary data/first --json"),
        ),
        Command(
            "replay",
            "Tell one game of a run, round by round.",
            ("replay data/first 17", "replay data/first 17 --json"),
        ),
        Command(
            "report",
            "Write the balance report as one page, playing what is missing.",
            ("report", "report --questions powers,game-shape --games 2k --out reports/short"),
        ),
    ),
}
"""The commands by what one wants to do."""

COMMANDS: Final[Mapping[str, Command]] = {command.name: command for group in GROUPS.values() for command in group}
