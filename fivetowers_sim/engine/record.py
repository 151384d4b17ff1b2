"""What is recorded of a game: the one list of recorded fields."""

from __future__ import annotations

import itertools
from typing import Final

from fivetowers_sim.layout import Column, Layout
from fivetowers_sim.rules.cards import TOWER_TYPES
from fivetowers_sim.rules.ruleset import POWERS

NOBODY = 255
"""Stands in records for no seat, or no bid."""

NO_TOTAL = -(1 << 15)
"""Stands in records for no score."""

POWER_SETS: Final = tuple(
    "+".join(power for bit, power in enumerate(POWERS) if (bits >> bit) & 1) or "none" for bits in range(16)
)
"""Names of the sets of Great Powers, by their bits."""

_GAME = Column("game", "u4", "number", "Which game of the plan, from 0.")
_ROUND = Column("round", "u1", "number", "Which round of the game, from 1.")

GAMES: Final = Layout(
    "games",
    "One game.",
    (
        _GAME,
        Column("players", "u1", "players", "How many play."),
        Column("rounds", "u1", "rounds", "Rounds played."),
        Column("winners", "u1", "players", "Players who share the victory."),
        Column("winning_total", "i2", "VP", "The winners' score."),
        Column("margin", "i2", "VP", "How far the best score is above the second best; 0 for a shared victory."),
        Column("rounds_without_builder", "u1", "rounds", "Rounds in which everybody passed."),
        Column("builds_cancelled", "u1", "builds", "Builds that could not be carried out and were undone."),
    ),
)

_HEIGHTS = tuple(
    itertools.chain.from_iterable(
        (
            Column(f"{kind}_height", "u1", "cards", f"Cards in the {kind} tower at the end."),
            Column(f"{kind}_topped", "?", "yes or no", f"Whether the {kind} tower has a top at the end."),
        )
        for kind in TOWER_TYPES
    )
)

SEATS: Final = Layout(
    "seats",
    "One seat of one game.",
    (
        _GAME,
        Column("seat", "u1", "seat", "Seat, from 0; seat 0 starts the game."),
        Column("strategy", "u1", "name", "The seat's strategy.", labels_from_plan="strategies"),
        Column("powers", "u1", "names", "The seat's Great Powers.", labels=POWER_SETS),
        Column("total", "i2", "VP", "Final score."),
        Column("cards", "i2", "VP", "For cards in towers, topped or not."),
        Column("tops", "i2", "VP", "What towers with a top add to that."),
        Column("main", "i2", "VP", "For the main tower."),
        Column("pairs", "i2", "VP", "For pairs across the scary and candy towers."),
        Column("teardown", "i2", "VP", "For the teardown pile, 0 or less."),
        Column("torn_cards", "u1", "cards", "Cards in the teardown pile at the end."),
        Column("bids_won", "u1", "rounds", "Rounds in which the seat built."),
        Column("cards_taken", "u1", "cards", "Cards taken from displays."),
        Column("cards_torn_down", "u1", "cards", "Cards torn down during the game, fetched back or not."),
        Column("trees_paid", "u1", "cards", "Tree cards paid for bids."),
        Column("cards_fetched", "u1", "cards", "Cards fetched from the teardown pile by scrap cards."),
        Column("cards_built_below", "u1", "cards", "Cards slid under the sand tower."),
        Column("bids_above_display", "u1", "rounds", "Rounds won with a bid above the display's size."),
        Column("rank", "u1", "rank", "1 plus the number of players with more VP."),
        Column("win_share", "f4", "share", "1 divided by the number of winners for a winner, else 0."),
        *_HEIGHTS,
    ),
)

ROUNDS: Final = Layout(
    "rounds",
    "One round of one game.",
    (
        _GAME,
        _ROUND,
        Column("start", "u1", "seat", "Seat that spoke first."),
        Column("display_size", "u1", "cards", "Cards revealed."),
        Column("winner", "u1", "seat", "Seat that built; null if nobody did.", missing=NOBODY),
        Column("bid", "u1", "cards", "The winning bid; 0 if nobody built."),
        Column("taken", "u1", "cards", "Cards taken from the display."),
        Column("paid", "u1", "cards", "Tree cards paid."),
        Column("torn", "u1", "cards", "Cards torn down."),
        Column("fetched", "u1", "cards", "Cards fetched from the teardown pile."),
        Column("built_below", "u1", "cards", "Cards slid under the sand tower."),
        Column("cancelled", "u1", "builds", "Builds that could not be carried out and were undone."),
        Column(
            "winner_total",
            "i2",
            "VP",
            "Score that the seat that built would have if the game ended now, its teardown pile included; the others' "
            "are as before the round. Null if nobody built.",
            missing=NO_TOTAL,
        ),
    ),
)

BIDS: Final = Layout(
    "bids",
    "One word in a bidding, in the order spoken, undone words included.",
    (
        _GAME,
        _ROUND,
        Column("turn", "u1", "number", "Which word of the round, from 1."),
        Column("seat", "u1", "seat", "Who spoke."),
        Column("bid", "u1", "cards", "The number said; 0 is the starting player's no; null is a pass.", missing=NOBODY),
        Column("void", "?", "yes or no", "Whether a cancelled build undid the word."),
        Column("high_bid_before", "u1", "cards", "The highest bid before the word."),
        Column("highest_feasible_bid", "u1", "cards", "The highest bid that the seat could have carried out."),
    ),
)

TABLES: Final = (GAMES, SEATS, ROUNDS, BIDS)

DETAILS: Final = {"games": (GAMES, SEATS), "rounds": (GAMES, SEATS, ROUNDS), "bids": TABLES}
"""Levels of detail: which tables each records."""
