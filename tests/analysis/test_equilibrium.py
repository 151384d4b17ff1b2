"""Equilibrium mixes: games whose answer is known, and proof that what is found is one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from fivetowers_sim.analysis.equilibrium import Payoffs, reply_weights, solve_equilibrium
from tests.analysis.tables import every_lineup


def duels(shares):
    """A game for two, from the share of each against each."""
    count = len(shares)
    found = {((a, b), a): shares[a][b] for a in range(count) for b in range(a + 1, count)}
    return Payoffs(2, count, found | {((a, b), b): shares[b][a] for a in range(count) for b in range(a + 1, count)})


def weighted(players, worth, strategies):
    """A game in which the share is in proportion to what each is worth at this table."""
    shares = {}
    for lineup in every_lineup(strategies, players):
        total = sum(worth(own, lineup) for own in lineup)
        shares |= {(lineup, own): worth(own, lineup) / total for own in set(lineup)}
    return Payoffs(players, strategies, shares)


def beats(own, lineup):
    """Rock, paper, scissors with several at a table: each is worth more by whom it beats, less by who beats it."""
    return float(np.exp(sum(((own - other) % 3 == 1) - ((other - own) % 3 == 1) for other in lineup)))


def test_rock_paper_scissors_is_played_a_third_each():
    found = solve_equilibrium(duels([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]]))
    assert found.mix == pytest.approx([1 / 3] * 3)
    assert found.replies == pytest.approx([0.5] * 3)
    assert found.gain == pytest.approx(0, abs=1e-9)


def test_a_circle_of_unequal_edges_is_mixed_against_the_edges():
    # Who wins by 0.3, 0.1 and 0.2 is played in proportion to the margin of the duel that it isn't in.
    found = solve_equilibrium(duels([[0.5, 0.8, 0.3], [0.2, 0.5, 0.6], [0.7, 0.4, 0.5]]))
    assert found.mix == pytest.approx([1 / 6, 2 / 6, 3 / 6])


@pytest.mark.parametrize("players", [3, 4, 5])
def test_rock_paper_scissors_at_a_larger_table_is_played_a_third_each(players):
    found = solve_equilibrium(weighted(players, beats, 3))
    assert found.mix == pytest.approx([1 / 3] * 3, abs=1e-6)
    assert found.gain == pytest.approx(0, abs=1e-7)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_dominated_game_is_played_purely(players):
    found = solve_equilibrium(weighted(players, lambda own, lineup: [1.0, 3.0, 2.0, 2.9][own], 4))
    assert found.mix == pytest.approx([0, 1, 0, 0], abs=1e-6)
    assert found.gain <= 1e-9
    assert found.replies[1] == pytest.approx(1 / players)


@pytest.mark.parametrize(("players", "strategies", "seed"), [(2, 7, 1), (3, 4, 2), (3, 7, 3), (4, 5, 4), (5, 5, 5)])
def test_in_any_game_no_reply_gains_against_the_mix(players, strategies, seed):
    random = np.random.default_rng(seed)
    worth = {(own, lineup): random.exponential() for lineup in every_lineup(strategies, players) for own in lineup}
    payoffs = weighted(players, lambda own, lineup: worth[own, lineup], strategies)
    found = solve_equilibrium(payoffs)
    assert found.mix.sum() == pytest.approx(1)
    assert (found.mix >= 0).all()
    # Worked out the long way: every order of opponents on its own.
    for own in range(strategies):
        against = 0.0
        for others in product(range(strategies), repeat=players - 1):
            lineup = tuple(sorted((*others, own)))
            share = 1 / players if len(set(lineup)) == 1 else payoffs.shares[lineup, own]
            against += np.prod(found.mix[list(others)]) * share
        assert found.replies[own] == pytest.approx(against)
        assert against <= 1 / players + 1e-6


def test_a_guess_changes_how_soon_and_not_what():
    payoffs = weighted(3, beats, 3)
    found = solve_equilibrium(payoffs, np.array([0.7, 0.2, 0.1]))
    assert found.mix == pytest.approx([1 / 3] * 3, abs=1e-6)


def test_the_weights_of_a_reply_give_its_share():
    payoffs = weighted(3, beats, 3)
    mix = np.array([0.2, 0.5, 0.3])
    weights = reply_weights(mix, payoffs, 0)
    alone = mix[0] ** 2
    assert sum(weights.values()) == pytest.approx(1 - alone)
    # At 1 1 0: both opponents are 1. At 0 1 2 there are two ways to sit.
    assert weights[(0, 1, 1), 0] == pytest.approx(0.25)
    assert weights[(0, 1, 2), 0] == pytest.approx(2 * 0.5 * 0.3)
