"""``greedy``: take what gives the highest score if the game ended now.

Ties go to the greatest openness: over the tower types, how many of the values could go next on the
tower. It bids as many cards as that build takes, and passes only when nothing can be built.
"""

from __future__ import annotations

import numpy as np

from fivetowers_sim.rules.cards import TOWER_TOP
from fivetowers_sim.rules.state import MAX_TOWER
from fivetowers_sim.strategies.mind import WORTH_PER_VP


def fill_score_worth(mind: np.void, rules: np.void) -> None:
    """Make a position's worth its score now, plus its openness as a tie-break.

    Parameters
    ----------
    mind : record of MIND
        Its tables are overwritten; one stage.
    rules : record of RULES
        The rule set.
    """
    heights = np.arange(MAX_TOWER + 1)
    mind["stages"] = 1
    mind["top_worth"] = rules["openness"]
    mind["top_worth"][:, TOWER_TOP] = 0
    mind["card_worth"] = int(rules["vp_per_card"]) * WORTH_PER_VP
    mind["card_worth"][:, TOWER_TOP] = int(rules["vp_per_topped_card"]) * WORTH_PER_VP
    mind["main_worth"][0] = heights * int(rules["vp_main_tower"]) * WORTH_PER_VP
    mind["pair_worth"][0] = int(rules["pair_vp"]) * WORTH_PER_VP
    mind["teardown_worth"][0] = -rules["teardown_cost"] * WORTH_PER_VP
    mind["idle_teardown"] = rules["vp_per_card"] == 0
