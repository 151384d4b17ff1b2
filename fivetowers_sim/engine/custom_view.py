"""The table as a user's own strategy sees it, and the built-in strategies that it may ask."""

from __future__ import annotations

from typing import Any

import numpy as np

from fivetowers_sim.engine.fork import lay_game_table
from fivetowers_sim.engine.log import ROUND_LOG
from fivetowers_sim.engine.word_step import put_on_trays, step_ready, step_settle, step_speak
from fivetowers_sim.rules.bidding import PASS
from fivetowers_sim.rules.cards import TOWER_TYPES
from fivetowers_sim.rules.ruleset import POWERS
from fivetowers_sim.strategies.custom import BuildPlan, Seat, Word
from fivetowers_sim.strategies.custom_builds import read_cards, read_plan, read_towers
from fivetowers_sim.strategies.custom_file import CustomStrategy
from fivetowers_sim.strategies.families import make_minds, read_strategy
from fivetowers_sim.strategies.parameters import StrategyError
from fivetowers_sim.strategies.table import Table


def show_round(table: Table, order: list[int], totals: list[int]) -> dict[str, Any]:
    """Return what all seats see alike in a round, before a word is said.

    Parameters
    ----------
    table : Table
        The game, with its display revealed.
    order : list of int
        The seats in the order in which they speak.
    totals : list of int
        The VP of each seat if the game ended now.

    Returns
    -------
    dict
        Fields of :class:`fivetowers_sim.strategies.custom.View`, by name.
    """
    game = table.game
    unseen = np.sort(game["deck"][game["deck_next"] : game["deck_size"]])
    return {
        "round": int(game["round"]),
        "display": read_cards(game["display"], game["display_size"]),
        "seats": _show_seats(table, totals),
        "discard": read_cards(game["discard"], game["discard_size"]),
        "unseen": read_cards(unseen, len(unseen)),
        "deck_pass": int(game["deck_pass"]) + 1,
        "order": tuple(order),
    }


def _show_seats(table: Table, totals: list[int]) -> tuple[Seat, ...]:
    game, powers = table.game, table.rules["powers"].tolist()
    piles, sizes = game["pile"], game["pile_size"].tolist()
    return tuple(
        Seat(
            towers=dict(zip(TOWER_TYPES, towers, strict=True)),
            teardown=read_cards(piles[seat], sizes[seat]),
            powers=tuple([power for bit, power in enumerate(POWERS) if (powers[seat] >> bit) & 1]),
            score=totals[seat],
        )
        for seat, towers in enumerate(read_towers(game, len(totals)))
    )


def show_words(log: np.void) -> tuple[Word, ...]:
    """Return what has been said in the round so far."""
    count = int(log["words"])
    columns = (log[name][:count].tolist() for name in ("word_seat", "word_bid", "word_void"))
    return tuple(Word(seat, bid if bid >= 0 else None, void != 0) for seat, bid, void in zip(*columns, strict=True))


class Advice:
    """Asks built-in strategies what they would do in somebody's place.

    Parameters
    ----------
    table : Table
        The game in question.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._log = np.zeros(1, ROUND_LOG)
        self._advisers: dict[tuple[str, int], Table] = {}
        self._readied: dict[tuple[str, int], tuple[int, int]] = {}

    def ask(self, text: str, order: tuple[int, ...], seat: int, high_bid: int, limit: int) -> BuildPlan | None:
        """Return the plan with which a strategy would speak, or None if it would pass.

        Parameters
        ----------
        text : str
            The strategy, as it would be written on the command line.
        order : tuple of int
            The seats in the order in which they speak.
        seat : int
            Who is to speak.
        high_bid : int
            The highest bid so far.
        limit : int
            The bid to stay below, or NO_LIMIT.

        Returns
        -------
        BuildPlan or None
            The plan.

        Raises
        ------
        StrategyError
            If the text isn't a built-in strategy, or one that misjudges.
        """
        adviser = self._ready_adviser(text, seat)
        self._log["words"] = 0
        adviser.seats[0]["leader"] = self._table.seats["leader"]
        bid, _ = step_speak(adviser, self._log, order.index(seat), PASS, (high_bid, limit))
        if bid <= 0:
            return None
        step_settle(adviser, seat)
        return read_plan(self._table.game, seat, adviser.build[0])

    def _ready_adviser(self, text: str, seat: int) -> Table:
        """Return the trays of an adviser that knows the round."""
        key, game = (text, seat), self._table.game
        if key not in self._advisers:
            self._advisers[key] = self._seat_adviser(text, seat)
        now = int(game["number"]), int(game["round"])
        if self._readied.get(key) != now:
            step_ready(self._advisers[key])
            self._readied[key] = now
        return self._advisers[key]

    def _seat_adviser(self, text: str, seat: int) -> Table:
        """Lay a table around the same game at which this seat's adviser has every seat; return its trays."""
        strategy = read_strategy(text)
        if isinstance(strategy, CustomStrategy) or strategy["misjudge"] > 0:
            raise StrategyError(f"{text!r} can't be asked; accepted is a built-in strategy that doesn't misjudge")
        rules = self._table.rules.base
        table = lay_game_table(rules, make_minds([strategy], rules, [int(rules[0]["powers"][seat])]))
        return put_on_trays(table._replace(game=self._table.game))
