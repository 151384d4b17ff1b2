"""A second table at which a game is played on from where it stands, without touching it."""

from __future__ import annotations

import numpy as np

from fivetowers_sim.engine.log import ROUND_LOG
from fivetowers_sim.rules.state import MAX_BID, new_games
from fivetowers_sim.strategies.mind import ROLLOUT, VALUE
from fivetowers_sim.strategies.table import Fork, Table, lay_table


def lay_game_table(rules: np.ndarray, minds: np.ndarray) -> Table:
    """Lay a table, with a fork if any of the strategies tries futures out; arguments as for :func:`lay_table`."""
    tries_futures = bool((minds["family"] == ROLLOUT).any())
    return lay_table(rules, minds, lay_fork(rules, minds) if tries_futures else None)


def lay_fork(rules: np.ndarray, minds: np.ndarray) -> Fork:
    """Lay a table for the futures of games.

    Parameters
    ----------
    rules : ndarray of RULES, shape (1,)
        The rule set.
    minds : ndarray of MIND, shape (strategies,)
        The strategies of the games themselves; those that try futures out bid like ``value`` in them.

    Returns
    -------
    Fork
        The table, and where games are copied to.
    """
    minds = minds.copy()
    minds["family"][minds["family"] == ROLLOUT] = VALUE
    games = new_games(2)
    # Nobody there plays by chance, so that nothing for it need be compiled.
    minds["misjudge"] = 0
    table = lay_table(rules, minds)._replace(game=games[0], ways=None)
    table.seats["staged"] = 1
    return Fork(table, np.zeros(1, ROUND_LOG)[0], games, np.zeros(MAX_BID + 2))
