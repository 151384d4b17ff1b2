"""How much of the game is left, and what a strategy knows of it when a round begins.

A strategy that prices positions does so by *stage*: by how many rounds follow the current one. That
number is exact in the deck's last pass; before, the size of the later decks is estimated from the cards
discarded so far.
"""

from __future__ import annotations

from fivetowers_sim.compiled import kernel, rare_kernel
from fivetowers_sim.rules.cards import TOWER_TOP
from fivetowers_sim.rules.legal import top_value
from fivetowers_sim.rules.state import TYPES
from fivetowers_sim.strategies.mind import MORE_ZEROS, ROUNDS_COUNTED, ZEROS_UNCOUNTED

# As if before the first round four had been played, with five cards discarded.
_ROUNDS_BEFORE = 4
_DISCARDS_BEFORE = 5


@kernel
def rounds_to_come(rules, game):
    """Rules 3.1, 4.1 and 4.2: estimate how many rounds follow the current one, whose display is out.

    Parameters
    ----------
    rules : record of RULES
        The rule set.
    game : record of GAME
        The game.

    Returns
    -------
    int
        0 to ``ROUNDS_COUNTED - 1``; exact in the last pass, and 0 in the last round only.
    """
    size = rules.display_size
    rounds = (game.deck_size - game.deck_next + size - 1) // size
    passes = rules.deck_passes - game.deck_pass - 1
    if passes > 0:
        played = (game.deck_next + size - 1) // size - 1
        rate = game.discard_size + _DISCARDS_BEFORE
        discarded = game.discard_size + (rounds + 1) * rate // (played + _ROUNDS_BEFORE)
        rounds += passes * max(1, (discarded + size - 1) // size)
    return min(rounds, ROUNDS_COUNTED - 1)


@rare_kernel
def count_zeros_to_come(rules, game, zeros):
    """Count, by type, the 0s that can still be revealed after this round.

    Parameters
    ----------
    rules : record of RULES
        The rule set.
    game : record of GAME
        The game.
    zeros : int array, shape (types,)
        Overwritten.
    """
    for kind in range(TYPES):
        zeros[kind] = 0
        for seat in range(rules.players):
            if top_value(game, seat, kind) == TOWER_TOP:
                zeros[kind] -= 1
    for i in range(rules.deck_size):
        if rules.deck[i] & 31 == TOWER_TOP:
            zeros[rules.deck[i] >> 5] += 1
    if game.deck_pass + 1 < rules.deck_passes:
        return
    # Nothing comes back after the last pass.
    for i in range(game.discard_size):
        if game.discard[i] & 31 == TOWER_TOP:
            zeros[game.discard[i] >> 5] -= 1
    for i in range(game.display_size):
        if game.display[i] & 31 == TOWER_TOP:
            zeros[game.display[i] >> 5] -= 1


@rare_kernel
def note_stage(rules, game, seats):
    """Note how much of the game is left, and bring the minds of everybody at the table up to it.

    Parameters
    ----------
    rules : record of RULES
        The rule set.
    game : record of GAME
        The game, with its display out.
    seats : record of SEATS
        Who plays.
    """
    seats.rounds_to_come = rounds_to_come(rules, game)
    count_zeros_to_come(rules, game, seats.zeros_to_come)
    for number in range(seats.minds):
        mind = seats.mind[number]
        if mind.stages > 1:
            recall_stage(mind, mind.stage_of[seats.rounds_to_come], seats.zeros_to_come)


@kernel
def recall_stage(mind, stage, zeros):
    """Copy what towers are worth at this stage, with these 0s to come, to where the search reads it."""
    for kind in range(TYPES):
        level = min(zeros[kind], MORE_ZEROS) if mind.counts_zeros else ZEROS_UNCOUNTED
        if mind.stage == stage and mind.zero_level[kind] == level:
            continue
        mind.zero_level[kind] = level
        for top in range(32):
            mind.top_worth[kind, top] = mind.staged_top_worth[stage, kind, level, top]
            mind.card_worth[kind, top] = mind.staged_card_worth[stage, kind, level, top]
    mind.stage = stage
