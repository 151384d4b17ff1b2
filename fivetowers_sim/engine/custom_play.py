"""Blocks of games in which a user's own strategy sits.

Only the turn loop is in Python. The rules, the other seats and the records are the compiled functions that all
games are played with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from fivetowers_sim.engine.block import Record, new_record
from fivetowers_sim.engine.custom_game import CustomTable
from fivetowers_sim.engine.log import MAX_WORDS
from fivetowers_sim.engine.word_step import step_deal, step_record_game, step_record_round
from fivetowers_sim.rules.ruleset import RuleSet
from fivetowers_sim.strategies.custom import Build, View
from fivetowers_sim.strategies.custom_file import CustomStrategy
from fivetowers_sim.strategies.parameters import Strategy
from fivetowers_sim.strategies.table import Table


class CustomPlay:
    """Plays the games of one setup.

    Parameters
    ----------
    rules : RuleSet
        The rule set.
    strategies : sequence of Strategy
        The different strategies.
    seats_of : callable
        Returns the names of the strategies by seat, given a game's number.
    """

    def __init__(
        self,
        rules: RuleSet,
        strategies: Sequence[Strategy],
        seats_of: Callable[[int], Sequence[str]],
    ) -> None:
        self._rules = rules
        self._own = {strategy.name: strategy for strategy in strategies if isinstance(strategy, CustomStrategy)}
        self._seats_of = seats_of

    def play_block(self, table: Table, log: np.void, seating: np.ndarray, block: np.ndarray, record: Record) -> int:
        """Play games in order; see :func:`fivetowers_sim.engine.block.play_block`, for which this stands in.

        Before a block without games one game is played in which users' strategies are asked nothing, so that the
        kernels are loaded afterwards.

        Raises
        ------
        CustomStrategyError
            If a user's strategy fails or answers what isn't accepted.
        """
        seed, first, count, most_rounds = block.tolist()
        if count == 0:
            self._rehearse(table, log, seating, block)
        own_table = self.lay_table(table, log)
        record.used[:] = 0
        log["with_feasible_bids"] = len(record.bids) > 0
        for nth in range(count):
            task = np.array([seed, first + nth, most_rounds])
            if not step_deal(own_table.trays, own_table.log_tray, seating, task, record):
                return nth
            while not table.game["over"]:
                own_table.play_round()
                if len(record.rounds):
                    step_record_round(own_table.trays, own_table.log_tray, record)
            step_record_game(own_table.trays, own_table.log_tray, record, nth)
        return count

    def lay_table(self, table: Table, log: np.void) -> CustomTable:
        """Return a table of these strategies, at which rounds can be played word by word."""
        return CustomTable(table, log, self._rules, self._own_by_seat)

    def _own_by_seat(self, number: int) -> dict[int, CustomStrategy]:
        return {seat: self._own[name] for seat, name in enumerate(self._seats_of(number)) if name in self._own}

    def _rehearse(self, table: Table, log: np.void, seating: np.ndarray, block: np.ndarray) -> None:
        stand_ins = [replace(strategy, make=_StandIn) for strategy in self._own.values()]
        most_rounds = int(block[3])
        record = new_record(1, len(seating[0]), most_rounds, most_rounds * MAX_WORDS)
        one_game = np.array([block[0], 0, 1, most_rounds])
        rehearsal = CustomPlay(self._rules, stand_ins, self._seats_of)
        rehearsal.play_block(table, log, seating, one_game, record)


class _StandIn:
    """Takes the first build that there is."""

    def speak(self, view: View) -> Build | None:
        return view.builds[0] if view.builds else None
