"""Find the best builds without Great Powers: for each bid, what to take, tear down and put on top.

A strategy's *worth* of a position is a sum over towers (by height and top card), plus something for
the main tower and for the teardown pile. So each tower is folded to its best option for each number
of cards taken and torn down, options that another beats in every respect are dropped, and what is
left is combined over the towers.

Ties within a bid go to what is found first: no teardown before a teardown, fewer cards of an earlier
type before more, earlier display positions before later ones.
"""

from __future__ import annotations

import numpy as np

from fivetowers_sim.compiled import kernel
from fivetowers_sim.rules.cards import TOWER_TOP
from fivetowers_sim.rules.legal import legal_teardown, top_value
from fivetowers_sim.rules.ruleset import MAX_DISPLAY, MAX_TEARDOWN_LIMIT
from fivetowers_sim.rules.state import TYPES
from fivetowers_sim.strategies.mind import tower_worth

NO_WORTH = -(1 << 60)
MAX_OPTIONS = (MAX_DISPLAY + 1) * (MAX_TEARDOWN_LIMIT + 1)
MAX_PARTIALS = 4096
"""At most 72 ways to split 7 cards of 5 types, times 56 ways to tear down 3 cards, fewer than this."""

SHORTLISTED = 4
"""Builds on the shortlist of a bid."""

PARTIAL = np.dtype(
    [
        ("worth", "i8"),
        # Five bits a type: which option.
        ("picks", "i4"),
        ("cards", "i4"),
        ("torn", "i4"),
        ("height", "i4"),
    ],
    align=True,
)
"""Options of some towers put together. Side by side, since all of it is read at once, many times."""

SEARCH = np.dtype(
    [
        # By torn and taken cards of one tower: the best worth, and the entry that gives it.
        ("fold_worth", "i8", (MAX_TEARDOWN_LIMIT + 1, MAX_DISPLAY + 1)),
        ("fold_entry", "i8", (MAX_TEARDOWN_LIMIT + 1, MAX_DISPLAY + 1)),
        # By torn cards: whether anything can be gained by it.
        ("fold_used", "i8", (MAX_TEARDOWN_LIMIT + 1,)),
        # By cards: the best worth of as many or more; now, and with fewer torn down.
        ("later_worth", "i8", (MAX_DISPLAY + 2,)),
        ("intact_worth", "i8", (MAX_DISPLAY + 2,)),
        # By type: the options kept; an entry of -1 takes no card.
        ("options", "i8", (TYPES,)),
        ("option_worth", "i8", (TYPES, MAX_OPTIONS)),
        ("option_cards", "i8", (TYPES, MAX_OPTIONS)),
        ("option_torn", "i8", (TYPES, MAX_OPTIONS)),
        ("option_height", "i8", (TYPES, MAX_OPTIONS)),
        ("option_entry", "i8", (TYPES, MAX_OPTIONS)),
        # Combinations of the options of the types so far, twice: what is read and what is written.
        ("partial", PARTIAL, (2, MAX_PARTIALS)),
        # By bid: the best worth and the options that give it.
        ("best_worth", "i8", (MAX_DISPLAY + 1,)),
        ("best_picks", "i8", (MAX_DISPLAY + 1,)),
    ],
    align=True,
)


SHORTLIST = np.dtype(
    [
        # Whether the search makes shortlists.
        ("wanted", "i8"),
        # By bid: the builds worth most, the best first.
        ("worth", "i8", (MAX_DISPLAY + 1, SHORTLISTED)),
        ("picks", "i8", (MAX_DISPLAY + 1, SHORTLISTED)),
    ],
    align=True,
)


@kernel
def search_builds(table, seat, mind, high_bid):
    """Fill ``best_worth`` and ``best_picks`` for every bid above the high bid.

    Parameters
    ----------
    table : Table
        The game, with its display read; ``table.search`` is overwritten.
    seat : int
        Who would build.
    mind : record of MIND
        The seat's strategy: the worth of towers, main tower and teardown pile.
    high_bid : int
        Bids up to this are of no interest; their entries are not filled.
    """
    search = table.search
    for bid in range(MAX_DISPLAY + 1):
        search.best_worth[bid] = NO_WORTH
    clear_shortlists(table.shortlist)
    if most_cards_at_best(table, seat, mind) <= high_bid:
        return
    for kind in range(TYPES):
        shown = table.display.kind_size[kind]
        if shown > 1 or mind.idle_teardown:
            fold_tower(table, seat, mind, kind)
            keep_options(table, seat, mind, kind)
        elif shown == 1:
            keep_single_card(table, seat, mind, kind)
    combine_towers(table, seat, mind, high_bid)


@kernel
def most_cards_at_best(table, seat, mind):
    """Return a number of cards that no build can exceed, from a glance at the top cards.

    Whether cards fit is as good as a coin's toss, and nothing can be built on a card where none are shown: so it is
    calculated with, not branched on.
    """
    display, game = table.display, table.game
    limit = mind.teardown_limit
    most = 0
    most_after_teardown = 0
    for kind in range(TYPES):
        shown = display.kind_size[kind]
        height = game.height[seat, kind]
        top = int(game.tower[seat, kind, height])
        below = int(game.tower[seat, kind, height - (height > 0)])
        fits = (display.card_starts[kind, 1] >> top) & 1
        fits_below = (height > 0) & (top != TOWER_TOP) & ((limit > 1) | (display.card_starts[kind, 1] >> below) & 1)
        most += shown * fits
        most_after_teardown = max(most_after_teardown, shown * (1 - fits) * fits_below)
    return most + most_after_teardown * limit


@kernel
def keep_single_card(table, seat, mind, kind):
    """Keep the options of a tower of which the display shows one card."""
    search, display, game = table.search, table.display, table.game
    height = game.height[seat, kind]
    top = top_value(game, seat, kind)
    unchanged = tower_worth(mind, kind, height, top)
    keep_option(search, kind, 0, unchanged, 0, 0, height, -1)
    search.options[kind] = 1
    entry = display.first_entry[kind]
    starts, value = display.entry_starts[entry], display.entry_top[entry]
    if mind.never_close and value == TOWER_TOP:
        return
    torn = 0
    while (starts >> int(game.tower[seat, kind, height - torn])) & 1 == 0:
        if torn == mind.teardown_limit or not legal_teardown(game, seat, kind, torn + 1):
            return
        torn += 1
    height += 1 - torn
    worth = tower_worth(mind, kind, height, value)
    replaces = torn == 0 and worth > unchanged and mind.max_bid >= game.display_size
    option = 0 if replaces else 1
    keep_option(search, kind, option, worth, 1, torn, height, entry)
    search.options[kind] = option + 1


@kernel
def keep_option(search, kind, option, worth, cards, torn, height, entry):
    """Write one option of a tower."""
    search.option_worth[kind, option] = worth
    search.option_cards[kind, option] = cards
    search.option_torn[kind, option] = torn
    search.option_height[kind, option] = height
    search.option_entry[kind, option] = entry


@kernel
def fold_tower(table, seat, mind, kind):
    """Find a tower's best worth for each number of cards torn down and taken."""
    search, display, game = table.search, table.display, table.game
    height = game.height[seat, kind]
    intact_top = top_value(game, seat, kind)
    # Top cards on which something can be built that can't be built on the tower as it is.
    other_starts = 0
    for torn in range(mind.teardown_limit + 1):
        search.fold_used[torn] = 0
        if not legal_teardown(game, seat, kind, torn):
            continue
        base = height - torn
        top = int(game.tower[seat, kind, base])
        if torn > 0 and (other_starts >> top) & 1 == 0 and not mind.idle_teardown:
            continue
        search.fold_used[torn] = 1
        for cards in range(display.kind_size[kind] + 1):
            search.fold_worth[torn, cards] = NO_WORTH
        if torn == 0 or mind.idle_teardown:
            search.fold_worth[torn, 0] = tower_worth(mind, kind, base, top)
            search.fold_entry[torn, 0] = -1
        for entry in range(display.first_entry[kind], display.first_entry[kind + 1]):
            starts = display.entry_starts[entry]
            if (starts >> top) & 1 == 0:
                other_starts |= starts
                continue
            # What can be built without tearing down ends in the same top on a higher tower.
            if torn > 0 and (starts >> intact_top) & 1 == 1:
                continue
            if mind.never_close and display.entry_top[entry] == TOWER_TOP:
                continue
            cards = display.entry_cards[entry]
            worth = tower_worth(mind, kind, base + cards, display.entry_top[entry])
            if worth > search.fold_worth[torn, cards]:
                search.fold_worth[torn, cards] = worth
                search.fold_entry[torn, cards] = entry


@kernel
def keep_options(table, seat, mind, kind):
    """Keep the options of a folded tower that no option with more cards or fewer torn down beats."""
    search = table.search
    shown = table.display.kind_size[kind]
    height = table.game.height[seat, kind]
    limit = mind.teardown_limit
    step = least_teardown_worth(table, seat, mind, limit)
    # Who may not bid high can't use more cards, however good.
    more_is_better = mind.max_bid >= table.game.display_size
    kept = 0
    for cards in range(shown + 1):
        search.intact_worth[cards] = NO_WORTH
    for torn in range(limit + 1):
        if search.fold_used[torn] == 0:
            continue
        find_later_worth(search, torn, shown, more_is_better)
        for cards in range(shown + 1):
            worth = search.fold_worth[torn, cards]
            beaten_by_more = more_is_better and search.later_worth[cards + 1] > worth
            if worth != NO_WORTH and not beaten_by_more and search.intact_worth[cards] < worth + step:
                entry = search.fold_entry[torn, cards]
                keep_option(search, kind, kept, worth, cards, torn, height - torn + cards, entry)
                kept += 1
        for cards in range(shown + 1):
            search.intact_worth[cards] = max(search.intact_worth[cards], search.later_worth[cards])
    search.options[kind] = kept


@kernel
def least_teardown_worth(table, seat, mind, limit):
    """Return what a teardown costs at the least (at most 0): exact if a build tears down one card only."""
    if limit != 1:
        return 0
    torn_before = table.game.pile_size[seat]
    return mind.teardown_worth[mind.stage, torn_before + 1] - mind.teardown_worth[mind.stage, torn_before]


@kernel
def find_later_worth(search, torn, shown, more_is_better):
    """For each number of cards, find the best worth of this many or more (just this many, if more is no use)."""
    search.later_worth[shown + 1] = NO_WORTH
    for cards in range(shown, -1, -1):
        search.later_worth[cards] = search.fold_worth[torn, cards]
        if more_is_better:
            search.later_worth[cards] = max(search.later_worth[cards], search.later_worth[cards + 1])


@kernel
def combine_towers(table, seat, mind, high_bid):
    """Combine the towers' options; towers with one option first, as they add to every combination."""
    search, game = table.search, table.game
    worth, cards, height, reachable, last = 0, 0, 0, 0, -1
    for kind in range(TYPES):
        if table.display.kind_size[kind] == 0 and not mind.idle_teardown:
            unchanged = game.height[seat, kind]
            worth += tower_worth(mind, kind, unchanged, top_value(game, seat, kind))
            height = max(height, unchanged)
            search.options[kind] = 1
            search.option_torn[kind, 0] = 0
            search.option_entry[kind, 0] = -1
        elif search.options[kind] == 1:
            worth += search.option_worth[kind, 0]
            cards += search.option_cards[kind, 0]
            height = max(height, search.option_height[kind, 0])
        else:
            reachable += table.display.kind_size[kind]
            last = kind
    if cards + reachable <= high_bid:
        return
    if last < 0:
        offer_build(search, mind, mind.stage, (cards, worth, height, game.pile_size[seat], 0), table.shortlist)
        return
    write_partial(search.partial[0, 0], worth, cards, 0, height, 0)
    reading, partials = 0, 1
    for kind in range(last):
        if search.options[kind] != 1:
            reachable -= table.display.kind_size[kind]
            partials = extend_partials(search, mind, kind, (reading, partials, high_bid - reachable))
            reading = 1 - reading
    offer_partials(search, mind, last, (reading, partials, high_bid), game.pile_size[seat], table.shortlist)


@kernel
def write_partial(partial, worth, cards, torn, height, picks):
    """Write one combination of options."""
    partial.worth = worth
    partial.cards = cards
    partial.torn = torn
    partial.height = height
    partial.picks = picks


@kernel
def offer_build(search, mind, stage, build, shortlist):
    """Note a combination of options if it is the best for its number of cards.

    Its worth is that of its (cards, towers, highest tower, teardown pile), and last comes which options they are.
    """
    cards, worth, height, pile, picks = build
    total = worth + int(mind.main_worth[stage, height]) + mind.teardown_worth[stage, pile]
    if total > search.best_worth[cards]:
        search.best_worth[cards] = total
        search.best_picks[cards] = picks
    put_on_shortlist(shortlist, cards, total, picks)


@kernel
def clear_shortlists(shortlist):
    """Take everything off the shortlists; they are None where nobody wants any."""
    if shortlist is None:
        return
    if shortlist.wanted != 0:
        for bid in range(MAX_DISPLAY + 1):
            for nth in range(SHORTLISTED):
                shortlist.worth[bid, nth] = NO_WORTH


@kernel
def put_on_shortlist(shortlist, cards, total, picks):
    """Put a build on the shortlist of its bid, if it is among the best."""
    if shortlist is None:
        return
    if shortlist.wanted == 0:
        return
    nth = SHORTLISTED
    while nth > 0 and total > shortlist.worth[cards, nth - 1]:
        if nth < SHORTLISTED:
            shortlist.worth[cards, nth] = shortlist.worth[cards, nth - 1]
            shortlist.picks[cards, nth] = shortlist.picks[cards, nth - 1]
        nth -= 1
    if nth < SHORTLISTED:
        shortlist.worth[cards, nth] = total
        shortlist.picks[cards, nth] = picks


@kernel
def add_option(search, kind, option, partial):
    """Return (worth, cards, torn, highest tower, picks) of towers, given the same of them without this option."""
    worth, cards, torn, height, picks = partial
    return (
        worth + search.option_worth[kind, option],
        cards + search.option_cards[kind, option],
        torn + search.option_torn[kind, option],
        max(height, search.option_height[kind, option]),
        picks | (option << (5 * kind)),
    )


@kernel
def read_partial(partial):
    """Return what :func:`write_partial` has written."""
    return int(partial.worth), int(partial.cards), int(partial.torn), int(partial.height), int(partial.picks)


@kernel
def extend_partials(search, mind, kind, read):
    """Combine every partial with every option of a tower; drop those with too few cards.

    Parameters
    ----------
    search : record of SEARCH
        With the options and the partials.
    mind : record of MIND
        The seat's strategy.
    kind : int
        The tower.
    read : tuple of three int
        Which half of the partials to read, how many there are, and how many cards are too few.

    Returns
    -------
    int
        How many were written to the other half.
    """
    reading, partials, too_few = read
    limit, options, writing, written = mind.teardown_limit, search.options[kind], 1 - reading, 0
    for i in range(partials):
        before = read_partial(search.partial[reading, i])
        for option in range(options):
            worth, cards, torn, height, picks = add_option(search, kind, option, before)
            if cards > too_few and torn <= limit:
                write_partial(search.partial[writing, written], worth, cards, torn, height, picks)
                written += 1
    return written


@kernel
def offer_partials(search, mind, kind, read, pile, shortlist):
    """Combine every partial with every option of the last tower, and note those that are best for their cards.

    As :func:`extend_partials`, with the size of the teardown pile; nothing more comes to what is too few here.
    """
    reading, partials, too_few = read
    limit, options, stage = mind.teardown_limit, search.options[kind], mind.stage
    for i in range(partials):
        before = read_partial(search.partial[reading, i])
        for option in range(options):
            worth, cards, torn, height, picks = add_option(search, kind, option, before)
            if cards > too_few and torn <= limit:
                offer_build(search, mind, stage, (cards, worth, height, pile + torn, picks), shortlist)


@kernel
def note_build(choice, search, bid):
    """Note the best build for a bid as what a seat has in mind."""
    choice.bid = bid
    choice.paid = 0
    for kind in range(TYPES):
        option = (search.best_picks[bid] >> (5 * kind)) & 31
        choice.torn[kind] = search.option_torn[kind, option]
        choice.entry[kind] = search.option_entry[kind, option]
        choice.used[kind] = 0
