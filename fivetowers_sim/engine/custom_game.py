"""Games with users' own strategies at the table: the turn loop of engine/play.py, word by word in Python."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NoReturn

import numpy as np

from fivetowers_sim.engine.custom_answer import AnswerError, check_answer
from fivetowers_sim.engine.custom_view import Advice, show_round, show_words
from fivetowers_sim.engine.word_step import (
    put_on_trays,
    step_close,
    step_misjudge,
    step_open,
    step_send_back,
    step_settle,
    step_speak,
    tray_of,
)
from fivetowers_sim.rules.bidding import NO_LIMIT, PASS
from fivetowers_sim.rules.ruleset import RuleSet
from fivetowers_sim.strategies.custom import View
from fivetowers_sim.strategies.custom_builds import Builds, make_builder
from fivetowers_sim.strategies.custom_file import CustomStrategy, CustomStrategyError, describe_error
from fivetowers_sim.strategies.table import Table
from fivetowers_sim.user_files import keep_working_folder


class CustomTable:
    """A table at which users' own strategies sit, for one game after another.

    Parameters
    ----------
    table : Table
        The game and its players.
    log : record of ROUND_LOG
        Gets each round's words and deeds.
    rules : RuleSet
        The rule set, to be shown to the players.
    own_by_seat : callable
        Returns the users' strategies in a game by seat, given the game's number.

    Attributes
    ----------
    trays : Table of arrays
        The table as the entry points of word_step.py take it.
    log_tray : ndarray of ROUND_LOG, shape (1,)
        The log.
    """

    def __init__(
        self,
        table: Table,
        log: np.void,
        rules: RuleSet,
        own_by_seat: Callable[[int], Mapping[int, CustomStrategy]],
    ) -> None:
        self.trays = put_on_trays(table)
        self.log_tray = tray_of(log)
        self._table = table
        self._log = log
        self._rules = rules
        self._own_by_seat = own_by_seat
        self._order = np.zeros(int(table.rules["players"]), np.int64)
        self._totals = np.zeros_like(self._order)
        self._advice = Advice(table)
        self._players: dict[int, _Player] = {}

    def _seat_players(self) -> None:
        """Make new players for the seats that users' strategies have in the game just dealt."""
        own = self._own_by_seat(int(self.game["number"]))
        self._players = {seat: _Player(strategy, self, seat) for seat, strategy in own.items()}

    def play_round(self) -> bool:
        """Play one round, the first of a game with new players; see :func:`fivetowers_sim.engine.play.play_round`.

        Returns
        -------
        bool
            Whether the discard pile became a new deck at the end of the round.

        Raises
        ------
        CustomStrategyError
            If a user's strategy fails or answers what isn't accepted.
        """
        step_open(self.trays, self.log_tray, self._order, self._totals)
        if self.game["round"] == 1:
            self._seat_players()
        self._shown = show_round(self._table, self._order.tolist(), self._totals.tolist())
        # What a player keeps of this round must not change with the game.
        self._shown_game = self.trays.game.copy()
        winner = self._play_bidding()
        if winner in self._players:
            self._players[winner].write_build()
        elif winner >= 0:
            step_settle(self.trays, winner)
        return step_close(self.trays, self.log_tray, winner)

    def _play_bidding(self) -> int:
        """Rules 3.2, 3.6 and 3.8, step for step as :func:`fivetowers_sim.engine.play.play_bidding` has them."""
        log, order = self._log, self._shown["order"]
        place, high_bid, limit, leading_word = 0, 0, NO_LIMIT, -1
        while True:
            while place < len(order):
                bid, ends = self._speak(place, high_bid, limit)
                limit = NO_LIMIT
                if bid > high_bid:
                    high_bid, leading_word = bid, int(log["words"]) - 1
                    if ends:
                        break
                place += 1
            if leading_word < 0:
                return -1
            winner = int(log["word_seat"][leading_word])
            if self.choice(winner)["bid"] == high_bid:
                return winner
            limit, high_bid = high_bid, int(log["word_high_before"][leading_word])
            place = order.index(winner)
            leading_word = step_send_back(self.trays, self.log_tray, winner, leading_word)

    def _speak(self, place: int, high_bid: int, limit: int) -> tuple[int, bool]:
        """Let the seat at this place speak; return its word, and whether that ends the bidding at once."""
        seat, bid = self._shown["order"][place], PASS
        if seat in self._players:
            bid = self._players[seat].misjudge(high_bid)
            if bid == PASS:
                bid = self._ask(seat, high_bid, limit)
        return step_speak(self.trays, self.log_tray, place, bid, (high_bid, limit))

    def _ask(self, seat: int, high_bid: int, limit: int) -> int:
        player = self._players[seat]
        builder = make_builder(self._table.rules, player.mind, seat, (high_bid, limit))
        view = View(
            **self._shown,
            rules=self._rules,
            seat=seat,
            high_bid=high_bid,
            below=limit if limit < NO_LIMIT else None,
            words=show_words(self._log),
            builds=Builds(self.trays.rules, self._shown_game, builder),
            random=player.random,
            ask=partial(self._advice.ask, order=self._shown["order"], seat=seat, high_bid=high_bid, limit=limit),
        )
        return player.speak(view)

    def choice(self, seat: int) -> np.void:
        """Return what a seat has in mind, as the kernels keep it."""
        return self._table.seats["choice"][seat]

    def mind(self, seat: int) -> np.void:
        """Return the strategy of a seat, as the kernels see it."""
        return self._table.seats["mind"][self._table.seats["seated"][seat]]

    @property
    def game(self) -> np.void:
        """The game's record."""
        return self._table.game


class _Player:
    """A user's strategy in one seat of one game."""

    def __init__(self, strategy: CustomStrategy, table: CustomTable, seat: int) -> None:
        self.mind = table.mind(seat)
        self.random = random.Random(int(table.game["noise_key"][seat]))
        self._strategy = strategy
        self._table = table
        self._seat = seat
        self._build = None
        self._own = self._call(strategy.make)

    def misjudge(self, high_bid: int) -> int:
        """Return a bid that can't be carried out, by the chance that the strategy was given; mostly PASS."""
        self._table.choice(self._seat)["bid"] = 0
        return step_misjudge(self._table.trays, self._seat, high_bid) if self.mind["misjudge"] else PASS

    def speak(self, view: View) -> int:
        """Ask for a word, and keep the build behind it."""
        answer = self._call(lambda: self._own.speak(view))
        self._build = self._check(answer, view.builds)
        if self._build is None:
            return PASS
        bid = int(self._build[0]["bid"])
        self._table.choice(self._seat)["bid"] = bid
        return bid

    def write_build(self) -> None:
        """Put the build behind the last word on the table."""
        self._table.trays.build[:] = self._build

    def _call(self, own_code: Callable[[], Any]) -> Any:
        """Return what the user's code returns, or say in one line how it failed."""
        try:
            with keep_working_folder():
                return own_code()
        except (Exception, SystemExit) as error:
            failed = describe_error(error, self._strategy.path)
        self._fail(f"failed: {failed}")

    def _check(self, answer: Any, builds: Builds) -> np.ndarray | None:
        """Return the build behind an answer, or say in one line what isn't accepted of it."""
        try:
            return check_answer(answer, builds)
        except AnswerError as error:
            refused = str(error)
        self._fail(refused)

    def _fail(self, what: str) -> NoReturn:
        """Raise the error; not while another is handled, as that would be its context.

        The user's own error may not be fit to travel from one process to another, and Dask sends contexts along.
        """
        number, round_ = int(self._table.game["number"]), int(self._table.game["round"])
        where = f"game {number}, round {round_}, seat {self._seat}"
        raise CustomStrategyError(f"{self._strategy.name} in {where} {what}")
