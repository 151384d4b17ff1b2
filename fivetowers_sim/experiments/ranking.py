"""From the sums of a tournament to its standings."""

from __future__ import annotations

from dataclasses import dataclass

from fivetowers_sim.analysis.cycles import find_cycle
from fivetowers_sim.analysis.estimates import Estimate, estimate_ratio
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.analysis.pairs import Pairs
from fivetowers_sim.analysis.ratings import Ratings, estimate_ratings
from fivetowers_sim.experiments.mixing import Mixing
from fivetowers_sim.experiments.places import Places
from fivetowers_sim.experiments.standings import Matchup, Pairing, Standing, Standings


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """What was played in a tournament.

    Attributes
    ----------
    places : Places
        What was measured.
    names : tuple of str
        The strategies.
    moments : Moments
        What was measured, summed.
    confidence, pair_confidence : float
        Of each interval taken by itself, and of those of pairs by which it is decided who is ahead.
    """

    places: Places
    names: tuple[str, ...]
    moments: Moments
    confidence: float
    pair_confidence: float

    def win_share(self, strategy: int) -> Estimate:
        """Estimate a strategy's share of the victory per seat, over all tables."""
        return self.places.share(self.places.tables_of(strategy), self.moments, self.confidence)


def estimate_standings(played: Played, complete: bool) -> Standings:
    """Estimate everything that a tournament is about.

    Parameters
    ----------
    played : Played
        What was played.
    complete : bool
        Whether every line-up was; else there is no equilibrium.

    Returns
    -------
    Standings
        The figures.
    """
    places, moments, confidence = played.places, played.moments, played.confidence
    pairs = places.pairs(played.names, moments)
    ratings = estimate_ratings(pairs, confidence)
    mixing = Mixing(places, moments, confidence) if complete else None
    ranked = sorted(range(len(played.names)), key=lambda strategy: -ratings.strengths[strategy])
    return Standings(
        deals=moments.games,
        games=moments.games * len(places.circles),
        confidence=confidence,
        strategies=[_stand(played, strategy, ratings, mixing) for strategy in ranked],
        pairs=_list_pairings(pairs, ratings, ranked),
        matchups=_list_matchups(played),
        order=find_cycle(pairs, each=played.pair_confidence),
        names=played.names,
        equilibrium=mixing and mixing.found,
    )


def _stand(played: Played, strategy: int, ratings: Ratings, mixing: Mixing | None) -> Standing:
    places, moments = played.places, played.moments
    seats = places.seats_of(places.tables_of(strategy))
    total = moments.tally([places.total_columns[strategy]], seats)
    return Standing(
        strategy=played.names[strategy],
        seats=seats * moments.games,
        win_share=played.win_share(strategy),
        total=estimate_ratio(total, confidence=played.confidence),
        strength=ratings.estimate(strategy),
        against_average=ratings.against_average(strategy),
        mix=mixing and mixing.mix(strategy),
        reply=mixing and mixing.reply(strategy),
    )


def _list_pairings(pairs: Pairs, ratings: Ratings, ranked: list[int]) -> list[Pairing]:
    shares, meetings = pairs.estimate(ratings.confidence), pairs.meetings * pairs.moments.games
    names = pairs.names
    return [
        Pairing(names[a], names[b], int(meetings[a, b]), shares[a, b], ratings.expected(a, b))
        for a in ranked
        for b in ranked
        if (a, b) in shares
    ]


def _list_matchups(played: Played) -> list[Matchup]:
    places, names = played.places, played.names
    rows = []
    for lineup, own in places.share_columns:
        key = [(lineup, own)]
        share = places.share(key, played.moments, played.confidence)
        seats = places.seats_of(key) * played.moments.games
        rows.append(Matchup(tuple(names[one] for one in lineup), names[own], seats, share))
    return rows
