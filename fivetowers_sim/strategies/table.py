"""What lies on the table: the game, who sits at it, and their scratch paper."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fivetowers_sim.layout import lone_record
from fivetowers_sim.rules.draft import DRAFT
from fivetowers_sim.rules.reach import DISPLAY
from fivetowers_sim.rules.ruleset import MAX_DISPLAY
from fivetowers_sim.rules.state import BUILD, TYPES, new_games
from fivetowers_sim.rules.tables import MAX_SEATS
from fivetowers_sim.strategies.expert import JUDGE
from fivetowers_sim.strategies.mind import EXPERT, MAX_MINDS, MIND, RANDOM, ROLLOUT, VALUE
from fivetowers_sim.strategies.power_options import POWER_SEARCH
from fivetowers_sim.strategies.random_play import WAYS
from fivetowers_sim.strategies.search import SEARCH, SHORTLIST
from fivetowers_sim.strategies.value import FRONTS

CHOICE = np.dtype(
    [
        # The bid that this build carries out; 0 when the seat has none in mind.
        ("bid", "i8"),
        # The bid that the build noted here is for.
        ("planned", "i8"),
        # Whether a build of the seat was cancelled in this round.
        ("sent_back", "i8"),
        ("paid", "i8"),
        # By type: cards to tear down, and the display's entry to build (-1: none).
        ("torn", "i8", (TYPES,)),
        ("entry", "i8", (TYPES,)),
        # By type, where the build fetches or goes to the bottom: the cards of a walk (bits, else 0), the end,
        # and the top card afterwards.
        ("used", "i8", (TYPES,)),
        ("end", "i8", (TYPES,)),
        ("top", "i8", (TYPES,)),
    ],
    align=True,
)
"""The build that a seat has in mind with its last word."""

SEATS = np.dtype(
    [
        # By seat: index of its mind, and the build in mind.
        ("seated", "i8", (MAX_SEATS,)),
        ("choice", CHOICE, (MAX_SEATS,)),
        # Who has made the high bid (-1: nobody).
        ("leader", "i8"),
        # The minds at the table: how many, and whether any prices by stage.
        ("minds", "i8"),
        ("staged", "i8"),
        ("mind", MIND, (MAX_MINDS,)),
        # After this round: how many rounds are to come; by type, the values (bits) of which a card, or two, are.
        ("rounds_to_come", "i8"),
        ("once", "i8", (TYPES,)),
        ("twice", "i8", (TYPES,)),
        # Scratch for an order of building.
        ("order", "i8", (MAX_DISPLAY + 1,)),
    ],
    align=True,
)
"""Who sits at the table. A record rather than arrays: kernels need not count references to it."""


class Table(NamedTuple):
    """A game with everything that plays it; one for each thread.

    Attributes
    ----------
    rules : record of RULES
        The rule set.
    game : record of GAME
        The game's state.
    display : record of DISPLAY
        What of the display can be built where.
    seats : record of SEATS
        Who plays, and what they have in mind.
    build : record of BUILD
        The build of the round's winner.
    search : record of SEARCH
        Scratch of the search for builds.
    draft : record of DRAFT
        The winner's build, tower by tower.
    ways : record of WAYS, or None
        Scratch for counting builds; None if nobody at the table counts.
    power_search : record of POWER_SEARCH, or None
        Scratch of the search with Great Powers; None if nobody has any.
    fronts : record of FRONTS, or None
        What minds that weigh gains have worked out; None if there are none.
    fork : Fork, or None
        Where futures are tried; None if nobody does that.
    judge : record of JUDGE, or None
        What minds that judge positions think; None if there are none.
    shortlist : record of SHORTLIST, or None
        Builds that such minds choose among.
    """

    rules: Any
    game: Any
    display: Any
    seats: Any
    build: Any
    search: Any
    draft: Any
    ways: Any
    power_search: Any
    fronts: Any
    fork: Any
    judge: Any
    shortlist: Any


def counts_builds(rules: np.ndarray, minds: np.ndarray) -> bool:
    """Say whether anybody at the table needs builds counted: `random`, and whoever can err with powers."""
    return bool((minds["family"] == RANDOM).any() or rules[0]["powers"].any())


class Fork(NamedTuple):
    """A second table, at which futures of a game are tried.

    Attributes
    ----------
    table : Table
        It has no fork of its own. Its game is the first of `games`.
    log : record
        What is said there.
    games : ndarray of GAME, shape (2,)
        The game that is played, and a copy to begin from.
    reached : ndarray of float64, shape (options,)
        What each option has led to.
    """

    table: Any
    log: Any
    games: Any
    reached: Any


def lay_table(rules: np.ndarray, minds: np.ndarray, fork: Fork | None = None) -> Table:
    """Lay a table for these rules and strategies.

    Parameters
    ----------
    rules : ndarray of RULES, shape (1,)
        From :func:`fivetowers_sim.rules.tables.compile_rules`.
    minds : ndarray of MIND, shape (strategies,)
        The strategies; copied, since a game moves their stage.

    fork : Fork, optional
        Where futures of the game are tried.

    Returns
    -------
    Table
        With a game that isn't dealt yet.
    """
    seats = np.zeros(1, SEATS)[0]
    seats["mind"][: len(minds)] = minds
    seats["minds"] = len(minds)
    seats["staged"] = (minds["stages"] > 1).any()
    seats["seated"] = np.arange(MAX_SEATS) % len(minds)
    judges = (minds["family"] == EXPERT).any()
    return Table(
        rules=rules[0],
        game=new_games(3)[1],
        display=np.zeros(1, DISPLAY)[0],
        seats=seats,
        build=lone_record(BUILD),
        search=np.zeros(1, SEARCH)[0],
        draft=lone_record(DRAFT),
        ways=np.zeros(1, WAYS)[0] if counts_builds(rules, minds) else None,
        power_search=np.zeros(1, POWER_SEARCH)[0] if rules[0]["powers"].any() else None,
        fronts=np.zeros(1, FRONTS)[0] if np.isin(minds["family"], (VALUE, ROLLOUT, EXPERT)).any() else None,
        fork=fork,
        judge=np.zeros(1, JUDGE)[0] if judges else None,
        shortlist=np.zeros(1, SHORTLIST)[0] if judges else None,
    )
