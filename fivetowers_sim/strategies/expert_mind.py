"""The family ``expert`` from outside: its parameters, and the mind that the kernels play with."""

from __future__ import annotations

from typing import Final

import numpy as np

from fivetowers_sim.strategies.net_files import ExpertNet, load_shipped_net, read_net_file
from fivetowers_sim.strategies.parameters import Parameter, Strategy
from fivetowers_sim.strategies.value_files import load_tables
from fivetowers_sim.strategies.value_mind import VALUE_PARAMETERS, fill_valued_mind

EXPERT_PARAMETERS: Final = (
    *VALUE_PARAMETERS,
    Parameter(
        "guess", 0.5, 0, 1, False, "How sure it is that others go for their best share; else they bid like value."
    ),
)
"""What ``expert`` may be given; the parameters of ``value`` say what builds it looks at, and how ``value`` bids."""


def fill_expert(mind: np.void, rules: np.void, strategy: Strategy) -> None:
    """Fill a mind of the family ``expert``, from its own file or from what is shipped for these players and powers."""
    expert = find_net(strategy, int(rules["players"]), bool(rules["powers"].any()))
    tables = expert.tables
    if tables is None:
        tables = load_tables(int(rules["players"]), int(mind["powers"]), strategy["pairing"])
    fill_valued_mind(mind, rules, strategy, tables)
    mind["net"] = expert.net[0]


def find_net(strategy: Strategy, players: int, powers: bool) -> ExpertNet:
    """Return the network by which a strategy judges: its own file's, or the one shipped for such games."""
    return read_net_file(strategy.path) if strategy.path else load_shipped_net(players, powers)
