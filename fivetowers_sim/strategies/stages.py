"""How much of the game is left, and what a strategy knows of it when a round begins.

A strategy that prices positions does so by *stage*: by how many rounds follow the current one. That
number is exact in the deck's last pass; before, the size of the later decks is estimated from the cards
discarded so far.
"""

from __future__ import annotations

from fivetowers_sim.compiled import count_bits, kernel, rare_kernel
from fivetowers_sim.rules.cards import EMPTY
from fivetowers_sim.rules.state import TYPES
from fivetowers_sim.strategies.mind import ROUNDS_COUNTED, ZERO_LEVELS, ZEROS_UNCOUNTED

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
def count_cards_to_come(rules, game, seats):
    """Find the cards that can still be revealed after this round, by elimination.

    Parameters
    ----------
    rules : record of RULES
        The rule set.
    game : record of GAME
        The game.
    seats : record of SEATS
        ``once`` and ``twice`` are overwritten: by type, the values (bits) of which at least one card, or two, are
        neither built nor torn down nor, in the last pass, past.
    """
    for kind in range(TYPES):
        # The values of which a card, or two, are built.
        built, built_twice = 0, 0
        for seat in range(rules.players):
            for slot in range(1, game.height[seat, kind] + 1):
                bit = 1 << int(game.tower[seat, kind, slot])
                built_twice |= built & bit
                built |= bit
        once, twice = rules.once[kind], rules.twice[kind]
        seats.once[kind] = once & ~(built_twice | (built & ~twice))
        seats.twice[kind] = twice & ~built
    for seat in range(rules.players):
        for i in range(game.pile_size[seat]):
            strike_off(seats, int(game.pile[seat, i]) >> 5, int(game.pile[seat, i]) & 31)
    if game.deck_pass + 1 < rules.deck_passes:
        return
    for i in range(game.discard_size):
        strike_off(seats, int(game.discard[i]) >> 5, int(game.discard[i]) & 31)
    for i in range(game.display_size):
        strike_off(seats, int(game.display[i]) >> 5, int(game.display[i]) & 31)


@kernel
def strike_off(seats, kind, value):
    """Strike one card off the cards to come."""
    bit = 1 << value
    if seats.twice[kind] & bit != 0:
        seats.twice[kind] &= ~bit
    else:
        seats.once[kind] &= ~bit


@kernel
def zeros_to_come(seats, kind):
    """Return how many 0s of a type are to come: NO_ZERO, ONE_ZERO or MORE_ZEROS."""
    return (seats.once[kind] & 1) + (seats.twice[kind] & 1)


@kernel
def fits_to_come(rules, seats, kind, top):
    """Return how many cards to come, 0s aside, may go on a top card."""
    values = rules.values_on[top] & ~1
    fits = count_bits(seats.once[kind] & values)
    if seats.twice[kind] != 0:
        fits += count_bits(seats.twice[kind] & values)
    return fits


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
    count_cards_to_come(rules, game, seats)
    for number in range(seats.minds):
        mind = seats.mind[number]
        if mind.stages > 1:
            mind.stage = mind.stage_of[seats.rounds_to_come]
            for kind in range(TYPES):
                price_towers(rules, seats, mind, kind)


@kernel
def price_towers(rules, seats, mind, kind):
    """Write what towers of a type are worth at this stage, with these cards to come, to where the search reads it."""
    level = zeros_to_come(seats, kind) if mind.counts_cards else ZEROS_UNCOUNTED
    made_of = mind.stage * ZERO_LEVELS + level
    seen = mind.priced_once[kind] == seats.once[kind] and mind.priced_twice[kind] == seats.twice[kind]
    if mind.priced_at[kind] == made_of and (seen or not mind.counts_cards):
        return
    mind.priced_at[kind] = made_of
    mind.priced_once[kind] = seats.once[kind]
    mind.priced_twice[kind] = seats.twice[kind]
    # Written so that the machine may keep what doesn't change in the loop.
    stage, counts = mind.stage, mind.counts_cards
    price_tower(rules, seats, mind, (stage, kind, level, EMPTY), counts)
    for top in range(mind.values):
        price_tower(rules, seats, mind, (stage, kind, level, top), counts)


@kernel
def price_tower(rules, seats, mind, tower, counts):
    """Write what towers of one stage, type, 0s to come and top card are worth, with the cards to come or without."""
    stage, kind, level, top = tower
    worth = mind.staged_top_worth[stage, kind, level, top]
    if counts:
        worth += fits_to_come(rules, seats, kind, top) * mind.staged_fit_worth[stage, kind, level, top]
    mind.top_worth[kind, top] = worth
    mind.card_worth[kind, top] = mind.staged_card_worth[stage, kind, level, top]
