"""Games written down completely: every card revealed, every word, every placement."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from fivetowers_sim.compiled import call_compiling
from fivetowers_sim.engine.log import ROUND_LOG
from fivetowers_sim.engine.setup import GameSetup
from fivetowers_sim.engine.step import SCORE_PARTS, step_round, step_scores, step_start
from fivetowers_sim.rules.cards import TOWER_TYPES, card_name
from fivetowers_sim.rules.state import BOTTOM_END, FROM_TEARDOWN
from fivetowers_sim.strategies.table import Table

TRACE_FORMAT: Final = "fivetowers-trace/1"

_NAMES: Final = tuple(card_name(code) for code in range(len(TOWER_TYPES) * 32))


def trace_game(setup: GameSetup, number: int) -> dict[str, Any]:
    """Play one game and write down all of it.

    Parameters
    ----------
    setup : GameSetup
        What is played.
    number : int
        Which game; it goes exactly as in a block of games.

    Returns
    -------
    dict
        A ``fivetowers-trace/1`` object of plain JSON values.
    """
    return next(trace_games(setup, number, 1))


def trace_games(setup: GameSetup, first_game: int, games: int) -> Iterator[dict[str, Any]]:
    """Play games in order and write down all of each.

    Parameters
    ----------
    setup : GameSetup
        What is played.
    first_game, games : int
        Number of the first game, and how many.

    Yields
    ------
    dict
        A ``fivetowers-trace/1`` object of plain JSON values.
    """
    table, log = setup.lay_table(), np.zeros(1, ROUND_LOG)[0]
    play_round = _round_player(setup, table, log)
    for number in range(first_game, first_game + games):
        yield _trace(setup, number, table, log, play_round)


def _round_player(setup: GameSetup, table: Table, log: np.void) -> Callable[[], bool]:
    """Return what plays the next round at this table, and says whether there is a new deck then."""
    if not setup.has_own_strategies:
        return lambda: call_compiling(lambda: step_round(table, log))
    # From here on, what fails is a user's strategy and not the loading of compiled code.
    setup.warm_up()
    return setup.custom_play.lay_table(table, log).play_round


def _trace(setup: GameSetup, number: int, table: Table, log: np.void, play_round: Callable[[], bool]) -> dict[str, Any]:
    strategies, game = setup.seats_of(number), table.game
    setup.seat_players(table, number)
    call_compiling(lambda: step_start(table, log, setup.seed, number))
    deck = _cards(game["deck"], game["deck_size"])
    rounds, reshuffles = [], []
    while not game["over"]:
        has_new_deck = play_round()
        rounds.append(_round(table, log))
        if has_new_deck:
            new_deck = _cards(game["deck"], game["deck_size"])
            reshuffles.append({"after_round": int(game["round"]), "deck": new_deck})
    scores = _scores(setup, table)
    most = max(line["total"] for line in scores)
    return {
        "format": TRACE_FORMAT,
        "game": number,
        "seed": setup.seed,
        "players": setup.players,
        "rules": setup.rules.to_dict(),
        "powers_by_seat": [list(powers) for powers in setup.powers_by_seat],
        "strategies": list(strategies),
        "deck": deck,
        "rounds": rounds,
        "reshuffles": reshuffles,
        "scores": scores,
        "winners": [line["seat"] for line in scores if line["total"] == most],
    }


def _round(table: Table, log: np.void) -> dict[str, Any]:
    """Write down the round played last."""
    # The display itself is still there; the clean-up only set its size to 0.
    display = _cards(table.game["display"], log["display_size"])
    played = {
        "round": int(table.game["round"]),
        "start": int(log["start"]),
        "display": display,
        "bids": _words(log),
        "winner": None,
        "bid": 0,
        "paid": [],
        "taken": [],
        "teardown": None,
        "placements": [],
    }
    if log["winner"] >= 0:
        played["winner"] = int(log["winner"])
        played.update(describe_build(table.build, display))
    return played


def _words(log: np.void) -> list[dict[str, Any]]:
    count = int(log["words"])
    words = []
    for seat, bid, is_void in zip(
        log["word_seat"][:count].tolist(),
        log["word_bid"][:count].tolist(),
        log["word_void"][:count].tolist(),
        strict=True,
    ):
        word = {"seat": seat, "bid": bid if bid >= 0 else None}
        words.append({**word, "void": True} if is_void else word)
    return words


def describe_build(build: np.void, display: list[str]) -> dict[str, Any]:
    """Write a build that was carried out down.

    Parameters
    ----------
    build : record of BUILD
        The build.
    display : list of str
        The cards that were on display.

    Returns
    -------
    dict
        ``bid``, ``paid``, ``taken``, ``teardown`` and ``placements``, as in a trace's round.
    """
    take, placed = int(build["take"]), int(build["placed_size"])
    torn = _cards(build["torn_card"], build["torn_size"])
    return {
        "bid": int(build["bid"]),
        "paid": _cards(build["paid_card"], build["pay"]),
        "taken": [card for position, card in enumerate(display) if (take >> position) & 1],
        # One card may be torn down by the printed rules; a list is only needed where more may be.
        "teardown": torn if len(torn) > 1 else torn[0] if torn else None,
        "placements": [
            {
                "card": _NAMES[card],
                "end": "bottom" if end == BOTTOM_END else "top",
                "from": "teardown" if source == FROM_TEARDOWN else "hand",
            }
            for card, end, source in zip(
                build["placed_card"][:placed].tolist(),
                build["placed_end"][:placed].tolist(),
                build["placed_from"][:placed].tolist(),
                strict=True,
            )
        ],
    }


def _scores(setup: GameSetup, table: Table) -> list[dict[str, int]]:
    scores = np.zeros((setup.players, len(SCORE_PARTS)), np.int64)
    call_compiling(lambda: step_scores(table, scores))
    return [
        {"seat": seat, **dict(zip(SCORE_PARTS, points, strict=True))} for seat, points in enumerate(scores.tolist())
    ]


def _cards(codes: np.ndarray, count: int) -> list[str]:
    """Name the first cards of an array of codes."""
    return [_NAMES[code] for code in codes[:count].tolist()]
