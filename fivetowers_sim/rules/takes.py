"""What may be taken here: every set of cards and payment that some build carries out (rules 3.3 to 3.6, 6)."""

from __future__ import annotations

import numpy as np

from fivetowers_sim.compiled import call_compiling, count_bits, entry_point, kernel
from fivetowers_sim.rules.cards import SCRAP, TREE
from fivetowers_sim.rules.legal import legal_teardown, most_payable
from fivetowers_sim.rules.outcomes import WALK, Desk, count_ends, next_outcome, start_walk, take_bits
from fivetowers_sim.rules.reach import DISPLAY, read_display
from fivetowers_sim.rules.ruleset import MAX_DISPLAY, MAX_TEARDOWN_LIMIT
from fivetowers_sim.rules.state import MAX_TOWER, TYPES
from fivetowers_sim.rules.tables import SCRAP_POWER

IMPOSSIBLE = 1 << 20
MAX_LISTED_PAYMENTS = MAX_TOWER

FEWEST = np.dtype(
    [
        # By type, cards torn down and cards taken (bits of display positions): the fewest fetches from other
        # towers' scrap cards with which that can be built; IMPOSSIBLE if it can't.
        ("fetches", "i8", (TYPES, MAX_TEARDOWN_LIMIT + 1, 1 << MAX_DISPLAY)),
        ("kind_bits", "i8", (TYPES,)),
    ],
    align=True,
)


@kernel
def find_fewest_fetches(desk, walk, fewest, seat):
    """Fill ``fewest`` for every type, number of cards torn down and set of cards taken."""
    powers = desk.rules.powers[seat]
    for kind in range(TYPES):
        fewest.kind_bits[kind] = 0
        for nth in range(desk.display.kind_size[kind]):
            fewest.kind_bits[kind] |= 1 << desk.display.kind_position[kind, nth]
        for torn in range(desk.rules.teardown_limit + 1):
            for bits in range(1 << MAX_DISPLAY):
                fewest.fetches[kind, torn, bits] = IMPOSSIBLE
            if not legal_teardown(desk.game, seat, kind, torn):
                continue
            for end in range(count_ends(desk, seat, kind, torn, powers)):
                start_walk(desk, walk, seat, (kind, 0, torn, end, powers, 0))
                while next_outcome(desk, walk, seat):
                    bits = take_bits(walk)
                    needed = 0 if kind == SCRAP else walk.fetched
                    fewest.fetches[kind, torn, bits] = min(fewest.fetches[kind, torn, bits], needed)


@kernel
def legal_take(desk, fewest, seat, take):
    """Rules 3.3 to 3.5 and 6.2: say whether these cards (bits of display positions) can all be built."""
    given = 0
    if desk.rules.powers[seat] & SCRAP_POWER != 0:
        given = count_bits(take & fewest.kind_bits[SCRAP])
    limit = desk.rules.teardown_limit
    needed = np.full(MAX_TEARDOWN_LIMIT + 1, IMPOSSIBLE)
    needed[0] = 0
    for kind in range(TYPES):
        bits = take & fewest.kind_bits[kind]
        for torn in range(limit, -1, -1):
            least = IMPOSSIBLE
            for here in range(torn + 1):
                least = min(least, needed[torn - here] + fewest.fetches[kind, here, bits])
            needed[torn] = least
    return needed[: limit + 1].min() <= given


@kernel
def is_first_copy_set(desk, take):
    """Say whether the take uses the first shown of identical cards, so that each set is listed once."""
    game = desk.game
    for position in range(game.display_size):
        if (take >> position) & 1 == 1:
            for earlier in range(position):
                if game.display[earlier] == game.display[position] and (take >> earlier) & 1 == 0:
                    return False
    return True


@entry_point
def list_takes(desk, walk, fewest, seat, found):
    """Write every legal (take, pay) into ``found`` and return how many there are.

    Parameters
    ----------
    desk : Desk
        Rules and game; the display is read here.
    walk, fewest : records of WALK and FEWEST
        Scratch.
    seat : int
        Who would build.
    found : ndarray of int64, shape (n, 2)
        Gets bits of display positions, and tree cards paid.
    """
    read_display(desk.rules, desk.game, desk.display)
    find_fewest_fetches(desk, walk, fewest, seat)
    count = 0
    for take in range(1 << desk.game.display_size):
        if not is_first_copy_set(desk, take) or not legal_take(desk, fewest, seat, take):
            continue
        if take != 0:
            found[count, 0], found[count, 1] = take, 0
            count += 1
        if take & fewest.kind_bits[TREE] == 0 and count_bits(take) >= desk.rules.tree_min_take:
            for pay in range(1, most_payable(desk.rules, desk.game, seat) + 1):
                found[count, 0], found[count, 1] = take, pay
                count += 1
    return count


def legal_takes(rules: np.void, game: np.void, seat: int, high_bid: int = 0) -> list[tuple[int, tuple[int, ...], int]]:
    """List every bid, set of cards and payment that the seat could carry out.

    Parameters
    ----------
    rules : record of RULES
        The rule set.
    game : record of GAME
        The game, with its display revealed.
    seat : int
        Who would build.
    high_bid : int, optional
        Only bids above this are listed.

    Returns
    -------
    list of (int, tuple of int, int)
        Bid, codes of the cards taken in display order, and tree cards paid; by bid, payment and cards.
    """
    desk = Desk(rules, game, np.zeros(1, DISPLAY)[0])
    found = np.zeros(((1 << MAX_DISPLAY) * (MAX_LISTED_PAYMENTS + 1), 2), np.int64)
    walk, fewest = np.zeros(1, WALK)[0], np.zeros(1, FEWEST)[0]
    count = call_compiling(lambda: list_takes(desk, walk, fewest, seat, found))
    takes = []
    for take, pay in found[:count].tolist():
        cards = tuple(int(game["display"][i]) for i in range(MAX_DISPLAY) if (take >> i) & 1)
        if len(cards) + pay > high_bid:
            takes.append((len(cards) + pay, cards, pay))
    return sorted(takes, key=lambda option: (option[0], option[2], option[1]))
