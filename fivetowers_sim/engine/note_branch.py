"""Write down the decision that branches leave from, and what each option led to."""

from __future__ import annotations

from fivetowers_sim.compiled import kernel, rare_kernel
from fivetowers_sim.engine.branch_record import SHARE_UNITS
from fivetowers_sim.engine.record import NOBODY
from fivetowers_sim.engine.watch import KEPT, PLAYED
from fivetowers_sim.rules.bidding import place_of
from fivetowers_sim.rules.cards import EMPTY
from fivetowers_sim.rules.legal import legal_placement, top_value
from fivetowers_sim.rules.scoring import score_total
from fivetowers_sim.rules.state import TYPES
from fivetowers_sim.strategies.stages import rounds_to_come

_NO_SCORE = -(1 << 30)


@rare_kernel
def note_no_decision(row, number):
    """Write that a game had no decision; the rest of the row is 0 already."""
    row.game = number
    row.seat = NOBODY


@rare_kernel
def note_decision(table, noticed, row, number):
    """Write where the game stands at the decision, as the seat sees it."""
    rules, game, seat = table.rules, table.game, noticed.seat
    row.game = number
    row.drawn_from = noticed.seen
    row.options = 0
    row.round = game.round
    row.rounds_to_come = rounds_to_come(rules, game)
    row.seat = seat
    row.start = game.start
    row.place = place_of(rules, game, seat)
    row.said = noticed.said if noticed.said > 0 else NOBODY
    row.high_bid = noticed.high_bid
    row.highest_feasible_bid = noticed.highest
    row.display_size = game.display_size
    row.fits = count_fits(rules, game, seat)
    row.pile = game.pile_size[seat]
    row.vp = score_total(rules, game, seat)
    row.best_other_vp = best_other(table, seat)
    row.candy_height = game.height[seat, 0]
    row.scary_height = game.height[seat, 1]
    row.tree_height = game.height[seat, 2]
    row.scrap_height = game.height[seat, 3]
    row.sand_height = game.height[seat, 4]
    row.candy_top = top_or_nobody(game, seat, 0)
    row.scary_top = top_or_nobody(game, seat, 1)
    row.tree_top = top_or_nobody(game, seat, 2)
    row.scrap_top = top_or_nobody(game, seat, 3)
    row.sand_top = top_or_nobody(game, seat, 4)


@kernel
def top_or_nobody(game, seat, kind):
    """Return a tower's top card, NOBODY for no tower."""
    top = top_value(game, seat, kind)
    return NOBODY if top == EMPTY else top


@kernel
def count_fits(rules, game, seat):
    """Return how many of the cards shown may go on the seat's towers as they are, each by itself."""
    fits = 0
    for position in range(game.display_size):
        card = int(game.display[position])
        fits += legal_placement(rules, card & 31, top_value(game, seat, card >> 5))
    return fits


@kernel
def best_other(table, seat):
    """Return the best score of another seat if the game ended now."""
    best = _NO_SCORE
    for other in range(table.rules.players):
        if other != seat:
            best = max(best, score_total(table.rules, table.game, other))
    return best


@kernel
def count_torn(choice):
    """Return how many cards the build in mind tears down."""
    torn = 0
    for kind in range(TYPES):
        torn += choice.torn[kind]
    return torn


@rare_kernel
def note_option(option, choice, line, number):
    """Begin the row of an option: nothing has come of it yet."""
    line.game = number
    line.bid = option.bid if option.bid > 0 else NOBODY
    line.constraint = option.constraint
    line.starts = option.starts if option.starts >= 0 else NOBODY
    line.said = option.said
    line.torn = count_torn(choice) if option.bid > 0 else 0
    line.torn_types = 0
    for kind in range(TYPES):
        if option.bid > 0 and choice.torn[kind] > 0:
            line.torn_types |= 1 << kind
    line.begun = 0
    line.futures = 0
    line.won = 0
    line.starts_next = 0
    line.best_other = 0
    line.total_0 = 0
    line.total_1 = 0
    line.total_2 = 0
    line.total_3 = 0
    line.total_4 = 0
    line.share_0 = 0
    line.share_1 = 0
    line.share_2 = 0
    line.share_3 = 0
    line.share_4 = 0


@rare_kernel
def note_first_round(table, watch, seat, line):
    """Add what the round of the decision has come to, in one future."""
    game, before = table.game, watch.games[KEPT]
    line.futures += 1
    line.starts_next += game.start == seat
    if watch.logs[PLAYED].winner == seat:
        line.won += 1
        for kind in range(TYPES):
            if before.height[seat, kind] == 0 and game.height[seat, kind] > 0:
                line.begun |= 1 << int(game.tower[seat, kind, 1])


@rare_kernel
def note_result(table, seat, line):
    """Rule 5.5: add what the game has come to, in one future."""
    rules, players = table.rules, table.rules.players
    best, winners = _NO_SCORE, 0
    for other in range(players):
        total = score_total(rules, table.game, other)
        winners = winners + 1 if total == best else (1 if total > best else winners)
        best = max(best, total)
    line.best_other += best_other(table, seat)
    for place in range(players):
        total = score_total(rules, table.game, (seat + place) % players)
        add_place(line, place, total, SHARE_UNITS // winners if total == best else 0)


@kernel
def add_place(line, place, total, share):
    """Add the result of the seat so many places after the one deciding."""
    if place == 0:
        line.total_0 += total
        line.share_0 += share
    elif place == 1:
        line.total_1 += total
        line.share_1 += share
    elif place == 2:
        line.total_2 += total
        line.share_2 += share
    elif place == 3:
        line.total_3 += total
        line.share_3 += share
    else:
        line.total_4 += total
        line.share_4 += share
