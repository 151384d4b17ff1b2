"""What of the display can be built on each top card (rules 2.2 to 2.5), worked out once a round.

For each tower type, an *entry* says: these cards of the display, built in a fitting order on any of
these top cards, end with this one on top. All seats look their own top cards up in the same entries.
"""

from __future__ import annotations

import numpy as np

from fivetowers_sim.compiled import count_bits, kernel
from fivetowers_sim.rules.legal import legal_placement, legal_teardown
from fivetowers_sim.rules.ruleset import MAX_DISPLAY, MAX_TEARDOWN_LIMIT
from fivetowers_sim.rules.state import TYPES

SUBSETS = 1 << MAX_DISPLAY
MAX_ENTRIES = MAX_DISPLAY * SUBSETS // 2
"""Each subset of one type's cards has an entry for each card that can end on top."""

DISPLAY = np.dtype(
    [
        # By type: how many cards are shown, where, and their values, in display order.
        ("kind_size", "i8", (TYPES,)),
        ("kind_position", "i8", (TYPES, MAX_DISPLAY)),
        ("kind_value", "i8", (TYPES, MAX_DISPLAY)),
        # The entries of type k are first_entry[k] to first_entry[k + 1] - 1.
        ("first_entry", "i8", (TYPES + 1,)),
        # By type and number of cards: top cards (bits) on which so many of those shown can be built.
        ("card_starts", "i8", (TYPES, MAX_DISPLAY + 1)),
        # By entry: top cards it can be built on (bits), value and number of its last card, how many and
        # which cards of the type (bits).
        ("entry_starts", "i8", (MAX_ENTRIES,)),
        ("entry_top", "i8", (MAX_ENTRIES,)),
        ("entry_last", "i8", (MAX_ENTRIES,)),
        ("entry_cards", "i8", (MAX_ENTRIES,)),
        ("entry_subset", "i8", (MAX_ENTRIES,)),
        # Scratch: by subset and last card, the top cards that the subset can be built on; and of which type.
        ("starts", "i8", (SUBSETS, MAX_DISPLAY)),
        ("starts_kind", "i8"),
        ("by_value", "i8", (MAX_DISPLAY,)),
        ("gain", "i8", (MAX_TEARDOWN_LIMIT + 1,)),
    ],
    align=True,
)


@kernel
def read_display(rules, game, display):
    """Group the revealed cards by type, and list what can be built of them on which top cards.

    Parameters
    ----------
    rules : record of RULES
        The rule set.
    game : record of GAME
        Its display is read.
    display : record of DISPLAY
        Overwritten.
    """
    for kind in range(TYPES):
        display.kind_size[kind] = 0
    for position in range(game.display_size):
        card = int(game.display[position])
        kind = card >> 5
        nth = display.kind_size[kind]
        display.kind_position[kind, nth] = position
        display.kind_value[kind, nth] = card & 31
        display.kind_size[kind] = nth + 1
    entries = 0
    for kind in range(TYPES):
        display.first_entry[kind] = entries
        for cards in range(1, max(display.kind_size[kind], 1) + 1):
            display.card_starts[kind, cards] = 0
        if display.kind_size[kind] == 1:
            starts = rules.fits_on[display.kind_value[kind, 0]]
            entries = _add_entry(display, kind, entries, 1, 0, starts)
        elif display.kind_size[kind] == 2:
            entries = _list_two_cards(rules, display, kind, entries)
        elif display.kind_size[kind] > 1:
            _sort_by_value(display, kind)
            _note_starts(rules, display, kind)
            for subset in range(1, 1 << display.kind_size[kind]):
                for rank in range(display.kind_size[kind]):
                    last = display.by_value[rank]
                    if (subset >> last) & 1 == 1 and display.starts[subset, last] != 0:
                        entries = _add_entry(display, kind, entries, subset, last, display.starts[subset, last])
    display.first_entry[TYPES] = entries


@kernel
def _lowest_bit(bits):
    """Return the number of the lowest bit that is set."""
    number = 0
    while (bits >> number) & 1 == 0:
        number += 1
    return number


@kernel
def _list_two_cards(rules, display, kind, entries):
    """Add the entries of a type with two cards shown: each alone, and both in each fitting order."""
    first, second = display.kind_value[kind, 0], display.kind_value[kind, 1]
    entries = _add_entry(display, kind, entries, 1, 0, rules.fits_on[first])
    entries = _add_entry(display, kind, entries, 2, 1, rules.fits_on[second])
    # Lower top cards first, as among more cards.
    for last in (0, 1) if first < second else (1, 0):
        below = display.kind_value[kind, 1 - last]
        if legal_placement(rules, display.kind_value[kind, last], below):
            entries = _add_entry(display, kind, entries, 3, last, rules.fits_on[below])
    return entries


@kernel
def _add_entry(display, kind, entries, subset, last, starts):
    display.entry_starts[entries] = starts
    display.entry_top[entries] = display.kind_value[kind, last]
    display.entry_last[entries] = last
    cards = count_bits(subset)
    display.entry_cards[entries] = cards
    display.entry_subset[entries] = subset
    display.card_starts[kind, cards] |= starts
    return entries + 1


@kernel
def _sort_by_value(display, kind):
    for nth in range(display.kind_size[kind]):
        slot = nth
        while slot > 0 and display.kind_value[kind, display.by_value[slot - 1]] > display.kind_value[kind, nth]:
            display.by_value[slot] = display.by_value[slot - 1]
            slot -= 1
        display.by_value[slot] = nth


@kernel
def _note_starts(rules, display, kind):
    """Note the top cards on which each subset of a type's cards can be built, by its last card."""
    display.starts_kind = kind
    for subset in range(1, 1 << display.kind_size[kind]):
        for last in range(display.kind_size[kind]):
            if (subset >> last) & 1 == 1:
                display.starts[subset, last] = _starts_ending_with(rules, display, kind, subset, last)


@kernel
def _starts_ending_with(rules, display, kind, subset, last):
    """Return the top cards (bits) on which the subset can be built with this card last."""
    value = display.kind_value[kind, last]
    rest = subset & ~(1 << last)
    if rest == 0:
        return rules.fits_on[value]
    starts = 0
    for before in range(display.kind_size[kind]):
        if (rest >> before) & 1 == 1 and legal_placement(rules, value, display.kind_value[kind, before]):
            starts |= display.starts[rest, before]
    return starts


@kernel
def building_order(rules, display, kind, entry, top, order):
    """Find an order in which an entry's cards can be built on a top card.

    Parameters
    ----------
    rules : record of RULES
        The rule set.
    display : record of DISPLAY
        As :func:`read_display` left it; its scratch is overwritten.
    kind, entry : int
        The tower type, and one of its entries.
    top : int
        The top card, one of the entry's starts.
    order : int64 array
        Gets the cards' numbers within their type, first built first.

    Returns
    -------
    int
        How many cards.
    """
    size = display.kind_size[kind]
    cards = display.entry_cards[entry]
    subset, last = display.entry_subset[entry], display.entry_last[entry]
    order[0] = last
    if cards == 1:
        return 1
    if cards == 2:
        order[0] = _lowest_bit(subset & ~(1 << last))
        order[1] = last
        return 2
    if display.starts_kind != kind:
        # A display of six or more can show three of two types; what was noted of the first is overwritten.
        _note_starts(rules, display, kind)
    for slot in range(cards - 1, -1, -1):
        order[slot] = last
        subset &= ~(1 << last)
        for before in range(size):
            if (
                (subset >> before) & 1 == 1
                and legal_placement(rules, display.kind_value[kind, last], display.kind_value[kind, before])
                and (display.starts[subset, before] >> top) & 1 == 1
            ):
                last = before
                break
    return cards


@kernel
def legal_highest_bid(rules, game, seat, display):
    """Rules 3.2 to 3.5: return the most cards that the seat can take and build, without Great Powers.

    Any lower number above 0 can be built, too: leave out the cards built last.
    """
    most = 0
    for torn in range(rules.teardown_limit + 1):
        display.gain[torn] = 0
    for kind in range(TYPES):
        intact = _most_cards(game, seat, display, kind, 0)
        most += intact
        if intact == display.kind_size[kind]:
            continue
        for used in range(rules.teardown_limit, 0, -1):
            for torn in range(1, used + 1):
                if not legal_teardown(game, seat, kind, torn):
                    break
                more = _most_cards(game, seat, display, kind, torn) - intact
                display.gain[used] = max(display.gain[used], display.gain[used - torn] + more)
    return most + display.gain[rules.teardown_limit]


@kernel
def _most_cards(game, seat, display, kind, torn):
    """Return the most cards of a type that can be built after tearing down this many.

    Whether cards fit is as good as a coin's toss: so it is calculated with, not branched on.
    """
    top = int(game.tower[seat, kind, game.height[seat, kind] - torn])
    most = 0
    for cards in range(1, display.kind_size[kind] + 1):
        most += (display.card_starts[kind, cards] >> top) & 1
    return most
