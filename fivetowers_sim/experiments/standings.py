"""What a tournament found: every figure with an interval over deals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fivetowers_sim.analysis.cycles import Verdict, describe_cycle
from fivetowers_sim.analysis.equilibrium import Equilibrium
from fivetowers_sim.analysis.estimates import Estimate


@dataclass(frozen=True, slots=True)
class Standing:
    """How a strategy fared.

    Attributes
    ----------
    strategy : str
        Its name.
    seats : int
        Seats that it had, over all games.
    win_share : Estimate
        Share of the victory that a seat of it got, 0 to 1, over all tables.
    total : Estimate
        VP of a seat of it.
    strength : Estimate
        Natural logarithm of its Plackett–Luce weight; 0 is the field's average.
    against_average : Estimate
        How often it finishes ahead of the field's average player, 0 to 1, by that strength.
    mix : Estimate or None
        How often a seat is given to it in the equilibrium mix.
    reply : Estimate or None
        How much more than an equal share of the victory a seat gets that always plays it, while every other seat
        plays the mix.
    """

    strategy: str
    seats: int
    win_share: Estimate
    total: Estimate
    strength: Estimate
    against_average: Estimate
    mix: Estimate | None
    reply: Estimate | None

    def to_dict(self) -> dict[str, Any]:
        """Return the row as plain JSON values."""
        figures = {name: getattr(self, name) for name in ("win_share", "total", "strength", "against_average")}
        figures |= {"mix": self.mix, "reply": self.reply}
        written = {name: figure and figure.to_dict() for name, figure in figures.items()}
        return {"strategy": self.strategy, "seats": self.seats, **written}


@dataclass(frozen=True, slots=True)
class Pairing:
    """How two strategies fared against each other wherever both sat at a table.

    Attributes
    ----------
    strategy, against : str
        Their names.
    meetings : int
        Pairs of their seats, over all games.
    ahead : Estimate
        In which share of these the first finished ahead, 0 to 1; shared places count half.
    expected : float
        That share by their strengths.
    """

    strategy: str
    against: str
    meetings: int
    ahead: Estimate
    expected: float

    def to_dict(self) -> dict[str, Any]:
        """Return the pair as plain JSON values."""
        who = {"strategy": self.strategy, "against": self.against, "meetings": self.meetings}
        return {**who, "ahead": self.ahead.to_dict(), "expected": self.expected}


@dataclass(frozen=True, slots=True)
class Matchup:
    """How a strategy fared at the tables of one line-up.

    Attributes
    ----------
    lineup : tuple of str
        Who sits there, in no order.
    strategy : str
        One of them.
    seats : int
        Its seats, over all games of the line-up.
    win_share : Estimate
        Share of the victory that each got, 0 to 1.
    """

    lineup: tuple[str, ...]
    strategy: str
    seats: int
    win_share: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Return the row as plain JSON values."""
        who = {"lineup": list(self.lineup), "strategy": self.strategy, "seats": self.seats}
        return {**who, "win_share": self.win_share.to_dict()}


@dataclass(frozen=True, slots=True)
class Standings:
    """Everything that a tournament found.

    Attributes
    ----------
    deals, games : int
        Deals, each played in every circle, and games in all.
    confidence : float
        Of every interval taken by itself; with several looks, more than that of the whole.
    strategies : list of Standing
        The strategies, strongest first.
    pairs : list of Pairing
        Every two, both ways round, in the same order.
    matchups : list of Matchup
        Every line-up played.
    order : Verdict
        Whether the order goes round in a circle; players are numbered as in ``names``.
    names : tuple of str
        The strategies in the order given.
    equilibrium : Equilibrium or None
        The mix; None if only a selection of the tables was played.
    """

    deals: int
    games: int
    confidence: float
    strategies: list[Standing]
    pairs: list[Pairing]
    matchups: list[Matchup]
    order: Verdict
    names: tuple[str, ...]
    equilibrium: Equilibrium | None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain JSON values."""
        order = {
            "verdict": self.order.kind,
            "sentence": describe_cycle(self.order, self.names),
            "cycle": [self.names[player] for player in self.order.cycle],
            "undecided": [[self.names[a], self.names[b]] for a, b in self.order.undecided],
            "confidence": self.order.confidence,
        }
        return {
            "deals": self.deals,
            "games": self.games,
            "confidence": self.confidence,
            "strategies": [row.to_dict() for row in self.strategies],
            "order": order,
            "equilibrium_gain": self.equilibrium and max(0.0, self.equilibrium.gain),
            "pairs": [row.to_dict() for row in self.pairs],
            "matchups": [row.to_dict() for row in self.matchups],
        }
