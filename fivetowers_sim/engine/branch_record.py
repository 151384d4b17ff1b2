"""What is recorded of the branches of a game: the decision that they leave from, and what each option led to."""

from __future__ import annotations

from typing import Final

from fivetowers_sim.engine.record import GAMES, NOBODY, SEATS
from fivetowers_sim.layout import Column, Layout
from fivetowers_sim.rules.cards import TOWER_TYPES
from fivetowers_sim.rules.tables import MAX_SEATS
from fivetowers_sim.strategies.constraints import CONSTRAINTS

_GAME = Column("game", "u4", "number", "Which game of the plan, from 0.")

DECISIONS: Final = Layout(
    "decisions",
    "The decision that was drawn out of a game; the seat is null if the game had none.",
    (
        _GAME,
        Column("drawn_from", "u2", "decisions", "How many decisions the game had; each was as likely to be drawn."),
        Column("options", "u1", "options", "Options tried."),
        Column("round", "u1", "number", "Which round of the game, from 1."),
        Column("rounds_to_come", "u1", "rounds", "Rounds that follow this one; an estimate before the last deck."),
        Column("seat", "u1", "seat", "Whose decision it is.", missing=NOBODY),
        Column("start", "u1", "seat", "Seat that spoke first in the round."),
        Column("place", "u1", "number", "Place of the seat in the order of speaking, from 0."),
        Column("said", "u1", "cards", "What the seat said by itself; null for a pass.", missing=NOBODY),
        Column("high_bid", "u1", "cards", "The highest bid before."),
        Column("highest_feasible_bid", "u1", "cards", "The highest bid that it could carry out by the rules."),
        Column("display_size", "u1", "cards", "Cards revealed."),
        Column("fits", "u1", "cards", "Revealed cards that could go on the seat's towers as they are, each by itself."),
        Column("pile", "u1", "cards", "Cards in the seat's teardown pile."),
        Column("vp", "i2", "VP", "The seat's score if the game ended now."),
        Column("best_other_vp", "i2", "VP", "The best score of another seat if the game ended now."),
        *(Column(f"{kind}_height", "u1", "cards", f"Cards in the seat's {kind} tower.") for kind in TOWER_TYPES),
        *(
            Column(f"{kind}_top", "u1", "value", f"Top card of the seat's {kind} tower; null for none.", missing=NOBODY)
            for kind in TOWER_TYPES
        ),
    ),
)

OPTIONS: Final = Layout(
    "options",
    "What an option led to, summed over its futures. The order of options is: the pass, bids, least first.",
    (
        _GAME,
        Column("bid", "u1", "cards", "The bid; null for the pass, or if the option is no word.", missing=NOBODY),
        Column("constraint", "u1", "name", "What the build had to keep to.", labels=CONSTRAINTS),
        Column("starts", "u1", "seat", "The seat that was made to start the round; else null.", missing=NOBODY),
        Column("said", "?", "yes or no", "Whether it is what the seat did by itself."),
        Column("torn", "u1", "cards", "Cards that the build planned for it tears down."),
        Column("torn_types", "u1", "bits", "Types of the towers that it tears down from, as bits."),
        Column("begun", "u2", "bits", "Values of lowest cards with which it began towers, as bits, if it won."),
        Column("futures", "u2", "futures", "Futures in which it was tried."),
        Column("won", "u2", "futures", "Futures in which the seat won the round."),
        Column("starts_next", "u2", "futures", "Futures in which the seat started the next round."),
        Column("best_other", "i4", "VP", "Best final score of another seat, summed."),
        *(
            column
            for place in range(MAX_SEATS)
            for column in (
                Column(
                    f"total_{place}", "i4", "VP", f"Final score of the seat {place} after the deciding one, summed."
                ),
                Column(f"share_{place}", "u4", "1/60 of a victory", f"Its share of the victory, summed; seat {place}."),
            )
        ),
    ),
)

SHARE_UNITS: Final = 60
"""A victory in the unit of the shares: divisible by any number of winners."""

BRANCH_TABLES: Final = (GAMES, SEATS, DECISIONS, OPTIONS)
BRANCH_DETAIL: Final = "branches"
"""The only level of detail."""
