"""The figures of a tournament: of each strategy, each two and each line-up, and whether there is a circle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from fivetowers_sim.analysis.cycles import describe_cycle, find_cycle
from fivetowers_sim.analysis.estimates import Estimate, estimate_ratio
from fivetowers_sim.analysis.moments import Moments
from fivetowers_sim.analysis.pairs import Pairs
from fivetowers_sim.analysis.ratings import estimate_ratings
from fivetowers_sim.bench.findings import Findings, Found
from fivetowers_sim.questions.tournament.measure import Places
from fivetowers_sim.questions.tournament.mixing import Mixing

FIGURES: Final = ("win_share", "total", "strength", "against_average", "mix", "reply")
"""Of a strategy.

Its share of the victory for each seat, 0 to 1, over all tables; the VP of a seat; the natural logarithm of its
Plackett–Luce weight, 0 for the field's average; how often it finishes ahead of an average player by that strength; how
often a seat is given to it in the equilibrium mix; how much more than an equal share of the victory a seat gets that
always plays it, while every other seat plays the mix. The last two are known only where all line-ups are played.
"""


def list_figures(
    places: Places, names: Sequence[str], moments: Moments, confidence: float, complete: bool
) -> Iterator[Found]:
    """List everything that is estimated, the strongest strategies first.

    Parameters
    ----------
    places : Places
        What was measured.
    names : sequence of str
        The strategies.
    moments : Moments
        What was measured, summed.
    confidence : float
        Of each interval.
    complete : bool
        Whether every line-up was played; else there is no equilibrium.

    Yields
    ------
    Found
        Of each strategy; of every two, both ways round, in which share of their meetings the first finished ahead,
        shared places counting half, and that share by their strengths; of each strategy of each line-up, its share of
        the victory.
    """
    pairs = places.pairs(names, moments)
    ratings = estimate_ratings(pairs, confidence)
    mixing = Mixing(places, moments, confidence) if complete else None
    ranked = sorted(range(len(names)), key=lambda own: -ratings.strengths[own])

    def find(about: Mapping[str, Any], **figures: Estimate) -> Iterator[Found]:
        for figure, estimate in figures.items():
            yield Found({**about, "figure": figure}, estimate)

    for own in ranked:
        seats = places.seats_of(places.tables_of(own))
        total = moments.tally([places.total_columns[own]], seats)
        yield from find(
            {"table": "strategies", "strategy": names[own], "seats": seats * moments.games},
            win_share=places.win_share(own, moments, confidence),
            total=estimate_ratio(total, confidence=confidence),
            strength=ratings.estimate(own),
            against_average=ratings.against_average(own),
            **({"mix": mixing.mix(own), "reply": mixing.reply(own)} if mixing else {}),
        )
    shares, met = pairs.estimate(confidence), pairs.meetings * moments.games
    for one, other in ((one, other) for one in ranked for other in ranked if (one, other) in shares):
        expected = ratings.expected(one, other)
        yield from find(
            {"table": "pairs", "strategy": names[one], "against": names[other], "meetings": int(met[one, other])},
            ahead=shares[one, other],
            expected=Estimate(expected, expected, expected, moments.games),
        )
    for lineup, own in places.share_columns:
        key = [(lineup, own)]
        seats = places.seats_of(key) * moments.games
        yield from find(
            {
                "table": "matchups",
                "lineup": tuple(names[one] for one in lineup),
                "strategy": names[own],
                "seats": seats,
            },
            win_share=places.share(key, moments, confidence),
        )


def list_rows(findings: Findings) -> dict[str, list[dict[str, Any]]]:
    """Return the figures as plain JSON values: a row for each strategy, every two who met, and each line-up's strategy.

    Parameters
    ----------
    findings : Findings
        What :func:`list_figures` lists.

    Returns
    -------
    dict of str to list of dict
        ``strategies``, ``pairs`` and ``matchups``.
    """
    rows: dict[str, dict[Any, dict[str, Any]]] = {"strategies": {}, "pairs": {}, "matchups": {}}
    for one in findings:
        about = {name: value for name, value in one.about.items() if name not in ("table", "figure")}
        unknown = dict.fromkeys(FIGURES) if one["table"] == "strategies" else {}
        row = rows[one["table"]].setdefault(tuple(about.values()), {**about, **unknown})
        # What strengths say has no interval of its own.
        row[one["figure"]] = one.estimate.value if one["figure"] == "expected" else one.estimate.to_dict()
    for row in rows["matchups"].values():
        row["lineup"] = list(row["lineup"])
    return {table: list(own.values()) for table, own in rows.items()}


def judge_order(pairs: Pairs, each: float) -> dict[str, Any]:
    """Find out whether the order goes round in a circle.

    Parameters
    ----------
    pairs : Pairs
        The results of every two.
    each : float
        Confidence of one pair's interval, with which all pairs are decided together.

    Returns
    -------
    dict of str to object
        As plain JSON values.
    """
    order, names = find_cycle(pairs, each=each), pairs.names
    return {
        "verdict": order.kind,
        "sentence": describe_cycle(order, names),
        "cycle": [names[player] for player in order.cycle],
        "undecided": [[names[one], names[other]] for one, other in order.undecided],
        "confidence": order.confidence,
    }
