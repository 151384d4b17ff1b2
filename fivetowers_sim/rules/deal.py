"""Deck, display and discard pile (rules 1.2, 3.1, 3.7 and 4)."""

from __future__ import annotations

import numpy as np

from fivetowers_sim.chance import DECK, SEAT_NOISE, WEYL, mix, stream_key
from fivetowers_sim.compiled import kernel
from fivetowers_sim.rules.cards import EMPTY
from fivetowers_sim.rules.state import TYPES
from fivetowers_sim.rules.tables import MAX_SEATS

_BUCKETS = 128
_BUCKET_SHIFT = np.uint64(57)
_CARD_BITS = np.uint64(0xFF)
_PRIORITY_BITS = np.uint64(0xFFFFFFFFFFFFFF00)
_COPY_STEP = np.uint64(256)
_ONE = np.uint64(1)


@kernel
def shuffle_cards(cards, count, key):
    """Order cards by a random priority of their own (rules 1.2 and 4.1).

    A card's priority depends on the key, its code and which copy it is, not on the other cards:
    decks that differ in a few cards keep the rest in the same order.

    Parameters
    ----------
    cards : uint8 array
        Card codes; the first `count` are put in drawing order.
    count : int
        0 to 256.
    key : uint64
        Key of the stream.
    """
    priorities = np.empty(256, np.uint64)
    copies = np.zeros(256, np.uint64)
    ends = np.zeros(_BUCKETS + 1, np.int64)
    keyed = np.empty(256, np.uint64)
    for i in range(count):
        code = np.uint64(cards[i])
        identity = code + copies[code] * _COPY_STEP
        copies[code] += _ONE
        # Two cards with one priority are one in 2**48 games; the code in the low bits decides them.
        priorities[i] = (mix(key + (identity + _ONE) * WEYL) & _PRIORITY_BITS) | code
        ends[(priorities[i] >> _BUCKET_SHIFT) + _ONE] += 1
    for bucket in range(_BUCKETS):
        ends[bucket + 1] += ends[bucket]
    for i in range(count):
        bucket = priorities[i] >> _BUCKET_SHIFT
        keyed[ends[bucket]] = priorities[i]
        ends[bucket] += 1
    for i in range(1, count):
        moving = keyed[i]
        j = i
        while j > 0 and keyed[j - 1] > moving:
            keyed[j] = keyed[j - 1]
            j -= 1
        keyed[j] = moving
    for i in range(count):
        cards[i] = np.uint8(keyed[i] & _CARD_BITS)


@kernel
def deal_game(rules, game, seed, number):
    """Rules 1.2 and 3: set a game up: empty towers, a shuffled deck, seat 0 to start.

    Parameters
    ----------
    rules : record of RULES
        The rule set.
    game : record of GAME
        Overwritten.
    seed, number : int
        All chance of the game is a function of these.
    """
    game.seed = seed
    game.number = number
    game.round = 0
    game.start = 0
    game.deck_pass = 0
    game.over = 0
    game.deck_next = 0
    game.discard_size = 0
    game.display_size = 0
    for seat in range(MAX_SEATS):
        game.noise_key[seat] = stream_key(seed, number, SEAT_NOISE + seat)
        game.noise_count[seat] = 0
        game.pile_size[seat] = 0
        for kind in range(TYPES):
            game.height[seat, kind] = 0
            game.tower[seat, kind, 0] = EMPTY
    game.deck_size = rules.deck_size
    for i in range(rules.deck_size):
        game.deck[i] = rules.deck[i]
    shuffle_cards(game.deck, game.deck_size, stream_key(seed, number, DECK))


@kernel
def reveal_display(rules, game):
    """Rule 3.1: start a round by revealing the next cards, fewer only if the deck holds fewer."""
    game.round += 1
    game.display_size = min(rules.display_size, game.deck_size - game.deck_next)
    for i in range(game.display_size):
        game.display[i] = game.deck[game.deck_next + i]
    game.deck_next += game.display_size


@kernel
def apply_clean_up(game, take):
    """Rule 3.7: put what was not taken (bits of display positions) on the discard pile."""
    for i in range(game.display_size):
        if (take >> i) & 1 == 0:
            game.discard[game.discard_size] = game.display[i]
            game.discard_size += 1
    game.display_size = 0


@kernel
def apply_end_of_round(rules, game):
    """Rules 4.1 to 4.3: when the deck has run out, shuffle the discard pile, or end the game.

    Returns
    -------
    bool
        Whether a new deck was made.
    """
    if game.deck_next < game.deck_size:
        return False
    game.deck_pass += 1
    if game.deck_pass >= rules.deck_passes or game.discard_size == 0:
        game.over = 1
        return False
    for i in range(game.discard_size):
        game.deck[i] = game.discard[i]
    game.deck_size = game.discard_size
    game.deck_next = 0
    game.discard_size = 0
    shuffle_cards(game.deck, game.deck_size, stream_key(game.seed, game.number, DECK + game.deck_pass))
    return True
