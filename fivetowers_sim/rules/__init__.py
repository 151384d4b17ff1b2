"""The rules of the game: rule sets, and one compiled function per rule.

:data:`RULE_FUNCTIONS` is the index: look a rule up in ``docs/rules.md``, and its function here. The names are
text, so that the index costs nothing to load and may point to the layers that stand on the rules.
"""

from __future__ import annotations

from typing import Final

_CARDS = "fivetowers_sim.rules.cards"
_RULESET = "fivetowers_sim.rules.ruleset.RuleSet"
_DEAL = "fivetowers_sim.rules.deal"
_LEGAL = "fivetowers_sim.rules.legal"
_BUILD = "fivetowers_sim.rules.build"
_BIDDING = "fivetowers_sim.rules.bidding"
_TAKES = "fivetowers_sim.rules.takes"
_POWERS = "fivetowers_sim.rules.powers"
_OUTCOMES = "fivetowers_sim.rules.outcomes"
_SCORING = "fivetowers_sim.rules.scoring"
_PLAY = "fivetowers_sim.engine.play"

RULE_FUNCTIONS: Final[dict[str, tuple[str, ...]]] = {
    "1.1": (_CARDS,),
    "1.2": (f"{_RULESET}.deck", f"{_DEAL}.deal_game", f"{_DEAL}.shuffle_cards"),
    "1.3": (f"{_CARDS}.card_name", f"{_CARDS}.parse_card"),
    "2.1": (f"{_LEGAL}.top_value",),
    "2.2": (f"{_LEGAL}.legal_placement", f"{_RULESET}.fits_on"),
    "2.3": (f"{_LEGAL}.legal_placement", f"{_RULESET}.fits_on"),
    "2.4": (f"{_LEGAL}.legal_placement", f"{_RULESET}.fits_on"),
    "2.5": (f"{_LEGAL}.legal_placement", f"{_LEGAL}.legal_teardown"),
    "2.6": (f"{_BUILD}.apply_placement",),
    "3.1": (f"{_DEAL}.reveal_display",),
    "3.2": (f"{_PLAY}.play_bidding", f"{_BIDDING}.speaker", f"{_BIDDING}.ends_bidding"),
    "3.3": (f"{_TAKES}.legal_take", f"{_BUILD}.apply_build"),
    "3.4": (f"{_LEGAL}.legal_teardown", f"{_BUILD}.apply_teardown"),
    "3.5": (f"{_TAKES}.legal_take", f"{_BUILD}.apply_build"),
    "3.6": (f"{_PLAY}.play_bidding", "fivetowers_sim.engine.log.undo_words"),
    "3.7": (f"{_DEAL}.apply_clean_up", f"{_BIDDING}.apply_next_start"),
    "3.8": (f"{_PLAY}.play_bidding", f"{_BIDDING}.apply_next_start"),
    "4.1": (f"{_DEAL}.apply_end_of_round",),
    "4.2": (f"{_DEAL}.apply_end_of_round",),
    "4.3": (f"{_DEAL}.apply_end_of_round",),
    "5.1": (f"{_SCORING}.score_cards",),
    "5.2": (f"{_SCORING}.score_tops",),
    "5.3": (f"{_SCORING}.score_main",),
    "5.4": (f"{_SCORING}.score_teardown", f"{_RULESET}.teardown_cost"),
    "5.5": ("fivetowers_sim.engine.block.record_game",),
    "6.1": (f"{_LEGAL}.most_payable", f"{_BUILD}.apply_payment"),
    "6.1a": (f"{_BIDDING}.ends_bidding",),
    "6.1b": (f"{_LEGAL}.most_payable",),
    "6.1c": (f"{_BUILD}.apply_payment",),
    "6.2": (f"{_OUTCOMES}.can_place", f"{_TAKES}.legal_take", f"{_BUILD}.apply_fetch"),
    "6.3": (f"{_OUTCOMES}.has_bottom_end", f"{_LEGAL}.legal_placement_below", f"{_BUILD}.apply_placement"),
    "6.4": (f"{_POWERS}.count_pairs", f"{_SCORING}.score_pairs"),
}
"""Rule number to the dotted names of its functions, the one to read first in front; 1.1 is a whole module."""
