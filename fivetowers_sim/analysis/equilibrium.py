"""A mix of strategies against which no strategy of the same list gains anything."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Final

import numpy as np

Lineup = tuple[int, ...]
"""Who sits at a table, as sorted numbers of strategies; the seats don't matter."""

_STARTS: Final = 24
_TOLERANCE: Final = 1e-7
# Below this a solver means 0, or can't tell.
_LEAST_PART: Final = 1e-6
_NEWTON_STEPS: Final = 20
# What is the same on every machine of a mix that was worked out to the end, and of what a solver says by itself.
_DECIMALS: Final = 9
_DECIMALS_OF_SOLVERS: Final = 4


@dataclass(frozen=True, slots=True)
class Payoffs:
    """What each strategy gets at every table that can be made of some strategies: a symmetric game.

    Attributes
    ----------
    players : int
        Seats at a table.
    strategies : int
        How many strategies there are.
    shares : mapping of (Lineup, int) to float
        For each line-up of different strategies and each strategy in it, the share of the victory that one seat of
        it gets, 0 to 1. At a table of one strategy only, each seat gets its equal share by symmetry.
    """

    players: int
    strategies: int
    shares: Mapping[tuple[Lineup, int], float]

    def by_opponents(self) -> _Game:
        """Return the game as one seat sees it."""
        tables = list(combinations_with_replacement(range(self.strategies), self.players - 1))
        return _Game(
            np.array([[table.count(strategy) for strategy in range(self.strategies)] for table in tables]),
            np.array([count_orders(table) for table in tables], float),
            np.array([[self._share(table, own) for own in range(self.strategies)] for table in tables]),
        )

    def _share(self, opponents: Lineup, own: int) -> float:
        lineup = tuple(sorted((*opponents, own)))
        return 1 / self.players if len(set(lineup)) == 1 else self.shares[lineup, own]


@dataclass(frozen=True, slots=True, eq=False)
class _Game:
    """A symmetric game by the opponents of one seat.

    Attributes
    ----------
    opponents : ndarray of int, shape (tables, strategies)
        How many opponents play each strategy.
    ways : ndarray of float, shape (tables,)
        In how many orders these opponents can be drawn.
    shares : ndarray of float, shape (tables, strategies)
        What a strategy gets against them.
    """

    opponents: np.ndarray
    ways: np.ndarray
    shares: np.ndarray

    @property
    def equal_share(self) -> float:
        """What each seat gets where all play the same."""
        return float(1 / (self.opponents[0].sum() + 1))

    def replies(self, mix: np.ndarray) -> np.ndarray:
        """Return what each strategy gets against a mix, shape (strategies,)."""
        chances = self.ways * np.prod(mix**self.opponents, 1)
        return (chances[:, None] * self.shares).sum(0)

    def slopes(self, mix: np.ndarray) -> np.ndarray:
        """Return how that rises with each part of the mix, shape (strategies of the reply, strategies of the mix)."""
        fewer = np.maximum(self.opponents[:, None, :] - np.eye(len(mix), dtype=int), 0)
        chances = self.ways[:, None] * self.opponents * np.prod(mix**fewer, 2)
        return (self.shares[:, :, None] * chances[:, None, :]).sum(0)

    def gain(self, mix: np.ndarray) -> float:
        """Return how far the best reply is above the equal share."""
        return round(float(self.replies(mix).max() - self.equal_share), _DECIMALS)


@dataclass(frozen=True, slots=True, eq=False)
class Equilibrium:
    """A mix of strategies, and how good a reply to it there is among them.

    Attributes
    ----------
    mix : ndarray of float, shape (strategies,)
        With which probability a seat is given each strategy.
    replies : ndarray of float, shape (strategies,)
        Share of the victory of one seat that always plays a strategy, while every other seat is given the mix.
    gain : float
        How far the best of these is above the equal share; 0 in an equilibrium.
    """

    mix: np.ndarray
    replies: np.ndarray
    gain: float


def solve_equilibrium(payoffs: Payoffs, guess: np.ndarray | None = None) -> Equilibrium:
    """Find a mix against which no strategy wins more than its equal share.

    Parameters
    ----------
    payoffs : Payoffs
        What each strategy gets at every table.
    guess : ndarray of float, shape (strategies,), optional
        A mix to start from, with more than two players.

    Returns
    -------
    Equilibrium
        A symmetric one; where there are several, one of them.

    Notes
    -----
    With two players the game is zero-sum and symmetric, and the mix is that of a linear program (D. Gale, H. W. Kuhn
    and A. W. Tucker, 1951; solved by HiGHS in ``scipy.optimize.linprog``). With more players every symmetric game has a
    symmetric equilibrium (J. Nash, Annals of Mathematics 54, 1951), in which a reply gets the equal share at most; the
    largest gain of a reply is made as small as possible from several starts (``scipy.optimize.minimize``, SLSQP). That
    it comes out as 0 shows that an equilibrium was found, and the remaining gain is returned. Only the strategies
    listed are considered: another one may gain.

    Where a solver ends depends, in its last digits, on the processor. So the equations that hold in an equilibrium (all
    strategies in the mix are equally good replies) are then solved by Newton's method, and nine decimals are kept.
    If they have no single solution, as when a strategy is listed twice, four decimals of the solver's are kept.

    Examples
    --------
    In rock, paper, scissors the mix is one third each, every reply gets one half, and the gain is 0.
    """
    game = payoffs.by_opponents()
    # With one opponent the tables are the opponents in order.
    found = _solve_zero_sum(game.shares.T) if payoffs.players == 2 else _solve_symmetric(game, guess)
    mix = _settle(game, found)
    return Equilibrium(mix, np.round(game.replies(mix), _DECIMALS), game.gain(mix))


def reply_weights(mix: np.ndarray, payoffs: Payoffs, own: int) -> dict[tuple[Lineup, int], float]:
    """Return with which weight each share counts in what a strategy gets against a mix.

    Parameters
    ----------
    mix : ndarray of float, shape (strategies,)
        The mix in every other seat.
    payoffs : Payoffs
        The game.
    own : int
        The strategy.

    Returns
    -------
    dict of (Lineup, int) to float
        Weights of the shares of line-ups of different strategies. They add up to 1 less the chance that all others
        play the strategy too, in which case it gets the equal share.
    """
    weights: dict[tuple[Lineup, int], float] = {}
    for opponents in combinations_with_replacement(range(payoffs.strategies), payoffs.players - 1):
        lineup = tuple(sorted((*opponents, own)))
        if len(set(lineup)) > 1:
            weights[lineup, own] = count_orders(opponents) * float(np.prod(mix[list(opponents)]))
    return weights


def count_orders(drawn: Lineup) -> int:
    """Return in how many orders these strategies can be drawn."""
    return math.factorial(len(drawn)) // math.prod(math.factorial(count) for count in Counter(drawn).values())


def _solve_zero_sum(shares: np.ndarray) -> np.ndarray:
    """Return the mix of rows whose least share against any column is the greatest."""
    from scipy.optimize import linprog

    strategies = len(shares)
    # Variables: the mix, and the share that it guarantees.
    found = linprog(
        np.append(np.zeros(strategies), -1.0),
        A_ub=np.column_stack([-shares.T, np.ones(strategies)]),
        b_ub=np.zeros(strategies),
        A_eq=[[1.0] * strategies + [0.0]],
        b_eq=[1.0],
        bounds=[(0, 1)] * strategies + [(None, None)],
    )
    return _tidy(found.x[:strategies])


def _solve_symmetric(game: _Game, guess: np.ndarray | None) -> np.ndarray:
    """Return the mix with the smallest gain of any reply."""
    strategies = game.shares.shape[1]
    best, least = np.full(strategies, 1 / strategies), math.inf
    for start in _list_starts(strategies, guess):
        mix = _improve(game, start)
        gain = game.gain(mix)
        if gain < least:
            best, least = mix, gain
        if least < _TOLERANCE:
            break
    return best


def _improve(game: _Game, start: np.ndarray) -> np.ndarray:
    """Return a mix near the start that no reply gains more against than it must."""
    from scipy.optimize import minimize

    # Variables: the mix, and the gain that every reply must stay below.
    below = {
        "type": "ineq",
        "fun": lambda point: point[-1] + game.equal_share - game.replies(point[:-1].clip(0, 1)),
        "jac": lambda point: np.column_stack([-game.slopes(point[:-1].clip(0, 1)), np.ones(len(start))]),
    }
    whole = {
        "type": "eq",
        "fun": lambda point: point[:-1].sum() - 1,
        "jac": lambda point: np.append(np.ones(len(start)), 0.0),
    }
    found = minimize(
        lambda point: point[-1],
        np.append(start, max(0.0, game.gain(start))),
        jac=lambda point: np.append(np.zeros(len(start)), 1.0),
        bounds=[(0, 1)] * (len(start) + 1),
        constraints=[below, whole],
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-12},
    )
    return _tidy(found.x[:-1])


def _settle(game: _Game, found: np.ndarray) -> np.ndarray:
    """Return the mix near a solver's in which all strategies that it holds get exactly the same."""
    inside = np.flatnonzero(found)
    point = np.append(found[inside], game.equal_share)
    mix = np.zeros(len(found))
    for _ in range(_NEWTON_STEPS):
        mix[inside] = point[:-1]
        equations = np.append(game.replies(mix)[inside] - point[-1], point[:-1].sum() - 1)
        slopes = np.ones((len(point), len(point)))
        slopes[:-1, :-1] = game.slopes(mix)[np.ix_(inside, inside)]
        slopes[:-1, -1], slopes[-1, -1] = -1, 0
        try:
            step = np.linalg.solve(slopes, equations)
        except np.linalg.LinAlgError:
            break
        point = point - step
        if not np.isfinite(point).all() or point[:-1].min() <= 0:
            break
        if np.abs(step).max() < _TOLERANCE**2:
            mix[inside] = point[:-1]
            if game.gain(mix) < _TOLERANCE:
                return _tidy(np.round(mix, _DECIMALS))
            break
    return _tidy(np.round(found, _DECIMALS_OF_SOLVERS))


def _list_starts(strategies: int, guess: np.ndarray | None) -> np.ndarray:
    """Return where to start: the guess, the even mix, each strategy with a little of all others, and some at random."""
    even = np.full((1, strategies), 1 / strategies)
    pure = 0.9 * np.eye(strategies) + 0.1 * even
    drawn = np.random.default_rng(0).dirichlet(np.ones(strategies), _STARTS)
    return np.vstack([*(() if guess is None else (guess[None, :],)), even, pure, drawn])


def _tidy(mix: np.ndarray) -> np.ndarray:
    """Cut off what the solver left below 0 or just above, and make the rest add up to 1."""
    kept = np.where(mix < _LEAST_PART, 0.0, mix)
    return kept / kept.sum()
