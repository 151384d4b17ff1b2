"""Victory points (rules 5 and 6.4). Each part of a score is one function; a score is their sum."""

from __future__ import annotations

from fivetowers_sim.compiled import kernel
from fivetowers_sim.rules.cards import TOWER_TOP
from fivetowers_sim.rules.legal import top_value
from fivetowers_sim.rules.powers import count_pairs
from fivetowers_sim.rules.state import TYPES
from fivetowers_sim.rules.tables import PAIRS_POWER


@kernel
def score_cards(rules, game, seat):
    """Rule 5.1: VP for each card in the seat's towers."""
    cards = 0
    for kind in range(TYPES):
        cards += game.height[seat, kind]
    return cards * rules.vp_per_card


@kernel
def score_tops(rules, game, seat):
    """Rule 5.2: what towers with a top add to :func:`score_cards`, in VP."""
    cards = 0
    for kind in range(TYPES):
        if top_value(game, seat, kind) == TOWER_TOP:
            cards += game.height[seat, kind]
    return cards * (rules.vp_per_topped_card - rules.vp_per_card)


@kernel
def score_main(rules, game, seat):
    """Rule 5.3: further VP for each card of the main tower, the highest one."""
    highest = 0
    for kind in range(TYPES):
        highest = max(highest, game.height[seat, kind])
    return highest * rules.vp_main_tower


@kernel
def score_pairs(rules, game, seat):
    """Rule 6.4: VP for pairs, if the seat has that power."""
    if rules.powers[seat] & PAIRS_POWER == 0:
        return 0
    return count_pairs(game, seat) * rules.pair_vp


@kernel
def score_teardown(rules, game, seat):
    """Rule 5.4: VP of the teardown pile, at most 0."""
    return -rules.teardown_cost[game.pile_size[seat]]


@kernel
def score_total(rules, game, seat):
    """Rules 5.1 to 5.4 and 6.4: the seat's VP if the game ended now."""
    return (
        score_cards(rules, game, seat)
        + score_tops(rules, game, seat)
        + score_main(rules, game, seat)
        + score_pairs(rules, game, seat)
        + score_teardown(rules, game, seat)
    )
