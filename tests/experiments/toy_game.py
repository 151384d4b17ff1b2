"""A game so small that every bid's worth can be counted: two rounds, five types with a 0 and a 1 each, two players.

Everything can be built on empty towers, so greedy's starting player says 5 and takes all. In the second round the other
one starts, with empty towers, and does the same: 5 all. A game has two decisions, one in each round. In the first round
nothing matters: whoever builds first, the other one starts the second round and takes the rest. In the second round the
pass, or a bid below what still fits on the other's towers, lets the other one have that.
"""

from __future__ import annotations

from itertools import combinations, product

from fivetowers_sim.rules.ruleset import RuleSet

TOY = RuleSet(
    name="toy",
    highest_value=1,
    extra_copies_4=(),
    extra_copies_5=(),
    deck_passes=1,
    anything_goes_on=(),
    goes_on_anything=(),
    teardown_limit=0,
    vp_per_topped_card=1,
    vp_main_tower=0,
)

_CARDS = tuple(product(range(5), range(2)))


def count_fits(first_round) -> int:
    """Count the cards of the second round that fit on towers of the first: a 0 on a 1, and all where there is none."""
    left = set(_CARDS) - set(first_round)
    kinds = {kind for kind, value in first_round}
    return sum(kind not in kinds or (value == 0 and (kind, 1) in first_round) for kind, value in left)


def count_worths() -> dict[tuple[str, int], float]:
    """Return what each bid is worth against the pass, by figure and bid, on average over decisions and deals."""
    sums = {(figure, bid): 0.0 for figure in ("vp", "margin", "win_share") for bid in range(1, 6)}
    deals = list(combinations(_CARDS, 5))
    for deal in deals:
        fits = count_fits(deal)
        for bid in range(1, 6):
            other = 5 if bid == 5 or fits <= bid else 5 + fits
            own = bid if other == 5 else 0
            sums["vp", bid] += own
            sums["margin", bid] += (own - other) + (5 + fits)
            sums["win_share", bid] += 0.5 if own == 5 else 0.0
    # In one half of the decisions, those of the first round, every word leads to 5 all.
    return {key: total / len(deals) / 2 for key, total in sums.items()}
