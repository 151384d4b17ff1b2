"""The family ``value`` from outside: its parameters, and the mind that the kernels play with."""

from __future__ import annotations

from typing import Final

import numpy as np

from fivetowers_sim.strategies.mind import WORTH_PER_VP
from fivetowers_sim.strategies.parameters import Parameter, Strategy
from fivetowers_sim.strategies.value import DENIAL, THRESHOLD
from fivetowers_sim.strategies.value_files import load_tables, read_tables_file
from fivetowers_sim.strategies.value_tables import ValueTables, fill_tables

VALUE_PARAMETERS: Final = (
    Parameter("threshold", 0, -5, 20, False, "VP that winning must gain it before it bids."),
    Parameter(
        "denial",
        0.7,
        0,
        3,
        False,
        "How much what another seat would gain counts as its own loss, shared among all the others.",
    ),
    Parameter(
        "foresight", 1, 0, 1, False, "How sure it is that later seats bid as it would; 0: nobody will outbid it."
    ),
    Parameter("counting", 1, 0, 1, True, "1: looks at which cards are still to come, 0s above all; 0: doesn't."),
    Parameter("closing", 0, -10, 10, False, "VP of liking (or dislike) for a tower with a top."),
    Parameter(
        "pairing",
        0.5,
        0,
        1,
        False,
        "How much pairs count before the last round: what they score, and the hope for them in the towers' prices.",
    ),
)
"""What ``value`` may be given, besides the common parameters."""

ROLLOUT_PARAMETERS: Final = (
    Parameter("rollouts", 100, 1, 100_000, True, "Futures in which every option of a word is tried."),
    Parameter("ahead", 3, 0, 60, True, "Rounds played in a future after the current one."),
)
"""What ``rollout`` may be given besides the parameters of ``value``; those say how everybody bids in the futures."""


def fill_value(mind: np.void, rules: np.void, strategy: Strategy) -> None:
    """Fill a mind of the family ``value``, from its own file or from the tables for these players and powers."""
    if strategy.path:
        tables = read_tables_file(strategy.path)
    else:
        tables = load_tables(int(rules["players"]), int(mind["powers"]), strategy["pairing"])
    fill_valued_mind(mind, rules, strategy, tables)


def fill_valued_mind(mind: np.void, rules: np.void, strategy: Strategy, tables: ValueTables) -> None:
    """Fill a mind of the family ``value`` from any tables.

    Parameters
    ----------
    mind : record of MIND
        Overwritten.
    rules : record of RULES
        The rule set.
    strategy : Strategy
        With the family's parameters.
    tables : ValueTables
        What positions are worth.
    """
    fill_tables(mind, rules, tables, strategy["closing"], strategy["pairing"])
    mind["weights"][THRESHOLD] = strategy["threshold"] * WORTH_PER_VP
    mind["weights"][DENIAL] = strategy["denial"] / (int(rules["players"]) - 1)
    mind["counts_cards"] = strategy["counting"]
